"""Ask and tell: the same points as minimize, and values of any point at any time."""

import gc
import math
import pickle
import random
import threading

import pytest

from catcube import Optimizer, Space, minimize
from tests.search.problem_examples import TEAM_SPACE, affinity

SPACE = Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})


def cost(point):
    return abs(point["digit"] - 7) + (point["base"] != "G") + point["flag"]


def drive(optimizer, function, count=None):
    asked = []
    while not optimizer.done:
        points = optimizer.ask(count)
        assert points
        asked += points
        optimizer.tell(points, [function(point) for point in points])
    return asked


@pytest.mark.parametrize(
    "arguments",
    [
        {"budget": 30},
        {"budget": 60, "algorithm": "ga"},
        {"budget": 60, "algorithm": "rls"},
        {"budget": 60, "algorithm": "ltga", "target": 1},
        {"budget": 100},  # all points
        {"budget": 40, "noisy": True},
    ],
)
def test_the_points_are_those_of_minimize(arguments):
    def measured(point):
        return cost(point) + (draw.gauss(0, 1) if "noisy" in arguments else 0)

    seen, draw = [], random.Random(1)
    result = minimize(
        lambda point: seen.append(point) or measured(point), SPACE, seed=3, **arguments
    )
    optimizer, draw = Optimizer(SPACE, seed=3, **arguments), random.Random(1)
    assert drive(optimizer, measured)[: len(seen)] == seen
    assert optimizer.result == result
    assert optimizer.best == (result.x, result.fun)


def test_without_a_budget_the_model_orders_the_points_of_a_small_space():
    space = {f"level {i}": range(6) for i in range(4)}

    def distance(point):
        return sum(abs(level - 3) for level in point.values())

    optimizer = Optimizer(space, seed=1)
    found = []
    while 0 not in found:
        (point,) = optimizer.ask(1)
        found.append(distance(point))
        optimizer.tell([point], [found[-1]])
    assert len(found) < 60  # of 1,296 points
    assert "a model proposes first" in optimizer.result.choice
    asked = drive(Optimizer(SPACE, seed=3), cost)
    assert len(asked) == 72 == len({tuple(point.values()) for point in asked})


def test_several_points_at_once():
    optimizer = Optimizer(TEAM_SPACE, budget=30, seed=1)
    points = optimizer.ask(4)
    assert len({tuple(point.values()) for point in points}) == 4
    assert optimizer.pending == points
    more = optimizer.ask(2)
    assert len(more) == 2
    assert optimizer.ask(again=True) == points + more
    optimizer.tell(more, map(affinity, more))
    optimizer.tell(points, map(affinity, points))
    assert optimizer.result.ending == "running"
    drive(optimizer, affinity, 4)
    assert optimizer.result.evaluations == 30
    assert optimizer.result.ending == "budget"


def test_values_of_any_point_at_any_time():
    known = {name: k % 3 for k, name in enumerate(TEAM_SPACE.names)}
    optimizer = Optimizer(TEAM_SPACE, budget=20, seed=1)
    optimizer.tell([known], [-1000])
    points = optimizer.ask(2)
    optimizer.tell([{**known, "p0": 1}], [-2000])
    optimizer.tell(points, [1, math.nan])
    drive(optimizer, affinity)
    assert optimizer.best == ({**known, "p0": 1}, -2000)
    assert optimizer.result.fun == -2000
    assert optimizer.result.failed == 1
    assert optimizer.result.evaluations == 20


def test_maximize():
    optimizer = Optimizer(SPACE, maximize=True, target=-0.5, budget=72, seed=1)
    drive(optimizer, lambda point: -cost(point))
    assert optimizer.result.fun == optimizer.best.fun == 0
    assert optimizer.result.direction == "maximize"
    assert optimizer.result.ending == "target"


def test_what_cannot_be_told():
    with Optimizer(SPACE, budget=30, seed=1) as optimizer:
        points = optimizer.ask()
        with pytest.raises(ValueError, match="each of 1 points"):
            optimizer.tell(points, [])
        with pytest.raises(TypeError, match="number"):
            optimizer.tell(points, ["x"])
        with pytest.raises(TypeError, match="list"):
            optimizer.tell(points[0], [1])
        with pytest.raises(ValueError, match="'Z'"):
            optimizer.tell([{**points[0], "base": "Z"}], [1])
        with pytest.raises(TypeError, match="study"):
            pickle.dumps(optimizer)
    assert optimizer.done
    with pytest.raises(RuntimeError, match="closed"):
        optimizer.tell(points, [1])
    assert optimizer.result.ending == "closed"


def test_a_deleted_optimizer_ends_its_thread():
    before = threading.active_count()
    optimizer = Optimizer(SPACE, algorithm="rls", seed=1)
    optimizer.ask()
    assert threading.active_count() == before + 1
    thread = optimizer._search.thread
    del optimizer
    gc.collect()
    thread.join(5)
    assert not thread.is_alive()
