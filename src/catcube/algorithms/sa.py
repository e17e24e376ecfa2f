"""Simulated annealing, cooled over the budget or by accepted worsenings.

S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing",
Science 220 (1983) 671-680.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np

from catcube.algorithms.algorithm import Algorithm, Native, ParameterInfo
from catcube.engine.compiled.jit import inlined, njit, part
from catcube.engine.point import begin, flip, flipped, moves, point_at, return_to_best, start
from catcube.engine.recorder import EVALUATIONS, LIMIT, iterate, running
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
