"""Sudoku boards: reading, writing, solving exactly, making new ones, and those of the package.

Importing this package does not import numba; what solves and makes boards is loaded on first use.

>>> from catcube.problems.sudoku import instances, solve
>>> board = instances.load("small-dimension-3-a")
>>> len(board.unknowns), solve(board).value()
(3, 0)
"""

from typing import TYPE_CHECKING

from catcube.problems.sudoku import instances
from catcube.problems.sudoku.board import Board, units

if TYPE_CHECKING:
    from catcube.problems.sudoku.solver import (
        SearchLimit,
        complete_board,
        count_solutions,
        erase,
        puzzle,
        solve,
    )

__all__ = [
    "Board",
    "SearchLimit",
    "complete_board",
    "count_solutions",
    "erase",
    "instances",
    "puzzle",
    "solve",
    "units",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from catcube.problems.sudoku import solver

    return getattr(solver, name)
