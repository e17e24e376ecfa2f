"""Copies of arrays: all of the target, and nothing beside it."""

import numpy as np
import pytest

from catcube.engine.compiled.arrays import copy_into
from catcube.engine.compiled.jit import njit


@njit
def copy_rows(target, source, k):
    copy_into(target[k], source[k])


@pytest.mark.parametrize("size", [0, 1, 56, 243])
@pytest.mark.parametrize("kind", [np.uint8, np.int32])
def test_one_row_is_copied(kind, size):
    source = np.arange(1, 3 * size + 1).reshape(3, size).astype(kind)
    target = np.zeros((3, size), kind)
    copy_rows(target, source, 1)
    assert target[1].tolist() == source[1].tolist()
    assert not target[[0, 2]].any()
