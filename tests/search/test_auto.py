"""What is chosen where nothing is named, and small spaces that are enumerated."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from catcube import Optimizer, Space, compiled, maximize, minimize
from catcube.problems import Match
from catcube.search.auto import LEAST_MIXED, UNLIMITED, choose
from catcube.search.enumeration import orders
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE

LARGE = Space.repeat("x", range(4), 30)


def total(point):
    return sum(point.values())


def test_the_rule_looks_at_budget_and_space():
    assert choose(SPACE, 72, in_python=True).algorithm is None
    assert choose(SPACE, 71, in_python=True).algorithm is not None
    assert choose(LARGE, 2000, in_python=True).algorithm == "surrogate"
    assert choose(LARGE, 2001, in_python=True).algorithm == "sa"
    many = Space.repeat("x", range(4), 301)
    assert choose(many, 1000, in_python=True).algorithm == "p3"
    assert choose(many, 1001, in_python=True).algorithm == "sa"
    assert choose(LARGE, 10**6, in_python=False).algorithm == "sa"
    assert choose(Space.repeat("x", range(2), 20), UNLIMITED, in_python=True).algorithm == "sa"


def test_what_is_named_is_taken():
    named = choose(LARGE, 1000, True, algorithm="rls")
    assert named[:3] == ("rls", "linear", False)
    assert choose(LARGE, 1000, True, representation="gray")[:2] == ("p3", "gray")
    assert choose(LARGE, 1001, True, representation="gray")[:2] == ("sa", "gray")
    preset = choose(LARGE, 1000, True, preset="paper")
    assert preset[:2] == ("sa", "linear")
    assert preset.reason == "a preset or a parameter without an algorithm: annealing"
    assert choose(LARGE, 1000, True, parameters={"hot": 0.1}).reason == preset.reason
    assert named.reason == ""
    assert choose(LARGE, 1000, True, "p3", "balanced")[:2] == ("p3", "balanced")


def test_ltga_is_native_where_the_budget_is_enough_for_its_mixing():
    few, many = 30 * LEAST_MIXED - 1, 30 * LEAST_MIXED
    assert choose(LARGE, few, True, algorithm="ltga").representation == "linear"
    assert choose(LARGE, many, True, algorithm="ltga").representation == "native"
    assert choose(LARGE, UNLIMITED, True, algorithm="ltga").representation == "native"
    assert choose(LARGE, many, True, "ltga", preset="paper").representation == "linear"
    assert choose(LARGE, many, True, "ltga", "gray").representation == "gray"
    assert choose(LARGE, many, True, algorithm="ga").representation == "linear"
    assert choose(LARGE, few, True, algorithm="p3").representation == "native"
    assert choose(LARGE, few, True, "p3", preset="paper").representation == "linear"
    assert choose(LARGE, few, True, "surrogate", preset="paper").representation == "native"


@pytest.mark.parametrize("budget", [14, 1200])
def test_no_point_is_evaluated_twice(budget):
    seen = []

    def counted(point):
        seen.append(tuple(point.values()))
        return total(point)

    result = minimize(counted, LARGE, budget=budget, seed=1)
    assert len(seen) == len(set(seen)) == result.nfev == budget
    assert result.choice
    assert result.choice in repr(result)


def test_an_optimizer_asks_for_no_point_twice(tmp_path):
    optimizer = Optimizer(LARGE, budget=12, seed=1)
    seen = []
    while not optimizer.done:
        points = optimizer.ask()
        seen += [tuple(point.values()) for point in points]
        optimizer.tell(points, map(total, points))
        optimizer.save(tmp_path / "search.json")
        optimizer = Optimizer.load(tmp_path / "search.json")
    assert len(seen) == len(set(seen)) == 12


def test_every_point_once():
    seen = []

    def counted(point):
        seen.append(tuple(point.values()))
        return cost(point)

    result = minimize(counted, SPACE, seed=1)
    assert result.message == "all points evaluated"
    assert result.success
    assert len(seen) == len(set(seen)) == result.nfev == result.calls == SPACE.size
    assert (result.algorithm, result.fun) == ("enumeration", 0)
    assert result.x == {"base": "G", "digit": 7, "flag": False}
    assert maximize(cost, SPACE, seed=1).fun == max(cost(dict_of(point)) for point in seen)


def test_an_optimizer_enumerates_small_spaces(tmp_path):
    optimizer = Optimizer(SPACE, budget=100, seed=1)
    seen = []
    while not optimizer.done:
        points = optimizer.ask(10)
        seen += [tuple(point.values()) for point in points]
        optimizer.tell(points, map(cost, points))
        optimizer.save(tmp_path / "search.json")
        optimizer = Optimizer.load(tmp_path / "search.json")
    assert len(seen) == len(set(seen)) == SPACE.size
    result = optimizer.result
    assert (result.message, result.fun, result.nfev) == ("all points evaluated", 0, SPACE.size)
    assert result.choice == "72 points: all of them are evaluated"


def test_annealing_is_quenched_where_nothing_is_named():
    result = minimize(Match(20, 4, seed=1), budget=2001, seed=1)
    assert (result.algorithm, result.parameters["quench"]) == ("sa", 0.2)
    assert minimize(Match(20, 4, seed=1), algorithm="sa", budget=9).parameters["quench"] == 0


def dict_of(labels):
    return dict(zip(SPACE.names, labels, strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_orders_have_every_point(seed):
    rows = np.concatenate(list(orders(SPACE, seed)))
    assert len(np.unique(rows, axis=0)) == len(rows) == SPACE.size
    assert (rows < SPACE.cardinalities).all()


def test_enumeration_of_all_kinds_of_functions():
    @compiled
    def fast(categories):
        return abs(categories[1] - 6) + categories[0]

    def rows_cost(rows):
        return np.abs(rows[:, 1] - 6) + rows[:, 0]

    assert minimize(fast, SPACE).fun == 0
    assert minimize(rows_cost, SPACE, vectorized=True).fun == 0
    assert minimize(Match(3, 4, seed=1)).message == "all points evaluated"
    with ThreadPoolExecutor(2) as executor:
        result = minimize(cost, SPACE, executor=executor, history=True)
    assert len(result.history) == 72


def test_an_enumeration_ends_early():
    result = minimize(cost, SPACE, target=0, seed=1)
    assert result.message == "the target was reached"
    assert (
        minimize(cost, SPACE, callback=lambda state: True).message == "the callback asked to stop"
    )
    with pytest.raises(ValueError, match="the objective returned NaN at"):
        minimize(lambda point: math.nan, SPACE)
    failed = minimize(lambda point: math.nan, SPACE, catch=())
    assert (failed.failed, failed.x) == (72, {})


def test_a_time_limit_alone():
    result = minimize(total, LARGE, time_limit=0.2, seed=1)
    assert result.message == "the time limit was reached"
    assert result.nfev > 10
