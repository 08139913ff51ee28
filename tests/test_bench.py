"""`nfsim bench`: figures, and what is said about them. Nothing here depends on how fast this machine is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nfsim.errors import BadInput
from nfsim.run.bench import calibration, figures
from nfsim.run.bench.cases import CPU_SECONDS, PER_CPU_SECOND, TIMES, Case, cases
from nfsim.run.bench.measuring import measure

Command = Callable[..., tuple[int, str, str]]
FIGURE = {"case": "solo", "unit": PER_CPU_SECOND, "value": 1000.0, "relative": 4.0, "yardstick": 250.0, "games": 10,
          "tries": [1000.0], "peak_mb": 200.0, "bytes_per_game": 50.0}  # fmt: skip


def figure(**changed: Any) -> figures.Figure:
    """A figure as kept, but for what changed."""
    return {**FIGURE, **changed}


def test_a_case_that_takes_much_longer_fell_and_is_named_with_how_much() -> None:
    found = figures.compare(figure(relative=2.0), [figure(case="other"), figure()])
    assert found.ratio == 0.5
    assert found.verdict == "fell by 50 %"


def test_on_a_slower_machine_nothing_fell() -> None:
    found = figures.compare(figure(value=100.0, yardstick=25.0), [figure()])
    assert found.verdict == "holds"


@pytest.mark.parametrize("ratio", [figures.FALLEN + 0.001, 1.0, 3.0])
def test_within_the_noise_and_above_a_case_holds(ratio: float) -> None:
    assert figures.compare(figure(relative=4.0 * ratio), [figure()]).problems == []


@pytest.mark.parametrize(("key", "words"), [("peak_mb", "memory grew"), ("bytes_per_game", "bytes a game grew")])
def test_memory_and_bytes_that_grow_are_said(key: str, words: str) -> None:
    assert figures.compare(figure(**{key: 1.2 * FIGURE[key]}), [figure()]).verdict == f"{words} by 20 %"


def test_a_case_with_other_games_is_new_and_not_compared() -> None:
    found = figures.compare(figure(games=11, relative=0.1), [figure()])
    assert (found.verdict, found.ratio, found.problems) == ("new", None, [])


def test_what_is_kept_is_what_is_read(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    figures.keep(file, [figure(), figure(case="two")], {"processor": "x", "load": None})
    machine, found = figures.read(file)
    assert machine["processor"] == "x"
    assert found == [figure(), figure(case="two")]
    assert len(file.read_text().splitlines()) == 5  # a case a line, for the eye and for diffs


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", ""),
        ("[]", ""),
        ('{"machine": {}}', "cases"),
        ('{"machine": 1, "cases": []}', "machine"),
        ('{"machine": {}, "cases": [1]}', "cases[0]"),
        (json.dumps({"machine": {}, "cases": [figure(), figure(relative=0)]}), "cases[1]"),
        (json.dumps({"machine": {}, "cases": [figure(peak_mb="much")]}), "cases[0]"),
        (json.dumps({"machine": {}, "cases": [figure(value=float("nan"))]}), "cases[0]"),
    ],
)
def test_a_file_that_holds_no_figures_is_refused_with_its_place(tmp_path: Path, text: str, key: str) -> None:
    file = tmp_path / "kept.json"
    file.write_text(text, "utf-8")
    with pytest.raises(BadInput) as refused:
        figures.read(file)
    assert refused.value.key == key


def test_the_committed_figures_are_of_the_cases_that_there_are() -> None:
    _, kept = figures.read(Path(__file__).parent.parent / "bench.json")
    there = {(each["case"], each["games"]) for each in kept}
    usual, every = ({(case.name, case.games) for case in cases(cold=cold)} for cold in (False, True))
    assert usual <= there <= every


def test_cases_have_names_of_their_own() -> None:
    names = [case.name for case in cases(cold=True)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("unit", [PER_CPU_SECOND, CPU_SECONDS, TIMES])
def test_a_better_value_is_a_higher_relative_one_in_every_unit(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from nfsim.run.bench import measuring

    def values(value: float) -> Any:
        def play(jobs: int, case: Case, folder: Path) -> Any:
            while True:
                yield value, {}

        return play

    monkeypatch.setattr(calibration, "speed", lambda: 250.0)
    relative = []
    for value in (1.0, 2.0):
        monkeypatch.setattr(measuring, "_play", values(value))
        relative.append(measure(Case("x", "play", unit, 1), 1)["relative"])
    assert (relative[0] > relative[1]) == (unit == CPU_SECONDS)


def test_the_yardstick_takes_steps() -> None:
    assert calibration.speed(1000) > 0


def test_a_case_is_measured_with_what_it_wrote() -> None:
    found = measure(Case("small", "play", PER_CPU_SECOND, 50, policy="uniform"), 3)
    assert len(found["tries"]) == 3
    assert sorted(found["tries"])[1] == found["value"]
    assert min(found["relative"], found["yardstick"], found["bytes_per_game"], found["peak_mb"]) > 0


@pytest.mark.soak
def test_the_command_compares_and_says_which_case_fell(tmp_path: Path, command: Command) -> None:
    only = ["--only", "solo, 12 rounds, uniform, log games", "--games", "200", "--repeat", "1"]
    kept = tmp_path / "kept.json"
    code, out, _ = command("bench", *only, "--keep", kept)
    assert code == 0
    assert "uniform" in out
    data = json.loads(kept.read_text())
    data["cases"][0]["relative"] *= 1000
    kept.write_text(json.dumps(data))
    code, out, _ = command("bench", *only, "--against", kept)
    assert code == 0
    assert "solo, 12 rounds, uniform, log games: fell by" in out
    code, out, _ = command("bench", *only, "--against", kept, "--check", "--json")
    answer = json.loads(out)
    assert code == answer["exit_code"] == 1
    assert answer["worse"] == ["solo, 12 rounds, uniform, log games"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["--repeat", "0"], "--repeat"), (["--games", "0"], "--games"), (["--check"], "--check"),
     (["--only", "chess"], "--only"), (["--against", "nowhere.json"], "nowhere.json")],
)  # fmt: skip
def test_impossible_options_are_refused_by_name(command: Command, arguments: list[str], named: str) -> None:
    code, _, err = command("bench", *arguments)
    assert code == 2
    assert named in err
