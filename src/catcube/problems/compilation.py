"""A user's numba-compiled function of the category array as a problem."""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import described
from catcube.engine.compiled.entry import Entry, PythonEntry
from catcube.engine.compiled.jit import JIT
from catcube.engine.compiled.user import (
    CompilationError,
    compiled_by_numba,
    is_dispatcher,
    value_code,
)
from catcube.errors import BadType
from catcube.problems.problem import Problem
from catcube.space import Space


class Compiled(Entry):
    """A function of the array of category indices (int32), compiled by numba; see `compiled`."""

    role = "value"

    def __init__(self, function: Callable[..., Any]) -> None:
        plain: Any = function.py_func if is_dispatcher(function) else function  # type: ignore[attr-defined]
        if not callable(plain) or not hasattr(plain, "__code__"):
            raise BadType(f"expected a function to compile, got {described(function)}")
        self.function = function
        if JIT and plain is function:
            # Without checks, an index out of bounds reads arbitrary memory.
            self.function = compiled_by_numba(plain, boundscheck=True)
        self.__name__ = getattr(plain, "__name__", "compiled")
        self.__doc__ = plain.__doc__

    def __call__(self, categories: Any) -> Any:
        """Call the compiled function."""
        return self.function(np.ascontiguousarray(categories, dtype=np.int32))

    def __repr__(self) -> str:
        return f"compiled({self.__name__})"

    @cached_property
    def address(self) -> int:
        """The address that kernels call. An exception becomes NaN; `failure` finds the cause."""
        function = self.function

        def value(problem):
            try:
                return float(function(problem.categories))
            except Exception:
                return math.nan

        if not JIT:
            self._code: Any = PythonEntry("value", value)
            return self._code.address
        try:
            self._code = value_code(value)
        except CompilationError as wrong:
            raise BadType(
                f"{self.__name__} cannot be compiled as a function of the array of categories "
                f"(int32) that returns a number: {wrong}"
            ) from wrong.__cause__
        return int(self._code.address)


def wrapped(function: Any) -> Compiled:
    """Wrap a function compiled by numba, once; return one of `compiled` unchanged."""
    if isinstance(function, Compiled):
        return function
    found: Compiled | None = getattr(function, "_catcube_compiled", None)
    if found is None:
        found = function._catcube_compiled = Compiled(function)
    return found


def negated(function: Compiled) -> Compiled:
    """Return a compiled function with the opposite sign."""
    inner = function.function

    def opposite(categories):
        return -float(inner(categories))

    return Compiled(compiled_by_numba(opposite, boundscheck=False) if JIT else opposite)


def is_compiled(function: Any) -> bool:
    """Return whether a function was compiled, by `compiled` or by numba."""
    return isinstance(function, Compiled) or is_dispatcher(function)


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile a function of the array of category indices, to be minimised at compiled speed.

    >>> import catcube
    >>> @catcube.compiled
    ... def distance(categories):
    ...     return abs(categories[0] - 2) + abs(categories[1] - 1)
    >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
    >>> catcube.minimize(distance, space, budget=100, seed=1).x
    {'base': 'C', 'flag': False}

    An index out of bounds is an IndexError, as in Python. A function that is already compiled
    with `numba.njit` is accepted too; numba does not check bounds by default.
    """
    return Compiled(function)


class CompiledProblem(Problem):
    """A compiled function of the category array and its space."""

    name = "compiled function"

    def __init__(self, function: Compiled, space: Space) -> None:
        self.function = function
        self.space = space
        self.value = function  # type: ignore[misc]

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Return the exception of the function at these categories, or one about NaN."""
        try:
            self.function(categories)
        except Exception as exception:
            return exception
        return super().failure(categories)
