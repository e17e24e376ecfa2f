"""From the arguments of `minimize` to a run, and from its outcome to a result."""

import inspect
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from catcube.algorithms import algorithm as algorithm_named
from catcube.problems.problem import Problem
from catcube.problems.python.batches import Handling
from catcube.problems.python.keys import Keys
from catcube.representations.layout import RepresentationChoice, categories_of, layout_for
from catcube.representations.registry import NATIVE
from catcube.search.arguments import (
    checked_count,
    checked_name,
    checked_parameters,
    checked_seed,
    checked_target,
)
from catcube.search.enumeration import ALGORITHM as ENUMERATION
from catcube.search.history import History
from catcube.search.initial import encoded, initial_points
from catcube.search.result import ENDINGS, Result, Trace
from catcube.search.run import Outcome, Run
from catcube.space import Space

Points: TypeAlias = Mapping[str, Any] | Iterable[Mapping[str, Any]] | None


def planned(
    problem: Problem,
    algorithm: str | None,
    representation: RepresentationChoice,
    budget: int,
    target: float | None,
    seed: int | None,
    preset: str | None,
    restart: int | None,
    parameters: Mapping[str, Any],
    function: Callable[..., Any],
    x0: Points = None,
) -> Run:
    """Return the run with these arguments of `minimize` or `Optimizer`, checked.

    Without an algorithm all points are enumerated. `function` is the one that was called.
    """
    budget = checked_count("budget", budget)
    target = checked_target(target)
    seed = secrets.randbits(63) if seed is None else checked_seed(seed)
    if preset is not None:
        checked_name("preset", preset)
    method = ENUMERATION if algorithm is None else algorithm_named(algorithm)
    checked_parameters(method, parameters, function.__name__, _keywords(function))
    settings = method.resolve(preset, parameters)
    layout = layout_for(problem.space, representation)
    if restart is not None:
        restart = checked_count("restart", restart)
    points = initial_points(problem.space, x0)
    initial = encoded(problem.space, representation, points) if len(points) else None
    return Run(problem, layout, method, settings, budget, target, seed, restart, initial)


def _keywords(function: Callable[..., Any]) -> Iterable[str]:
    """Yield the names of the keyword-only arguments of a function."""
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            yield name


def result_of(run: Run, outcome: Outcome, representation: RepresentationChoice) -> Result:
    """Convert the outcome of a run to a result with labels."""
    status, message = ENDINGS[outcome.reason]
    space = run.problem.space
    # A failed point counts as infinite, and is never the best.
    found = outcome.evaluations_to_best > 0 and not (outcome.failed and outcome.value == np.inf)
    finished = ("target",) if run.target is not None else ("budget", "converged", "enumerated")
    if run.native:
        name = NATIVE
    elif isinstance(representation, str):
        name = representation
    else:
        name = getattr(representation, "name", "by variable")
    categories = categories_of(run.layout, outcome.solution)
    return Result(
        x=space.decode(categories) if found else {},
        fun=outcome.value,
        nfev=outcome.evaluations,
        nit=outcome.iterations,
        success=outcome.reason in finished and found,
        status=status,
        message=message,
        _bits=None if run.native else outcome.solution,
        nfev_best=outcome.evaluations_to_best,
        trace=Trace(outcome.trace_evaluations, outcome.trace_values),
        seconds=outcome.seconds,
        seed=run.seed,
        algorithm=run.algorithm.name,
        representation=name,
        parameters=run.parameters._asdict(),
        calls=outcome.calls,
        categories=categories,
        failed=outcome.failed,
        history=history_of(space, outcome.history) if _keeps_history(run.problem) else None,
        model=None if outcome.model is None else outcome.model(space),
    )


def _keeps_history(problem: Problem) -> bool:
    handling: Handling | None = getattr(problem, "handling", None)
    return handling is not None and handling.history


def history_of(space: Space, kept: Iterable[tuple[bytes, float]]) -> History:
    """Return the points and values that an objective has kept."""
    kept = list(kept)
    rows = Keys(space).rows([key for key, _ in kept])
    return History(space, rows, np.array([value for _, value in kept], np.float64))
