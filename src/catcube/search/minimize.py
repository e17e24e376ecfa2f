"""minimize() and maximize(): one run of one algorithm on a problem or a function."""

import contextlib
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from catcube.base.text import quoted
from catcube.errors import BadType, BadValue
from catcube.problems.conversion import as_problem
from catcube.problems.problem import Problem
from catcube.problems.python.batches import Handling
from catcube.problems.python.callback import ObservedProblem, PythonProblem
from catcube.problems.python.compilation import Compiled
from catcube.problems.python.values import number
from catcube.representations.layout import RepresentationChoice
from catcube.search.arguments import (
    checked_cache,
    checked_catch,
    checked_count,
    checked_name,
    checked_target,
    checked_time_limit,
    is_word,
)
from catcube.search.auto import AUTO, choose, effective_budget
from catcube.search.enumeration import Enumeration
from catcube.search.initial import Y0, initial_points, known_values, listed
from catcube.search.negation import Negated, negated_callback
from catcube.search.parallel import execute_in, points_under_way
from catcube.search.planning import Points, planned, result_of
from catcube.search.progress_bar import shown
from catcube.search.result import Result
from catcube.search.run import execute
from catcube.search.watch import Progress, Watch
from catcube.space import Space


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
    """Minimize a function of categorical variables, or a problem.

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
      `catcube.compiled`; or a problem of `catcube.problems`, which has a space.
    - `algorithm`, `preset`, `**parameters`: see `catcube list` and `catcube list sa`. "auto"
      selects an algorithm by the budget and the space; `Result.choice` explains it. A space with
      no more points than the budget is enumerated.
    - `representation`: the name of a family, a Representation, or one by variable name; or
      "native", to search the categories themselves, without bits.
    - `x0`: an initial point, as a dict of labels, or a list of several. An algorithm with a
      population includes them in the first one, any other starts at the best of them. `y0`: their
      values where they are known (else NaN), so that a Python function is not called there.
    - `budget`: the largest number of evaluations, by default 100,000, or unlimited if there is a
      `time_limit` (seconds); `target`: a value to stop at.
    - `callback`: called with a `Progress` (`evaluations`, `value`, `seconds`, and the best point
      `x`, empty while all points have failed) at most about 20 times a second, after an
      improvement before the next call of a slow function, and once at the end; it stops the run by
      returning True. `progress=True` shows a bar.
    - `restart`: restart the algorithm after so many evaluations, and after convergence.
    - `seed`: any integer >= 0; the same seed gives the same result on every machine.
    - `executor`: a `concurrent.futures.Executor` that evaluates points in parallel. The
      generations of ga, pbil, umda and mimic and the neighbourhoods of hc are known in advance, and
      the result is that of a run without it. surrogate and, on categories, sa keep one point more
      under way than there are `workers` (by default those of the executor). Other algorithms run
      one chain more than there are workers, which share the budget. Values are taken in the order
      of the points, whichever comes first: the result depends on the seed and the number of
      workers only. Processes need a function that can be
      pickled (defined by `def` at the top of a module).
    - `cache`: do not call a Python function again at a point whose value is cached. True caches at
      least the last 100,000 points (and at most twice as many), a number so many. The budget still
      counts all evaluations; `Result.calls` counts calls. With "unique" all points are cached, and
      the budget counts only the evaluations of new ones; "auto" does so with up to 100,000
      evaluations (10,000 of a compiled function), if it also selects the algorithm.
    - `catch`: an exception class, or a tuple of them: where the function raises one of them or
      returns NaN (`catch=()`: NaN only), the point has failed. It is never the best, it is counted
      in `Result.failed`, and the run continues.
    - `history`: keep every point that was evaluated, and its value, in `Result.history`.

    An exception of the function that is not caught ends the run and is raised, with the result so
    far as its attribute `partial_result` (its `x` is empty if no point has a value yet). Ctrl-C
    ends the run and returns the result so far.
    """
    checked_name("algorithm", algorithm)
    if executor is None and workers is not None:
        raise BadValue(f"expected an executor beside workers={quoted(workers)}, got none")
    x0 = listed(x0)
    remember = checked_cache(cache)
    handling = Handling(is_word(cache, "unique"), checked_catch(catch), bool(history))
    problem = as_problem(fun_or_problem, space, vectorized, executor, remember, handling)
    checked_time_limit(time_limit)
    if callback is not None and not callable(callback):
        raise BadType(f"expected a function as callback, got {quoted(callback)}")
    evaluations = checked_count("budget", effective_budget(budget, time_limit))
    in_python = isinstance(problem, PythonProblem)
    choice = choose(
        problem.space, evaluations, in_python, algorithm, representation, preset, parameters
    )
    if choice.unique and is_word(cache, AUTO):
        handling = replace(handling, unique=True)
        problem = as_problem(fun_or_problem, space, vectorized, executor, 2**62, handling)
    if executor is not None and choice.algorithm == "surrogate":
        parameters.setdefault("batch", points_under_way(executor, workers))
    run = planned(
        problem,
        choice.algorithm,
        choice.representation,
        evaluations,
        target,
        seed,
        preset,
        restart,
        parameters or choice.parameters,
        minimize,
        x0,
    )
    if y0 is not None:
        _take_known(problem, x0, y0)
    with shown(progress, run.budget, time_limit, callback) as watching:
        watch = Watch(watching, time_limit)
        if choice.algorithm is None:
            enumeration = Enumeration(problem, run.seed, run.target, watch, run.initial)
            outcome = enumeration.outcome()
        elif executor is None:
            outcome = execute(run, watch)
        else:
            outcome = execute_in(executor, workers, run, watch)
    result = replace(result_of(run, outcome, choice.representation), choice=choice.reason)
    failure = outcome.failure
    if failure is None and outcome.reason == "interrupt" and not result.x:
        failure = KeyboardInterrupt()
    if failure is not None:
        with contextlib.suppress(AttributeError):  # an exception with slots
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
    """Maximize a function of categorical variables.

    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(1, 10)})
    >>> def score(point):
    ...     return 10 * (point["base"] == "G") + point["digit"]
    >>> result = catcube.maximize(score, space, target=19, seed=1)
    >>> result.x, result.fun, result.direction
    ({'base': 'G', 'digit': 9}, 19.0, 'maximize')

    The arguments are those of `minimize`; `target`, the values of the callback and all values of
    the result are those of the function. A problem of `catcube.problems` is an error, since its
    values are to be minimised.
    """
    if isinstance(function, Problem):
        raise BadType(
            f"expected a function, got the problem {function.name!r}, which is to be minimised"
        )
    for name in ("maximize", "minimize", "direction"):
        if name in arguments:
            raise BadType(
                f"maximize has no argument {name!r}: maximize maximises, minimize minimises"
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
    """Negate the known values among the arguments of `minimize`."""
    known = arguments.get("y0")
    if known is None:
        return arguments
    values = known if isinstance(known, Iterable) else [known]
    return {**arguments, "y0": [-number(value, Y0) for value in values]}


def _take_known(problem: Problem, x0: Points, y0: Any) -> None:
    """Set the known values of the initial points of a problem."""
    if not isinstance(problem, PythonProblem | ObservedProblem):
        raise BadValue("expected a Python function for y0, got a compiled objective")
    points = initial_points(problem.space, x0)
    problem.known.update(known_values(problem.space, points, y0))
