"""Overloads: one name for two functions, one for a search on bits and one for categories.

The type of the first argument selects one of the two when the caller is compiled, so that a kernel
serves both searches at no cost. With the JIT off, its class selects one at each call.

`as_python` runs compiled functions in Python, where compiling takes longer than the calls: the same
source runs as with the JIT off, but on the arrays of a compiled search.
"""

import builtins
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeVar

from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.imputils import lower_constant
from numba.extending import models, register_model, typeof_impl

from catcube.engine.compiled.jit import IN_PYTHON, JIT

Class = TypeVar("Class", bound=type)

_NATIVE: set[type] = set()


def native(marked: Class) -> Class:
    """Decorate a named tuple that belongs to a search on categories, not on bits."""
    _NATIVE.add(marked)
    return marked


def is_native(argument: object) -> bool:
    """Return whether an argument is a search on categories, or a part of one."""
    return type(argument) in _NATIVE


@dataclass(eq=False)
class OverloadPair:
    """Two compiled functions with one name."""

    on_bits: Callable[..., Any]
    on_categories: Callable[..., Any]


def overload(on_bits: Callable[..., Any], on_categories: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is one of two, selected by the type of its first argument.

    Parameters
    ----------
    on_bits, on_categories
        The two compiled functions, with the same parameters.

    Returns
    -------
    callable
        The function, to be called in kernels.

    Examples
    --------
    >>> from catcube.engine import bits, native
    >>> flip = overload(bits.flip, native.flip)
    """
    # numba compiles calls of a pair by its type, `_OverloadType`.
    chosen: Any = OverloadPair if JIT else make_dispatcher
    return chosen(on_bits, on_categories)


def make_dispatcher(
    on_bits: Callable[..., Any], on_categories: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a Python function that calls one of two by the class of its first argument."""

    def call(first: Any, *others: Any) -> Any:
        return (on_categories if is_native(first) else on_bits)(first, *others)

    return call


class _OverloadType(types.Callable, types.Dummy):
    """The type of an overload in compiled code, whose calls have the selected function's type."""

    def __init__(self, pair: OverloadPair) -> None:
        self.pair = pair
        super().__init__(f"overload({pair.on_bits}, {pair.on_categories})")

    def _select(self, arguments):
        pair = self.pair
        is_native = arguments[0].instance_class in _NATIVE
        return types.Dispatcher(pair.on_categories if is_native else pair.on_bits)

    def get_call_type(self, context, arguments, keywords):
        return self._select(arguments).get_call_type(context, arguments, keywords)

    def get_call_signatures(self):
        return (), True

    def get_impl_key(self, signature):
        return self._select(signature.args).get_impl_key(signature)


register_model(_OverloadType)(models.OpaqueModel)


@typeof_impl.register(OverloadPair)
def _type_of_pair(pair, context):
    return _OverloadType(pair)


@lower_constant(_OverloadType)
def _no_value(context, builder, pair_type, pair):
    return context.get_dummy_value()


def as_python(function: Any) -> Callable[..., Any]:
    """Return a part of kernels as a Python function, together with all functions that it calls.

    Parameters
    ----------
    function
        A compiled function, or one that is written like a compiled function.

    Returns
    -------
    callable
        The Python function; it works on the arrays of a compiled search.

    Examples
    --------
    >>> from catcube.engine.recorder import assignment
    >>> as_python(assignment)(1, 3)
    1048579
    """
    python: Callable[..., Any] = function
    if JIT:
        source = isinstance(function, FunctionType)
        python = _rebuild(function) if source else _convert(function)
    return python


_REBUILT: dict[Any, FunctionType] = {}


def _rebuild(function: Any) -> FunctionType:
    """Build a Python function from the source of a compiled one."""
    if function not in _REBUILT:
        source = getattr(function, "py_func", function)
        names: dict[str, Any] = {"__builtins__": builtins}
        _REBUILT[function] = FunctionType(source.__code__, names, source.__name__)
        for name in source.__code__.co_names:
            if name in source.__globals__:
                names[name] = _convert(source.__globals__[name])
    return _REBUILT[function]


def _convert(thing: Any) -> Any:
    """Return the Python version of a global name of a compiled function."""
    if isinstance(thing, Dispatcher):
        return _rebuild(thing)
    if isinstance(thing, OverloadPair):
        return make_dispatcher(_convert(thing.on_bits), _convert(thing.on_categories))
    try:
        return IN_PYTHON.get(thing, thing)
    except TypeError:  # not hashable, such as an array: no function
        return thing
