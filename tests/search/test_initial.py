"""Points that a run begins with, and values that are known before it."""

import math
from concurrent.futures import ThreadPoolExecutor

import pytest

from catcube import Optimizer, compiled, maximize, minimize
from catcube.algorithms import algorithm, names
from catcube.problems import Match
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE

POINTS = [
    {"base": "A", "digit": 1, "flag": True},
    {"base": "G", "digit": 6, "flag": True},
    {"base": "C", "digit": 9, "flag": False},
]
SMALL = {
    "ga": {"mu": 8},
    "pbil": {"population": 8, "selection": 3},
    "umda": {"population": 8, "selection": 3},
    "mimic": {"population": 8, "selection": 3},
    "ltga": {"population": 8},
}
PAIRS = [
    (name, representation)
    for name in names()
    for representation in ("linear", "gray", "native")
    if representation != "native" or algorithm(name).native is not None
]


def settings(name, representation="linear"):
    return {
        "algorithm": name,
        "representation": representation,
        "budget": 60,
        "seed": 5,
        **SMALL.get(name, {}),
    }


@pytest.mark.parametrize(("name", "representation"), PAIRS)
def test_they_are_evaluated_first(name, representation):
    for x0 in (POINTS, POINTS[1]):
        result = minimize(cost, SPACE, x0=x0, **settings(name, representation))
        seen = [point for point, _ in result.history]
        wanted = [x0] if isinstance(x0, dict) else x0
        assert all(point in seen[:12] for point in wanted)
        assert seen[0] == wanted[0]
        assert result.fun <= min(map(cost, wanted))


@pytest.mark.parametrize("name", ["rls", "hc", "sa", "ea-1p1", "p3"])
def test_a_walk_begins_at_the_best_of_them(name):
    result = minimize(cost, SPACE, x0=POINTS, **settings(name, "native"))
    seen = [tuple(point.items()) for point, _ in result.history]
    best = tuple(POINTS[1].items())
    assert sum(a != b for a, b in zip(seen[3], best, strict=True)) <= 2
    assert [dict(point) for point in seen[:3]] == POINTS


def test_known_values_are_not_computed():
    calls = []

    def counted(point):
        calls.append(point)
        return cost(point)

    values = [cost(POINTS[0]), -1.0, math.nan]  # a better one than there is, one not known
    result = minimize(counted, SPACE, x0=POINTS, y0=values, **settings("rls"))
    assert result.x == POINTS[1]
    assert result.fun == -1
    assert POINTS[0] not in calls
    assert POINTS[1] not in calls
    assert POINTS[2] in calls
    only = minimize(counted, SPACE, x0=POINTS[1], y0=-1, **settings("rls"))
    assert only.x == POINTS[1]


def test_points_of_an_iterator_may_have_known_values():
    result = minimize(cost, SPACE, x0=iter(POINTS), y0=[5, -1, 6], **settings("rls"))
    assert (result.fun, result.x) == (-1, POINTS[1])


def test_points_of_an_iterator_are_saved(tmp_path):
    Optimizer(SPACE, x0=iter(POINTS), **settings("rls")).save(tmp_path / "search.json")
    assert Optimizer.load(tmp_path / "search.json").ask() == POINTS[:1]


def test_an_enumeration_begins_there():
    result = minimize(cost, SPACE, x0=[POINTS[1], POINTS[0], POINTS[1]])
    seen = [tuple(point.items()) for point, _ in result.history]
    assert result.message == "all points evaluated"
    assert [dict(point) for point in seen[:2]] == [POINTS[1], POINTS[0]]
    assert len(seen) == len(set(seen)) == SPACE.size
    assert Optimizer(SPACE, x0=POINTS).ask(3) == POINTS


def test_maximize():
    result = maximize(cost, SPACE, x0=POINTS, y0=[100, 2, 3], **settings("rls"))
    assert (result.fun, result.x) == (100, POINTS[0])


def test_compiled_problems_begin_there_too():
    problem = Match(40, 7, seed=1)
    hidden = problem.space.decode(problem.integers)
    for representation in ("linear", "native"):
        result = minimize(
            problem, x0=hidden, algorithm="rls", representation=representation, budget=3
        )
        assert (result.fun, result.nfev_best) == (0, 1)
    with pytest.raises(ValueError, match="expected a Python function for y0"):
        minimize(problem, x0=hidden, y0=0)
    fast = compiled(lambda categories: float(categories[0]))
    assert minimize(fast, SPACE, x0=POINTS[0], algorithm="rls", budget=1).x == POINTS[0]


def test_chains_begin_there_too():
    with ThreadPoolExecutor(2) as executor:
        result = minimize(cost, SPACE, x0=POINTS, executor=executor, **settings("rls"))
    seen = [point for point, _ in result.history]
    assert POINTS[0] in seen[:2]
    assert POINTS[1] in seen[:4]


def test_optimizer():
    optimizer = Optimizer(SPACE, x0=POINTS, **settings("rls"))
    assert optimizer.ask() == POINTS[:1]
    optimizer = Optimizer(SPACE, x0=POINTS, **settings("ga"))
    assert optimizer.ask()[:3] == POINTS


@pytest.mark.parametrize("wrong", [3, "ATCG", [1, 2], ["base"]])
def test_what_is_no_point(wrong):
    with pytest.raises(TypeError, match="x0: expected"):
        minimize(cost, SPACE, x0=wrong, **settings("rls"))


def test_values_that_do_not_fit():
    with pytest.raises(ValueError, match="unknown label of variable 'digit' 12"):
        minimize(cost, SPACE, x0={**POINTS[0], "digit": 12}, **settings("rls"))
    with pytest.raises(ValueError, match="expected one value in y0 per point of x0, got 1"):
        minimize(cost, SPACE, x0=POINTS, y0=[1], **settings("rls"))
    with pytest.raises(TypeError, match="y0: expected a number as the value, got 'a'"):
        minimize(cost, SPACE, x0=POINTS[0], y0="a", **settings("rls"))
