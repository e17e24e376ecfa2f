"""minimize() and maximize(): one run of one algorithm on a problem or a user's function."""

import contextlib
import inspect
import secrets
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from catcube.algorithms import algorithm as algorithm_named
from catcube.base.text import quoted
from catcube.problems.conversion import as_problem
from catcube.problems.problem import Problem
from catcube.problems.python.batches import Handling
from catcube.problems.python.callback import ObservedProblem, PythonProblem
from catcube.problems.python.compilation import Compiled
from catcube.problems.python.keys import Keys
from catcube.problems.python.values import number
from catcube.representations.layout import RepresentationChoice, categories_of, layout_for
from catcube.representations.registry import NATIVE
from catcube.search.arguments import (
    checked_cache,
    checked_catch,
    checked_count,
    checked_parameters,
    checked_seed,
    checked_target,
    checked_time_limit,
    is_word,
)
from catcube.search.auto import AUTO, chosen, chosen_budget
from catcube.search.chains import GENERATIONAL, execute_chains, workers_of
from catcube.search.enumeration import ALGORITHM as ENUMERATION
from catcube.search.enumeration import Enumeration
from catcube.search.history import History
from catcube.search.initial import encoded, initial_points, known_values
from catcube.search.negation import Negated, negated_callback
from catcube.search.progress_bar import shown
from catcube.search.result import ENDINGS, Result, Trace
from catcube.search.run import Outcome, Run, execute
from catcube.search.watch import Progress, Watch
from catcube.space import Space

Points: TypeAlias = Mapping[str, Any] | Iterable[Mapping[str, Any]] | None


def minimize(
    fun_or_problem: Problem | Compiled | Callable[[Any], Any],
    space: Space | None = None,
    *,
    algorithm: str = AUTO,
    representation: RepresentationChoice = AUTO,
    budget: int | None = None,
    target: float | None = None,
    seed: int | None = None,
    preset: str | None = None,
    x0: Points = None,
    y0: Any = None,
    callback: Callable[[Progress], Any] | None = None,
    progress: bool = False,
    time_limit: float | None = None,
    restart: int | None = None,
    vectorized: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    cache: bool | int | str = AUTO,
    catch: Any = None,
    history: bool = False,
    **parameters: Any,
) -> Result:
    """Search for the point of the space where the function is smallest.

    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})
    >>> def cost(point):
    ...     return abs(point["digit"] - 7) + (point["base"] != "G") + point["flag"]
    >>> result = catcube.minimize(cost, space, target=0, seed=1)
    >>> result.x, result.fun, result.message
    ({'base': 'G', 'digit': 7, 'flag': False}, 0.0, 'the target was reached')

    - `fun_or_problem`: a Python function of a dict of labels; with `vectorized=True` one of an
      array of category indices, one point per row, that returns one value per row (a whole
      generation where the algorithm has one, see `executor`, else one row); a function compiled by
      `catcube.compiled`; or a problem of `catcube.problems`, which brings its own space.
    - `algorithm`, `preset`, `**parameters`: see `catcube list` and `catcube list sa`. With "auto" a
      rule chooses, by the budget and the space; `Result.choice` says what and why. A space with no
      more points than the budget is enumerated.
    - `representation`: the name of a family, a Representation, or one by variable name; or
      "native", to search the categories themselves, without bits.
    - `x0`: a point to begin with, as a dict of labels, or a list of some. An algorithm with a
      population has them in its first one, any other begins at the best of them. `y0`: their
      values where they are known (else NaN), so that a Python function is not called there.
    - `budget`: how many evaluations may be made, by default 100,000, or any number if there is a
      `time_limit` (seconds); `target`: a value to stop at.
    - `callback`: called with a `Progress` (`evaluations`, `value`, `seconds`, and the best point
      `x`) when there is something better, at most some 20 times a second, and once at the end;
      stops the run by returning True. `progress=True` shows a bar.
    - `restart`: begin the algorithm anew after so many evaluations, and when it has converged.
    - `seed`: any integer >= 0; the same seed gives the same result on every machine.
    - `executor`: a `concurrent.futures.Executor` that evaluates points side by side. The
      generations of ga, pbil, umda and mimic and the neighbourhoods of hc are known in advance, and
      the result is that of a run without it. surrogate proposes as many points at once as there
      are workers (its parameter `batch`). Of any other algorithm several chains are run in step,
      one for each of the `workers` (by default as many as the executor has), which share the
      budget: the result is the same for the same seed and number of workers. Processes need a
      function that can be pickled (defined by `def` at the top of a module).
    - `cache`: do not call a Python function again at a point whose value is remembered. True
      remembers at least the last 100,000 points (and at most twice as many), a number so many.
      The budget counts evaluations all the same; `Result.calls` counts calls. With "unique" all
      points are remembered, and the budget counts only the evaluations of new ones; that is what
      "auto" does with up to 100,000 evaluations (10,000 of a compiled function), if it chooses the
      algorithm too.
    - `catch`: an exception class, or a tuple of them: where the function raises one of them or
      returns NaN (`catch=()`: NaN alone), the point has failed. It is never chosen, counted in
      `Result.failed`, and the run goes on.
    - `history`: keep every point and value in `Result.history`.

    An exception of the function that is not caught ends the run and is raised, with the result so
    far as its attribute `partial_result` (its `x` is empty if no point has a value yet). Ctrl-C
    ends the run too, and the result so far is returned.
    """
    remember = checked_cache(cache)
    handling = Handling(is_word(cache, "unique"), checked_catch(catch), bool(history))
    problem = as_problem(fun_or_problem, space, vectorized, executor, remember, handling)
    checked_time_limit(time_limit)
    if callback is not None and not callable(callback):
        raise TypeError(f"the callback must be a function, not {quoted(callback)}")
    evaluations = checked_count("budget", chosen_budget(budget, time_limit))
    in_python = isinstance(problem, PythonProblem)
    choice = chosen(
        problem.space, evaluations, in_python, algorithm, representation, preset, parameters
    )
    if choice.unique and is_word(cache, AUTO):
        handling = replace(handling, unique=True)
        problem = as_problem(fun_or_problem, space, vectorized, executor, 2**62, handling)
    if executor is not None and choice.algorithm == "surrogate":
        parameters.setdefault("batch", workers_of(executor, workers))
    run = planned(
        problem,
        choice.algorithm,
        choice.representation,
        evaluations,
        target,
        seed,
        preset,
        restart,
        parameters,
        x0=x0,
    )
    if y0 is not None:
        _take_known(problem, x0, y0)
    with shown(progress, run.budget, time_limit, callback) as watching:
        watch = Watch(watching, time_limit)
        if choice.algorithm is None:
            outcome = Enumeration(problem, run.seed, run.target, watch).outcome()
        elif executor is None or run.algorithm.name in GENERATIONAL:
            outcome = execute(run, watch)
        else:
            outcome = execute_chains(run, workers_of(executor, workers), watch)
    result = replace(result_of(run, outcome, choice.representation), choice=choice.reason)
    failure = outcome.failure
    if failure is None and outcome.reason == "interrupt" and not result.x:
        failure = KeyboardInterrupt()
    if failure is not None:
        with contextlib.suppress(AttributeError):  # an exception with slots of its own
            failure.partial_result = result  # type: ignore[attr-defined]
        raise failure
    return result


def maximize(
    function: Compiled | Callable[[Any], Any],
    space: Space | None = None,
    *,
    target: float | None = None,
    callback: Callable[[Progress], Any] | None = None,
    **arguments: Any,
) -> Result:
    """Search for the point of the space where the function is largest.

    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(1, 10)})
    >>> def score(point):
    ...     return 10 * (point["base"] == "G") + point["digit"]
    >>> result = catcube.maximize(score, space, target=19, seed=1)
    >>> result.x, result.fun, result.direction
    ({'base': 'G', 'digit': 9}, 19.0, 'maximize')

    The arguments are those of `minimize`; `target`, the values that the callback sees and all
    values of the result are those of the function. A problem of `catcube.problems` is defined as
    one to be minimised and is refused.
    """
    if isinstance(function, Problem):
        raise TypeError(
            f"expected a function, got the problem {function.name!r}, which is one to be minimised"
        )
    try:
        result = minimize(
            Negated.of(function, bool(arguments.get("vectorized"))),
            space,
            target=None if target is None else -checked_target(target),  # type: ignore[operator]
            callback=negated_callback(callback),
            **_negated_values(arguments),
        )
    except BaseException as failure:
        if hasattr(failure, "partial_result"):
            failure.partial_result = failure.partial_result.negated()
        raise
    return result.negated()


def _negated_values(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `minimize`, the known values negated."""
    known = arguments.get("y0")
    if known is None:
        return arguments
    values = known if isinstance(known, Iterable) else [known]
    return {**arguments, "y0": [-number(value) for value in values]}


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
    function: Callable[..., Any] = minimize,
    x0: Points = None,
) -> Run:
    """Return the run with these arguments of `minimize`, if they are as they must be.

    Without an algorithm all points are enumerated.
    """
    budget = checked_count("budget", budget)
    target = checked_target(target)
    seed = secrets.randbits(63) if seed is None else checked_seed(seed)
    for name, given in (("an algorithm", algorithm), ("a preset", preset)):
        if not isinstance(given, str | None):
            raise TypeError(f"{name} is given by its name, not {quoted(given)}")
    method = ENUMERATION if algorithm is None else algorithm_named(algorithm)
    checked_parameters(method, parameters, function.__name__, _keywords(function))
    settings = method.resolve(preset, parameters)
    layout = layout_for(problem.space, representation)
    if restart is not None:
        restart = checked_count("restart", restart)
    points = initial_points(problem.space, x0)
    initial = encoded(problem.space, representation, points) if len(points) else None
    return Run(problem, layout, method, settings, budget, target, seed, restart, initial)


def _take_known(problem: Problem, x0: Points, y0: Any) -> None:
    """Tell a problem the values of its initial points."""
    if not isinstance(problem, PythonProblem | ObservedProblem):
        raise ValueError("y0 is for functions in Python; this one is compiled")
    points = initial_points(problem.space, x0)
    problem.known.update(known_values(problem.space, points, y0))


def _keywords(function: Callable[..., Any]) -> Iterable[str]:
    """The names of the arguments that a function takes by name."""
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            yield name


def result_of(run: Run, outcome: Outcome, representation: RepresentationChoice) -> Result:
    """Return what a run found, with labels."""
    status, message = ENDINGS[outcome.reason]
    space = run.problem.space
    # A failed point counts as infinite, and is not chosen.
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
