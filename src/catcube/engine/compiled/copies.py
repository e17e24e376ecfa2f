"""Copies of arrays as one call of the C library's `memcpy`.

numba's loop over two arrays first looks whether they overlap, and copies what is left over from
whole vectors number by number: for 56 categories that is 24 of them.
"""

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.extending import intrinsic

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
