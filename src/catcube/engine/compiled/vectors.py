"""Many 32-bit integers at once: the least of 64, those that equal a number, a block turned over."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.extending import intrinsic

from catcube.engine.compiled.jit import JIT

WORD = ir.IntType(64)
NUMBER = ir.IntType(32)
NUMBERS = ir.VectorType(NUMBER, 64)

SIDE = 8
ROW = ir.VectorType(NUMBER, SIDE)
# The steps of turning a block over: neighbours exchange single numbers, rows two apart pairs of
# them, rows four apart halves. Each step makes two rows of two, by these places in both.
STEPS = [
    (1, [0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]),
    (2, [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]),
    (4, [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]),
]


def _at(context: Any, builder: Any, array_type: Any, array: Any, indices: Any, kind: Any) -> Any:
    own = context.make_array(array_type)(context, builder, array)
    address = cgutils.get_item_pointer(context, builder, array_type, own, indices)
    return builder.bitcast(address, kind.as_pointer())


def _veiled(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """64 numbers | veil."""
    numbers, veil, start = arguments[:3]
    first, second = (
        builder.load(_at(context, builder, own, array, [start], NUMBERS), align=4)
        for own, array in zip(signature.args, (numbers, veil), strict=False)
    )
    return builder.or_(first, second)


@intrinsic
def _least(context, numbers, veil, start):
    def code(context, builder, signature, arguments):
        left = _veiled(context, builder, signature, arguments)
        size = 64
        while size > 1:
            size //= 2
            halves = [
                builder.shuffle_vector(
                    left,
                    ir.Constant(left.type, ir.Undefined),
                    ir.Constant(ir.VectorType(NUMBER, size), list(range(begin, begin + size))),
                )
                for begin in (0, size)
            ]
            left = builder.select(builder.icmp_signed("<", *halves), *halves)
        return builder.extract_element(left, ir.Constant(NUMBER, 0))

    return types.int32(numbers, veil, types.int64), code


@intrinsic
def _equal(context, numbers, veil, start, wanted):
    def code(context, builder, signature, arguments):
        veiled = _veiled(context, builder, signature, arguments)
        nothing = ir.Constant(NUMBERS, ir.Undefined)
        first = builder.insert_element(nothing, arguments[3], ir.Constant(NUMBER, 0))
        everywhere = builder.shuffle_vector(first, nothing, ir.Constant(NUMBERS, [0] * 64))
        return builder.bitcast(builder.icmp_signed("==", veiled, everywhere), WORD)

    return types.uint64(numbers, veil, types.int64, types.int32), code


@intrinsic
def _turn(context, matrix, row, column):
    def code(context, builder, signature, arguments):
        matrix, row, column = arguments

        def line(first, second, k):
            place = [builder.add(first, ir.Constant(WORD, k)), second]
            return _at(context, builder, signature.args[0], matrix, place, ROW)

        block = [builder.load(line(row, column, k), align=4) for k in range(SIDE)]
        for apart, *places in STEPS:
            masks = [ir.Constant(ROW, place) for place in places]
            for k in (k for k in range(SIDE) if not k & apart):
                pair = block[k], block[k + apart]
                block[k], block[k + apart] = (builder.shuffle_vector(*pair, mask) for mask in masks)
        for k in range(SIDE):
            builder.store(block[k], line(column, row, k), align=4)
        return context.get_dummy_value()

    return types.void(matrix, types.int64, types.int64), code


def _least_in_python(numbers: Any, veil: Any, start: int) -> np.int32:
    least: np.int32 = (numbers[start : start + 64] | veil[start : start + 64]).min()
    return least


def _equal_in_python(numbers: Any, veil: Any, start: int, wanted: int) -> np.uint64:
    equal = (numbers[start : start + 64] | veil[start : start + 64]) == wanted
    return np.uint64(int.from_bytes(np.packbits(equal, bitorder="little").tobytes(), "little"))


def _turn_in_python(matrix: Any, row: int, column: int) -> None:
    block = matrix[row : row + SIDE, column : column + SIDE]
    matrix[column : column + SIDE, row : row + SIDE] = block.T


least_of_word: Callable[..., Any] = _least if JIT else _least_in_python
"""least_of_word(numbers, veil, start): the least of `numbers | veil` from `start` on, of 64."""

equal_word: Callable[..., Any] = _equal if JIT else _equal_in_python
"""equal_word(numbers, veil, start, wanted): where `numbers | veil` is what is wanted, as a word.

Bit j of the word is for the place start + j."""

turn_block: Callable[..., Any] = _turn if JIT else _turn_in_python
"""turn_block(matrix, row, column): write the block of 8 rows and columns from there on, transposed,
to where row and column are exchanged."""
