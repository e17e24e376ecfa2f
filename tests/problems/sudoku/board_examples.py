"""Boards for the tests: one by hand, and hypothesis strategies for any."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from catcube.problems.sudoku import Board

PUZZLE = """53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79"""


def cells(box, low=0):
    size = box * box
    return arrays(np.int64, (size, size), elements=st.integers(low, size))


boxes = st.integers(2, 5)
boards = boxes.flatmap(cells).map(Board)
complete_boards = boxes.flatmap(lambda box: cells(box, low=1)).map(Board)
