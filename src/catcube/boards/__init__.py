"""Sudoku boards: reading, writing, solving exactly, making new ones, and those of the package."""

from catcube.boards.board import Board
from catcube.boards.units import units

__all__ = ["Board", "units"]
