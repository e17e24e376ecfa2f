"""minimize() and maximize(): a run of an algorithm on a problem or a function."""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

from catcube.base.text import expect
from catcube.errors import BadType
from catcube.problems.functions import Compiled
from catcube.problems.problem import Problem
from catcube.representations.layout import RepresentationChoice
from catcube.search.arguments import Arguments, Points
from catcube.search.auto import AUTO
from catcube.search.result import Result
from catcube.search.run import execute
from catcube.search.watch import Progress, Watch, progress_bar
from catcube.space import Space


def minimize(
    fun_or_problem: Problem | Compiled | Callable[[Any], Any],
    space: Space | Mapping[str, Iterable[Any]] | None = None,
    *,
    algorithm: str = AUTO,
    representation: RepresentationChoice = AUTO,
    constraints: Any = None,
    budget: int | None = None,
    target: float | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    x0: Points = None,
    noisy: bool = False,
    catch: Any = None,
    retries: int = 0,
    timeout: float | None = None,
    workers: int | None = None,
    ordered: bool = True,
    study: Any = None,
    callback: Callable[[Progress], Any] | None = None,
    **parameters: Any,
) -> Result:
    """Minimize a function of categorical variables, or a problem.

    Up to 100,000 calls, a Python function is never called twice at one point (unless it is
    noisy), and the budget counts calls. An exception of the function that is not caught ends the
    run and is raised, with the point in its notes and the result so far as its attribute
    `partial_result`. Ctrl-C ends the run and returns the result so far.

    Parameters
    ----------
    fun_or_problem
        A Python function of a dict of labels; a function compiled by `catcube.compiled`; or a
        problem of `catcube.problems`, which has a space.
    space
        The space of the function, or its labels by name.
    algorithm
        The name of an algorithm; see `catcube list`. "auto", the default, selects one by budget and
        space; `Result.choice` explains it. A space with no more points than the budget is
        enumerated, unless the function is noisy
        or conditions leave few of very many combinations.
    representation
        The name of a family, a Representation, or a dict with one for each variable; or "native",
        to search the categories directly, without bits.
    constraints
        A function of the point, or a list of them. Each returns True where it is satisfied, or by
        how much it is violated (0 or less: satisfied); see also `catcube.forbid`. The objective is
        never called at an infeasible point, and such points cost no budget. If no feasible point
        is found in 100,000 checks, `Result.success` is False, `x` is the least violated point, and
        `fun` is NaN.
    budget
        The largest number of evaluations, by default 100,000, or unlimited with a time limit.
    target
        The run ends when it reaches this value.
    time_limit
        Time limit of the run in seconds. With workers or an executor, the run ends at once and
        calls in flight are abandoned; otherwise it ends after the current call.
    seed
        Any integer >= 0; the same seed gives the same result on every machine.
    x0
        An initial point, as a dict of labels, or a list of several. An algorithm with a population
        includes them in the first one; any other starts at the best of them.
    noisy
        Whether the function may return different values at the same point. If so, points may be
        evaluated again, and the result is the point with the best posterior mean, and this mean.
    catch
        An exception class, or a tuple of them: where the function raises one of them or returns NaN
        (`catch=()`: NaN only), the point has failed. It has no value, is counted in
        `Result.failed`, and the run continues.
    retries
        Maximum number of further attempts at a failed point; they do not count towards the budget.
    timeout
        Time limit of a call in seconds; a longer call has failed. Calls are made in a separate
        process.
    workers
        The number of processes that call the function, or of the workers of the executor. A
        function for processes must be defined by `def` at the top level of a module. A call whose
        process dies has failed.
    ordered
        Whether parallel values are taken in the order of their points, so that the result depends
        only on the seed and the number of workers. With False they are taken as they arrive.
    study
        The file that keeps every point and its value; see `catcube.Study`.
    callback
        Called with a `Progress` after every call of a slow function, else about 20 times a second,
        and at the end; it stops the run by returning True.

    Other Parameters
    ----------------
    executor : concurrent.futures.Executor
        An executor that calls the function. The generations of ga, pbil, umda
        and mimic and the neighbourhoods of hc are known in advance, and the result is that of a run
        without it. surrogate and, on categories, sa keep `workers + 1` points in flight. Other
        algorithms run `workers + 1` chains, which share the budget.
    preset : str
        Named settings of the algorithm.
    restart : int
        Restart the algorithm every `restart` evaluations, and after convergence.
    vectorized : bool
        The function takes an array of category indices, one point per row, and returns one value
        per row.
    progress : bool
        Show a progress bar.
    **parameters
        Parameters of the algorithm, see `catcube list sa`.

    Returns
    -------
    Result
        The best point and the record of the run.

    Examples
    --------
    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})
    >>> def cost(point):
    ...     return abs(point["digit"] - 7) + (point["base"] != "G") + point["flag"]
    >>> result = catcube.minimize(cost, space, target=0, seed=1)
    >>> result.x, result.fun, result.message
    ({'base': 'G', 'digit': 7, 'flag': False}, 0.0, 'the target was reached')
    """
    given = dict(locals())  # a copy: debuggers change the original
    return search(Arguments(function="minimize", objective=given.pop("fun_or_problem"), **given))


def maximize(
    function: Compiled | Callable[[Any], Any],
    space: Space | Mapping[str, Iterable[Any]] | None = None,
    **arguments: Any,
) -> Result:
    """Maximize a function of categorical variables.

    Parameters
    ----------
    function
        A function as for `minimize`. A problem of `catcube.problems` is an error, because its
        values are minimised.
    space
        The space of the function.
    **arguments
        The arguments of `minimize`. `target`, the values passed to the callback and all values of
        the result have the sign of the function.

    Returns
    -------
    Result
        The best point and the record of the run.

    Examples
    --------
    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(1, 10)})
    >>> def score(point):
    ...     return 10 * (point["base"] == "G") + point["digit"]
    >>> result = catcube.maximize(score, space, target=19, seed=1)
    >>> result.x, result.fun, result.direction
    ({'base': 'G', 'digit': 9}, 19.0, 'maximize')
    """
    known = callable(function) and not isinstance(function, Problem)  # which is to be minimised
    expect(known, "a function to maximise", function, BadType)
    named = signature(minimize).parameters.keys() - {"parameters"}
    given = {name: arguments.pop(name) for name in named & arguments.keys()}
    given |= {"space": space, "parameters": arguments, "maximize": True}
    return search(Arguments(function="maximize", objective=function, **given))


def search(arguments: Arguments) -> Result:
    """Execute the run with these arguments; raise the exception that ended it, if any."""
    callback, limit = arguments.callback, arguments.time_limit
    if arguments.maximize and callback is not None:
        callback = _with_negated_values(callback)
    try:
        run, result = arguments.run(), arguments.infeasible
        if result is None:
            with progress_bar(arguments.progress, run.budget, limit, callback) as watching:
                result = execute(run, Watch(watching, arguments.time_limit))
    finally:
        if arguments.session is not None:
            arguments.session.close()
    failure, result = result.failure, replace(result, choice=arguments.choice, failure=None)
    if arguments.maximize:
        result = result.negated()
    if failure is None and result.ending == "interrupt" and not result.x:
        failure = KeyboardInterrupt()
    if failure is not None:
        with contextlib.suppress(AttributeError):  # an exception with slots
            failure.partial_result = result  # type: ignore[attr-defined]
        raise failure
    return result


def _with_negated_values(callback: Callable[[Progress], Any]) -> Callable[[Progress], Any]:
    """Return a callback that passes on the progress with negated values."""
    return lambda progress: callback(replace(progress, value=-progress.value, fun=-progress.fun))
