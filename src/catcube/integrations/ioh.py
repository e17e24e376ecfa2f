"""IOHexperimenter: problems of catcube for `ioh`, and its loggers for runs of catcube.

To export a store, neither is needed: `catcube export --format ioh` writes the same files.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from catcube.base.optional import import_optional
from catcube.base.text import expect
from catcube.experiments.ioh import safe_name
from catcube.problems.bit_problem import BitProblem
from catcube.problems.functions import Compiled
from catcube.problems.problem import Problem
from catcube.search import minimize as optimize
from catcube.search.result import Result
from catcube.space import Space

ioh = import_optional("ioh")


def ioh_problem(problem: BitProblem, name: str | None = None, instance: int = 1) -> Any:
    """Return a problem of `ioh` on the bits of a problem, to be minimised.

    Parameters
    ----------
    problem
        The function of bits.
    name
        The name, by default that of the problem. Characters other than letters, digits and hyphens
        are replaced, because loggers name files after it.
    instance
        The number of the instance.

    Returns
    -------
    ioh.problem.IntegerSingleObjective
        The problem. The point of its optimum is unknown, and therefore empty.

    Examples
    --------
    >>> import catcube
    >>> bits = catcube.BitProblem(catcube.problems.Sudoku.instance("small-dimension-2-a"))
    >>> problem = ioh_problem(bits)
    >>> problem.meta_data.name, problem.meta_data.n_variables, problem.optimum.y
    ('small-dimension-2-a', 30, 0.0)
    >>> problem([0] * 30) == bits([0] * 30), problem.state.evaluations
    (True, 1)
    """
    return _wrap(problem, name or problem.problem.name, problem.n, instance, problem.problem)


def minimize(
    problem: Problem | Compiled | Callable[[Any], Any],
    space: Space | None = None,
    *,
    logger: Any,
    name: str | None = None,
    instance: int = 1,
    vectorized: bool = False,
    **options: Any,
) -> Result:
    """Call `catcube.minimize` with a logger of `ioh`.

    For `ioh`, a point consists of the category indices of all variables. As for any Python
    function, no point is evaluated twice. An evaluation takes some tens of microseconds, instead of
    some tens of nanoseconds without a logger.

    Parameters
    ----------
    problem, space, vectorized
        As for `catcube.minimize`.
    logger
        A logger, such as `ioh.logger.Analyzer`, or several as `ioh.logger.Combine([...])`. It can
        be used for any number of runs; close it after the last one.
    name, instance
        The name of the problem, by default its own, and the number of the instance.
    **options
        Other arguments of `catcube.minimize`.

    Returns
    -------
    Result
        The result.

    Examples
    --------
    >>> import catcube, ioh
    >>> seen = ioh.logger.Store([ioh.logger.trigger.ALWAYS], [ioh.logger.property.RAWYBEST])
    >>> problem = catcube.problems.Match(4, 3, seed=1)
    >>> result = minimize(problem, logger=seen, algorithm="rls", budget=50, target=0, seed=1)
    >>> runs = seen.data()["None"][seen.problem.problem_id][4][1]
    >>> len(runs[0]) == result.nfev
    True
    """
    wanted = "no executor with a logger, which sees points one by one"
    expect(options.get("executor") is None, wanted, options.get("executor"))
    objective = BitProblem(problem, space, vectorized=vectorized).problem
    watched = _wrap(
        objective.evaluate, name or objective.name, len(objective.space), instance, objective
    )
    watched.attach_logger(logger)

    def value(point: dict[str, Any]) -> float:
        found: float = watched(objective.space.encode(point))
        return found

    try:
        return optimize.minimize(value, objective.space, **options)
    finally:
        watched.reset()
        watched.detach_logger()


def _wrap(
    function: Callable[[Any], float], name: str, dimension: int, instance: int, problem: Problem
) -> Any:
    """Return a problem of `ioh` that calls a function of integers."""
    optimum = -np.inf if problem.optimum is None else problem.optimum
    return ioh.wrap_problem(
        function,
        name=safe_name(name),
        problem_class=ioh.ProblemClass.INTEGER,
        dimension=dimension,
        instance=instance,
        lb=0,
        ub=max(1, int(problem.space.cardinalities.max()) - 1),
        calculate_objective=lambda instance, dimension: ([], optimum),
    )
