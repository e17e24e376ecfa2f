"""The rows, columns and blocks of a board."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray


@cache
def units(box: int) -> NDArray[np.int64]:
    """Return the flat cell numbers of every row, then every column, then every block of a board.

    >>> units(2)[[0, 4, 8]]
    array([[ 0,  1,  2,  3],
           [ 0,  4,  8, 12],
           [ 0,  1,  4,  5]])
    """
    size = box * box
    rows = np.arange(size * size, dtype=np.int64).reshape(size, size)
    blocks = rows.reshape(box, box, box, box).swapaxes(1, 2).reshape(size, size)
    every = np.concatenate([rows, rows.T, blocks])
    every.flags.writeable = False  # shared by all callers
    return every


@cache
def units_of(box: int) -> NDArray[np.int64]:
    """Return for every cell the numbers of its row, its column and its block among the `units`.

    >>> units_of(2)[[0, 6]]
    array([[0, 4, 8],
           [1, 6, 9]])
    """
    # Rows, columns and blocks are each a permutation of the cells, inverted here.
    positions = np.argsort(units(box).reshape(3, -1), axis=1)
    numbers = np.ascontiguousarray((positions // box**2 + box**2 * np.arange(3)[:, None]).T)
    numbers.flags.writeable = False
    return numbers
