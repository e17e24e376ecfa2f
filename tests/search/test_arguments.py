"""The arguments of `minimize`: what is invalid, and numbers of any type."""

import numpy as np
import pytest

from catcube import Optimizer, maximize, minimize, representation
from catcube.algorithms import algorithm, names
from catcube.problems import Match
from tests.search.minimize_examples import SPACE, cost


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"algorithm": "rsl"}, ValueError, "unknown algorithm 'rsl', did you mean 'rls'?"),
        ({"algorithm": "zzz"}, ValueError, "unknown algorithm 'zzz' (known: 'rls', "),
        ({"algorithm": "SA"}, ValueError, "unknown algorithm 'SA', did you mean 'sa'?"),
        (
            {"representation": "lineal"},
            ValueError,
            "unknown representation 'lineal', did you mean 'linear'? (known: 'balanced', ",
        ),
        ({"algorithm": ["sa"]}, TypeError, "expected the name of an algorithm, got ['sa']"),
        ({"algorithm": None}, TypeError, "expected the name of an algorithm, got None"),
        ({"workers": 2}, TypeError, "other processes"),
        ({"workers": 0}, ValueError, "number of workers, got 0"),
        ({"retries": -1}, ValueError, "retries, got -1"),
        ({"timeout": 0}, ValueError, "timeout, got 0"),
        ({"catch": "x"}, TypeError, "catch: expected an exception"),
        ({"initial": 5}, TypeError, "'initial'; it is a parameter of algorithm='surrogate'"),
        ({"zebra": 1}, TypeError, "minimize has no argument 'zebra'"),
        ({"preset": ["paper"]}, TypeError, "expected the name of a preset, got ['paper']"),
        ({"callback": 5}, TypeError, "expected a function as callback, got 5"),
        ({"representation": 3}, TypeError, "a name or a Representation, got 3"),
        ({"representation": {"base": "gray"}}, ValueError, "got none for 'digit'"),
        (
            {"representation": {"bass": "gray"}},
            ValueError,
            "unknown variable 'bass', did you mean 'base'?",
        ),
        (
            {"representation": representation("linear", 4)},
            ValueError,
            "of 9 categories for variable 'digit', got 'linear' of 4",
        ),
        ({"preset": "papre"}, ValueError, "unknown preset 'papre', did you mean 'paper'?"),
        (
            {"patients": 3},
            TypeError,
            "did you mean 'patience'?",
        ),
        ({"patience": 0}, ValueError, "rls: patience: expected a value >= 1, got 0"),
        ({"patience": 1.5}, ValueError, "rls: patience: expected an integer, got 1.5"),
        ({"patience": "many"}, ValueError, "rls: patience: expected an integer, got 'many'"),
        ({"patience": True}, ValueError, "rls: patience: expected an integer, got True"),
        ({"patience": None}, ValueError, "rls: patience: expected an integer, got None"),
        *(
            ({"budget": budget}, ValueError, f"an integer from 1 to 2^62 as budget, got {budget!r}")
            for budget in (0, -1, 1.5, "10", True, float("nan"), float("inf"), 2**62, 2**64)
        ),
        *(
            ({"restart": restart}, ValueError, "expected an integer from 1 to 2^62 as restart")
            for restart in (0, -1, 1.5, "10", True)
        ),
        *(
            ({"target": target}, ValueError, f"expected a finite number as target, got {target!r}")
            for target in ("0", float("nan"), [0], 1j, True)
        ),
        *(
            ({"time_limit": limit}, ValueError, "expected a number of seconds > 0 as time limit")
            for limit in (0, -1, "1", float("nan"), True)
        ),
        *(
            ({"seed": seed}, ValueError, f"as seed, got {seed!r}")
            for seed in (-1, 1.0, "1", True, [1])
        ),
    ],
)
def test_wrong_arguments(arguments, error, sentence):
    def untouched(point):
        raise AssertionError("no evaluation before the arguments are checked")

    with pytest.raises(error) as caught:
        minimize(untouched, SPACE, **{"algorithm": "rls", **arguments})
    assert sentence in str(caught.value)


def test_wrong_parameters_of_every_algorithm():
    for name in names():
        with pytest.raises(TypeError) as caught:
            minimize(cost, SPACE, algorithm=name, zebra=1)
        for parameter in algorithm(name).described():
            assert f"{parameter.name}={parameter.default!r}" in str(caught.value)


@pytest.mark.parametrize("name", ["direction", "timeoud", "y0", "cache", "history"])
def test_unknown_arguments(name):
    for function in (minimize, maximize):
        with pytest.raises(TypeError, match=f"{function.__name__} has no argument '{name}'"):
            function(cost, SPACE, **{name: 1})
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
