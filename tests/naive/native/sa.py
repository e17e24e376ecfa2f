"""Simulated annealing, as its description reads."""

import math
from functools import partial

from tests.naive.algorithms.sa import PATIENCE, cooled
from tests.naive.categories import random_neighbour


def search(run, sizes, parameters, random):
    first = random.categories(sizes)
    value = run.evaluate(first)
    while not sizes:
        run.evaluate([])
    if parameters.over_budget:
        step = partial(random_neighbour, sizes=sizes, random=random)
        cooled(run, first, value, step, parameters, random)
    beta = first_beta(run, sizes, parameters, random)
    point, value = run.best()
    transitions = 0
    while True:
        other = random_neighbour(point, sizes, random)
        other_value = run.evaluate(other)
        if other_value <= value:
            point, value = other, other_value
        elif random.uniform() < math.exp(-beta * (other_value - value)):
            point, value = other, other_value
            transitions += 1
            if transitions == parameters.transitions:
                beta *= parameters.beta_ratio
                transitions = 0


def first_beta(run, sizes, parameters, random):
    """The inverse temperature that accepts the mean worsening with the initial probability."""
    worsenings = []
    pairs = 0
    while pairs < parameters.trials or (
        parameters.keep_trying and not worsenings and pairs < PATIENCE * parameters.trials
    ):
        a = random.categories(sizes)
        value = run.evaluate(a)
        change = run.evaluate(random_neighbour(a, sizes, random)) - value
        if change > 0 and change != math.inf:
            worsenings.append(change)
        pairs += 1
    if worsenings:
        return -math.log(parameters.initial_acceptance) / (sum(worsenings) / len(worsenings))
    return -math.log(parameters.initial_acceptance) if parameters.keep_trying else math.inf
