"""OneMax, LeadingOnes and pest control against their definitions in plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube import minimize
from catcube.engine.compiled.jit import JIT
from catcube.problems import LeadingOnes, Match, OneMax, Pest
from catcube.problems.pest import BEST_KNOWN

SIZES = [1, 2, 3, 4, 7]
points = st.tuples(*(st.integers(0, size - 1) for size in SIZES))


def apart(metric, size, a, b):
    if metric == "hamming":
        return int(a != b)
    return abs(a - b) if metric == "interval" else min((a - b) % size, (b - a) % size)


@given(points, st.sampled_from(["interval", "ring", "hamming"]), st.integers(0, 99))
def test_onemax_sums_distances(point, metric, seed):
    problem = OneMax(5, SIZES, metric, seed=seed)
    hidden = list(problem.hidden.values())
    assert problem.evaluate(list(point)) == sum(
        apart(metric, size, a, b) for size, a, b in zip(SIZES, point, hidden, strict=True)
    )
    assert problem.evaluate(problem.hidden) == problem.optimum
    if metric == "hamming":
        match = Match(5, SIZES, seed=seed)
        assert match.hidden == problem.hidden
        assert match.evaluate(list(point)) == problem.evaluate(list(point))


def test_targets_are_hidden_by_their_seed():
    hidden = np.array([list(Match(5, SIZES, seed=seed).hidden.values()) for seed in range(200)])
    assert (hidden.max(axis=0) + 1).tolist() == SIZES  # every category is hidden sometimes
    assert (hidden.min(axis=0) == 0).all()


@given(st.lists(st.booleans(), min_size=6, max_size=6), st.integers(0, 99))
def test_leadingones_counts_from_the_first_wrong_one(right, seed):
    problem = LeadingOnes(6, 3, seed=seed)
    hidden = problem.space.encode(problem.hidden)
    point = [
        (category + (not keep)) % 3 for category, keep in zip(hidden.tolist(), right, strict=True)
    ]
    prefix = [*right, False].index(False)
    assert problem.evaluate(point) == 6 - prefix


def published_pest(choices, seed):
    """The definition: arrays over 100 simulations, one stage after the other."""
    stages = len(choices)
    second = {1: 2 / 7, 2: 3 / 7, 3: 3 / 7, 4: 5 / 7}
    tolerance = {1: 1 / 7, 2: 2.5 / 7, 3: 2 / 7, 4: 0.5 / 7}
    price = {1: 1.0, 2: 0.8, 3: 0.7, 4: 0.5}
    discount = {1: 0.2, 2: 0.3, 3: 0.3, 4: 0.0}
    infested = np.random.RandomState(seed).beta(1.0, 30.0, size=100)
    total = 0.0
    for choice in choices:
        total += np.mean(infested > 0.1)
        if choice:
            rate = np.random.RandomState(seed).beta(1.0, second[choice], size=100)
            infested = (1.0 - rate) * infested
            second[choice] += tolerance[choice] / stages
            total += price[choice] * (1.0 - discount[choice] / stages * choices.count(choice))
        else:
            spread = np.random.RandomState(seed).beta(1.0, 17.0 / 3.0, size=100)
            infested = spread * (1.0 - infested) + infested
    return total


@pytest.mark.parametrize(("stages", "seed"), [(25, 0), (25, 7), (10, 0), (1, 3)])
def test_pest_as_published(stages, seed):
    problem = Pest(stages, seed)
    random = np.random.default_rng(1)
    for point in random.integers(0, 5, (40, stages)).tolist():
        assert problem.evaluate(point) == pytest.approx(published_pest(point, seed), abs=1e-12)
    assert (problem.optimum is None) == ((stages, seed) != (25, 0))


def test_best_value_known_of_pest():
    problem = Pest()
    point = [3] * 24 + [0]
    assert problem.evaluate(point) == pytest.approx(12.0316, abs=1e-12)
    assert problem.evaluate(point) == problem.optimum == BEST_KNOWN
    assert problem.solution(problem.space.decode(point)) == "3 " * 24 + "none"
    if JIT:
        found = minimize(problem, budget=100_000, target=BEST_KNOWN, seed=1)
        assert BEST_KNOWN <= found.fun < 12.2
