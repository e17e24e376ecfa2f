"""All algorithms: their parameters, and what is particular to some.

What holds for every algorithm is in catcube.testing, run by test_conformance.py; what a run counts
and records to the last evaluation in test_recorder.py, what it does in test_twins.py.
"""

import math
from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from catcube import minimize
from catcube.algorithms import algorithm, names, p3, register, registered
from catcube.algorithms.algorithm import ParameterInfo
from catcube.engine.compiled.jit import JIT
from catcube.problems import Match, Sudoku

# What the experiments of the paper ran with, beside `margin` and other parameters of our own.
PAPER = {
    "rls": {"patience": 50},
    "hc": {},
    "sa": {
        "beta_ratio": 1.05,
        "trials": 10,
        "initial_acceptance": 0.6,
        "transitions": 50,
        "keep_trying": False,
        "over_budget": False,
        "hot": 0.05,
        "cold": 1e-5,
        "quench": 0.0,
        "exchange": False,
    },
    "ea-1p1": {"mutation": 1.0},
    "ea-10p1": {"population": 10, "offspring": 1, "replace_first": True, "mutation": 1.0},
    "ga": {
        "population": 100,
        "tournament": 10,
        "crossover": 0.5,
        "by_variable": False,
        "mutation": 1.0,
    },
    "pbil": {"population": 100, "selection": 10, "rate": 0.5, "margin": 1},
    "mimic": {"population": 200, "selection": 20, "margin": 1},
    "umda": {"population": 100, "selection": 10, "margin": 1},
    "ltga": {"population": 500},
    "p3": {"hill_climber": False},
}
TEXTBOOK = {"keep_trying": True, "over_budget": True, "replace_first": False, "hill_climber": True}

# So small that several generations fit into the budget.
SMALL = {
    "ga": {"population": 12},
    "pbil": {"population": 20, "selection": 5},
    "mimic": {"population": 20, "selection": 5},
    "umda": {"population": 20, "selection": 5},
    "ltga": {"population": 13},
}

each_algorithm = pytest.mark.parametrize("name", names())


@each_algorithm
def test_presets(name):
    method = algorithm(name)
    assert method.resolve("paper", {})._asdict() == PAPER[name]
    default = {key: TEXTBOOK.get(key, value) for key, value in PAPER[name].items()}
    assert method.resolve(None, {})._asdict() == default
    assert set(method.presets["paper"]) == set(TEXTBOOK) & set(PAPER[name])


def test_what_is_given_wins_over_the_preset():
    parameters = algorithm("ea-10p1").resolve("paper", {"population": 3, "replace_first": False})
    assert parameters == (3, 1, False, 1.0)


PARAMETERS = [
    pytest.param(name, parameter, id=f"{name}-{parameter.name}")
    for name in names()
    for parameter in algorithm(name).describe()
]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_ranges(name, parameter):
    """Every parameter but a switch has a range, and it is kept to the last digit."""
    info, default = parameter.info, parameter.default
    wrong = ["no", None, [default], math.nan]
    if parameter.type is bool:
        wrong += [2, 0.5]
    else:
        assert info.low is not None
        wrong += [True, math.nextafter(info.low, -math.inf), info.low - 1, -math.inf]
        wrong += [info.low] * info.low_open
        if info.high is not None:
            wrong += [math.nextafter(info.high, math.inf), info.high + 1, math.inf]
            wrong += [info.high] * info.high_open
        if parameter.type is int:
            wrong += [default + 0.5, math.inf]
        if not info.low_open and parameter.name != "population":
            resolved = algorithm(name).resolve(None, {parameter.name: info.low})
            assert getattr(resolved, parameter.name) == info.low
    for value in wrong:
        with pytest.raises(ValueError, match=f"{name}: {parameter.name}: expected"):
            algorithm(name).resolve(None, {parameter.name: value})


@pytest.mark.parametrize("name", ["pbil", "umda", "mimic"])
def test_more_selected_than_there_are(name):
    resolve = algorithm(name).resolve
    assert resolve(None, {"population": 7, "selection": 7}).selection == 7
    with pytest.raises(ValueError, match="expected selection <= population=7, got 8"):
        resolve(None, {"population": 7, "selection": 8})
    with pytest.raises(ValueError, match="selection"):
        minimize(Match(3, 4), algorithm=name, population=5)


@each_algorithm
@pytest.mark.parametrize("integral", [1, np.int64(1), np.int32(1), 1.0, np.float64(1)])
def test_numbers_of_any_kind(name, integral):
    """A parameter comes to the kernel in its own type."""
    for parameter in algorithm(name).describe():
        if parameter.type is not bool and parameter.info.accepts(1):
            settings = {parameter.name: integral}
            if parameter.name == "population" and "selection" in PAPER[name]:
                settings["selection"] = integral
            value = getattr(algorithm(name).resolve(None, settings), parameter.name)
            assert (type(value), value) == (parameter.type, 1)


def test_converged():
    """LTGA alone ends by itself: when a generation changes no solution."""
    for name in names():
        result = minimize(
            Match(4, 3, seed=1), algorithm=name, budget=3000, seed=2, **SMALL.get(name, {})
        )
        if name == "ltga":
            assert result.nfev < 3000
            assert result.message == "the algorithm has converged"
        else:
            assert result.nfev == 3000


@pytest.mark.parametrize("representation", ["linear", "native"])
@pytest.mark.parametrize("preset", [None, "paper"])
def test_a_pyramid_that_grows(preset, representation):
    """More room on the way does not change the run."""
    problem = Sudoku.instance("small-dimension-8-a")
    settings = {"preset": preset, "budget": 6000 if JIT else 120, "seed": 4}
    settings["representation"] = representation
    result = minimize(problem, algorithm="p3", **settings)
    small = replace(
        p3.ALGORITHM, name="p3-small", memory=lambda layout, _: p3.new_memory(layout, 1, 2)
    )
    try:
        other = minimize(problem, algorithm=register(small).name, **settings)
    finally:
        registered.remove("p3-small")
    assert (result.fun, result.nfev, result.nit) == (other.fun, other.nfev, other.nit)
    assert result.trace.evaluations.tolist() == other.trace.evaluations.tolist()
    assert result.x == other.x


class Unmeant(NamedTuple):
    patience: int = 3


class Texts(NamedTuple):
    patience: Annotated[str, ParameterInfo("a text")] = "long"


class Undecided(NamedTuple):
    patience: Annotated[int, ParameterInfo("without a default")]


@pytest.mark.parametrize("parameters", [Unmeant, Texts, Undecided])
def test_parameters_that_say_too_little(parameters):
    faulty = replace(algorithm("rls"), name="faulty", parameters=parameters)
    with pytest.raises(TypeError, match="faulty: expected patience: Annotated"):
        register(faulty)
    assert "faulty" not in registered


def test_the_older_name_of_the_population_is_accepted_and_that_of_keys():
    """Runs in stores were recorded as `mu`: their keys stay the same."""
    ga = algorithm("ga")
    assert ga.resolve(None, {"mu": 7}) == ga.resolve(None, {"population": 7})
    recorded = ga.to_key(ga.resolve(None, {"population": 7}))
    assert recorded["mu"] == 7
    assert "population" not in recorded
    assert ga.from_key(recorded).population == 7
