"""The rule of "auto", and the enumeration of small spaces."""

import numpy as np
import pytest

from catcube import Space, compiled, maximize, minimize
from catcube.algorithms.enumeration import point_batches
from catcube.engine.rng import initial_state
from catcube.problems import Match
from catcube.search.auto import MIN_NATIVE_LTGA, UNLIMITED, choose
from tests.search.test_optimizer import SPACE, cost

LARGE = Space.repeat("x", range(4), 30)


@pytest.mark.parametrize(
    ("budget", "algorithm"), [(50, "surrogate"), (2_000, "surrogate"), (5_000, "sa"), (10**6, "sa")]
)
def test_the_algorithm_by_the_budget(budget, algorithm):
    choice = choose(LARGE, budget, in_python=True)
    assert choice.algorithm == algorithm
    assert f"{budget:,}" in choice.reason


def test_a_larger_budget_begins_with_the_points_of_a_smaller_one():
    budgets = (2_001, 5_000, 20_000, 100_000)
    assert [choose(LARGE, budget, in_python=True).model_budget for budget in budgets] == [2_000] * 4


def test_what_is_named_is_kept():
    assert choose(LARGE, 100, True, "rls").representation == "linear"
    assert choose(LARGE, 100, True, "p3").representation == "native"
    assert choose(LARGE, 30 * MIN_NATIVE_LTGA, True, "ltga").representation == "native"
    assert choose(LARGE, 100, True, "rls", "gray")[:2] == ("rls", "gray")
    assert choose(LARGE, 100, True, representation="gray").algorithm == "p3"
    assert choose(LARGE, UNLIMITED, True, parameters={"hot": 0.1}).algorithm == "sa"


@pytest.mark.parametrize("sizes", [[4, 9, 2], [1], [7, 1, 3], [2] * 12])
def test_every_point_once(sizes):
    rows = np.concatenate(list(point_batches(np.array(sizes), initial_state(3), np.zeros((0, 0)))))
    assert len({tuple(row) for row in rows.tolist()}) == len(rows) == np.prod(sizes)


def test_small_spaces_are_enumerated():
    best = compiled(lambda categories: abs(categories[1] - 6) + (categories[0] != 3))
    for function in (cost, best, lambda rows: np.abs(rows[:, 1] - 6) + (rows[:, 0] != 3)):
        vectorized = {"vectorized": True} if function not in (cost, best) else {}
        result = minimize(function, SPACE, seed=1, **vectorized)
        assert (result.algorithm, result.fun, result.evaluations) == ("enumeration", 0, 72)
        assert result.message == "all points were evaluated"
    problem = Match(3, 4, seed=1)
    assert minimize(problem, seed=1).fun == 0
    assert maximize(cost, SPACE, target=8, seed=1).evaluations <= 72
    start = {"base": "G", "digit": 7, "flag": False}
    assert minimize(cost, SPACE, x0=start, target=0, seed=1).evaluations == 1


def test_a_time_limit_alone_begins_with_the_model_in_a_small_space():
    """How far the search gets is not known: a slow function is not called everywhere."""
    result = minimize(cost, SPACE, time_limit=60, seed=1)
    assert len({tuple(row) for row in result.history.categories.tolist()}) == 72
    assert result.history.values[:24].min() == 0
    assert (result.message, result.evaluations) == ("all points were evaluated", 72)
    assert "model" in result.choice
