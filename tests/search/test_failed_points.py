"""Points that fail are counted and never chosen, and the run goes on."""

import math

import numpy as np
import pytest

from catcube import compiled, minimize
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE

SETTINGS = {"representation": "linear", "budget": 120, "seed": 5}


def fragile(point):
    if point["digit"] == 7:
        raise ValueError("no sevens")
    if point["digit"] == 6:
        return math.nan
    return cost(point)


@pytest.mark.parametrize("name", ["rls", "sa", "hc", "ea-10p1", "ga", "umda", "mimic", "p3"])
def test_the_run_goes_on(name):
    result = minimize(fragile, SPACE, algorithm=name, catch=ValueError, history=True, **SETTINGS)
    failed = np.isnan(result.history.values)
    assert result.failed == failed.sum() > 0
    assert result.nfev == 120
    assert result.x["digit"] not in (6, 7)
    assert result.fun == cost(result.x) == np.nanmin(result.history.values)


def test_nan_alone():
    def sometimes(point):
        return math.nan if point["flag"] else cost(point)

    result = minimize(sometimes, SPACE, algorithm="rls", catch=(), **SETTINGS)
    assert result.failed > 0
    assert result.x["flag"] is False
    with pytest.raises(ValueError, match="no sevens"):
        minimize(fragile, SPACE, algorithm="rls", catch=(), **SETTINGS)


def test_other_exceptions_end_the_run():
    with pytest.raises(ValueError, match="no sevens"):
        minimize(fragile, SPACE, algorithm="rls", catch=(KeyError, OSError), **SETTINGS)


def test_all_points_fail():
    result = minimize(lambda point: math.nan, SPACE, algorithm="rls", catch=(), **SETTINGS)
    assert result.x == {}
    assert result.fun == math.inf
    assert not result.success
    assert result.failed == 120
    assert "best found" not in repr(result)


def test_a_vectorized_function():
    def costs(rows):
        if (rows[:, 0] == 2).any():
            raise ValueError
        return rows.sum(axis=1)

    result = minimize(
        costs, SPACE, algorithm="ga", mu=2, vectorized=True, catch=ValueError, **SETTINGS
    )
    assert result.failed > 0
    assert result.nfev == 120
    assert result.x["base"] != "C"


def test_a_compiled_function():
    @compiled
    def fast(categories):
        if categories[1] == 6:
            raise ValueError("no sevens")
        return abs(categories[1] - 6) + categories[0]

    result = minimize(fast, SPACE, algorithm="rls", catch=ValueError, **SETTINGS)
    assert result.failed > 0
    assert result.fun == 1


@pytest.mark.parametrize("wrong", [3, "ValueError", (ValueError, 3), int])
def test_what_cannot_be_caught(wrong):
    with pytest.raises(TypeError, match="expected an exception class or a tuple of them, got"):
        minimize(cost, SPACE, catch=wrong, **SETTINGS)
