"""Rows of the arrays of several points, aligned so that they are quickly copied.

A slice of a row would do for `row`, but numba compares its ends with zero and with the size, for
each array of a point: 5 ns of an evaluation of the (10+1) EA.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.extending import intrinsic
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

from catcube.engine.compiled.jit import JIT

LINE = 64  # bytes of a cache line
WORD = ir.IntType(64)


def aligned_rows(count: int, n: int, kind: type[np.generic]) -> NDArray[Any]:
    """Allocate rows of n items, padded to whole cache lines; a lone one, never copied, is not."""
    if count == 1:
        return np.zeros((1, n), kind)
    width = LINE * -(-n * np.dtype(kind).itemsize // LINE)
    memory = np.zeros(count * width + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    items = width // np.dtype(kind).itemsize
    return memory[start : start + count * width].view(kind).reshape(count, items)


@intrinsic
def _row(context, rows, k, n):
    row_type = types.Array(rows.dtype, 1, "C")

    def code(context, builder, signature, arguments):
        matrix, index, size = arguments
        matrix = context.make_array(rows)(context, builder, matrix)
        first = builder.mul(index, builder.extract_value(matrix.shape, 1))
        itemsize = ir.Constant(WORD, context.get_abi_sizeof(context.get_data_type(rows.dtype)))
        row = context.make_array(row_type)(context, builder)
        populate_array(
            row,
            data=builder.gep(matrix.data, [first]),
            shape=cgutils.pack_array(builder, [size]),
            strides=cgutils.pack_array(builder, [itemsize]),
            itemsize=itemsize,
            meminfo=None,
        )
        return row._getvalue()

    if rows.ndim == 2 and rows.layout == "C":
        return row_type(rows, types.int64, types.int64), code
    return None


def row_in_python(rows: Any, k: int, n: int) -> Any:
    """Return the same view in Python."""
    return rows[k][:n]


row: Callable[..., Any] = _row if JIT else row_in_python
"""row(rows, k, n): the first n items of row k of a contiguous array, which has so many."""
