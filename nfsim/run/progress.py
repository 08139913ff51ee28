"""How a run tells of itself: while it goes on, when it is finished, when it had to stop."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nfsim.errors import BadInput, PolicyFailed

GOES_ON = "the same command goes on from there"
NO_MEMORY = "there is not enough memory; fewer --jobs need less"


class Watch:
    """Hears how a run goes on; a subclass shows it. This one is silent."""

    def compiling(self, seconds: int) -> None:
        """Hear that the rules are being compiled, which takes about so long."""

    def started(self, games: int, done: int) -> None:
        """Hear how many games are to be played and how many of them are there already."""

    def advanced(self, games: int) -> None:
        """Hear that so many more games are complete."""

    def going_on(self, games: int) -> None:
        """Hear that so many games are to be played after all: a rule that stops a run looked, and it goes on."""

    def rate(self, name: str, k: float, n: int, bounds: tuple[float, float] | None = None) -> None:
        """Hear what the games so far say of a rate.

        Parameters
        ----------
        name : str
            As in `nfsim.run.until.Until`.
        k, n : float, int
            Successes, shared ones as a share, in so many games.
        bounds : tuple of float, optional
            Interval of a rule that looks again and again; without one nobody stops at what is seen here, and any
            interval for `k` of `n` will do.
        """


class Stopped(Exception):  # noqa: N818 - says what happened
    """A run that ended early; complete chunks are kept.

    Attributes
    ----------
    reason : str
        Why, without what is kept.
    exit_code : int
        130 if the user stopped it, 1 if something broke.
    folder : Path or str
    kept, games : int or None
        How much is complete, and of how much; None if nobody knows.
    unit : str
        What is counted.
    goes_on : bool
        Whether the same command goes on from there.
    """

    def __init__(
        self,
        reason: str,
        folder: Path | str,
        kept: int | None,
        games: int | None,
        exit_code: int,
        unit: str = "games",
        goes_on: bool | None = None,
    ) -> None:
        self.goes_on = exit_code == 130 if goes_on is None else goes_on
        more = f"; {GOES_ON}" if self.goes_on else ""
        of = "" if games is None else f" of {games:,}"
        what = "what is complete is" if kept is None else f"{kept:,}{of} {unit} are"
        super().__init__(f"{reason}: {what} kept in {folder}{more}")
        self.reason = reason
        self.exit_code = exit_code
        self.folder = folder
        self.kept = kept
        self.games = games
        self.unit = unit


@dataclass(frozen=True)
class Result:
    """A finished run.

    Attributes
    ----------
    folder : Path or str
        The second if it is an address.
    manifest : dict
    played : int
        Games played now; 0 when the run was there already.
    """

    folder: Path | str
    manifest: dict[str, Any]
    played: int


class NothingKept(Exception):  # noqa: N818 - says what happened
    """Long work that ended early and was given no folder to keep anything in; its text is one sentence.

    Parameters
    ----------
    reason : str
        Why it ended.
    exit_code : int
        130 if the user stopped it, 1 if something broke.
    """

    def __init__(self, reason: str, exit_code: int) -> None:
        super().__init__(f"{reason}: nothing is kept without --out; with it the same command would go on")
        self.exit_code = exit_code
        self.kept = 0


@contextlib.contextmanager
def keeping(
    folder: Path | str,
    kept: Callable[[], int],
    of: int | None,
    unit: str = "games",
    broken: tuple[type[Exception], ...] = (),
) -> Iterator[None]:
    """Do long work that can go on later: whatever ends it early is a `Stopped`, which says what is kept.

    Parameters
    ----------
    folder : Path or str
        Where it is kept.
    kept : callable
        Counts what is complete.
    of, unit : int or None, str
        As in `Stopped`.
    broken : tuple of type
        Further errors after which the same command goes on; their text is one sentence.

    Raises
    ------
    Stopped
        On Ctrl-C, a disk that is full or gone, too little memory, a policy of the user's that fails, and what is in
        `broken`.
    """

    def counted() -> int | None:
        try:
            return kept()
        except (BadInput, OSError):  # the folder or the network is gone
            return None

    try:
        yield
    except KeyboardInterrupt:
        raise Stopped("interrupted", folder, counted(), of, 130, unit) from None
    except PolicyFailed as error:
        raise Stopped(str(error), folder, counted(), of, error.exit_code, unit) from None
    except broken as error:
        raise Stopped(str(error), folder, counted(), of, 1, unit, goes_on=True) from None
    except MemoryError:
        raise Stopped(NO_MEMORY, folder, counted(), of, 1, unit, goes_on=True) from None
    except OSError as error:
        reason = f"cannot read or write ({error.strerror or error})"
        if isinstance(error, FileExistsError | IsADirectoryError | NotADirectoryError):
            place = error.filename2 or error.filename
            reason = f"{place} is in the way ({error.strerror}), move it away" if place else reason
        raise Stopped(reason, folder, counted(), of, 1, unit, goes_on=True) from None
