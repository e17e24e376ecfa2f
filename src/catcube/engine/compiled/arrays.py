"""Aligned rows of the arrays of several points, and fast copies of them.

`row` is faster than a slice, whose ends numba compares with zero and with the size, for each array
of a point: 5 ns of an evaluation of the (10+1) EA. `copy_into` is a single `memcpy`, while numba's
loop checks whether the arrays overlap, and copies the rest after whole vectors one by one (24 of 56
categories).
"""

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

from catcube.engine.compiled.jit import compiled_as

LINE = 64  # bytes of a cache line


def array_at(context: Any, builder: Any, kind: Any, address: Any, size: Any) -> Any:
    """Emit the instructions that make a contiguous array of the memory at an address."""
    array = context.make_array(kind)(context, builder)
    bytes_each = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    itemsize = context.get_constant(types.intp, bytes_each)
    populate_array(
        array,
        data=address,
        shape=cgutils.pack_array(builder, [size]),
        strides=cgutils.pack_array(builder, [itemsize]),
        itemsize=itemsize,
        meminfo=None,
    )
    return array._getvalue()


def _copy(context, builder, signature, arguments):
    """Emit the code of `copy_into`."""
    to, origin = (
        context.make_array(kind)(context, builder, array)
        for kind, array in zip(signature.args, arguments)
    )
    item = context.get_abi_sizeof(to.data.type.pointee)
    cgutils.raw_memcpy(builder, to.data, origin.data, to.nitems, item)
    return context.get_dummy_value()


def _copy_types(target, source):
    alike = target.dtype == source.dtype and target.is_contig and source.is_contig
    return types.void(target, source) if alike else None


@compiled_as(_copy, _copy_types)
def copy_into(target: Any, source: Any) -> None:
    """Copy an array into another of the same type and size; both contiguous, without overlap."""
    target[:] = source


def aligned_rows(count: int, n: int, kind: type[np.generic]) -> NDArray[Any]:
    """Allocate rows of n items, aligned to cache lines unless there is one row, never copied."""
    if count == 1:
        return np.zeros((1, n), kind)
    width = LINE * -(-n * np.dtype(kind).itemsize // LINE)
    memory = np.zeros(count * width + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    items = width // np.dtype(kind).itemsize
    return memory[start : start + count * width].view(kind).reshape(count, items)


def _row(context, builder, signature, arguments):
    """Emit the code of `row`."""
    matrix, index, size = arguments
    matrix = context.make_array(signature.args[0])(context, builder, matrix)
    first = builder.mul(index, builder.extract_value(matrix.shape, 1))
    address = builder.gep(matrix.data, [first])
    return array_at(context, builder, signature.return_type, address, size)


def _row_types(rows, k, n):
    if rows.ndim == 2 and rows.layout == "C":
        return types.Array(rows.dtype, 1, "C")(rows, types.int64, types.int64)
    return None


@compiled_as(_row, _row_types)
def row(rows: Any, k: int, n: int) -> Any:
    """Return the first n items of row k of a contiguous array, without checking bounds."""
    return rows[k][:n]
