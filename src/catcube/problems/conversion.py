"""What a user hands over to be minimised, as a problem."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from catcube.base.text import quoted
from catcube.problems.problem import Problem
from catcube.problems.python.batches import AS_USUAL, Handling
from catcube.problems.python.callback import ObservedProblem, PythonProblem
from catcube.problems.python.compilation import Compiled, CompiledProblem, is_compiled, wrapped
from catcube.space import Space


def as_problem(
    given: Problem | Compiled | Callable[[Any], Any],
    space: Space | None,
    vectorized: bool = False,
    executor: Executor | None = None,
    remember: int = 0,
    handling: Handling = AS_USUAL,
) -> Problem:
    """Make a problem of a problem, a compiled function or a Python function.

    What is compiled and must be observed (`handling`) is called from Python.
    """
    problem = _as_problem(given, space, vectorized, executor, remember, handling)
    if isinstance(problem, PythonProblem):
        return problem
    if executor is not None or (remember and not handling.unique):
        wanted = "an executor" if executor is not None else "a cache"
        raise ValueError(f"{wanted} is for functions in Python; this one is compiled")
    return ObservedProblem(problem, remember, handling) if handling else problem


def _as_problem(
    given: Problem | Compiled | Callable[[Any], Any],
    space: Space | None,
    vectorized: bool,
    executor: Executor | None,
    remember: int,
    handling: Handling,
) -> Problem:
    if isinstance(given, Problem):
        own = getattr(given, "space", None)
        if not isinstance(own, Space):
            raise TypeError(f"space of problem {given.name!r} must be a Space, not {quoted(own)}")
        if space is not None and space != given.space:
            raise ValueError("a problem brings its own space; give no other")
        return given
    if not callable(given):
        raise TypeError(f"what to minimise must be a function or a problem, not {quoted(given)}")
    if space is None:
        raise ValueError("a function needs a space: minimize(function, Space({...}))")
    if not isinstance(space, Space):
        space = Space(space)
    if is_compiled(given):
        return CompiledProblem(wrapped(given), space)
    return PythonProblem(given, space, vectorized, executor, remember, handling)
