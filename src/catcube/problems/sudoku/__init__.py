"""Sudoku boards: reading, writing, exact solving, generating, and the built-in boards.

>>> from catcube.problems.sudoku import instances, solve
>>> board = instances.load("small-dimension-3-a")
>>> len(board.unknowns), solve(board).value()
(3, 0)
"""

from catcube.problems.sudoku import instances as instances
from catcube.problems.sudoku.board import Board as Board
from catcube.problems.sudoku.board import units as units
from catcube.problems.sudoku.solver import SearchLimit as SearchLimit
from catcube.problems.sudoku.solver import complete_board as complete_board
from catcube.problems.sudoku.solver import count_solutions as count_solutions
from catcube.problems.sudoku.solver import erase as erase
from catcube.problems.sudoku.solver import puzzle as puzzle
from catcube.problems.sudoku.solver import solve as solve
