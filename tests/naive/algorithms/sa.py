"""Simulated annealing, as its description reads."""

import math

from tests.naive.search import flipped

PATIENCE = 100  # times `trials` pairs without a worsening: the landscape is flat


def search(run, n, parameters, random):
    first = random.bits(n)
    value = run.evaluate(first)
    while n == 0:
        run.evaluate(random.bits(n))
    if parameters.over_budget:

        def neighbour(bits):
            return flipped(bits, random.below(n)), 0

        cooled(run, first, value, neighbour, parameters, random)
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


def cooled(run, point, value, neighbour, parameters, random, learn=None):
    """Cool from hot to cold over the budget, after some greedy moves that measure worsenings.

    `neighbour(point)` is one and its kind; `learn(kind, improved)` is told what became of it.
    """
    left = run.budget - len(run.values)
    until = len(run.values) + min(max(left // 50, 5), 200)
    worsenings = []
    beta, growth, freezing = None, 1.0, 0
    while True:
        other, kind = neighbour(point)
        other_value = run.evaluate(other)
        change = other_value - value
        if learn is not None:
            learn(kind, other_value < value)
        total = sum(worsening for _, worsening in worsenings)
        if change > 0 and beta is None and total + change < math.inf:
            worsenings.append((kind, change))
        if change > 0:
            chance = random.uniform()
            accepted = beta is not None and chance < math.exp(-beta * change)
        if not change > 0 or accepted:
            point, value = other, other_value
        if beta is not None:
            beta *= growth
            if len(run.values) == freezing:
                growth = 100 ** (1 / (run.budget - freezing))
        elif len(run.values) >= until and worsenings:
            measured = gentlest(worsenings)
            beta = -math.log(parameters.hot) * len(measured) / sum(measured)
            ratio = max(math.log(parameters.cold) / math.log(parameters.hot), 1)
            left = run.budget - len(run.values)
            freezing = run.budget - int(parameters.quench * left)
            growth = max(ratio ** (1 / max(freezing - len(run.values), 1)), 1 + 1e-15)


def gentlest(worsenings):
    """The worsenings of the kind with the least mean, if five or more are known; else all."""
    kinds = [[change for of, change in worsenings if of == kind] for kind in range(3)]
    known = [changes for changes in kinds if len(changes) >= 5]
    if not known:
        return [change for _, change in worsenings]
    return min(known, key=lambda changes: sum(changes) / len(changes))


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
