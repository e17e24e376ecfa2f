"""Negation of a function, to maximise it."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from catcube.base.text import quoted
from catcube.engine.compiled.jit import JIT
from catcube.engine.compiled.user import compiled_by_numba
from catcube.errors import BadType
from catcube.problems.penalty import Penalized
from catcube.problems.python.compilation import Compiled, is_compiled, wrapped
from catcube.problems.python.values import number
from catcube.search.watch import Progress


class Negated:
    """A Python function with the opposite sign; it can be pickled if the function can.

    >>> Negated(len)("four")
    -4.0
    """

    def __init__(self, function: Callable[[Any], Any], vectorized: bool = False) -> None:
        self.function = function
        self.vectorized = vectorized

    def __call__(self, argument: Any) -> Any:
        """Return the negated value of the function."""
        returned = self.function(argument)
        if self.vectorized and isinstance(returned, Iterable):
            return [-number(value) for value in returned]
        return -number(returned)

    @staticmethod
    def of(function: Any, vectorized: bool = False) -> "Negated | Compiled":
        """Return a Python function, or a compiled one, with the opposite sign."""
        if isinstance(function, Penalized):
            raise BadType(
                "expected a function without penalty, which is for minimize: use "
                "minimize(penalized(lambda point: -f(point), ...))"
            )
        if is_compiled(function):
            return negated_compiled(wrapped(function))
        if not callable(function):
            raise BadType(f"expected a function to maximise, got {quoted(function)}")
        return Negated(function, vectorized)


def negated_compiled(function: Compiled) -> Compiled:
    """Return a compiled function with the opposite sign."""
    inner = function.function

    def negated(categories):  # type: ignore[no-untyped-def]
        return -float(inner(categories))

    return Compiled(compiled_by_numba(negated, boundscheck=False) if JIT else negated)


def negated_callback(
    callback: Callable[[Progress], Any] | None,
) -> Callable[[Progress], Any] | None:
    """Return a callback that sees values of the opposite sign."""
    if callback is None or not callable(callback):
        return callback
    return lambda progress: callback(replace(progress, value=-progress.value))
