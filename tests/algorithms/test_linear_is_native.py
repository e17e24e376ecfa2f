"""Local search under the linear representation is native search, if N is a power of two.

Flipping a random bit is then changing a random variable to another category, all alike. So a run
has the law of a search that knows nothing of bits, be it written here or `representation="native"`.
Laws are compared by chi-square tests with
fixed seeds; equal ones fail with the probability ERROR each.
"""

import math
import random
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest

from catcube.engine.compiled.jit import JIT
from tests.algorithms.test_twins import called_every_time

stats = pytest.importorskip("scipy.stats")

ERROR = 1e-5
RUNS = 240 if JIT else 160
LONGEST = 60  # evaluations


def landscape(variables, N, seed):
    """A value for each point, without any structure."""
    points = list(product(range(N), repeat=variables))
    values = np.random.default_rng(seed).integers(0, 9, len(points)).tolist()
    return dict(zip(points, values, strict=True))


def neighbours(point, N, representation="linear"):
    """All points that differ in one variable, in the order in which they are scanned.

    On bits the other categories come in the order c ^ 1, c ^ 2, …, natively in their own.
    """
    native = representation == "native"
    return [
        (*point[:v], category, *point[v + 1 :])
        for v in range(len(point))
        for category in sorted(range(N), key=lambda c, origin=point[v]: c if native else c ^ origin)
        if category != point[v]
    ]


def runtimes(values, variables, N, seed, **settings):
    """How often runs take how many evaluations to the least value; None if they take longer."""
    counts = Counter()
    target = min(values.values())
    for k in range(RUNS):
        result = called_every_time(
            lambda point: values[tuple(point.values())],
            {f"x{v}": range(N) for v in range(variables)},
            budget=LONGEST,
            target=target,
            seed=RUNS * seed + k,
            **settings,
        )
        counts[result.nfev if result.success else None] += 1
    return counts


def random_local_search(values, N, patience):
    """The law of its runtimes: the chance that evaluation t is the first of the least value."""
    target = min(values.values())
    states = {"restart": 1.0}
    hits = []
    for _ in range(LONGEST):
        hit, after = 0.0, Counter()
        for state, chance in states.items():
            if state == "restart":
                moves = [(point, 0) for point in values]
            else:
                point, failures = state
                moves = [
                    (other, 0) if values[other] <= values[point] else (point, failures + 1)
                    for other in neighbours(point, N)
                ]
            for point, failures in moves:
                if values[point] == target:
                    hit += chance / len(moves)
                elif failures == patience:
                    after["restart"] += chance / len(moves)
                else:
                    after[point, failures] += chance / len(moves)
        hits.append(hit)
        states = after
    return hits


def hill_climbing(values, N, representation):
    """The law of its runtimes."""
    target = min(values.values())
    hits = [0.0] * (LONGEST + 1)
    # The chance of standing at a point, evaluated, after so many evaluations.
    standing = [Counter() for _ in range(LONGEST + 1)]

    def restart(evaluations, chance):
        for point in values if evaluations < LONGEST else []:
            if values[point] == target:
                hits[evaluations + 1] += chance / len(values)
            else:
                standing[evaluations + 1][point] += chance / len(values)

    restart(0, 1.0)
    for evaluations in range(1, LONGEST):
        for point, chance in standing[evaluations].items():
            around = neighbours(point, N, representation)
            seen = [values[other] for other in around]
            best = min(seen)
            after = evaluations + len(around)
            if best == target:
                first = evaluations + 1 + seen.index(target)
                if first <= LONGEST:
                    hits[first] += chance
            elif best < values[point] and after < LONGEST:
                ties = [other for other in around if values[other] == best]
                for other in ties:
                    standing[after][other] += chance / len(ties)
            elif after < LONGEST:
                restart(after, chance)
    return hits[1:]


def p_value(counts, hits):
    """Of the hypothesis that these counts of runtimes come from these chances of them."""
    chances = [*hits, 1 - sum(hits)]
    observed = [counts[t] for t in range(1, LONGEST + 1)] + [counts[None]]
    # Neighbouring runtimes together until each bin expects 8 runs.
    bins = [[0, 0.0]]
    for seen, chance in zip(observed, chances, strict=True):
        if bins[-1][1] >= 8:
            bins.append([0, 0.0])
        bins[-1][0] += seen
        bins[-1][1] += RUNS * chance
    if bins[-1][1] < 8:
        seen, expected = bins.pop()
        bins[-1][0] += seen
        bins[-1][1] += expected
    assert len(bins) > 2
    return stats.chisquare(*zip(*bins, strict=True)).pvalue


SIZES = [(2, 4), (4, 2), (1, 16)]


@pytest.mark.parametrize(("variables", "N"), SIZES)
@pytest.mark.parametrize("patience", [1, 5])
@pytest.mark.parametrize("representation", ["linear", "native"])
def test_random_local_search(variables, N, patience, representation):
    values = landscape(variables, N, patience)
    settings = {"algorithm": "rls", "patience": patience, "representation": representation}
    counts = runtimes(values, variables, N, 1, **settings)
    assert p_value(counts, random_local_search(values, N, patience)) > ERROR


@pytest.mark.parametrize(("variables", "N"), SIZES)
@pytest.mark.parametrize("representation", ["linear", "native"])
def test_hill_climbing(variables, N, representation):
    values = landscape(variables, N, 3)
    counts = runtimes(values, variables, N, 2, algorithm="hc", representation=representation)
    assert p_value(counts, hill_climbing(values, N, representation)) > ERROR


@pytest.mark.compiled
def test_another_representation_is_not_native():
    """The test does see that one bit of the direct representation does not lead everywhere."""
    values = {(category,): 7 * category % 16 for category in range(16)}
    law = random_local_search(values, 16, 5)
    for representation in ("linear", "direct"):
        counts = runtimes(
            values, 1, 16, 1, algorithm="rls", patience=5, representation=representation
        )
        assert (p_value(counts, law) > ERROR) == (representation == "linear")


SCHEDULE = {
    "over_budget": False,
    "trials": 3,
    "initial_acceptance": 0.5,
    "transitions": 2,
    "beta_ratio": 1.5,
}


def native_annealing(values, variables, N, source):
    """One run on categories; how many evaluations it took to the least value, or None."""
    target = min(values.values())
    evaluations = 0
    best = None

    def evaluate(point):
        nonlocal evaluations, best
        evaluations += 1
        if best is None or values[point] < values[best]:
            best = point
        if values[point] == target or evaluations == LONGEST:
            raise StopIteration
        return values[point]

    def start():
        return tuple(source.randrange(N) for _ in range(variables))

    def neighbour(point):
        v = source.randrange(variables)
        other = source.choice([c for c in range(N) if c != point[v]])
        return (*point[:v], other, *point[v + 1 :])

    try:
        evaluate(start())
        worsenings = []
        pairs = 0
        while pairs < SCHEDULE["trials"] or not worsenings:
            point = start()
            value = evaluate(point)
            change = evaluate(neighbour(point)) - value
            worsenings += [change] * (change > 0)
            pairs += 1
        mean = sum(worsenings) / len(worsenings)
        beta = -math.log(SCHEDULE["initial_acceptance"]) / mean
        point, accepted = best, 0
        while True:
            other = neighbour(point)
            change = evaluate(other) - values[point]
            if change <= 0:
                point = other
            elif source.random() < math.exp(-beta * change):
                point = other
                accepted += 1
                if accepted == SCHEDULE["transitions"]:
                    beta *= SCHEDULE["beta_ratio"]
                    accepted = 0
    except StopIteration:
        return evaluations if values[best] == target else None


@pytest.mark.parametrize(("variables", "N"), SIZES)
@pytest.mark.parametrize("representation", ["linear", "native"])
def test_simulated_annealing(variables, N, representation):
    """Against runs of a search on categories, with Python's own random numbers."""
    values = landscape(variables, N, 4)
    settings = {"algorithm": "sa", "representation": representation, **SCHEDULE}
    counts = runtimes(values, variables, N, 3, **settings)
    source = random.Random(variables * N)
    native = Counter(native_annealing(values, variables, N, source) for _ in range(RUNS))
    table = [[0, 0]]
    for t in [*range(1, LONGEST + 1), None]:
        if sum(table[-1]) >= 20:
            table.append([0, 0])
        table[-1][0] += counts[t]
        table[-1][1] += native[t]
    if sum(table[-1]) < 20 and len(table) > 1:
        last = table.pop()
        table[-1] = [a + b for a, b in zip(table[-1], last, strict=True)]
    assert len(table) > 5
    assert stats.chi2_contingency(table).pvalue > ERROR


@pytest.mark.parametrize("algorithm", ["rls", "sa"])
@pytest.mark.parametrize(("variables", "N"), [(5, 4), (3, 16), (6, 2)])
@pytest.mark.parametrize("representation", ["linear", "native"])
def test_a_step_on_a_plain(algorithm, variables, N, representation):
    """Every step changes exactly one variable; all variables and other categories are alike."""
    points = []
    called_every_time(
        lambda point: points.append(tuple(point.values())) or 0.0,
        {f"x{v}": range(N) for v in range(variables)},
        algorithm=algorithm,
        representation=representation,
        budget=10_000 if JIT else 2500,
        seed=1,
    )
    moves = Counter()
    for before, after in pairwise(points):
        changed = [(v, b) for v, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        assert len(changed) == 1
        ((v, category),) = changed
        moves[v, (category - before[v]) % N] += 1
    expected = variables * (N - 1)
    assert len(moves) == expected
    assert stats.chisquare(list(moves.values())).pvalue > ERROR
