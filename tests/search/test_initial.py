"""Points that a run begins with, and values that are known before it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from catcube import Optimizer, minimize
from catcube.algorithms import algorithm, names
from catcube.problems import Match
from tests.problems.python.slow_functions import cost
from tests.search.asked import SMALL, SPACE

POINTS = [
    {"base": "A", "digit": 1, "flag": True},
    {"base": "G", "digit": 6, "flag": True},
    {"base": "C", "digit": 9, "flag": False},
]
PAIRS = [
    (name, representation)
    for name in names()
    for representation in ("linear", "gray", "native")
    if representation != "native" or algorithm(name).native
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


def test_an_enumeration_begins_there():
    result = minimize(cost, SPACE, x0=[POINTS[1], POINTS[0], POINTS[1]])
    seen = [tuple(point.items()) for point, _ in result.history]
    assert result.message == "all points were evaluated"
    assert [dict(point) for point in seen[:2]] == [POINTS[1], POINTS[0]]
    assert len(seen) == len(set(seen)) == SPACE.size
    assert Optimizer(SPACE, x0=POINTS).ask(3) == POINTS


def test_compiled_problems_begin_there_too():
    problem = Match(40, 7, seed=1)
    hidden = problem.space.decode(problem.integers)
    for representation in ("linear", "native"):
        result = minimize(
            problem, x0=hidden, algorithm="rls", representation=representation, budget=3
        )
        assert (result.fun, result.nfev_best) == (0, 1)


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
