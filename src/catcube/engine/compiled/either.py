"""One name for two compiled functions: for a search on bits, and for one on categories.

Which of them a caller means is decided by the type of the first argument when the caller is
compiled. So a kernel that is written once serves both searches, and neither pays for the other.
With the JIT off the class of the first argument decides, at every call.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import types
from numba.core.datamodel import models
from numba.core.extending import register_model, typeof_impl
from numba.core.imputils import lower_constant

from catcube.engine.compiled.jit import JIT

Class = TypeVar("Class", bound=type)

_NATIVE: set[type] = set()


def native(marked: Class) -> Class:
    """Mark a named tuple: a function that is given one works on categories, not on bits."""
    _NATIVE.add(marked)
    return marked


def is_native(given: object) -> bool:
    """Whether this is a search, or a part of one, that works on categories."""
    return type(given) in _NATIVE


class _Either:
    """Two compiled functions under one name."""

    def __init__(self, on_bits: Callable[..., Any], on_categories: Callable[..., Any]) -> None:
        self.on_bits = on_bits
        self.on_categories = on_categories


def either(on_bits: Callable[..., Any], on_categories: Callable[..., Any]) -> Callable[..., Any]:
    """The function of both; the type of its first argument says which is meant."""
    if JIT:
        found: Any = _Either(on_bits, on_categories)
        return found  # numba knows it by the type below, and calls it

    def called(first: Any, *others: Any) -> Any:
        return (on_categories if is_native(first) else on_bits)(first, *others)

    return called


class _EitherType(types.Callable, types.Dummy):
    """Type of such a pair in compiled code: a call is typed as one of the function it means."""

    def __init__(self, pair: _Either) -> None:
        self.pair = pair
        super().__init__(f"either({pair.on_bits}, {pair.on_categories})")

    def _meant(self, arguments):
        pair = self.pair
        chosen = arguments[0].instance_class in _NATIVE
        return types.Dispatcher(pair.on_categories if chosen else pair.on_bits)

    def get_call_type(self, context, arguments, keywords):
        return self._meant(arguments).get_call_type(context, arguments, keywords)

    def get_call_signatures(self):
        return (), True

    def get_impl_key(self, signature):
        return self._meant(signature.args).get_impl_key(signature)


register_model(_EitherType)(models.OpaqueModel)


@typeof_impl.register(_Either)
def _type_of_pair(pair, context):
    return _EitherType(pair)


@lower_constant(_EitherType)
def _no_value(context, builder, pair_type, pair):
    return context.get_dummy_value()
