"""A user's numba-compiled function of the category array as a problem."""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import Entry, PythonEntry
from catcube.engine.compiled.jit import JIT
from catcube.engine.compiled.user import CompilationError, is_dispatcher, jitted, value_code
from catcube.errors import BadType
from catcube.problems.problem import Problem
from catcube.space import Space


class Compiled(Entry):
    """A function of the array of category indices (int32), compiled by numba; see `compiled`."""

    role = "value"

    def __init__(self, function: Callable[..., Any]) -> None:
        plain: Any = getattr(function, "py_func", function)  # numba's, or what the user has written
        is_function = callable(plain) and hasattr(plain, "__code__")
        expect(is_function, "a function to compile", function, BadType)
        self.function = function
        if JIT and plain is function:
            # Without checks, an index out of bounds reads arbitrary memory.
            self.function = jitted(plain, boundscheck=True)
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


def wrapped(function: Any) -> Compiled | None:
    """Wrap a function compiled by numba, once; return one of `compiled` as it is, else None."""
    if is_dispatcher(function):
        if not hasattr(function, "_catcube_compiled"):
            function._catcube_compiled = Compiled(function)
        function = function._catcube_compiled
    return function if isinstance(function, Compiled) else None


def negated(function: Compiled) -> Compiled:
    """Return a compiled function with the opposite sign."""
    inner = function.function

    def opposite(categories):
        return -float(inner(categories))

    return Compiled(jitted(opposite, boundscheck=False) if JIT else opposite)


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile a function of the array of category indices, to be minimised at compiled speed.

    An index out of bounds is an IndexError, as in Python. A function that is already compiled
    with `numba.njit` is accepted too; numba does not check bounds by default.

    Parameters
    ----------
    function
        A function of an integer array, one entry per variable, that returns a number. It is
        written in the subset of Python that numba compiles.

    Returns
    -------
    Compiled
        The function, for `minimize`, `maximize` and `compare`.

    Examples
    --------
    >>> import catcube
    >>> @catcube.compiled
    ... def distance(categories):
    ...     return abs(categories[0] - 2) + abs(categories[1] - 1)
    >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
    >>> catcube.minimize(distance, space, budget=100, seed=1).x
    {'base': 'C', 'flag': False}
    """
    return Compiled(function)


class CompiledProblem(Problem):
    """A compiled function of the category array and its space."""

    name = "compiled function"

    def __init__(self, function: Compiled, space: Space) -> None:
        self.function = function
        self.space = space
        self.value = function  # type: ignore[misc] # each has its own

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Return the exception of the function at these categories, or one about NaN."""
        try:
            self.function(categories)
        except Exception as exception:
            return exception
        return super().failure(categories)
