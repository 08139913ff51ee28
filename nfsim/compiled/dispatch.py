"""Functions that every game supplies: one call in a driver that all share, one implementation a game.

The type of the first argument, the game's tables, chooses the implementation: at compile time in compiled code, so
that a call costs what a call of the implementation costs, and its code can be taken into the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import types


class Supplied:
    """A function that games supply; see `supplied`."""

    is_compiling = False  # numba asks it of whatever is called

    def __init__(self, stub: Callable[..., Any]) -> None:
        self.py_func = stub
        self.__name__, self.__doc__ = stub.__name__, stub.__doc__
        self.targetoptions: dict[str, Any] = {}
        self._by_dtype: dict[np.dtype[Any], Callable[..., Any]] = {}
        self._by_type: dict[Any, Any] = {}

    def supply(self, tables: np.dtype[Any], function: Callable[..., Any]) -> None:
        """Let calls with tables of this dtype go to a game's function."""
        self._by_dtype[tables] = function
        self._by_type[numba.from_dtype(tables)] = function

    def __call__(self, *arguments: Any) -> Any:
        """Call the function of the game whose tables these are."""
        return self._by_dtype[arguments[0].dtype](*arguments)

    # what numba asks of a dispatcher

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Tell numba what a call with such types returns."""
        return self._of(args[0]).get_call_template(args, kws)

    def get_overload(self, args: Any) -> Any:
        """Return what numba looks the function up by when it writes a call."""
        return self._of(args[0]).get_overload(args)

    def _of(self, tables: Any) -> Any:
        if tables not in self._by_type:
            raise TypeError(f"no game with these tables supplies {self.__name__}")
        return self._by_type[tables]


def supplied(stub: Callable[..., Any]) -> Supplied:
    """Declare a function that every game supplies; the stub says its arguments, the tables first, and its meaning.

    Returns
    -------
    Supplied
        Compiled functions call it like any other; a game's own stands behind it once `Supplied.supply` named it.
    """
    return Supplied(stub)
