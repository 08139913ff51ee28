"""Making presets again by the searches that found them: ``python -m nfsim.cli.recipes RECIPES FOLDER``.

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
from nfsim.validation import checked

MOST_BYTES = 1_000_000
Text = Annotated[str, Field(min_length=1, max_length=300)]


class Recipe(BaseModel):
    """How one preset is found.

    Attributes
    ----------
    name : str
        Of the preset and its file.
    scenario : str
        What it is tuned for.
    arguments : list of str
        Further ones of ``nfsim tune``.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    scenario: Text
    arguments: list[Text]

    @property
    def start(self) -> str:
        """The preset or file it begins with; '' if none is given."""
        places = [place for place, text in enumerate(self.arguments[:-1]) if text == "--from"]
        return self.arguments[places[-1] + 1] if places else ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    preset: list[Recipe] = []


def read_recipes(path: Path) -> list[Recipe]:
    """Read a file of recipes.

    Raises
    ------
    BadInput
        If it cannot be used, or a recipe begins with what is only made by it or after it.
    """
    recipes = checked(_File, parse_toml(read_text(path, MOST_BYTES, "a file of recipes"), path), path).preset
    made: set[str] = set()
    for place, recipe in enumerate(recipes):
        key = f"preset.{place}"
        if recipe.name in made:
            raise BadInput(path, f"{key}.name", f'"{recipe.name}" is there twice')
        if not recipe.start.endswith(".toml") and recipe.start not in made:
            problem = f'"{recipe.name}" does not begin with a file or a preset made above it'
            raise BadInput(path, f"{key}.arguments", problem, 'for example "--from", "starts/first.toml"')
        made.add(recipe.name)
    return recipes


def make(recipes: Path, folder: Path) -> int:
    """Run all searches and put the presets they find into a folder; return 0, or the exit code of one that failed.

    Each is searched beside its destination and put in place when it is finished; an interrupted one goes on when
    this is called again.
    """
    for recipe in read_recipes(recipes):
        found = folder.resolve().parent / f"{recipe.name}.toml"
        # in a process of its own: it sees the presets made before it
        command = [sys.executable, "-m", "nfsim", "tune", recipe.scenario, *recipe.arguments]
        done = subprocess.run([*command, "--out", str(found)], cwd=recipes.resolve().parent)
        if done.returncode:
            return done.returncode
        found.replace(folder / found.name)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(make(Path(sys.argv[1]), Path(sys.argv[2])))
    except BadInput as error:
        sys.exit(f"nfsim: {error}")
