"""Simulated annealing, as its description reads."""

import math

from tests.naive.search import flipped

PATIENCE = 100  # times `trials` pairs without a worsening: the landscape is flat


def search(run, n, parameters, random):
    run.evaluate(random.bits(n))
    while n == 0:
        run.evaluate(random.bits(n))
    beta = first_beta(run, n, parameters, random)
    bits, value = run.best()
    transitions = 0
    while True:
        neighbour = flipped(bits, random.below(n))
        neighbour_value = run.evaluate(neighbour)
        if neighbour_value <= value:
            bits, value = neighbour, neighbour_value
        elif random.uniform() < math.exp(-beta * (neighbour_value - value)):
            bits, value = neighbour, neighbour_value
            transitions += 1
            if transitions == parameters.transitions:
                beta *= parameters.beta_ratio
                transitions = 0


def first_beta(run, n, parameters, random):
    """The inverse temperature that accepts the mean worsening with the initial probability."""
    worsenings = []
    pairs = 0
    while pairs < parameters.trials or (
        parameters.keep_trying and not worsenings and pairs < PATIENCE * parameters.trials
    ):
        a = random.bits(n)
        value = run.evaluate(a)
        change = run.evaluate(flipped(a, random.below(n))) - value
        if change > 0 and change != math.inf:
            worsenings.append(change)
        pairs += 1
    if worsenings:
        return -math.log(parameters.initial_acceptance) / (sum(worsenings) / len(worsenings))
    return -math.log(parameters.initial_acceptance) if parameters.keep_trying else math.inf
