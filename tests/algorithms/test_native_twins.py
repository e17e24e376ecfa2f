"""Every algorithm on categories against its slow twin: the same evaluations in the same order.

The twins (`tests/naive`) share the definition of the random stream with the kernels and
nothing else: they evaluate every point from scratch, on lists of categories.
"""

import pytest

from catcube import minimize
from catcube.algorithms import algorithm
from catcube.problems import Match, make
from tests.algorithms.test_twins import (
    BUDGET,
    CASES,
    PROBLEMS,
    agree_on_values,
    called_every_time,
    case_id,
    flat,
    match,
    recorded,
    resolved,
    steep,
)
from tests.naive import categories as naive
from tests.naive.search import ALGORITHMS

NATIVE = [name for name in ALGORITHMS if algorithm(name).native]
EXCHANGES = [{"exchange": True}, {"exchange": True, "cold": 0.01, "quench": 0.3}]
NATIVE_CASES = [(name, settings) for name, settings in CASES if name in NATIVE]
NATIVE_CASES += [
    ("sa", settings) for settings in [*EXCHANGES, {"exchange": True, "preset": "paper"}]
]
every_case = pytest.mark.parametrize(
    ("name", "settings"), NATIVE_CASES, ids=[case_id(*case) for case in NATIVE_CASES]
)


def equal():
    problem = Match(6, 5, seed=3)
    hidden = tuple(problem.integers.tolist())
    return problem, lambda categories: sum(
        abs(category - other) for category, other in zip(categories, hidden, strict=True)
    )


def agree(result, twin):
    agree_on_values(result, twin)
    best = next(
        point
        for point, value in zip(twin.points, twin.values, strict=True)
        if value == twin.best_value
    )
    assert tuple(result.x.values()) == best


def followed(name, space, function, seed, budget, settings, target=None):
    """The twin of a run, after comparing each of its evaluations."""
    cardinalities = [len(labels) for labels in space.values()]
    parameters = resolved(name, **settings)
    twin = naive.run(name, function, cardinalities, parameters, budget, seed, target)
    objective, calls = recorded(function)
    digits = {variable: range(size) for variable, size in zip(space, cardinalities, strict=True)}
    result = called_every_time(
        objective,
        digits,
        algorithm=name,
        representation="native",
        budget=budget,
        seed=seed,
        target=target,
        **settings,
    )
    assert calls == list(zip(twin.points, twin.values, strict=True))
    agree(result, twin)
    return twin


@pytest.mark.parametrize("problem", [*PROBLEMS, "equal"])
@every_case
def test_the_same_evaluations(name, problem, settings):
    shipped, function = equal() if problem == "equal" else PROBLEMS[problem]()
    twin = followed(name, shipped.space, function, 1000, BUDGET, settings)
    if problem == "equal":
        return
    # The shipped problem, evaluated change by change in compiled code.
    result = minimize(
        shipped, algorithm=name, representation="native", budget=BUDGET, seed=1000, **settings
    )
    agree_on_values(result, twin)
    assert shipped.evaluate(result.x) == twin.best_value


@pytest.mark.compiled
@pytest.mark.parametrize("problem", [flat, steep])
@every_case
def test_flat_and_infinite(name, settings, problem):
    shipped, function = problem()
    for seed, budget in [(1, 2 * BUDGET), (2, 1), (3, 2), (4, 3), (5, 24)]:
        twin = followed(name, shipped.space, function, seed, budget, settings)
        assert len(twin.values) <= budget


@pytest.mark.parametrize("name", NATIVE)
def test_a_target_ends_the_run(name):
    problem, function = match()
    for target in (5, 3, 0):
        twin = followed(name, problem.space, function, 7, 10**4, {}, target)
        assert twin.best_value <= target


@pytest.mark.parametrize("name", NATIVE)
def test_one_variable_and_none(name):
    for sizes in ([1, 1], [2], [7], [1, 2, 1]):
        space = {f"v{k}": range(size) for k, size in enumerate(sizes)}
        followed(name, space, lambda categories: sum(categories) - 0.5, 1, 60, {})


def test_exchanges_pay_where_single_changes_violate_a_constraint():
    """Quadratic assignment with a penalty: each location is used once."""
    problem = make("qap:nug12")
    settings = {"algorithm": "sa", "representation": "native", "budget": 4000}
    single, exchanged = (
        [minimize(problem, seed=seed, exchange=wanted, **settings).fun for seed in range(5)]
        for wanted in (False, True)
    )
    assert max(exchanged) < min(single)
