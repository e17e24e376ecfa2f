"""What a problem's compiled functions see: a frame, four arrays behind one address.

A frame holds, for one point of the search,

- `categories` (int32): the category of every variable,
- `integers` (int64) and `reals` (float64): the problem's constants,
- `counts` (int32): the memory of the problem for this point. It is integers only, so that what
  `commit` updates step by step never drifts away from what `value` computes afresh.

Passing four arrays to a function pointer costs more than evaluating a flip (numba hands over seven
machine words for each); a frame is one word. In compiled code it is a table of (address, length)
pairs; with the JIT off it is the `Frame` below. Both have the same attributes.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.extending import register_model
from numba.core.imputils import lower_getattr
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.np.arrayobj import populate_array

from catcube.engine.compiled.jit import JIT


class Frame(NamedTuple):
    """The arrays of one point, as a problem's functions see them."""

    categories: np.ndarray
    integers: np.ndarray
    reals: np.ndarray
    counts: np.ndarray

    def addresses(self) -> np.ndarray:
        """Return the frame as compiled code reads it: address and length of each array."""
        return np.array([[a.ctypes.data, a.size] for a in self], dtype=np.int64).ravel()


def frames_for_kernels(frames: Sequence[Frame]) -> Any:
    """Return the frames of several points as kernels take them: a table of addresses.

    Nothing in it keeps the arrays alive: whoever calls a kernel holds them meanwhile.
    """
    return np.stack([frame.addresses() for frame in frames]) if JIT else frames


FIELDS = {
    "categories": types.int32[::1],
    "integers": types.int64[::1],
    "reals": types.float64[::1],
    "counts": types.int32[::1],
}


class FrameType(types.Type):
    """Type of a frame in compiled code."""

    def __init__(self) -> None:
        super().__init__(name="catcube.Frame")


FRAME = FrameType()
WORD = ir.IntType(64)


@register_model(FrameType)
class _FrameModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, WORD.as_pointer())


@infer_getattr
class _FrameAttributes(AttributeTemplate):
    key = FrameType

    def generic_resolve(self, frame, attribute):
        return FIELDS.get(attribute)


def _lower_field(position: int, name: str) -> None:
    array_type = FIELDS[name]

    @lower_getattr(FrameType, name)
    def load(context, builder, frame_type, frame):
        def word(index):
            return builder.load(builder.gep(frame, [ir.Constant(WORD, index)]))

        array = context.make_array(array_type)(context, builder)
        item = context.get_data_type(array_type.dtype)
        itemsize = ir.Constant(WORD, context.get_abi_sizeof(item))
        populate_array(
            array,
            data=builder.inttoptr(word(2 * position), item.as_pointer()),
            shape=cgutils.pack_array(builder, [word(2 * position + 1)]),
            strides=cgutils.pack_array(builder, [itemsize]),
            itemsize=itemsize,
            meminfo=None,
        )
        return array._getvalue()


for _position, _name in enumerate(FIELDS):
    _lower_field(_position, _name)
