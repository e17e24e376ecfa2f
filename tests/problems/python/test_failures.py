"""Objectives that fail: the user's own exception, with its traceback and the result so far."""

import math
import traceback
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import catcube
from catcube import Space, minimize

SPACE = Space({"base": "ATCG", "digit": range(1, 10)})


def after(count, act):
    """A function that does its work `count` times, then what is given."""
    calls = []

    def objective(point):
        calls.append(point)
        return act() if len(calls) > count else 5.0 - len(calls)

    return objective, calls


class Own(Exception):  # noqa: N818
    pass


def raising(exception):
    def act():
        raise exception

    return act


@pytest.mark.parametrize(
    "exception", [Own("mine"), ValueError("no"), KeyError("x"), SystemExit(3), GeneratorExit()]
)
@pytest.mark.parametrize("count", [0, 1, 20])
def test_the_very_exception_is_raised(exception, count):
    exception.__traceback__ = None
    objective, calls = after(count, raising(exception))
    with pytest.raises(type(exception)) as caught:
        minimize(objective, SPACE, algorithm="sa", budget=100, seed=1)
    assert caught.value is exception
    assert len(calls) == count + 1  # not one call after it
    frames = [frame.name for frame in traceback.extract_tb(exception.__traceback__)]
    assert frames[-2:] == ["objective", "act"]
    partial = exception.partial_result
    assert partial.message == "the objective failed"
    assert not partial.success
    assert partial.nfev == count + 1
    if count:
        assert partial.fun == 5.0 - count
        assert partial.x == calls[count - 1]
        assert partial.trace.values.tolist() == [5.0 - k for k in range(1, count + 1)]
    else:
        assert partial.x == {}
        assert partial.fun == math.inf


@pytest.mark.parametrize("value", [math.nan, np.float32("nan"), Decimal("NaN")])
@pytest.mark.parametrize("count", [0, 3])
def test_not_a_number(value, count):
    objective, calls = after(count, lambda: value)
    with pytest.raises(ValueError, match="the objective returned NaN at") as caught:
        minimize(objective, SPACE, budget=100, seed=1)
    assert str(calls[-1]) in str(caught.value)  # the point in question
    assert len(calls) == count + 1
    assert caught.value.partial_result.nfev == count + 1


@pytest.mark.parametrize(
    "value", [None, "7", 1j, np.complex64(1), [1.0], np.array([]), object, np.timedelta64(5)]
)
def test_no_number_at_all(value):
    objective, _ = after(2, lambda: value)
    with pytest.raises(TypeError, match="expected a number from the objective, got") as caught:
        minimize(objective, SPACE, budget=100, seed=1)
    assert caught.value.partial_result.nfev == 3


@pytest.mark.parametrize("value", [10**4000, -(10**400), Fraction(10**400), Decimal("1e400")])
def test_numbers_too_large(value):
    objective, _ = after(2, lambda: value)
    with pytest.raises(OverflowError, match="too large for a float") as caught:
        minimize(objective, SPACE, budget=100, seed=1)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (3, 3.0),
        (True, 1.0),
        (np.True_, 1.0),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.int8(-5), -5.0),
        (np.uint64(2**63), 2.0**63),
        (np.longdouble(2.5), 2.5),
        (Decimal("0.25"), 0.25),
        (Fraction(1, 3), 1 / 3),
        (10**300, 1e300),
        (-0.0, 0.0),
        (math.inf, math.inf),
    ],
)
def test_numbers_of_every_type(value, meant):
    result = minimize(lambda point: value, SPACE, algorithm="rls", budget=30, seed=1)
    assert result.fun == meant
    assert type(result.fun) is float
    assert result.nfev == 30


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        (np.zeros(2), r"shape \(1,\), got \(2,\)"),
        (0.5, r"got \(\)"),
        (np.zeros((2, 1)), r"got \(2, 1\)"),
        ([[1], [1, 2]], r"got \[\[1\], \[1, 2\]\]"),
        (["a"], "expected a number"),
        ([None], "expected a number"),
    ],
)
def test_vectorized_functions_that_return_something_else(returned, sentence):
    with pytest.raises(TypeError, match=sentence):
        minimize(lambda rows: returned, SPACE, budget=10, seed=1, vectorized=True)


@pytest.mark.parametrize(
    "returned", [[2.5], np.array([[2.5]]), np.array([2.5], np.float32), (2.5,)]
)
def test_vectorized_functions_that_return_one_value(returned):
    assert minimize(lambda rows: returned, SPACE, budget=9, seed=1, vectorized=True).fun == 2.5


def test_a_vectorized_function_that_raises():
    def objective(rows):
        raise raised

    raised = Own("mine")
    with pytest.raises(Own) as caught:
        minimize(objective, SPACE, budget=10, seed=1, vectorized=True)
    assert caught.value is raised
    frames = [frame.name for frame in traceback.extract_tb(raised.__traceback__)]
    assert frames[-1] == "objective"


@catcube.compiled
def compiled_that_raises(categories):
    if categories[1] == 4:
        raise ValueError("digit 5 is not allowed")
    return categories[0] + categories[1]


@catcube.compiled
def compiled_nan(categories):
    return math.nan if categories[1] == 4 else float(categories[0])


def test_a_compiled_function_that_raises():
    with pytest.raises(ValueError, match="digit 5 is not allowed") as caught:
        minimize(compiled_that_raises, SPACE, budget=10_000, seed=1)
    partial = caught.value.partial_result
    assert partial.message == "the objective failed"
    assert 1 <= partial.nfev < 10_000


def test_a_compiled_function_that_returns_nan():
    with pytest.raises(ValueError, match=r"the objective returned NaN at .*'digit': 5") as caught:
        minimize(compiled_nan, SPACE, budget=10_000, seed=1)
    assert 1 <= caught.value.partial_result.nfev < 10_000


def test_a_failure_inside_an_inner_run():
    raised = Own("inner")

    def inner(point):
        raise raised

    def outer(point):
        return minimize(inner, SPACE, budget=10, seed=1).fun

    with pytest.raises(Own) as caught:
        minimize(outer, SPACE, budget=10, seed=1)
    assert caught.value is raised
    names = [frame.name for frame in traceback.extract_tb(raised.__traceback__)]
    assert names.index("outer") < names.index("inner")
