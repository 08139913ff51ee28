"""Playing a scenario from Python, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nfsim.log.read import Run, load
from nfsim.run.execute import run
from nfsim.run.scenario import DEFAULT_SEED, read_scenario


def play(
    scenario: Path | str,
    out: Path | str | None = None,
    *,
    games: int | None = None,
    policy: str | Sequence[str] | None = None,
    settings: Sequence[str] = (),
    seed: int = DEFAULT_SEED,
    jobs: int | None = None,
    log: str = "rounds",
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
    policy : str or sequence of str, optional
        One for every seat, or one per seat.
    settings : sequence of str
        ``key=value`` as with ``--set``.
    seed : int
        Same scenario and seed: same rows.
    jobs : int, optional
        Threads; by default as many as there are cores.
    log : {"games", "rounds", "tiles"}
        How much is logged.

    Returns
    -------
    Run
        Its tables as polars LazyFrames.

    Raises
    ------
    BadInput
        Naming what is wrong.
    """
    named = policy if policy is None or isinstance(policy, str) else list(policy)
    overrides = {key: value for key, value in (("games", games), ("policy", named)) if value is not None}
    chosen = read_scenario(scenario, settings, overrides)
    folder = Path("runs", chosen.name) if out is None else Path(out)
    run(chosen, folder, seed=seed, jobs=jobs, level=log)
    return load(folder)
