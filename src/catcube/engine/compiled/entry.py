"""Entries: functions of problems and users that kernels call through an address, and their frame.

Because of the calls through addresses, a kernel is compiled once, not once per problem; a user's
compiled objective starts immediately, and a Python function is just another address. The calling
convention is C's, with the frame as one machine word:

    value(frame) -> float                         the value of frame.categories; it may not read
                                                  or change the counts that `prepare` fills
    prepare(frame)                                fill frame.counts for `change` and `commit`
    change(frame, variable, category) -> float    the change of the value if the variable changes
                                                  to the category
    commit(frame, variable, category)             update frame.counts for that change;
                                                  the engine sets frame.categories
    announce(frame)                               the point will be evaluated, after the points
                                                  announced before
    notify()                                      a call of Python without arguments
    ask() -> float                                a call of Python that returns a value

A frame contains, for one point of the search,

- `categories` (int32): the category of every variable,
- `integers` (int64) and `reals` (float64): the problem's constants,
- `counts` (int32): the problem's memory for this point; integers, so that updates by `commit` do
  not drift.

Passing four arrays to a function pointer costs more than evaluating a flip, because numba passes
seven machine words for each; a frame is one word. In compiled code it is a table of pairs (address,
length), with the JIT off it is the `Frame` below. Both have the same attributes.
"""

import ctypes
import itertools
import re
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.callconv import CPUCallConv
from numba.core.errors import NumbaError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr, models, register_model

from catcube.base.text import shorten
from catcube.engine.compiled import jit
from catcube.engine.compiled.arrays import array_at
from catcube.errors import BadType


class Frame(NamedTuple):
    """The arrays of one point, as the functions of a problem see them."""

    categories: np.ndarray
    integers: np.ndarray
    reals: np.ndarray
    counts: np.ndarray

    def addresses(self) -> np.ndarray:
        """Return the frame for compiled code: the address and length of each array."""
        return np.array([[a.ctypes.data, a.size] for a in self], dtype=np.int64).ravel()


def frames_for_kernels(frames: Sequence[Frame]) -> Any:
    """Return the frames of several points for kernels: a table of addresses.

    The table does not keep the arrays alive; the caller of the kernel must.
    """
    return np.stack([frame.addresses() for frame in frames]) if jit.JIT else frames


FIELDS = {
    "categories": types.int32[::1],
    "integers": types.int64[::1],
    "reals": types.float64[::1],
    "counts": types.int32[::1],
}


class FrameType(types.Type):
    """The type of a frame in compiled code."""

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
    """Define the access to an attribute of frames in compiled code."""
    array_type = FIELDS[name]

    @lower_getattr(FrameType, name)
    def load(context, builder, frame_type, frame):
        def word(index):
            return builder.load(builder.gep(frame, [ir.Constant(WORD, index)]))

        item = context.get_data_type(array_type.dtype)
        address = builder.inttoptr(word(2 * position), item.as_pointer())
        return array_at(context, builder, array_type, address, word(2 * position + 1))


for _position, _name in enumerate(FIELDS):
    _lower_field(_position, _name)


SIGNATURES = {
    "value": types.float64(FRAME),
    "prepare": types.void(FRAME),
    "change": types.float64(FRAME, types.int64, types.int64),
    "commit": types.void(FRAME, types.int64, types.int64),
    "announce": types.void(FRAME),
    "notify": types.void(),
    "ask": types.float64(),
}

_IN_C: dict[Any, Any] = {
    types.float64: ctypes.c_double,
    types.void: None,
    types.int64: ctypes.c_int64,
    FRAME: ctypes.c_void_p,
}
C_SIGNATURES = {
    role: ctypes.CFUNCTYPE(*(_IN_C[kind] for kind in (signature.return_type, *signature.args)))
    for role, signature in SIGNATURES.items()
}


class Entry:
    """A function of a problem, which is compiled when its address is first requested."""

    def __init__(self, role: str, function: Callable[..., Any]) -> None:
        self.role = role
        self.function = function
        jit.cache_folder(function)  # reads the sources now, as they may change before compilation

    @cached_property
    def address(self) -> int:
        """The address that kernels call."""
        if not jit.JIT:
            return _python_address(self)
        with jit.using_cache_folder(self.function), jit.compiling(), _inlined_into_wrapper():
            options = jit.supported_options(error_model="numpy", _nrt=False)
            options["cache"] = jit.is_from_file(self.function)
            self._code: Any = numba.cfunc(SIGNATURES[self.role], **options)(self.function)
        return int(self._code.address)


@contextmanager
def _inlined_into_wrapper() -> Iterator[None]:
    """Inline functions into their C wrappers, although numba marks these calls `noinline`."""
    plain = getattr(CPUCallConv, "call_function", None)
    if plain is None:  # another numba: the wrapper makes a call, which takes 2 ns
        yield
        return

    def call(self, builder, callee, result, kinds, arguments, attrs=None):
        return plain(self, builder, callee, result, kinds, arguments)

    CPUCallConv.call_function = call
    try:
        yield
    finally:
        CPUCallConv.call_function = plain


def entry(role: str) -> Callable[[Callable[..., Any]], Entry]:
    """Decorate a function of a problem as its `value`, `prepare`, `change` or `commit`.

    Parameters
    ----------
    role
        The name of the role.

    Returns
    -------
    callable
        The decorator, which returns an `Entry`.

    Examples
    --------
    >>> @entry("value")
    ... def value(problem):
    ...     return float(problem.categories[0])
    >>> value.role
    'value'
    """
    return lambda function: Entry(role, function)


class PythonEntry:
    """A Python function that kernels can call; it must not raise an exception."""

    def __init__(self, role: str, function: Callable[..., Any]) -> None:
        if jit.JIT:
            self._callback = C_SIGNATURES[role](function)  # keeps it alive as long as the address
            self.address = int(ctypes.cast(self._callback, ctypes.c_void_p).value or 0)
        else:
            self.function = function
            self.address = _python_address(self)


def call_entry(role: str, address: int, *arguments: Any) -> Any:
    """Call a function at an address from Python; a frame may be given by its addresses."""
    if not jit.JIT:
        return _PYTHON_ENTRIES[address].function(*arguments)
    words = [given.addresses() if isinstance(given, Frame) else given for given in arguments]
    in_c = (word.ctypes.data if isinstance(word, np.ndarray) else word for word in words)
    return C_SIGNATURES[role](address)(*in_c)


def evaluate_frame(value: Entry, frame: Frame) -> float:
    """Return the value of a frame: call a `value` function from Python."""
    return float(call_entry("value", value.address, frame))


# With the JIT off, the address of an entry is a number, valid as long as the entry exists.
_PYTHON_ENTRIES: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
_ADDRESSES = itertools.count(1)  # 0 means "no function"


def _python_address(entry: Any) -> int:
    """Assign an address to an entry, with the JIT off."""
    address = next(_ADDRESSES)
    _PYTHON_ENTRIES[address] = entry
    return address


def _caller(role: str) -> Callable[..., Any]:
    """Return the function by which kernels call functions with this role."""
    result = SIGNATURES[role].return_type
    kinds = [types.int64[::1] if kind is FRAME else kind for kind in SIGNATURES[role].args]
    result_code = ir.VoidType() if result == types.void else ir.DoubleType()

    def call(context, builder, signature, arguments):
        address, *arguments = arguments
        if arguments:
            frame = context.make_array(signature.args[1])(context, builder, arguments[0])
            arguments[0] = frame.data
        code = ir.FunctionType(result_code, [argument.type for argument in arguments])
        returned = builder.call(builder.inttoptr(address, code.as_pointer()), arguments)
        return context.get_dummy_value() if result == types.void else returned

    by_size: dict[int, Callable[..., Any]] = {
        0: lambda address: result(types.int64),
        1: lambda address, frame: result(types.int64, *kinds),
        3: lambda address, frame, variable, category: result(types.int64, *kinds),
    }
    decorate: Callable[..., Any] = jit.compiled_as(call, by_size[len(kinds)])
    return decorate(partial(call_entry, role))


call_value = _caller("value")
call_prepare = _caller("prepare")
call_change = _caller("change")
call_commit = _caller("commit")
call_announce = _caller("announce")
call_notify = _caller("notify")
call_ask = _caller("ask")


LONGEST_REASON = 200  # characters


def compile_value(value: Callable[..., Any], name: str) -> Any:
    """Compile a `value` function that calls the user's function of the given name.

    It is not cached, because numba would not notice changes of the functions that it calls.
    """
    try:
        with jit.compiling():
            return numba.cfunc(SIGNATURES["value"])(value)
    except NumbaError as wrong:
        raise BadType(
            f"{name} cannot be compiled as a function of the array of categories (int32) that "
            f"returns a number: {_reason(wrong)}"
        ) from wrong


def _reason(wrong: NumbaError) -> str:
    """Return the reason of an error of numba in one line, without colours and position."""
    lines = re.sub(r"\x1b\[\d*m", "", str(wrong)).splitlines()
    said = [line.strip() for line in lines if line.strip() and not line.startswith("Failed in")]
    return shorten(" ".join(said[:2]), LONGEST_REASON)
