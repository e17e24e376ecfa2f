"""The digits that the givens of a board leave to its unknown cells."""

from collections.abc import Sequence

import numpy as np

from catcube.problems.sudoku.board import Board
from catcube.problems.sudoku.units import units_of


def candidates(board: Board) -> list[Sequence[int]]:
    """Return for each unknown cell the digits that are not given in its row, column and block.

    No completion of the board is lost. If a cell has no digit left, there is no completion, and
    every cell keeps all digits.

    >>> candidates(Board("1..4 ..1. .1.. 4..1"))[:4]
    [(2, 3), (2, 3), (2, 3), (2, 3, 4)]
    """
    size = board.size
    cells = board.cells.ravel()
    membership = units_of(board.box)
    given = np.zeros((3 * size, size), bool)
    for cell in np.flatnonzero(cells):
        given[membership[cell], cells[cell] - 1] = True
    possible = ~given[membership[cells == 0]].any(axis=1)
    if not possible.any(axis=1).all():
        return [range(1, size + 1)] * len(possible)
    return [tuple((np.flatnonzero(row) + 1).tolist()) for row in possible]
