"""Simulated annealing, cooled over the budget or by accepted worsenings.

S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing",
Science 220 (1983) 671-680.

For an executor it keeps several candidates in flight (`in_parallel`). A candidate is drawn from the
point that is current when a worker becomes free, and compared with the one that is current when its
value is there. Where few moves are accepted these are the same point, and the search is the
annealing of the kernel: on the tuning families, three candidates in flight were as good as one,
three chains that share the budget were worse.
"""

import math
from collections import deque
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Context, Native, ParameterInfo
from catcube.engine.compiled.jit import inlined, njit, part
from catcube.engine.native import evaluate_row, moved, random_solution
from catcube.engine.point import begin, flip, flipped, moves, point_at, return_to_best, start
from catcube.engine.recorder import BEGUN, EVALUATIONS, ITERATIONS, LIMIT, iterate, running
from catcube.engine.rng import below, uniform

# On a flat landscape no trial ever worsens: so many times `trials` pairs, then the scale is 1.
PATIENCE_ON_A_FLAT = 100


# A run without a budget cools for so many evaluations, then again for twice as many, and so on.
FIRST_COOLING = 2000
NO_BUDGET = 1 << 40

# Worsenings are measured for this part of the cooling, within these bounds.
MEASURED = 50
FEWEST_MEASURED = 5
MOST_MEASURED = 200

# The inverse temperature grows by this factor while quenching: even the smallest worsenings of a
# function with several scales are refused in the end.
QUENCHING = 100.0

LEAST_GROWTH = 1.0 + 1e-15  # of the inverse temperature, with each evaluation of a cooling


class Parameters(NamedTuple):
    """Parameters of simulated annealing."""

    beta_ratio: Annotated[float, ParameterInfo("growth of the inverse temperature", low=1)] = 1.05
    trials: Annotated[int, ParameterInfo("pairs of points to set the first temperature", low=1)] = (
        10
    )
    initial_acceptance: Annotated[
        float,
        ParameterInfo(
            "share of mean worsenings accepted first", 0, 1, low_open=True, high_open=True
        ),
    ] = 0.6
    transitions: Annotated[int, ParameterInfo("accepted worsenings at a temperature", low=1)] = 50
    keep_trying: Annotated[
        bool,
        ParameterInfo("if no trial worsened, try until one does (else never accept a worsening)"),
    ] = True
    over_budget: Annotated[
        bool,
        ParameterInfo("cool over the budget, from hot to cold (else by transitions)"),
    ] = True
    hot: Annotated[
        float,
        ParameterInfo(
            "share of mean worsenings accepted first", 0, 1, low_open=True, high_open=True
        ),
    ] = 0.05
    cold: Annotated[
        float,
        ParameterInfo(
            "share of mean worsenings accepted last", 0, 1, low_open=True, high_open=True
        ),
    ] = 1e-5
    quench: Annotated[
        float,
        ParameterInfo("share of a cooling, at its end, that goes on to freeze", 0, 1),
    ] = 0.0


@njit
def kernel(search, parameters, memory):
    """Flip one uniform bit; accept if not worse, or by chance at the current temperature.

    Over the budget, the first moves are greedy and measure worsenings; then the inverse
    temperature grows by a factor per evaluation, a larger one while quenching. Else it grows after
    some accepted worsenings.
    """
    point = point_at(search, 0)
    n = moves(search)
    counters = search.recorder.counters
    value = begin(search, point)
    beta, growth, total, worsenings = math.inf, 1.0, 0.0, 0
    until, length, quenched, evaluations = np.int64(-1), np.int64(0), np.int64(0), np.int64(0)
    if parameters.over_budget:
        length = cooling_length(counters[LIMIT] - counters[EVALUATIONS])
        until = counters[EVALUATIONS] + measured_of(length)
    else:
        beta = initial_beta(search, point, parameters)
        value = return_to_best(search, point)
    transitions = 0
    while iterate(search.recorder):
        i = below(search.random, n)
        candidate = flipped(search, point, i, value)
        worse = candidate > value
        if growth == 1.0 and worse and total + (candidate - value) < math.inf:
            total += candidate - value
            worsenings += 1
        if not worse or happens(search.random, beta * (candidate - value)):
            flip(search, point, i)
            value = candidate
            transitions += worse
            if transitions == parameters.transitions and not parameters.over_budget:
                beta *= parameters.beta_ratio
                transitions = 0
        if counters[EVALUATIONS] > evaluations:  # one that is not counted does not cool either
            evaluations = counters[EVALUATIONS]
            beta *= growth
            if evaluations >= until >= 0 and worsenings > 0:
                if growth > 1.0:
                    length *= 2
                if length > counters[LIMIT] - evaluations:
                    length = counters[LIMIT] - evaluations
                beta = -math.log(parameters.hot) * worsenings / total
                quenched = np.int64(parameters.quench * length)
                growth = cooling(parameters, length - quenched)
                until = evaluations + length
            elif quenched > 0 and evaluations >= until - quenched:
                growth = QUENCHING ** (1.0 / quenched)
                quenched = np.int64(0)


@part
def cooling_length(left):
    """Return the evaluations of the first cooling: all that are left, if there is a budget."""
    return left if left < NO_BUDGET else np.int64(FIRST_COOLING)


# Comparisons instead of max and min: numba compiles those anew for each type, with machine code.


@part
def measured_of(length):
    """Return the evaluations of a cooling that measure worsenings."""
    measured = length // MEASURED
    if measured < FEWEST_MEASURED:
        return FEWEST_MEASURED
    return measured if measured < MOST_MEASURED else MOST_MEASURED


@part
def cooling(parameters, length):
    """Return the factor by which the inverse temperature grows with each of so many evaluations."""
    ratio = math.log(parameters.cold) / math.log(parameters.hot)
    if ratio < 1.0:
        return LEAST_GROWTH
    growth = ratio ** (1.0 / length) if length > 1 else ratio
    return growth if growth > LEAST_GROWTH else LEAST_GROWTH


@part
def initial_beta(search, point, parameters):
    """Return the inverse temperature at which a mean worsening has the initial acceptance."""
    n = moves(search)
    total = 0.0
    worsenings = 0
    trials = 0
    while running(search.recorder):
        value = start(search, point)
        if not running(search.recorder):
            break
        change = flipped(search, point, below(search.random, n), value) - value
        if change > 0.0 and total + change < math.inf:
            total += change
            worsenings += 1
        trials += 1
        rounds = trials // PATIENCE_ON_A_FLAT if parameters.keep_trying else trials
        if rounds >= parameters.trials or (trials >= parameters.trials and worsenings > 0):
            break
    if worsenings > 0:
        return -math.log(parameters.initial_acceptance) * worsenings / total
    return -math.log(parameters.initial_acceptance) if parameters.keep_trying else math.inf


@inlined
def happens(random, exponent):
    """Return True with probability exp(-exponent)."""
    chance = uniform(random)
    # 1 + x + x^2/2 <= exp(x): most refusals need no exponential.
    if chance * (1.0 + exponent * (1.0 + 0.5 * exponent)) >= 1.0:
        return False
    return chance < math.exp(-exponent)


ALGORITHM = Algorithm(
    name="sa",
    title="simulated annealing",
    reference="S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Science 220, 1983",
    parameters=Parameters,
    kernel=kernel,
    native=Native(),
    presets={"paper": {"keep_trying": False, "over_budget": False}},
    added=({"over_budget": False, "hot": 0.05, "cold": 1e-5}, {"quench": 0.0}),
)


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
