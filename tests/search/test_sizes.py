"""Large budgets, many labels, many variables, and little memory."""

import pytest

from catcube import Space, minimize, representation
from catcube.algorithms import names as algorithm_names
from catcube.base import memory
from catcube.problems import Match
from catcube.representations.registry import MOST_CATEGORIES, families


@pytest.mark.parametrize("budget", [1, 10**12, 2**62 - 1, 1e6])
def test_a_budget_takes_no_memory(budget):
    result = minimize(Match(3, 3, seed=1), algorithm="rls", budget=budget, target=3, seed=1)
    assert result.success
    assert result.nfev <= budget


@pytest.mark.parametrize("name", sorted(families))
@pytest.mark.parametrize("N", [1, 2, 255, 257])
def test_many_labels(name, N):
    problem = Match(2, N, seed=1)
    result = minimize(problem, algorithm="rls", representation=name, budget=30, seed=1)
    assert result.fun == problem.evaluate(result.x)
    assert result.bits == 2 * representation(name, N).bits


@pytest.mark.parametrize("N", [MOST_CATEGORIES + 1, 10**9, 10**5000], ids=["a", "b", "c"])
def test_too_many_categories(N):
    for name in ("linear", "direct", "balanced"):
        with pytest.raises(ValueError, match=r"categories|feasible"):
            representation(name, min(N, 5000) if name == "balanced" else N)


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 2**27)


@pytest.mark.parametrize(
    ("algorithm", "population"),
    [("ltga", 500), ("ga", 10**6), ("ga", 10**18), ("mimic", 10**5), ("ea-10p1", 10**6)],
)
def test_algorithms_that_need_more_memory_than_there_is(algorithm, population, little_memory):
    problem, options = Match(4000, 4, seed=1), {"representation": "linear", "budget": 10}
    with pytest.raises(ValueError, match=r"12000 bits .* memory"):
        minimize(problem, algorithm=algorithm, population=population, **options)


def test_spaces_that_need_more_memory_than_there_is(little_memory):
    with pytest.raises(ValueError, match=r"a space of 1000000 variables needs about 0\.5 GB"):
        Space.repeat("x", "ab", 10**6)
    space = Space.repeat("x", range(1024), 4000)
    with pytest.raises(ValueError, match="4092000 bits of 4000 variables needs about"):
        minimize(lambda point: 0, space, algorithm="rls", budget=1, seed=1)
    assert minimize(lambda point: 0, space, algorithm="rls", representation="direct", budget=1)


@pytest.mark.compiled  # it takes many evaluations until the pyramid grows
def test_memory_that_runs_out_in_a_run_does_not_take_the_result(monkeypatch):
    """The pyramid of P3 grows; what was found until then is not lost."""

    def refuse(needed, what):
        if "which must grow" in what:
            raise ValueError(f"{what} needs too much")

    monkeypatch.setattr("catcube.search.run.check_memory", refuse)
    problem = Match(12, 6, seed=1)
    options = {"algorithm": "p3", "hill_climber": False, "representation": "linear"}
    with pytest.raises(ValueError, match="p3, which must grow") as caught:
        minimize(problem, budget=10**7, seed=1, **options)
    partial = caught.value.partial_result
    assert partial.nfev > 100
    assert partial.fun == problem.evaluate(partial.x)


@pytest.mark.long
@pytest.mark.compiled  # a hundred thousand variables
@pytest.mark.parametrize("algorithm", algorithm_names())
def test_a_hundred_thousand_variables(algorithm):
    problem = Match(100_000, 4, seed=1)
    if algorithm in ("ltga", "p3"):  # a number for each pair of bits
        with pytest.raises(ValueError, match=r"on 300000 bits .* memory"):
            minimize(problem, algorithm=algorithm, representation="linear", budget=20, seed=1)
    else:
        result = minimize(problem, algorithm=algorithm, budget=20, seed=1)
        assert result.fun == problem.evaluate(result.x)
        assert result.nfev == 20
