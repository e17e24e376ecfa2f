"""Parameters: their ranges, and settings at which a branch of an algorithm begins."""

from dataclasses import FrozenInstanceError

import pytest

from catcube import minimize
from catcube.algorithms import algorithm, names
from catcube.algorithms.algorithm import ParameterInfo
from catcube.problems import Match
from catcube.representations.layout import representations_of
from tests.naive import search as naive

# What each parameter must be, in the words that users read.
RANGES = {
    "rls": {"patience": ">= 1"},
    "hc": {},
    "sa": {
        "beta_ratio": ">= 1",
        "trials": ">= 1",
        "initial_acceptance": "> 0 and < 1",
        "transitions": ">= 1",
        "keep_trying": "",
        "over_budget": "",
        "hot": "> 0 and < 1",
        "cold": "> 0 and < 1",
        "quench": ">= 0 and <= 1",
        "exchange": "",
    },
    "ea-1p1": {"mutation": "> 0 and <= 16"},
    "ea-10p1": {
        "population": ">= 1",
        "offspring": ">= 1",
        "replace_first": "",
        "mutation": "> 0 and <= 16",
    },
    "ga": {
        "population": ">= 1",
        "tournament": ">= 0",
        "crossover": ">= 0 and <= 1",
        "by_variable": "",
        "mutation": "> 0 and <= 16",
    },
    "pbil": {
        "population": ">= 1",
        "selection": ">= 1",
        "rate": "> 0 and <= 1",
        "margin": ">= 0",
    },
    "mimic": {"population": ">= 1", "selection": ">= 1", "margin": ">= 0"},
    "umda": {"population": ">= 1", "selection": ">= 1", "margin": ">= 0"},
    "ltga": {"population": ">= 1"},
    "p3": {"hill_climber": ""},
}


@pytest.mark.parametrize("name", names())
def test_the_ranges_are_these(name):
    described = {parameter.name: parameter.info.range for parameter in algorithm(name).described()}
    assert described == RANGES[name]


def test_a_refusal_says_the_range():
    with pytest.raises(ValueError, match=r"^ea-10p1: population: expected a value >= 1, got 0$"):
        algorithm("ea-10p1").resolve(None, {"population": 0})
    with pytest.raises(ValueError, match=r"^pbil: rate: expected a value > 0 and <= 1, got 0$"):
        algorithm("pbil").resolve(None, {"rate": 0})


def test_the_older_name_of_the_population_is_accepted_and_that_of_keys():
    """Runs in stores were recorded as `mu`: their keys stay the same."""
    ga = algorithm("ga")
    assert ga.resolve(None, {"mu": 7}) == ga.resolve(None, {"population": 7})
    recorded = ga.recorded(ga.resolve(None, {"population": 7}))
    assert recorded["mu"] == 7
    assert "population" not in recorded
    assert ga.recalled(recorded).population == 7


def test_an_algorithm_and_a_meaning_cannot_be_changed():
    shipped = algorithm("rls")
    assert [parameter.name for parameter in shipped.described()] == ["patience"]
    with pytest.raises(FrozenInstanceError):
        shipped.name = "other"
    with pytest.raises(FrozenInstanceError):
        ParameterInfo("text").low = 1


# Settings at which a branch begins, beside those of test_twins.py.
CORNERS = [
    ("ga", {"population": 2, "tournament": 3, "crossover": 0.5}),
    ("ga", {"population": 3, "tournament": 1, "crossover": 0.5, "by_variable": True}),
]


@pytest.mark.parametrize(("name", "settings"), CORNERS, ids=lambda value: str(value))
def test_the_same_run_as_the_twin(name, settings):
    problem = Match(30, 6, seed=4)
    hidden = problem.integers.tolist()

    def value(categories):
        return sum(category != other for category, other in zip(categories, hidden, strict=True))

    representations = representations_of(problem.space, "linear")
    parameters = algorithm(name).resolve(None, settings)
    twin = naive.run(name, value, representations, parameters, 120, 5)
    result = minimize(problem, algorithm=name, budget=120, seed=5, **settings)
    assert list(zip(*(part.tolist() for part in result.trace), strict=True)) == twin.trace
    assert result.bits.tolist() == twin.best_bits
    assert result.nfev == len(twin.values) == 120
