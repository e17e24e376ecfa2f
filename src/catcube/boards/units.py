"""The rows, columns and blocks of a board."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray


@cache
def units(box: int) -> NDArray[np.int64]:
    """The flat cell numbers of every row, then every column, then every block of a board.

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
