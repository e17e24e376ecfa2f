"""Rows of several points: aligned, padded, and seen without the padding."""

import numpy as np
import pytest

from catcube.engine.compiled.arrays import LINE, aligned_rows, row
from catcube.engine.compiled.jit import njit


@njit
def fill_row(rows, k, n, value):
    found = row(rows, k, n)
    for i in range(found.size):
        found[i] = value


@pytest.mark.parametrize("size", [0, 1, 16, 56, 65])
@pytest.mark.parametrize("kind", [np.int32, np.uint32])
def test_a_row_is_so_many_items_of_its_own_line(kind, size):
    rows = aligned_rows(3, size, kind)
    fill_row(rows, 1, size, 7)
    assert rows[1, :size].tolist() == [7] * size
    assert rows.sum() == 7 * size


@pytest.mark.parametrize("size", [1, 16, 56, 65])
def test_rows_begin_at_cache_lines(size):
    rows = aligned_rows(3, size, np.int32)
    assert all(line.ctypes.data % LINE == 0 for line in rows)
    assert size <= rows.shape[1] < size + 16


def test_a_lone_row_is_not_padded():
    assert aligned_rows(1, 56, np.int32).shape == (1, 56)
