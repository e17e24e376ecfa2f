"""Conversion of the user's objective to a problem."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from catcube.base.text import quoted
from catcube.errors import BadType, BadValue
from catcube.problems.problem import Problem
from catcube.problems.python.batches import DEFAULT_HANDLING, Handling
from catcube.problems.python.callback import ObservedProblem, PythonProblem
from catcube.problems.python.compilation import Compiled, CompiledProblem, is_compiled, wrapped
from catcube.space import Space


def as_problem(
    objective: Problem | Compiled | Callable[[Any], Any],
    space: Space | None,
    vectorized: bool = False,
    executor: Executor | None = None,
    remember: int = 0,
    handling: Handling = DEFAULT_HANDLING,
) -> Problem:
    """Convert a problem, a compiled function or a Python function to a problem.

    A compiled objective that must be observed (`handling`) is called from Python.
    """
    problem = _as_problem(objective, space, vectorized, executor, remember, handling)
    if isinstance(problem, PythonProblem):
        return problem
    if executor is not None or (remember and not handling.unique):
        option = "an executor" if executor is not None else "a cache"
        raise BadValue(f"expected a Python function for {option}, got a compiled objective")
    return ObservedProblem(problem, remember, handling) if handling else problem


def _as_problem(
    objective: Problem | Compiled | Callable[[Any], Any],
    space: Space | None,
    vectorized: bool,
    executor: Executor | None,
    remember: int,
    handling: Handling,
) -> Problem:
    if isinstance(objective, Problem):
        problem_space = getattr(objective, "space", None)
        if not isinstance(problem_space, Space):
            raise BadType(
                f"expected a Space as space of problem {objective.name!r}, "
                f"got {quoted(problem_space)}"
            )
        if space is not None and space != objective.space:
            raise BadValue("expected no space beside that of the problem, got another one")
        return objective
    if not callable(objective):
        raise BadType(f"expected a function or a problem, got {quoted(objective)}")
    if space is None:
        raise BadValue("expected a space for the function: minimize(function, Space({...}))")
    if not isinstance(space, Space):
        space = Space(space)
    if is_compiled(objective):
        return CompiledProblem(wrapped(objective), space)
    return PythonProblem(objective, space, vectorized, executor, remember, handling)
