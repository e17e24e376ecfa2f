"""Simulated annealing with several candidates under way, for an executor.

A candidate is drawn from the point that is current when a worker becomes free, and compared with
the one that is current when its value is there. Where few moves are accepted these are the same
point, and the search is the annealing of `sa`: on the families to tune with, three candidates under
way were as good as one, three chains that share the budget were worse.
"""

import math
from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Context, Native
from catcube.algorithms.sa import (
    ALGORITHM,
    FEWEST_MEASURED,
    MEASURED,
    MOST_MEASURED,
    QUENCHING,
    Parameters,
    cooling,
    cooling_length,
    happens,
)
from catcube.engine.compiled.jit import njit
from catcube.engine.native import evaluate_row, moved, moves, point_at, random_solution
from catcube.engine.recorder import BEGUN, EVALUATIONS, ITERATIONS, LIMIT
from catcube.engine.rng import below

LONGEST = 20  # times as many candidates, if the values of most are cached


@njit
def draw_start(search, row):
    """Fill a row with the next initial point, or with uniform categories."""
    random_solution(search, row)


@njit
def draw_neighbour(search, point, row):
    """Fill a row with a uniform neighbour of the point."""
    for variable in range(row.size):
        row[variable] = point[variable]
    variable, category = moved(search.layout, point, below(search.random, moves(search)))
    row[variable] = category


@njit
def evaluate_categories(search, row):
    """Return the value of a row, and record it."""
    return evaluate_row(search, point_at(search, 0), row)


@njit
def accepts(random, exponent):
    """Return True with probability exp(-exponent)."""
    return happens(random, exponent)


@njit
def first_length(left):
    """Return the evaluations of the first cooling."""
    return cooling_length(left)


@njit
def growth_over(parameters, length):
    """Return the factor by which the inverse temperature grows with each of so many evaluations."""
    return cooling(parameters, length)


class Temperature:
    """The inverse temperature, cooled over the budget as in `sa`."""

    def __init__(self, parameters: Parameters, counters: NDArray[np.int64]) -> None:
        self.beta, self._growth = math.inf, 1.0
        self._parameters = parameters
        self._counters = counters
        self._length = first_length(counters[LIMIT] - counters[EVALUATIONS])
        measured = min(max(self._length // MEASURED, FEWEST_MEASURED), MOST_MEASURED)
        self._evaluations = 0
        self._until = int(counters[EVALUATIONS]) + measured
        self._quenched = 0
        self._total, self._worsenings = 0.0, 0

    def measure(self, worsening: float) -> None:
        """Take a worsening into account, before the first cooling."""
        if self._growth == 1.0 and self._total + worsening < math.inf:
            self._total += worsening
            self._worsenings += 1

    def cool(self) -> None:
        """Cool after an evaluation that was counted."""
        evaluations = int(self._counters[EVALUATIONS])
        if evaluations <= self._evaluations:
            return
        self._evaluations = evaluations
        self.beta *= self._growth
        if evaluations >= self._until and self._worsenings > 0:
            if self._growth > 1.0:
                self._length *= 2
            self._length = min(self._length, int(self._counters[LIMIT]) - evaluations)
            self.beta = -math.log(self._parameters.hot) * self._worsenings / self._total
            self._quenched = int(self._parameters.quench * self._length)
            self._growth = growth_over(self._parameters, self._length - self._quenched)
            self._until = evaluations + self._length
        elif self._quenched > 0 and evaluations >= self._until - self._quenched:
            self._growth = QUENCHING ** (1.0 / self._quenched)
            self._quenched = 0


class Annealing:
    """The kernel, with so many candidates under way."""

    def __init__(self, candidates: int) -> None:
        self.candidates = candidates

    def __call__(self, search: Any, parameters: Parameters, memory: tuple[Context]) -> None:
        """Take the value of the oldest candidate, move or not, and draw another candidate."""
        (context,) = memory
        submit = context.submit
        assert submit is not None
        counters = search.recorder.counters
        point, value = self._start(search)
        temperature = Temperature(parameters, counters)
        drawn: deque[tuple[NDArray[np.int32], bool]] = deque()
        under_way = 0
        while counters[EVALUATIONS] < counters[LIMIT]:
            counters[ITERATIONS] += 1
            left = int(counters[LIMIT] - counters[EVALUATIONS])
            longest = min(LONGEST * self.candidates, left)
            while not drawn or (under_way < self.candidates and len(drawn) < longest):
                row = np.empty_like(point)
                draw_neighbour(search, point, row)
                requested = submit(row)
                under_way += requested
                drawn.append((row, requested))
            row, requested = drawn.popleft()
            under_way -= requested
            candidate = evaluate_categories(search, row)
            worse = candidate > value
            if worse:
                temperature.measure(candidate - value)
            if not worse or accepts(search.random, temperature.beta * (candidate - value)):
                point, value = row, candidate
            temperature.cool()

    def _start(self, search: Any) -> tuple[NDArray[np.int32], float]:
        """Return the best of the initial points, or a uniform one, and its value."""
        counters = search.recorder.counters
        best: tuple[NDArray[np.int32], float] | None = None
        for _ in range(max(len(search.initial) - int(counters[BEGUN]), 1)):
            row = np.zeros_like(search.points.categories[0])
            draw_start(search, row)
            value = evaluate_categories(search, row)
            if best is None or value < best[1]:
                best = row, value
            if counters[EVALUATIONS] >= counters[LIMIT]:
                break
        assert best is not None
        return best


def in_parallel(parameters: Parameters, candidates: int) -> Algorithm | None:
    """Return annealing on categories with so many candidates under way; None if by transitions."""
    if not parameters.over_budget:
        return None
    return replace(ALGORITHM, kernel=Annealing(candidates), native=Native(), compiled=False)
