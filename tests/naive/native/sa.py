"""Simulated annealing, as its description reads."""

import math

from tests.naive.algorithms.sa import PATIENCE, cooled
from tests.naive.categories import random_neighbour

SINGLE, DOUBLE, EXCHANGE = range(3)


def search(run, sizes, parameters, random):
    first = random.categories(sizes)
    value = run.evaluate(first)
    while not sizes:
        run.evaluate([])
    kinds = Kinds(sizes, parameters, random)
    if parameters.over_budget:
        cooled(run, first, value, kinds.draw, parameters, random, kinds.learn)
    beta = first_beta(run, sizes, parameters, random)
    point, value = run.best()
    transitions = 0
    while True:
        other, kind = kinds.draw(point)
        other_value = run.evaluate(other)
        kinds.learn(kind, other_value < value)
        if other_value <= value:
            point, value = other, other_value
        elif random.uniform() < math.exp(-beta * (other_value - value)):
            point, value = other, other_value
            transitions += 1
            if transitions == parameters.transitions:
                beta *= parameters.beta_ratio
                transitions = 0


class Kinds:
    """Which kinds of changes succeed: of one variable, of two, of the categories of two."""

    def __init__(self, sizes, parameters, random):
        self.sizes, self.random = sizes, random
        self.exchange = parameters.exchange and len(sizes) > 1
        self.scores = [0.1, 0.05, 0.05]

    def draw(self, point):
        """A neighbour and its kind, drawn by the squares of the scores."""
        if not self.exchange:
            return random_neighbour(point, self.sizes, self.random), SINGLE
        squares = [score**2 for score in self.scores]
        seldom = 0.02 * sum(squares)
        drawn = self.random.uniform() * (sum(squares) + 3 * seldom)
        other = random_neighbour(point, self.sizes, self.random)
        if drawn < squares[SINGLE] + seldom:
            return other, SINGLE
        (a,) = (v for v in range(len(point)) if other[v] != point[v])
        b, second = a, []
        while b == a:
            second = random_neighbour(point, self.sizes, self.random)
            (b,) = (v for v in range(len(point)) if second[v] != point[v])
        if drawn < squares[SINGLE] + squares[DOUBLE] + 2 * seldom:
            other[b] = second[b]
            return other, DOUBLE
        exchanged = list(point)
        exchanged[a], exchanged[b] = point[b], point[a]
        if point[a] == point[b] or exchanged[a] >= self.sizes[a] or exchanged[b] >= self.sizes[b]:
            return other, SINGLE
        return exchanged, EXCHANGE

    def learn(self, kind, improved):
        """A mean that forgets, of successes and of the least score."""
        least = (0.004, 0.001, 0.001)[kind]
        self.scores[kind] += ((1.0 if improved else least) - self.scores[kind]) * 0.01


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
