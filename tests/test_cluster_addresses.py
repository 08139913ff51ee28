"""Runs at addresses of fsspec, written by the workers of a real Dask cluster."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from dask_here import GAMES, Command, Dask, interrupt, on, run_here, same_rows, solo_scenario  # noqa: F401 - fixtures

from nfsim.log.parts import chunk_name
from nfsim.log.read import Run, load
from nfsim.run.chunks import chunk_size
from nfsim.run.progress import Stopped
from nfsim.run.scenario import Scenario

pytestmark = pytest.mark.slow


def test_an_address_holds_the_same_rows(dask: Dask, solo: Scenario, here: Run, tmp_path: Path) -> None:
    # fsspec's name for local files: unlike file://, which is a folder to us, it is written as any address is
    address = f"local://{tmp_path}/run"
    assert on(dask, solo, address) == GAMES
    assert same_rows(load(f"file://{tmp_path}/run", content=True), here)
    assert not (tmp_path / "run" / "chunks").exists()


@pytest.mark.soak
def test_an_unfinished_run_at_an_address_goes_on(dask: Dask, solo: Scenario, here: Run, tmp_path: Path) -> None:
    address = f"local://{tmp_path}/run"
    with pytest.raises(Stopped) as stopped:
        on(dask, solo, address, interrupt)
    assert stopped.value.kept >= chunk_size(GAMES)
    assert on(dask, solo, address) < GAMES
    assert same_rows(load(tmp_path / "run", content=True), here)


def test_an_address_that_cannot_be_written_ends_the_run_with_the_name_of_a_worker(
    dask: Dask, solo: Scenario, tmp_path: Path
) -> None:
    address, last = f"local://{tmp_path}/run", chunk_name(GAMES - chunk_size(GAMES))
    in_the_way = tmp_path / "run" / "games" / f"{last}.parquet"
    in_the_way.mkdir(parents=True)
    with pytest.raises(Stopped, match=r"^worker \S+: --out: local://\S+ cannot be written \(.*are kept") as stopped:
        on(dask, solo, address)
    assert stopped.value.exit_code == 1
    assert "did not play a chunk" not in str(stopped.value)
    in_the_way.rmdir()
    assert 0 < on(dask, solo, address) <= GAMES


def shorten(part: Path) -> None:
    part.write_bytes(part.read_bytes()[:-1])


def flip_a_bit(part: Path) -> None:
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)


DAMAGE: dict[str, Callable[[Path], None]] = {"shortened": shorten, "changed": flip_a_bit, "removed": Path.unlink}


@pytest.mark.parametrize("damage", DAMAGE)
def test_of_a_finished_run_at_an_address_only_the_chunk_of_a_damaged_part_is_played_again(
    dask: Dask, solo: Scenario, here: Run, tmp_path: Path, damage: str
) -> None:
    shutil.copytree(here.folder, tmp_path / "run")
    DAMAGE[damage](min((tmp_path / "run" / "games").iterdir()))
    assert on(dask, solo, f"local://{tmp_path}/run") == chunk_size(GAMES)
    assert same_rows(load(tmp_path / "run", content=True), here)


def test_a_finished_run_at_an_address_is_left_as_it_is(dask: Dask, solo: Scenario, here: Run, tmp_path: Path) -> None:
    shutil.copytree(here.folder, tmp_path / "run")
    assert on(dask, solo, f"local://{tmp_path}/run") == 0


@pytest.mark.soak
def test_an_unfinished_run_at_an_address_does_not_keep_a_changed_part(
    dask: Dask, solo: Scenario, here: Run, tmp_path: Path
) -> None:
    address = f"local://{tmp_path}/run"
    with pytest.raises(Stopped):
        on(dask, solo, address, interrupt)
    record = json.loads(min((tmp_path / "run" / "chunks").iterdir()).read_text("utf-8"))
    flip_a_bit(tmp_path / "run" / record["parts"][0]["file"])
    on(dask, solo, address)
    assert same_rows(load(tmp_path / "run", content=True), here)


@pytest.mark.soak
def test_a_run_that_was_stopped_while_it_was_repaired_goes_on(
    dask: Dask, solo: Scenario, here: Run, tmp_path: Path
) -> None:
    shutil.copytree(here.folder, tmp_path / "run")
    games = sorted((tmp_path / "run" / "games").iterdir())
    for part in games[:3]:
        flip_a_bit(part)
    address = f"local://{tmp_path}/run"
    with pytest.raises(Stopped) as stopped:
        on(dask, solo, address, interrupt)
    assert stopped.value.kept >= GAMES - 2 * chunk_size(GAMES)
    on(dask, solo, address)
    assert same_rows(load(tmp_path / "run", content=True), here)


def test_an_address_of_another_run_is_refused(dask: Dask, tmp_path: Path, command: Command) -> None:
    rest = ("--policy", "uniform", "--backend", "dask", "--scheduler", dask.file, "--out", f"local://{tmp_path}/run")
    assert command("run", "solo_campaign1_short", "--games", "100", *rest)[0] == 0
    code, _, said = command("run", "solo_campaign1_short", "--games", "200", *rest)
    assert code == 2
    assert "games is 100 there, 200 here" in said
