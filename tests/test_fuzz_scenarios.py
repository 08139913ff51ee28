"""Mutated scenarios and policy files: they are played, or refused in one sentence; nothing else."""

from pathlib import Path
from typing import Any

import pytest
from fuzz.mutations import TRICKS, contents, play_trick, to_toml, trees
from fuzz.sandbox import Sandbox, each_test, fuzzing, one_sandbox  # noqa: F401 - fixtures
from hypothesis import given
from hypothesis import strategies as st

from nfsim.files import parse_toml
from nfsim.games.new_frontiers.policies import shelf
from nfsim.run.execute import run
from nfsim.run.scenario import read_scenario
from nfsim.run.scenario_files import read_layers
from nfsim.studies.sweep.variants import make_sweep

SCENARIOS = sorted(Path(__file__).parent.parent.joinpath("scenarios").glob("*.toml"))
POLICIES = sorted(Path(shelf.__file__).parent.joinpath("presets").glob("*.toml"))
PATCHES: list[dict[str, Any]] = [
    {"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 5, "powers": ["settle.military 2"]}},
    {"do": "duplicate", "kind": "world", "name": "Gem World", "copies": 3},
    {"do": "remove", "kind": "development", "name": "Space Marines"},
    {"do": "duplicate", "kind": "goal", "name": "Colonies", "set": {"name": "Colonies again"}},
    {"do": "change", "kind": "condition", "name": "Great Victory", "campaign": 1, "set": {"short_vp": 60}},
    {
        "do": "add",
        "kind": "world",
        "name": "New World",
        "set": {
            "cost": 2,
            "vp": 1,
            "type": "gray",
            "good": "none",
            "military": False,
            "defense": 0,
            "colonists": 1,
            "penalty": 0,
            "status": "patched",
        },
    },
]
GOOD: list[dict[str, Any]] = [
    read_layers(file).data | {"rules": {"profile": "table"}, "patch": [PATCHES[number % len(PATCHES)]]}
    for number, file in enumerate(SCENARIOS)
]


def prepare(sandbox: Sandbox) -> None:
    run(read_scenario(SCENARIOS[-1]), sandbox.fresh() / "first", jobs=1)  # compiles, reads what is read once


def attempt(sandbox: Sandbox, entry: str, content: bytes | None, trick: str = "", log: str = "rounds") -> str:
    """Play two games of a scenario file."""
    file = sandbox.fresh() / "fuzz.toml"
    if content is not None:
        file.write_bytes(content)
    if trick:
        play_trick(trick, file)

    def play() -> None:
        scenario = read_scenario(file, overrides={"games": 2})
        if any(policy.slow for policy in scenario.seated):
            return
        run(scenario, "out", jobs=1, level=log)

    return sandbox.attempt(entry, play)


@pytest.mark.parametrize("patch", PATCHES, ids=str)
def test_a_patch_can_be_played_before_it_is_mutated(sandbox: Sandbox, patch: Any) -> None:
    good = next(good for good, file in zip(GOOD, SCENARIOS, strict=True) if file.stem == "solo_campaign1_short")
    assert attempt(sandbox, "scenario, untouched", to_toml(good | {"patch": [patch]}).encode()) == "ok", sandbox.said


@pytest.mark.parametrize(
    "line", [".".join(["a"] * 300_000) + " = 1", "b = {" + ".".join(["a"] * 300_000) + " = 1}",
             "games = 0x" + "f" * 5000, f"inherit = '{'x' * 5000}'", "a = " + "[" * 10_000 + "]" * 10_000],
    ids=["dotted key", "dotted key inside", "hexadecimal number", "name too long", "deep list"],
)  # fmt: skip
def test_what_is_legal_toml_but_too_much_for_python_is_refused_at_once(sandbox: Sandbox, line: str) -> None:
    assert attempt(sandbox, "scenario, too much", line.encode()) == "refused"


@fuzzing(0.25)
@given(tree=st.sampled_from(GOOD).flatmap(trees))
def test_a_scenario_with_other_values_and_keys_is_played_or_refused(sandbox: Sandbox, tree: Any) -> None:
    attempt(sandbox, "scenario, values", to_toml(tree).encode("utf-8", "surrogatepass"))


@fuzzing(0.1)
@given(content=st.sampled_from([file.read_bytes() for file in SCENARIOS]).flatmap(contents))
def test_a_scenario_of_other_bytes_is_played_or_refused(sandbox: Sandbox, content: bytes) -> None:
    attempt(sandbox, "scenario, bytes", content)


@fuzzing(0.02)
@given(trick=st.sampled_from(TRICKS))
def test_what_is_no_file_is_refused_as_a_scenario(sandbox: Sandbox, trick: str) -> None:
    assert attempt(sandbox, "scenario, no file", b"", trick) == "refused"


@fuzzing(0.1)
@given(patch=st.sampled_from(PATCHES).flatmap(trees), good=st.sampled_from(GOOD))
def test_a_mutated_patch_is_played_or_refused(sandbox: Sandbox, patch: Any, good: Any) -> None:
    attempt(
        sandbox, "scenario, patch", to_toml(good | {"patch": [patch]}).encode("utf-8", "surrogatepass"), log="tiles"
    )


SETTINGS = ("setup.rounds=12", "setup.goals=false", "rules.profile=table", "tiles=reconstructed", "policy=balanced")


@fuzzing(0.05)
@given(texts=st.lists(st.sampled_from(SETTINGS).map(str.encode).flatmap(contents), min_size=1, max_size=2))
def test_a_mutated_setting_is_played_or_refused(sandbox: Sandbox, texts: list[bytes]) -> None:
    given_ = [text.decode("utf-8", "surrogateescape") for text in texts]
    sandbox.attempt("--set", lambda: read_scenario(SCENARIOS[0], given_))


FACTORS = ("bag.xeno=0..8", "policy=balanced,uniform", "cost.Gem World=-1..1", "setup.rounds=10,12", "tiles=sample:3")


@fuzzing(0.05)
@given(
    text=st.sampled_from(FACTORS).map(str.encode).flatmap(contents) | st.sampled_from(FACTORS).map(str.encode),
    tree=st.sampled_from(GOOD) | st.sampled_from(GOOD).flatmap(trees),
)
def test_a_mutated_factor_of_a_sweep_is_understood_or_refused(sandbox: Sandbox, text: bytes, tree: Any) -> None:
    file = sandbox.fresh() / "fuzz.toml"
    file.write_bytes(to_toml(tree).encode("utf-8", "surrogatepass"))
    vary = [text.decode("utf-8", "surrogateescape")]
    sandbox.attempt("--vary", lambda: make_sweep(file, vary, Path("out"), seed=1))


def weights(content: bytes) -> Any:
    return parse_toml(content.decode(), "policy")


@fuzzing(0.08)
@given(tree=st.sampled_from([weights(file.read_bytes()) for file in POLICIES]).flatmap(trees))
def test_a_policy_file_with_other_numbers_plays_or_is_refused(sandbox: Sandbox, tree: Any) -> None:
    policy(sandbox, "policy, values", to_toml(tree).encode("utf-8", "surrogatepass"))


@fuzzing(0.04)
@given(content=st.sampled_from([file.read_bytes() for file in POLICIES]).flatmap(contents))
def test_a_policy_file_of_other_bytes_plays_or_is_refused(sandbox: Sandbox, content: bytes) -> None:
    policy(sandbox, "policy, bytes", content)


@fuzzing(0.02)
@given(trick=st.sampled_from(TRICKS))
def test_what_is_no_file_is_refused_as_a_policy(sandbox: Sandbox, trick: str) -> None:
    assert policy(sandbox, "policy, no file", b"", trick) == "refused"


def policy(sandbox: Sandbox, entry: str, content: bytes, trick: str = "") -> str:
    """Read a policy file and, if it does not look ahead, play two games with it."""
    file = sandbox.fresh() / "fuzz.toml"
    file.write_bytes(content)
    if trick:
        play_trick(trick, file)

    def play() -> None:
        scenario = read_scenario(SCENARIOS[0], overrides={"games": 2, "policy": str(file)})
        scenario.seated[0].details()
        if not scenario.seated[0].slow:
            run(scenario, "out", jobs=1)

    return sandbox.attempt(entry, play)
