"""Making presets again by the searches that found them: ``python -m nfsim.studies.recipes RECIPES``.

For whoever works on the project, as ``make regenerate``; no command of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from nfsim.errors import BadInput
from nfsim.files import parse_toml, read_text
from nfsim.policies.presets import file_name
from nfsim.run.scenario import read_scenario
from nfsim.validation import checked

MOST_BYTES = 1_000_000
Text = Annotated[str, Field(min_length=1, max_length=300)]


class Recipe(BaseModel):
    """How one preset is found.

    Attributes
    ----------
    name : str
        Of the preset and its file; with a folder in front, that is where the file goes.
    scenario : str
        What it is tuned for.
    arguments : list of str
        Further ones of ``nfsim tune``.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z0-9_/]+$")]
    scenario: Text
    arguments: list[Text]

    @property
    def file(self) -> str:
        """Where the preset goes, from the folder of the recipes."""
        return f"{self.name}.toml" if "/" in self.name else f"presets/{self.name}.toml"

    @property
    def start(self) -> str:
        """The preset or file it begins with; '' if none is given."""
        places = [place for place, text in enumerate(self.arguments[:-1]) if text == "--from"]
        return self.arguments[places[-1] + 1] if places else ""


class Aims(BaseModel):
    """How the presets that aim at one objective each are found, for all objectives of some scenarios.

    Attributes
    ----------
    folder : str
        Of the presets; each is called by its scenario's part and its objective.
    scenario : str
        What they are tuned for, with ``{}`` in place of the part.
    parts : list of str
        Of the scenario's name.
    seed : int
        Of the first objective; each further one has the next.
    arguments : list of str
        Further ones of ``nfsim tune``.
    begin_with : str, optional
        Each begins with the preset of the same name in this folder.
    only : list of str
        Names of the presets to make; none: all.
    settings : list of str
        ``key=value``: what is changed in the scenarios.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    folder: Text
    scenario: Text
    parts: list[Text]
    seed: Annotated[int, Field(ge=0)]
    arguments: list[Text]
    begin_with: Text | None = None
    only: list[Text] = []
    settings: list[Text] = []

    def recipes(self) -> list[Recipe]:
        """Return a recipe per objective of every scenario, by folder and file; none for one like one before it."""
        found: list[Recipe] = []
        seed = self.seed
        settings = [text for setting in self.settings for text in ("--set", setting)]
        for part in self.parts:
            name = self.scenario.format(part)
            scenario = read_scenario(Path(name), self.settings, {})
            objectives = scenario.rule_set.objectives(scenario.prepared)
            for place, objective in enumerate(objectives):
                seed += 1
                if any(objective.same_as(earlier) for earlier in objectives[:place]):
                    continue
                key = f"{part}_{file_name(objective.name)}"
                arguments = ["--objective", objective.name, "--plan", f"aims at {objective.name}", *self.arguments]
                arguments += ["--from", f"{self.begin_with}/{key}.toml"] if self.begin_with else []
                arguments += [*settings, "--seed", str(seed - 1)]
                found.append(Recipe(name=f"{self.folder}/{key}", scenario=name, arguments=arguments))
        unknown = set(self.only) - {Path(recipe.name).name for recipe in found}
        if unknown:
            raise BadInput("", "aims.only", f"no objective has the name {min(unknown)}")
        return [recipe for recipe in found if not self.only or Path(recipe.name).name in self.only]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    preset: list[Recipe] = []
    aims: list[Aims] = []


def read_recipes(path: Path) -> list[Recipe]:
    """Read a file of recipes.

    Raises
    ------
    BadInput
        If it cannot be used, or a recipe begins with what is only made by it or after it.
    """
    found = checked(_File, parse_toml(read_text(path, MOST_BYTES, "a file of recipes"), path), path)
    recipes = found.preset + [recipe for aims in found.aims for recipe in aims.recipes()]
    made: set[str] = set()
    for place, recipe in enumerate(recipes):
        key = f"preset.{place}"
        if recipe.name in made and recipe in found.preset:
            raise BadInput(path, f"{key}.name", f'"{recipe.name}" is there twice')
        if not recipe.start.endswith(".toml") and recipe.start not in made:
            problem = f'"{recipe.name}" does not begin with a file or a preset made above it'
            raise BadInput(path, f"{key}.arguments", problem, 'for example "--from", "starts/first.toml"')
        made.add(recipe.name)
    return recipes


def make(recipes: Path) -> int:
    """Run all searches and put the presets they find in place; return 0, or the exit code of one that failed.

    Each is searched in the folder of the recipes and moved when it is finished; an interrupted one goes on when this
    is called again.
    """
    folder = recipes.resolve().parent
    for recipe in read_recipes(recipes):
        goal = folder / recipe.file
        found = folder / goal.name
        # in a process of its own: it sees the presets made before it
        command = [sys.executable, "-m", "nfsim", "tune", recipe.scenario, *recipe.arguments]
        done = subprocess.run([*command, "--out", str(found)], cwd=folder)
        if done.returncode:
            return done.returncode
        goal.parent.mkdir(parents=True, exist_ok=True)
        found.replace(goal)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(make(Path(sys.argv[1])))
    except BadInput as error:
        sys.exit(f"nfsim: {error}")
