"""The cost of an evaluation: the CPU time of a kernel over the evaluations it made."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from catcube.algorithms import algorithm as algorithm_named
from catcube.base.seeds import derived_seed
from catcube.problems import Problem
from catcube.representations.layout import Layout
from catcube.search.run import Run, execute
from catcube.search.watch import Watch

# Evaluations of one run, so many that the start does not count and a run takes some 0.3 s.
EVALUATIONS = {
    "rls": 20_000_000,
    "hc": 20_000_000,
    "sa": 20_000_000,
    "ea-1p1": 5_000_000,
    "ea-10p1": 3_000_000,
    "ga": 1_000_000,
    "pbil": 1_000_000,
    "mimic": 500_000,
    "umda": 1_000_000,
    "ltga": 3_000_000,
    "p3": 300_000,
}
OTHERWISE = 1_000_000


class Cost(NamedTuple):
    """What some runs took together."""

    seconds: float
    evaluations: int
    cut: bool = False  # ended by the clock, not by the budget

    @property
    def nanoseconds(self) -> float:
        """Of an evaluation."""
        return 1e9 * self.seconds / self.evaluations


def paper_run(problem: Problem, layout: Layout, name: str, budget: int, seed: int) -> Run:
    """Return a run with the settings of the paper that goes on when it has found the optimum."""
    method = algorithm_named(name)
    parameters = method.resolve("paper", {})
    return Run(problem, layout, method, parameters, budget, None, seed)


def compile_first(run: Run) -> None:
    """Compile the kernel and the functions of the problem, or load them."""
    execute(replace(run, budget=1))


def cost(run: Run, seconds: float, limit: float | None = None) -> Cost:
    """Repeat the run, each time with another seed, until so many seconds are spent.

    A run that has converged before its budget is used up is repeated as well until the budget is.
    After `limit` seconds a run is stopped.
    """
    spent, made, turn, cut = 0.0, 0, 0, False
    while not cut and (spent < seconds or made < run.budget):
        outcome = _watched(replace(run, seed=derived_seed(run.seed, turn)), limit)
        if outcome.failure is not None:
            raise outcome.failure
        spent += outcome.seconds
        made += outcome.evaluations
        cut = outcome.ending == "time" or (limit is not None and spent >= limit)
        turn += 1
    return Cost(spent, made, cut)


def _watched(run: Run, limit: float | None):
    watch = Watch(threaded=False)  # in this thread: its CPU time is measured
    if limit is None:
        return execute(run, watch)
    timer = threading.Timer(limit, watch.stop, ["time"])
    timer.start()
    try:
        return execute(run, watch)
    finally:
        timer.cancel()


def repeated(measure: Callable[[int], float], repeats: int) -> list[float]:
    """Return figures of several repeats, sorted."""
    return sorted(measure(number) for number in range(repeats))
