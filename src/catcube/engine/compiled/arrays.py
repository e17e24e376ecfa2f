"""Rows of the arrays of several points, aligned so that they are quickly copied, and their copies.

A slice of a row would do for `row`, but numba compares its ends with zero and with the size, for
each array of a point: 5 ns of an evaluation of the (10+1) EA. A copy is one call of the C library's
`memcpy`: numba's loop over two arrays first looks whether they overlap, and copies what is left
over from whole vectors number by number: for 56 categories that is 24 of them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

from catcube.engine.compiled.jit import JIT


@intrinsic
def _copy(context, target, source):
    def code(context, builder, signature, arguments):
        to, origin = (
            context.make_array(kind)(context, builder, array)
            for kind, array in zip(signature.args, arguments, strict=True)
        )
        item = context.get_abi_sizeof(to.data.type.pointee)
        cgutils.raw_memcpy(builder, to.data, origin.data, to.nitems, item)
        return context.get_dummy_value()

    if target.dtype == source.dtype and target.is_contig and source.is_contig:
        return types.void(target, source), code
    return None


def copy_in_python(target: Any, source: Any) -> None:
    """Make the same copy in Python."""
    target[:] = source


copy_into: Callable[..., Any] = _copy if JIT else copy_in_python
"""copy_into(target, source): make an array equal to another of the same type and size.

Both are contiguous and do not overlap."""


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
