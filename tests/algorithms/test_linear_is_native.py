"""Local search under the linear representation is native search, if N is a power of two.

Flipping a random bit is then changing a random variable to another category, all alike. So a run
has the law of a search that knows nothing of bits, be it written here or `representation="native"`.
Laws are compared by chi-square tests with
fixed seeds; equal ones fail with the probability ERROR each.
"""

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


def random_local_search(values, patience):
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
                    for other in values
                    if sum(a != b for a, b in zip(point, other, strict=True)) == 1
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
    assert p_value(counts, random_local_search(values, patience)) > ERROR


@pytest.mark.compiled
def test_another_representation_is_not_native():
    """The test does see that one bit of the direct representation does not lead everywhere."""
    values = {(category,): 7 * category % 16 for category in range(16)}
    law = random_local_search(values, 5)
    for representation in ("linear", "direct"):
        counts = runtimes(
            values, 1, 16, 1, algorithm="rls", patience=5, representation=representation
        )
        assert (p_value(counts, law) > ERROR) == (representation == "linear")


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
