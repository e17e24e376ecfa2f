"""Simulated annealing, as its description reads."""

import math

PATIENCE = 100  # times `trials` pairs without a worsening: the landscape is flat
SINGLE, DOUBLE, EXCHANGE = range(3)


def search(run, points, parameters, random):
    first = points.draw()
    value = run.evaluate(first)
    while points.n == 0:
        run.evaluate(points.draw())
    kinds = Kinds(points, parameters, random)
    if parameters.over_budget:
        cooled(run, first, value, kinds, parameters, random)
    beta = first_beta(run, points, parameters, random)
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

    def __init__(self, points, parameters, random):
        self.points, self.random = points, random
        self.exchange = parameters.exchange and points.exchanges
        self.scores = [0.1, 0.05, 0.05]

    def draw(self, point):
        """A neighbour and its kind, drawn by the squares of the scores."""
        if not self.exchange:
            return self.points.neighbour(point), SINGLE
        squares = [score**2 for score in self.scores]
        seldom = 0.02 * sum(squares)
        drawn = self.random.uniform() * (sum(squares) + 3 * seldom)
        other = self.points.neighbour(point)
        if drawn < squares[SINGLE] + seldom:
            return other, SINGLE
        (a,) = (v for v in range(len(point)) if other[v] != point[v])
        b, second = a, []
        while b == a:
            second = self.points.neighbour(point)
            (b,) = (v for v in range(len(point)) if second[v] != point[v])
        if drawn < squares[SINGLE] + squares[DOUBLE] + 2 * seldom:
            other[b] = second[b]
            return other, DOUBLE
        exchanged = list(point)
        exchanged[a], exchanged[b] = point[b], point[a]
        sizes = self.points.sizes
        if point[a] == point[b] or exchanged[a] >= sizes[a] or exchanged[b] >= sizes[b]:
            return other, SINGLE
        return exchanged, EXCHANGE

    def learn(self, kind, improved):
        """A mean that forgets, of successes and of the least score."""
        least = (0.004, 0.001, 0.001)[kind]
        self.scores[kind] += ((1.0 if improved else least) - self.scores[kind]) * 0.01


def cooled(run, point, value, kinds, parameters, random):
    """Cool from hot to cold over the budget, after some greedy moves that measure worsenings."""
    left = run.budget - len(run.values)
    until = len(run.values) + min(max(left // 50, 5), 200)
    worsenings = []
    beta, growth, freezing = None, 1.0, 0
    while True:
        other, kind = kinds.draw(point)
        other_value = run.evaluate(other)
        change = other_value - value
        kinds.learn(kind, other_value < value)
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
                if run.best_value < value:
                    point, value = run.best()
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


def first_beta(run, points, parameters, random):
    """The inverse temperature that accepts the mean worsening with the initial probability."""
    worsenings = []
    pairs = 0
    while pairs < parameters.trials or (
        parameters.keep_trying and not worsenings and pairs < PATIENCE * parameters.trials
    ):
        a = points.draw()
        value = run.evaluate(a)
        change = run.evaluate(points.neighbour(a)) - value
        if change > 0 and change != math.inf:
            worsenings.append(change)
        pairs += 1
    if worsenings:
        return -math.log(parameters.initial_acceptance) / (sum(worsenings) / len(worsenings))
    return -math.log(parameters.initial_acceptance) if parameters.keep_trying else math.inf
