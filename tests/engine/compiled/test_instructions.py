"""What is written in LLVM's instructions does what its Python function does."""

import copy
from functools import cache

import numba
import numpy as np
import pytest

from catcube.engine.compiled import arrays, packed
from catcube.engine.compiled.jit import IN_PYTHON
from catcube.engine.distances import FAR

pytestmark = pytest.mark.compiled


def cases():
    """Functions with arguments: whole words and parts of them, masks, ties, signs."""
    draw = np.random.default_rng(1)
    bits, others = draw.integers(0, 2, (2, 192), dtype=np.uint8)
    octets, same = draw.integers(0, 256, (2, 192), dtype=np.uint8)
    same[::3] = octets[::3]
    numbers = draw.integers(-50, 50, 192, dtype=np.int32)
    veil = np.where(draw.random(192) < 0.3, FAR, np.int32(0))
    large, positive = draw.integers(0, 2**30, (2, 192), dtype=np.int32)
    matrix = draw.integers(0, 2**30, (32, 48), dtype=np.int32)
    # Row 3 is that of columns 5 and 9, of which the last one counts; columns 16 to 23 are veiled.
    rows = np.arange(32, dtype=np.int32)
    rows[[5, 9]], rows[24:32] = 3, draw.permutation(8) + 16
    columns = np.zeros(32, np.int32)
    columns[:7] = columns[16:24] = FAR
    for start in (0, 64, 100, 128):
        yield packed.load_word, bits, start
        yield packed.store_word, others, start, np.uint64(0x123456789ABCDEF1)
        yield packed.less_word, octets, same, start
        yield packed.same_word, octets, same, start
        yield packed.average_word, positive, large, start
        for wanted in (numbers[start], FAR):
            yield packed.equal_word, numbers, veil, start, wanted
    for word in [0, *(1 << bit for bit in range(64)), *(2**64 - (1 << bit) for bit in range(64))]:
        yield packed.popcount, np.uint64(word)
        yield packed.lowest_bit, np.uint64(word)
    for count in (1, 2, 3):
        yield packed.row_minimum, numbers, veil, count, np.zeros(24, np.int32)
    for wanted in numbers[:32]:
        yield packed.contains, numbers, 8, wanted
    yield packed.transpose_block, matrix, 5, 20
    yield packed.scatter_rows, matrix, rows, columns, 24
    masks = draw.integers(0, 2**63, 200)
    for variables in (0, 1, 7):
        categories = draw.integers(0, 3, variables).astype(np.int32)
        yield packed.popcount_of_union, masks, 5, 12, categories
    for size in (0, 1, 56, 243):
        yield arrays.copy_into, np.zeros(size, np.int32), np.arange(size, dtype=np.int32)


@cache
def compiled(function):
    return numba.njit(lambda *given: function(*given))


def called(function, arguments):
    """The result of a call, and the arguments after it."""
    given = copy.deepcopy(arguments)
    result = function(*given)
    return result, [np.asarray(argument).tolist() for argument in given]


def test_compiled_and_python_do_the_same():
    seen = set()
    for function, *arguments in cases():
        seen.add(function)
        expected = called(IN_PYTHON[function], arguments)
        assert called(compiled(function), arguments) == expected, function
    assert {function for function in IN_PYTHON if function in vars(packed).values()} <= seen
