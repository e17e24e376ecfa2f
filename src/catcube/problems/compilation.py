"""A user's numba-compiled function of the category array as a problem."""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from catcube.engine.entry import SIGNATURES, PythonEntry
from catcube.engine.jit import JIT
from catcube.problems.problem import Objective, Problem
from catcube.space import Space


class Compiled:
    """A function of the array of category indices (int32), compiled by numba; see `compiled`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        plain = getattr(function, "py_func", function)
        self.function = function if hasattr(function, "py_func") or not JIT else numba.njit(plain)
        self.__name__ = getattr(plain, "__name__", "compiled")
        self.__doc__ = plain.__doc__

    def __call__(self, categories: Any) -> Any:
        """Call the compiled function."""
        return self.function(np.ascontiguousarray(categories, dtype=np.int32))

    def __repr__(self) -> str:
        return f"compiled({self.__name__})"

    @cached_property
    def address(self) -> int:
        """Where kernels call it. An exception becomes NaN; `failure` finds out what it was."""
        function = self.function

        def value(problem):
            try:
                return float(function(problem.categories))
            except Exception:
                return math.nan

        if not JIT:
            self._code: Any = PythonEntry("value", value)
        else:
            # Not cached: numba would not notice changes in the functions this one calls.
            self._code = numba.cfunc(SIGNATURES["value"])(value)
        return int(self._code.address)


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile a function of the array of category indices, to be minimised at compiled speed.

    >>> import catcube
    >>> @catcube.compiled
    ... def distance(categories):
    ...     return abs(categories[0] - 2) + abs(categories[1] - 1)
    >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
    >>> catcube.minimize(distance, space, budget=100, seed=1).x
    {'base': 'C', 'flag': False}

    A function that is already compiled with `numba.njit` may be given as it is.
    """
    return Compiled(function)


class CompiledProblem(Problem):
    """A compiled function of the category array and its space."""

    name = "compiled function"

    def __init__(self, function: Compiled, space: Space) -> None:
        self.function = function
        self.space = space
        self.value = function  # type: ignore[misc, assignment]

    def objective(self, tick: Callable[[], None]) -> Objective:
        """The function as one run calls it."""
        return CompiledObjective(self)


class CompiledObjective(Objective):
    """A user's compiled function as one run calls it."""

    def __init__(self, problem: CompiledProblem) -> None:
        super().__init__(problem)
        self.problem = problem

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """What the function raises at these categories, or that it returns NaN."""
        try:
            self.problem.function(categories)
        except Exception as exception:
            return exception
        point = self.problem.space.decode(categories)
        return ValueError(f"the objective returned NaN at {str(point)[:200]}")
