"""Compiled functions run in Python, with all that they call, on the same arrays."""

import numpy as np
import pytest

from catcube.engine.compiled.arrays import copy_into
from catcube.engine.compiled.dispatch import as_python
from catcube.engine.compiled.jit import part
from catcube.engine.recorder import (
    STATUS,
    TARGET_REACHED,
    TRACED,
    best_so_far,
    new_recorder,
    record,
)

FACTOR = np.array([3])


@part
def scaled(number):
    return FACTOR[0] * number


@as_python
def write(numbers, copies):
    for k in range(numbers.size):
        numbers[k] = scaled(k)
    copy_into(copies, numbers)
    return type(scaled).__name__


def test_all_that_is_called_runs_in_python():
    numbers, copies = np.zeros(4, np.int64), np.zeros(4, np.int64)
    assert write(numbers, copies) == "function"
    assert copies.tolist() == [0, 3, 6, 9]


@pytest.mark.parametrize(("native", "point"), [(False, [1, 0, 1]), (True, [4, 2, 0])])
def test_the_recorder_in_python_records_as_the_compiled_one_does(native, point):
    recorder = new_recorder(3, 10, 1.0, walking=True, notify=0, native=native)
    as_python(record)(recorder, np.array(point), 0.5)
    assert best_so_far(recorder).tolist() == point
    assert recorder.counters[TRACED] == 1
    assert recorder.counters[STATUS] == TARGET_REACHED
