"""Constraints and conditions: only feasible points are evaluated, equal points once."""

import math
from itertools import pairwise

import numpy as np
import pytest

from catcube import CatcubeError, Optimizer, Space, Study, forbid, maximize, minimize
from tests.search.problem_examples import TEAM_SPACE, affinity, unbalanced

ITEMS = Space.repeat("item", [0, 1], 60)
PIPELINE = Space(
    {"model": ["svm", "knn", "tree"], "C": range(9), "k": range(9), "kernel": ["rbf", "poly"]}
    | {"degree": range(5)},
    only_if={
        "C": {"model": "svm"},
        "k": {"model": ["knn", "tree"]},
        "kernel": {"model": "svm"},
        "degree": {"kernel": "poly"},
    },
)


def weight(point):
    return sum(k % 7 * taken for k, taken in enumerate(point.values()))


@pytest.mark.parametrize("algorithm", ["auto", "sa", "rls", "ga", "ltga", "p3", "hc", "umda"])
def test_only_feasible_points_are_evaluated(algorithm):
    seen = []
    result = minimize(
        lambda point: seen.append(point) or affinity(point),
        TEAM_SPACE,
        constraints=unbalanced,
        algorithm=algorithm,
        budget=60,
        seed=1,
    )
    assert not any(map(unbalanced, seen))
    assert result.evaluations == len(seen) == 60
    assert (result.violation, result.success) == (0, True)


def test_an_algorithm_without_a_feasible_move_soon_restarts():
    checks = []
    result = minimize(
        affinity,
        TEAM_SPACE,
        constraints=lambda point: checks.append(point) or unbalanced(point),
        algorithm="rls",
        budget=20,
        seed=1,
    )
    assert result.evaluations == 20
    assert result.iterations < 20 * 2_000
    assert len(checks) < 10_000


def test_teams_by_the_model_and_by_exchanges():
    model = minimize(affinity, TEAM_SPACE, constraints=[unbalanced], budget=120, seed=1)
    annealed = minimize(
        affinity, TEAM_SPACE, constraints=[unbalanced], algorithm="sa", budget=2000, seed=1
    )
    first = model.history.values[:10].min()
    assert model.fun < first
    assert annealed.fun < first


def test_the_model_uses_the_budget_where_few_moves_are_feasible():
    """28 shifts, seven of each of four people, nobody twice in a row."""

    def violation(point):
        shifts = list(point.values())
        apart = sum(a == b for a, b in pairwise(shifts))
        return apart + sum(abs(shifts.count(person) - 7) for person in range(4))

    def cost(point):
        return sum((k * person) % 5 for k, person in enumerate(point.values()))

    space = Space.repeat("shift", range(4), 28)
    result = minimize(cost, space, constraints=violation, budget=200, seed=1)
    assert (result.evaluations, violation(result.x)) == (200, 0)


@pytest.mark.parametrize("algorithm", ["auto", "sa"])
def test_sums_of_rows_and_columns_of_a_table(algorithm):
    """No change or exchange of two variables is feasible: six people, two of four days each."""
    space = Space.repeat("works", [0, 1], 24)
    seen = []

    def table(point):
        return np.reshape(list(point.values()), (6, 4))

    def violation(point):
        return abs(table(point).sum(0) - 3).sum() + abs(table(point).sum(1) - 2).sum()

    def cost(point):
        seen.append(tuple(point.values()))
        return float((table(point) * np.arange(24).reshape(6, 4) % 7).sum())

    options = {"constraints": violation, "algorithm": algorithm, "budget": 30, "seed": 1}
    result = minimize(cost, space, **options)
    assert len(set(seen)) == len(seen) == result.evaluations == 30
    assert (violation(result.x), result.ending) == (0, "budget")
    assert result.fun < result.history.values[0]


@pytest.mark.parametrize("exact", [lambda p: sum(p.values()) == 10, lambda p: sum(p.values()) - 10])
def test_ten_of_sixty_items(exact):
    result = maximize(weight, ITEMS, constraints=exact, budget=60, seed=1)
    assert result.success
    assert sum(result.x.values()) <= 10
    assert result.fun == weight(result.x)


def test_no_feasible_point():
    calls = []
    result = minimize(calls.append, TEAM_SPACE, constraints=lambda point: 2.5, budget=50, seed=1)
    assert not calls
    assert (result.success, result.violation, result.calls) == (False, 2.5, 0)
    assert math.isnan(result.fun)
    assert list(result.x) == list(TEAM_SPACE.names)
    with Optimizer(TEAM_SPACE, constraints=lambda point: False, seed=1) as optimizer:
        assert optimizer.ask() == []
        assert optimizer.done
        assert optimizer.result.violation == 1


def test_a_constraint_that_fails_or_is_not_a_number():
    for wrong, error in ((lambda p: 1 / 0, ZeroDivisionError), (lambda p: "many", TypeError)):
        with pytest.raises(error) as raised:
            minimize(affinity, TEAM_SPACE, constraints=wrong, budget=5, seed=1)
        assert "p0" in raised.value.__notes__[0]
    result = minimize(affinity, TEAM_SPACE, constraints=lambda p: math.nan, budget=5, seed=1)
    assert (result.success, result.violation) == (False, math.inf)


def test_forbidden_combinations():
    space = Space({"base": "ATCG", "flag": [True, False], "digit": range(9)})
    result = minimize(
        lambda point: point["digit"] + 5 * (point["base"] != "G") + point["flag"],
        space,
        constraints=forbid(base="G", flag=False),
        seed=1,
    )
    assert result.x == {"base": "G", "flag": True, "digit": 0}
    for wrong in (forbid(bass="G"), forbid(base="X"), forbid(digit="0")):
        with pytest.raises(ValueError, match=r"bass|X|0"):
            minimize(len, space, constraints=wrong, budget=5)
    for kind in ("no function", [3], 7):
        with pytest.raises(CatcubeError, match="constraints"):
            minimize(len, space, constraints=kind, budget=5)


def test_an_optimizer_asks_for_feasible_points():
    optimizer = Optimizer(TEAM_SPACE, constraints=unbalanced, budget=40, seed=1)
    while not optimizer.done:
        points = optimizer.ask(3)
        assert not any(map(unbalanced, points))
        optimizer.tell(points, map(affinity, points))
    assert optimizer.result.evaluations == 40


@pytest.mark.parametrize("algorithm", ["auto", "sa", "rls", "ga"])
def test_known_values_of_infeasible_points_are_not_used(algorithm, tmp_path):
    everybody = dict.fromkeys(TEAM_SPACE, 0)
    study = Study(tmp_path / "study.sqlite", TEAM_SPACE)
    study.add([everybody], [-1e9])
    arguments = {"constraints": unbalanced, "study": study.path, "algorithm": algorithm, "seed": 1}
    result = minimize(affinity, TEAM_SPACE, budget=30, **arguments)
    assert (unbalanced(result.x), result.fun) == (0, affinity(result.x))
    with Optimizer(TEAM_SPACE, budget=60, **arguments) as optimizer:
        assert optimizer.best == (result.x, result.fun)
        optimizer.tell([{**everybody, "p0": 1}], [-1e8])
        assert (
            optimizer.best == (optimizer.result.x, optimizer.result.fun) == (result.x, result.fun)
        )


@pytest.mark.parametrize("algorithm", ["auto", "rls", "ga"])
def test_points_that_differ_in_inactive_variables_are_one(algorithm):
    seen = []

    def score(point):
        seen.append(tuple(point.items()))
        assert ("C" in point) == (point["model"] == "svm")
        assert ("degree" in point) == (point.get("kernel") == "poly")
        return sum(value for value in point.values() if isinstance(value, int))

    result = minimize(score, PIPELINE, algorithm=algorithm, budget=40, seed=1)
    assert len(seen) == len(set(seen)) == len(result.history) == result.calls
    assert PIPELINE.decode(PIPELINE.encode(result.x)) == result.x


def test_all_points_of_a_space_with_conditions():
    seen = []
    result = minimize(lambda point: seen.append(point) or len(point), PIPELINE, seed=1)
    assert len(seen) == PIPELINE.size == 9 + 9 + 9 + 9 * 5
    assert result.ending == "enumerated"
