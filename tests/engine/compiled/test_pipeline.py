"""Functions are compiled once for integers, whatever constants they are called with."""

import gc
from pathlib import Path

import numpy as np
import pytest
from numba.core.types.functions import BaseFunction

from catcube.engine.compiled.jit import njit, part
from catcube.engine.compiled.pipeline import fast_compilation


@part
def plus(total, number):
    return total + number


@njit
def summed(numbers):
    total = 0
    for k in range(numbers.size):
        total = plus(total, numbers[k])
    return plus(plus(total, 1), 2)


@njit
def with_closure(number):
    def twice(k):
        return 2 * k

    return twice(number)


@pytest.mark.compiled
def test_a_part_is_compiled_once_for_constants_and_variables():
    for file in Path(summed.stats.cache_path).glob("*.summed-*"):
        file.unlink()  # of an earlier run of this test
    assert summed(np.arange(4)) == 9
    assert len(plus.signatures) == 1


@pytest.mark.compiled
def test_a_kernel_may_have_a_closure():
    assert with_closure(4) == 8


def test_numba_is_as_before_after_a_compilation():
    before = BaseFunction.get_call_type
    with fast_compilation(), fast_compilation():
        assert not gc.isenabled()
        assert BaseFunction.get_call_type is not before
    assert gc.isenabled()
    assert BaseFunction.get_call_type is before
