"""Playing a scenario from Python, in one call."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nfsim.log.addresses import local
from nfsim.log.read import Run, load
from nfsim.policies.functions import named
from nfsim.run.cluster import named_cluster
from nfsim.run.execute import run
from nfsim.run.scenario import DEFAULT_SEED, read_scenario
from nfsim.validation import whole


def play(
    scenario: Path | str,
    out: Path | str | None = None,
    *,
    games: int | None = None,
    policy: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] | None = None,
    settings: Sequence[str] = (),
    seed: int = DEFAULT_SEED,
    jobs: int | None = None,
    log: str = "rounds",
    scheduler: str | None = None,
) -> Run:
    """Play a scenario and open its run: what ``nfsim run`` does.

    Parameters
    ----------
    scenario : path or str
        A TOML file, or the name of a built-in one.
    out : path or str, optional
        Run folder, by default ``runs/<scenario>``. A finished identical run in it is opened as it is.
    games : int, optional
        How many; by default as the scenario says.
    policy : policy, or sequence of them, optional
        One for every seat, or one per seat: names, files, or functions in Python that stand in a file of their own.
    settings : sequence of str
        ``key=value`` as with ``--set``.
    seed : int
        Same scenario and seed: same rows.
    jobs : int, optional
        Threads; by default as many as there are cores.
    log : {"games", "rounds", "tiles"}
        How much is logged.
    scheduler : str, optional
        Let the workers of a Dask cluster play, as ``--backend dask`` does: the address of its scheduler
        (``"tcp://10.0.0.1:8786"``) or the scheduler's JSON file. Needs ``pip install 'nfsim[cluster]'``; the rows are
        the same, `jobs` is not for it, and `out` stays a folder of this machine.

    Returns
    -------
    Run
        Its tables as polars LazyFrames.

    Raises
    ------
    BadInput
        Naming what is wrong.
    Stopped
        If the run was interrupted; what is complete is kept, and the same call goes on from there.
    """
    number = None if games is None else whole("games", games)
    overrides = {key: value for key, value in (("games", number), ("policy", named(policy))) if value is not None}
    seed, jobs = whole("seed", seed), None if jobs is None else whole("jobs", jobs)
    chosen = read_scenario(scenario, settings, overrides)
    folder = Path("runs", chosen.name) if out is None else local(out)
    cluster = named_cluster("local" if scheduler is None else "dask", scheduler, jobs)
    with cluster or contextlib.nullcontext():
        run(chosen, folder, seed=seed, jobs=jobs, level=log, cluster=cluster)
    return load(folder, content=False)
