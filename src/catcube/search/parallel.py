"""A run in an executor: generations, points under way, or several chains."""

from concurrent.futures import Executor
from dataclasses import replace

from catcube.algorithms.sa import in_parallel
from catcube.errors import BadValue
from catcube.search.arguments import checked_count
from catcube.search.chains import execute_chains
from catcube.search.run import Outcome, Run, execute
from catcube.search.watch import Watch

# These announce all points of a generation or neighbourhood, which are then evaluated in parallel;
# surrogate keeps as many points under way as its batch has.
ANNOUNCING = frozenset({"ga", "pbil", "umda", "mimic", "hc", "surrogate"})


def workers_of(executor: Executor, workers: int | None) -> int:
    """Return the number of workers of an executor: the argument, or the executor's attribute."""
    if workers is None:
        workers = getattr(executor, "_max_workers", None)
    if workers is None:
        raise BadValue("the number of workers of this executor is unknown: use workers=...")
    return checked_count("number of workers", workers)


def points_under_way(executor: Executor, workers: int | None) -> int:
    """Return how many points to keep submitted: one more than can be evaluated at once.

    So a worker that has become free need not wait until another point is proposed.
    """
    count = workers_of(executor, workers)
    return count + 1 if count > 1 else 1


def execute_in(executor: Executor, workers: int | None, run: Run, watch: Watch) -> Outcome:
    """Execute a run whose points are evaluated in an executor."""
    if run.algorithm.name in ANNOUNCING:
        return execute(run, watch)
    count = points_under_way(executor, workers)
    if run.algorithm.name == "sa" and run.native and run.layout.variable.size > 0:
        annealing = in_parallel(run.parameters, count)
        if annealing is not None:
            return execute(replace(run, algorithm=annealing), watch)
    return execute_chains(run, count, watch)
