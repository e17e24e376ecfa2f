"""IOHexperimenter: our problems as problems of `ioh`, and its loggers around our runs.

A store needs neither: `catcube export --format ioh` writes the files of the loggers.
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
    """Return a problem of `ioh` over the bits of ours, to be minimised.

    >>> import catcube
    >>> bits = catcube.BitProblem(catcube.problems.Sudoku.instance("small-dimension-2-a"))
    >>> problem = ioh_problem(bits)
    >>> problem.meta_data.name, problem.meta_data.n_variables, problem.optimum.y
    ('small-dimension-2-a', 30, 0.0)
    >>> problem([0] * 30) == bits([0] * 30), problem.state.evaluations
    (True, 1)

    Its name keeps only letters, digits and hyphens, since loggers create files from it. The point
    of the optimum is unknown, and therefore empty.
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
    """Call `catcube.minimize` with a logger of `ioh`, such as an `ioh.logger.Analyzer`.

    >>> import catcube, ioh
    >>> seen = ioh.logger.Store([ioh.logger.trigger.ALWAYS], [ioh.logger.property.RAWYBEST])
    >>> problem = catcube.problems.Match(4, 3, seed=1)
    >>> result = minimize(problem, logger=seen, algorithm="rls", budget=50, target=0, seed=1)
    >>> runs = seen.data()["None"][seen.problem.problem_id][4][1]
    >>> len(runs[0]) == result.nfev
    True

    To `ioh` a point is the category indices of all variables, so the dimension is the number of
    variables. One logger can take any number of runs; close it after the last. Several loggers are
    one, `ioh.logger.Combine([...])`. As of any Python function, no point is evaluated twice. Every
    evaluation takes some tens of microseconds, where it would take some tens of nanoseconds
    without a logger.
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
