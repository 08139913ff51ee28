"""Monte Carlo simulator for the board game New Frontiers and its expansion The Starry Rift.

>>> import nfsim
>>> run = nfsim.play("solo_campaign1_short", games=2000)  # doctest: +SKIP
>>> run.seats.select("game", "score").collect()             # doctest: +SKIP
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing's, without the import: nothing comes before the command can be interrupted
if TYPE_CHECKING:
    from typing import Any

    from nfsim.log.read import Run, load
    from nfsim.run.one_game import Game
    from nfsim.run.play import play
    from nfsim.studies.study import study

    __version__: str

__all__ = ["Game", "Run", "__version__", "load", "play", "study"]


def __getattr__(name: str) -> Any:
    """Import on first use: `import nfsim` alone costs nothing and compiles nothing."""
    if name == "__version__":
        return _version()
    if name in ("load", "Run"):
        from nfsim.log import read

        return getattr(read, name)
    if name == "Game":
        from nfsim.run.one_game import Game

        return Game
    if name == "play":
        from nfsim.run.play import play

        return play
    if name == "study":
        from nfsim.studies.study import study

        return study
    raise AttributeError(f"module 'nfsim' has no attribute {name!r}")


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("nfsim")
    except metadata.PackageNotFoundError:  # run from a source folder that was never installed
        return "0+unknown"
