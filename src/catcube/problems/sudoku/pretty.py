"""Formatted boards: separators between the blocks, found digits distinct from the givens."""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from catcube.problems.sudoku.reader import SYMBOLS
from catcube.problems.sudoku.units import units

BOLD, RED, PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"


def pretty(cells: NDArray[np.int64], solution: NDArray[np.int64] | None, color: bool) -> str:
    """Return the cells with separators between the blocks, filled from a solution if there is one.

    A given stands alone; a found digit is followed by ``'``, or by ``!`` if its row, column or
    block has that digit again. In colour the givens are bold and the clashing found digits red
    instead, without marks. Without solution and colour the text can be read back as a board.

    >>> from catcube.problems.sudoku import Board
    >>> board = Board("1..4 ..1. .1.. 4..1")
    >>> print(board.pretty())
    1 . | . 4
    . . | 1 .
    ----+----
    . 1 | . .
    4 . | . 1
    >>> print(board.pretty(board.with_values([2, 3, 3, 4, 2, 2, 4, 3, 2, 3])))
    1  2! | 3! 4
    3' 4' | 1  2'
    ------+------
    2! 1  | 4' 3!
    4  2! | 3! 1
    """
    size = len(cells)
    box = isqrt(size)
    shown = cells if solution is None else solution
    repeated = _repeated(shown)
    width = 1 if solution is None or color else 2

    def cell(row: int, column: int) -> str:
        symbol = SYMBOLS[shown[row, column]]
        given, clash = cells[row, column] > 0, repeated[row, column]
        if color:
            style = BOLD if given else RED if clash else ""
            return f"{style}{symbol}{PLAIN}" if style else symbol
        mark = " " if given else "!" if clash else "'"
        return (symbol + mark)[:width]

    lines = []
    for row in range(size):
        if row and row % box == 0:
            lines.append(_rule(box, width))
        blocks = [
            " ".join(cell(row, column) for column in range(first, first + box))
            for first in range(0, size, box)
        ]
        lines.append(" | ".join(blocks).rstrip())
    return "\n".join(lines)


def _rule(box: int, width: int) -> str:
    """Return the line between two rows of blocks: a dash under each character of a row of cells."""
    return "-+-".join(["-" * (box * (width + 1) - 1)] * box)


def _repeated(cells: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return a mask of the cells whose digit occurs again in their row, column or block."""
    repeated = np.zeros(cells.size, dtype=bool)
    for unit in units(isqrt(len(cells))):
        digits = cells.ravel()[unit]
        repeated[unit] |= np.bincount(digits)[digits] > 1
    return repeated.reshape(cells.shape)
