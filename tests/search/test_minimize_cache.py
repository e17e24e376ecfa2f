"""minimize() with a cache, with fixed variables and with forbidden combinations."""

import math

import numpy as np
import pytest

import catcube
from catcube import Space, minimize, penalized
from catcube.algorithms import names
from catcube.problems import Match
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE, same


@pytest.mark.parametrize("name", names())
def test_no_point_is_evaluated_twice(name):
    calls = []

    def counted(point):
        calls.append(tuple(point.values()))
        return cost(point)

    arguments = {"algorithm": name, "budget": 150, "seed": 3}
    plain = minimize(counted, SPACE, **arguments)
    assert plain.calls == plain.nfev == len(calls)
    everything = list(dict.fromkeys(calls))
    calls.clear()
    result = minimize(counted, SPACE, cache=True, **arguments)
    assert same(result, plain)
    assert calls == everything
    assert result.calls == len(calls) <= SPACE.size


def test_the_calls_are_shown():
    shown = repr(minimize(cost, SPACE, algorithm="sa", budget=200, cache=True, seed=1))
    assert "200 (best found at" in shown
    assert "calls)" in shown
    assert "calls" not in repr(minimize(cost, SPACE, budget=200, seed=1))


def test_few_points_remembered_are_called_more_often():
    arguments = {"algorithm": "rls", "budget": 300, "seed": 1}
    plain = minimize(cost, SPACE, **arguments)
    results = [minimize(cost, SPACE, cache=size, **arguments) for size in (0, 1, 5, 1000)]
    assert all(same(result, plain) for result in results)
    calls = [result.calls for result in results]
    assert calls == sorted(calls, reverse=True)
    assert 300 == calls[0] > calls[1] > calls[2] > calls[3]


def test_a_cache_smaller_than_a_generation():
    arguments = {"algorithm": "ga", "mu": 30, "budget": 200, "seed": 1}
    assert same(minimize(cost, SPACE, cache=2, **arguments), minimize(cost, SPACE, **arguments))


def test_a_cache_for_rows():
    rows = []

    def costs(batch):
        rows.extend(map(tuple, batch.tolist()))
        return np.array([cost(SPACE.decode(row)) for row in batch])

    arguments = {"algorithm": "umda", "budget": 250, "seed": 1}
    result = minimize(costs, SPACE, vectorized=True, cache=True, **arguments)
    assert same(result, minimize(cost, SPACE, **arguments))
    assert len(rows) == len(set(rows)) == result.calls


def test_what_cannot_be_cached():
    with pytest.raises(ValueError, match="expected a Python function for a cache"):
        minimize(Match(3, 3, seed=1), cache=True)
    with pytest.raises(ValueError, match="expected a Python function for a cache"):
        minimize(catcube.compiled(lambda categories: 0.0), SPACE, cache=5)
    for wrong in (-1, 1.5, "yes", None, math.nan):
        with pytest.raises(ValueError, match="expected True, False, 'unique' or a number"):
            minimize(cost, SPACE, cache=wrong)


def test_an_exception_is_not_remembered():
    def failing(point):
        raise KeyError("mine")

    for _ in range(2):
        with pytest.raises(KeyError, match="mine") as caught:
            minimize(failing, SPACE, cache=True, budget=10, seed=1)
        assert caught.value.partial_result.calls == 1


@pytest.mark.parametrize("name", names())
def test_fixed_variables(name):
    space = SPACE.fix({"digit": 4}, flag=True)
    points = []
    arguments = {"algorithm": name, "budget": 60, "seed": 1}
    result = minimize(lambda point: points.append(point) or cost(point), space, **arguments)
    assert result.x == {"base": "G", "digit": 4, "flag": True}
    assert all(point["digit"] == 4 and point["flag"] is True for point in points)
    assert {point["base"] for point in points} == set("ATCG")


def test_all_variables_fixed():
    only = {"base": "A", "digit": 4, "flag": True}
    assert minimize(cost, SPACE.fix(only), budget=5, seed=1).x == only


def seconds(point):
    assert (point["solver"], point["cores"]) != ("lu", 8), "called where it is forbidden"
    return {"lu": 20, "cg": 30}[point["solver"]] / point["cores"]


MACHINE = Space({"solver": ["lu", "cg"], "cores": [1, 2, 4, 8]})


def test_forbidden_combinations():
    allowed = penalized(seconds, [{"solver": "lu", "cores": 8}], 1000)
    result = minimize(allowed, MACHINE, budget=300, seed=1)
    assert result.x == {"solver": "cg", "cores": 8}
    assert allowed.violations(result.x) == 0


def test_the_penalty_counts_combinations():
    forbidden = [{"cores": 8}, {"solver": "lu", "cores": 8}, lambda point: point["cores"] >= 4]
    allowed = penalized(seconds, forbidden, 7)
    values = [allowed({"solver": "lu", "cores": cores}) for cores in MACHINE["cores"]]
    assert values == [20, 10, 7, 21]
    added = penalized(cost, [{"base": "A"}], 100, evaluate=True)
    point = {"base": "A", "digit": 7, "flag": False}
    assert added(point) == cost(point) + 100
    assert added({**point, "base": "G"}) == 0


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ((3, [], 1), TypeError, "expected a Python function of a dict, got 3"),
        (
            (catcube.compiled(lambda point: 0.0), [], 1),
            TypeError,
            "expected a Python function of a dict",
        ),
        ((cost, {"base": "A"}, 1), TypeError, "a list of forbidden combinations, got a single one"),
        ((cost, cost, 1), TypeError, "a list of forbidden combinations, got a single one"),
        (
            (cost, [3], 1),
            TypeError,
            "a dict of labels or a function of a point as forbidden combination, got 3",
        ),
        ((cost, [{}], 1), ValueError, "would forbid every point"),
        ((cost, [], "1"), TypeError, "expected a number as penalty, got '1'"),
        ((cost, [], math.inf), ValueError, "expected a finite penalty > 0, got inf"),
        ((cost, [], 0), ValueError, "expected a finite penalty > 0, got 0"),
    ],
)
def test_wrong_penalties(arguments, error, sentence):
    with pytest.raises(error, match=sentence):
        penalized(*arguments)


def test_a_forbidden_combination_of_a_variable_that_is_not_there():
    allowed = penalized(cost, [{"bass": "A"}], 1)
    with pytest.raises(ValueError, match="has an unknown variable 'bass', did you mean 'base'"):
        minimize(allowed, SPACE, budget=5, seed=1)
