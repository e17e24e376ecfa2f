"""The cost of an evaluation: the CPU time of a kernel over the evaluations it made."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from catcube.algorithms import algorithm as algorithm_named
from catcube.base.seeds import derive_seed
from catcube.engine.compiled.jit import njit
from catcube.engine.rng import initial_state, next_word
from catcube.problems import Problem
from catcube.representations.layout import Layout
from catcube.search.run import Run, execute
from catcube.search.watch import Watch


class Effort(NamedTuple):
    """What the command line asks for; `quick` shows that all works, its figures mean little."""

    seed: int = 1
    quick: bool = False
    long: bool = False

    @property
    def repeats(self) -> int:
        return 2 if self.quick else 5

    @property
    def seconds(self) -> float:
        """The CPU time one repeat takes at least."""
        return 0.001 if self.quick else 0.3

    def evaluations(self, full: int) -> int:
        """So many evaluations, or few."""
        return min(full, 2000) if self.quick else full


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
        outcome = _watched(replace(run, seed=derive_seed(run.seed, turn)), limit)
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


@njit
def draw(random, times):
    """Return the XOR of so many words."""
    mixed = np.uint64(0)
    for _ in range(times):
        mixed ^= next_word(random)
    return mixed


def draws(effort: Effort) -> list[float]:
    """Return nanoseconds per draw in several repeats, sorted."""
    times = effort.evaluations(200_000_000)
    draw(initial_state(0), 1)
    figures = []
    for number in range(effort.repeats):
        random = initial_state(effort.seed + number)
        began = time.thread_time()
        draw(random, times)
        figures.append(1e9 * (time.thread_time() - began) / times)
    return sorted(figures)
