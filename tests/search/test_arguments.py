"""The arguments of `minimize`: what is invalid, and numbers of any type."""

from inspect import signature

import numpy as np
import pytest

from catcube import Optimizer, maximize, minimize, representation
from catcube.algorithms import algorithm, names
from catcube.problems import Match
from tests.search.minimize_examples import SPACE, cost


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"algorithm": "rsl"}, ValueError, "did you mean 'rls'?"),
        ({"algorithm": "zzz"}, ValueError, "'zzz' (known: 'rls', "),
        ({"algorithm": ["sa"]}, TypeError, "['sa']"),
        ({"algorithm": None}, TypeError, "algorithm"),
        ({"representation": "lineal"}, ValueError, "did you mean 'linear'?"),
        ({"representation": "lineal", "algorithm": "auto"}, ValueError, "did you mean 'linear'?"),
        ({"representation": 3}, TypeError, "Representation"),
        ({"representation": {"base": "gray"}}, ValueError, "'digit'"),
        ({"representation": {"bass": "gray"}}, ValueError, "did you mean 'base'?"),
        ({"representation": representation("linear", 4)}, ValueError, "'digit'"),
        ({"workers": 2}, TypeError, "other processes"),
        ({"workers": 0}, ValueError, "number of workers"),
        ({"retries": -1}, ValueError, "retries"),
        ({"timeout": 0}, ValueError, "timeout"),
        ({"catch": "x"}, TypeError, "catch"),
        ({"initial": 5}, TypeError, "algorithm='surrogate'"),
        ({"zebra": 1}, TypeError, "'zebra'"),
        ({"preset": ["paper"]}, TypeError, "preset"),
        ({"preset": "papre"}, ValueError, "did you mean 'paper'?"),
        ({"callback": 5}, TypeError, "callback"),
        ({"maximize": True}, TypeError, "call catcube.maximize"),
        ({"patients": 3}, TypeError, "did you mean 'patience'?"),
        *(
            ({"patience": number}, ValueError, "rls: patience")
            for number in (0, 1.5, "many", True, None)
        ),
        *(
            ({name: number}, ValueError, name.replace("_", " "))
            for name, numbers in {
                "budget": (0, -1, 1.5, "10", True, float("nan"), float("inf"), 2**62, 2**64),
                "restart": (0, -1, 1.5, "10", True),
                "target": ("0", float("nan"), [0], 1j, True),
                "time_limit": (0, -1, "1", float("nan"), True),
                "seed": (-1, 1.0, "1", True, [1]),
            }.items()
            for number in numbers
        ),
    ],
)
def test_wrong_arguments(arguments, error, sentence):
    def untouched(point):
        raise AssertionError("no evaluation before the arguments are checked")

    with pytest.raises(error) as caught:
        minimize(untouched, SPACE, **{"algorithm": "rls", **arguments})
    assert sentence in str(caught.value)


def test_there_are_few_arguments():
    assert len(signature(minimize).parameters) < 20


def test_wrong_parameters_of_every_algorithm():
    for name in names():
        with pytest.raises(TypeError) as caught:
            minimize(cost, SPACE, algorithm=name, zebra=1)
        for parameter in algorithm(name).describe():
            assert f"{parameter.name}={parameter.default!r}" in str(caught.value)


def test_unknown_arguments():
    for name in ("direction", "timeoud", "y0", "cache", "history"):
        for function in (minimize, maximize):
            with pytest.raises(TypeError, match=f"{function.__name__} has no argument '{name}'"):
                function(cost, SPACE, **{name: 1})
    for name in ("y0", "executor", "vectorized", "progress", "workers"):
        with pytest.raises(TypeError, match=f"Optimizer has no argument '{name}'"):
            Optimizer(SPACE, **{name: 1})


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ((3, SPACE), TypeError, "expected a function or a problem, got 3"),
        ((cost,), ValueError, "expected a space for the function"),
        ((cost, 3), TypeError, "expected a mapping from names to labels"),
        ((Match(2, 3, seed=1), SPACE), ValueError, "expected no space beside that of the problem"),
    ],
)
def test_wrong_objectives_and_spaces(arguments, error, sentence):
    with pytest.raises(error, match=sentence):
        minimize(*arguments)


@pytest.mark.parametrize(
    ("arguments", "same"),
    [
        ({"budget": 1e2, "patience": 50.0}, {"budget": 100, "patience": 50}),
        ({"budget": np.int32(100), "seed": np.uint8(7)}, {"budget": 100, "seed": 7}),
    ],
)
def test_numbers_of_any_type(arguments, same):
    result, expected = (
        minimize(cost, SPACE, algorithm="rls", **{"seed": 7, **either})
        for either in (arguments, same)
    )
    assert result.trace.values.tolist() == expected.trace.values.tolist()
    assert result.parameters == expected.parameters
    assert type(result.parameters["patience"]) is int
