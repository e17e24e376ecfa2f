"""Looking at 64 integers of an array at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic

from catcube.engine.compiled.jit import JIT

WORD = ir.IntType(64)
NUMBER = ir.IntType(32)
NUMBERS = ir.VectorType(NUMBER, 64)


def _loaded(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    address = builder.bitcast(builder.gep(data, [start]), NUMBERS.as_pointer())
    return builder.load(address, align=4)


@intrinsic
def _equal(context, numbers, veil, start, wanted):
    def code(context, builder, signature, arguments):
        numbers, veil, start, wanted = arguments
        loaded = _loaded(context, builder, signature.args[0], numbers, start)
        covered = _loaded(context, builder, signature.args[1], veil, start)
        nothing = ir.Constant(NUMBERS, ir.Undefined)
        first = builder.insert_element(nothing, wanted, ir.Constant(NUMBER, 0))
        everywhere = builder.shuffle_vector(first, nothing, ir.Constant(NUMBERS, [0] * 64))
        equal = builder.icmp_signed("==", builder.or_(loaded, covered), everywhere)
        return builder.bitcast(equal, WORD)

    return types.uint64(numbers, veil, types.int64, types.int32), code


def _equal_in_python(numbers: Any, veil: Any, start: int, wanted: int) -> np.uint64:
    equal = (numbers[start : start + 64] | veil[start : start + 64]) == wanted
    return np.uint64(int.from_bytes(np.packbits(equal, bitorder="little").tobytes(), "little"))


equal_word: Callable[..., Any] = _equal if JIT else _equal_in_python
"""equal_word(numbers, veil, start, wanted): where `numbers | veil` is what is wanted, as a word.

Bit j of the word is for the place start + j; both arrays are of 32-bit integers."""
