"""Simulated annealing with a geometric schedule by accepted worsenings.

S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing",
Science 220 (1983) 671-680.
"""

import math
from typing import Annotated, NamedTuple

from catcube.algorithms.algorithm import Algorithm, Meaning, Native
from catcube.engine.compiled.jit import inlined, njit, part
from catcube.engine.point import flip, flipped, moves, point_at, return_to_best, start
from catcube.engine.recorder import iterate, running
from catcube.engine.rng import below, uniform

# On a flat landscape no trial ever worsens: so many times `trials` pairs, then the scale is 1.
PATIENCE_ON_A_FLAT = 100


class Parameters(NamedTuple):
    """Parameters of simulated annealing."""

    beta_ratio: Annotated[float, Meaning("growth of the inverse temperature", low=1)] = 1.05
    trials: Annotated[int, Meaning("pairs of points to set the first temperature", low=1)] = 10
    initial_acceptance: Annotated[
        float,
        Meaning("share of mean worsenings accepted first", 0, 1, low_open=True, high_open=True),
    ] = 0.6
    transitions: Annotated[int, Meaning("accepted worsenings at a temperature", low=1)] = 50
    keep_trying: Annotated[
        bool, Meaning("if no trial worsened, try until one does (else never accept a worsening)")
    ] = True


@njit
def kernel(search, parameters, memory):
    """Flip one uniform bit; accept if not worse, or by chance at the current temperature."""
    point = point_at(search, 0)
    n = moves(search)
    start(search, point)
    beta = initial_beta(search, point, parameters)
    value = return_to_best(search, point)
    transitions = 0
    while iterate(search.recorder):
        if n == 0:
            start(search, point)
            continue
        i = below(search.random, n)
        candidate = flipped(search, point, i, value)
        worse = candidate > value
        if not worse or happens(search.random, beta * (candidate - value)):
            flip(search, point, i)
            value = candidate
            transitions += worse
            if transitions == parameters.transitions:
                beta *= parameters.beta_ratio
                transitions = 0


@part
def initial_beta(search, point, parameters):
    """The inverse temperature at which a mean worsening has the initial acceptance."""
    n = moves(search)
    total = 0.0
    worsenings = 0
    trials = 0
    while running(search.recorder) and n > 0:
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
    """True with probability exp(-exponent)."""
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
    presets={"paper": {"keep_trying": False}},
)
