"""Functions of users as problems: in Python, vectorised or compiled."""

import copy
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.engine.compiled.entry import Entry, PythonEntry, compile_value, evaluate_frame
from catcube.engine.compiled.jit import JIT, compile_lazily, is_dispatcher
from catcube.errors import BadType, BadValue
from catcube.problems import calls
from catcube.problems.kernel_calls import python_value
from catcube.problems.objective import Evaluation, PythonObjective
from catcube.problems.problem import Objective, Problem
from catcube.space import Space

PLAIN = Evaluation()


@dataclass(eq=False, repr=False)
class PythonProblem(Problem):
    """A Python function as a problem.

    Parameters
    ----------
    function
        A function of a point, a dict of labels by name.
    space
        The space of the points.
    vectorized
        Whether the function takes an array of category indices instead, one row per point.
    evaluation
        The options for evaluations.
    by_categories
        Whether the function takes an array with the category indices of one point instead.

    Examples
    --------
    >>> space = Space({"base": "ATCG", "flag": [True, False]})
    >>> problem = PythonProblem(lambda point: (point["base"] != "C") + point["flag"], space)
    >>> problem.evaluate({"base": "C", "flag": True})
    1.0
    """

    function: Callable[[Any], Any]
    space: Space
    vectorized: bool = False
    evaluation: Evaluation = PLAIN
    by_categories: bool = False

    name = "function"
    value = python_value

    def values_at(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the values of rows of category indices; a vectorized function is called once."""
        if self.vectorized and len(rows):
            returned: Any = calls.as_values(self.function(rows), len(rows))
        else:
            points = rows if self.by_categories else map(self.space.decode, rows)
            returned = [self.function(point) for point in points]
        return np.array([calls.as_number(value) for value in returned], np.float64)

    def caller(self, keys: calls.Keys, tick: Callable[[], Any]) -> calls.Caller:
        """Return the caller of the function for one run."""
        function, options = self.function, self.evaluation
        if options.caller is not None:
            return options.caller
        call = partial(calls.call_timed, function)
        if calls.uses_processes(options.executor):
            call = partial(calls.call_in_process, options.catch or (), function)
        if options.executor is not None:
            return calls.ExecutorCaller(call, keys, tick, options.in_flight, options.executor)
        if options.workers is not None:
            from pebble import ProcessPool

            workers = calls.Workers()
            pool = ProcessPool(options.workers, context=workers)
            in_flight, timeout = options.in_flight, options.timeout
            return calls.ProcessCaller(call, keys, tick, in_flight, pool, timeout, workers)
        if self.vectorized:
            return calls.BatchCaller(function, keys)
        return calls.DirectCaller(function, keys.row if self.by_categories else keys.point)

    def objective(self, tick: Callable[..., Any]) -> Objective:
        """Return the objective of one run."""
        return PythonObjective(self, tick)


class Compiled(Entry):
    """A function of the array of category indices (int32), compiled by numba (see `compiled`)."""

    role = "value"

    def __init__(self, function: Callable[..., Any]) -> None:
        plain: Any = getattr(function, "py_func", function)  # of a dispatcher, or plain
        is_function = callable(plain) and hasattr(plain, "__code__")
        expect(is_function, "a function to compile", function, BadType)
        self.function = function
        if JIT and plain is function:
            # Without this check, an index out of bounds would read arbitrary memory.
            self.function = compile_lazily(plain, boundscheck=True)
        self.__name__ = getattr(plain, "__name__", "compiled")
        self.__doc__ = plain.__doc__

    def __call__(self, categories: Any) -> Any:
        """Call the compiled function."""
        return self.function(np.ascontiguousarray(categories, dtype=np.int32))

    def __repr__(self) -> str:
        return f"compiled({self.__name__})"

    @cached_property
    def address(self) -> int:
        """The address that kernels call; an exception becomes NaN, whose cause `failure` finds."""
        function = self.function

        def value(problem):
            try:
                return float(function(problem.categories))
            except Exception:
                return math.nan

        code = compile_value(value, self.__name__) if JIT else PythonEntry("value", value)
        self._code = code  # its address is valid as long as it is referenced
        return int(code.address)


def as_compiled(function: Any) -> Compiled | None:
    """Return a compiled function as `Compiled`; None if it is not compiled.

    A function that numba has compiled is wrapped once.
    """
    if is_dispatcher(function):
        if not hasattr(function, "_catcube_compiled"):
            function._catcube_compiled = Compiled(function)
        function = function._catcube_compiled
    return function if isinstance(function, Compiled) else None


def negate(function: Compiled) -> Compiled:
    """Return a compiled function with the opposite values."""
    inner = function.function

    def opposite(categories):
        return -float(inner(categories))

    return Compiled(compile_lazily(opposite, boundscheck=False) if JIT else opposite)


def compiled(function: Callable[..., Any]) -> Compiled:
    """Compile a function of the array of category indices, to be optimised at compiled speed.

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
    """A compiled function of the array of category indices as a problem."""

    name = "compiled function"

    def __init__(self, function: Compiled, space: Space) -> None:
        self.function = function
        self.space = space
        self.value = function  # type: ignore[misc] # one per instance

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Return the exception that the function raises at a point, or one about NaN."""
        try:
            self.function(categories)
        except Exception as exception:
            return exception
        return super().failure(categories)


def call_from_python(problem: Problem, evaluation: Evaluation) -> PythonProblem:
    """Return a compiled problem whose values pass through Python, which stores and counts them."""
    if isinstance(problem, CompiledProblem):  # so that its exceptions are raised
        function: Callable[[Any], Any] = problem.function
    else:

        def function(categories: NDArray[np.int64]) -> float:
            return evaluate_frame(problem.value, problem.frame(categories))

    found = PythonProblem(function, problem.space, evaluation=evaluation, by_categories=True)
    found.name, found.optimum = problem.name, problem.optimum
    return found


def as_problem(
    objective: Problem | Compiled | Callable[[Any], Any],
    space: Space | Mapping[str, Iterable[Any]] | None,
    vectorized: bool = False,
) -> Problem:
    """Convert a problem, a compiled function or a Python function to a problem."""
    if isinstance(objective, Problem):
        own = getattr(objective, "space", None)
        wanted = f"a Space as space of problem {objective.name!r}"
        expect(isinstance(own, Space), wanted, own, BadType)
        expect(space is None or space == own, "no space beside that of the problem", space)
        return objective
    expect(callable(objective), "a function or a problem", objective, BadType)
    expect(space is not None, "a space for the function, as catcube.Space({...})", space)
    assert space is not None
    space = space if isinstance(space, Space) else Space(space)
    if (compiled := as_compiled(objective)) is not None:
        return CompiledProblem(compiled, space)
    return PythonProblem(objective, space, vectorized)


def with_evaluation(problem: Problem, evaluation: Evaluation) -> Problem:
    """Return a problem whose evaluations have the given options.

    A compiled problem is called from Python if an option requires to observe its evaluations.
    """
    if isinstance(problem, PythonProblem):
        if evaluation.parallel and problem.vectorized:
            raise BadValue("expected workers, an executor or vectorized=True, got both")
        if evaluation.parallel:
            catch = evaluation.catch
            calls.check_parallel(evaluation.executor, problem.function, problem.space, catch)
        problem = copy.copy(problem)
        problem.evaluation = evaluation
        return problem
    if evaluation.parallel:
        raise BadValue("expected a Python function for parallel calls, got a compiled objective")
    if not evaluation.direct or problem.space.conditions:
        return call_from_python(problem, evaluation)
    if isinstance(problem, CompiledProblem) and evaluation.sign < 0:
        return CompiledProblem(negate(problem.function), problem.space)
    return problem
