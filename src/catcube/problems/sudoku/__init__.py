"""Sudoku boards: reading, writing, solving exactly, making new ones, and those of the package.

Importing this package does not import numba; the exact search loads it when needed.

>>> from catcube.problems.sudoku import instances, solve
>>> board = instances.load("small-dimension-3-a")
>>> len(board.unknowns), solve(board).value()
(3, 0)
"""

from catcube.problems.sudoku import instances
from catcube.problems.sudoku.board import Board
from catcube.problems.sudoku.generator import complete_board, erase, puzzle
from catcube.problems.sudoku.solver import SearchLimit, count_solutions, solve
from catcube.problems.sudoku.units import units

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
