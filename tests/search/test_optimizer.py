"""Optimizer: the same search as minimize's, asked for points and told their values."""

import gc
import math
import subprocess
import sys
import time
import weakref

import pytest

from catcube import Optimizer, Space, representation
from catcube.algorithms import names
from catcube.problems.python.cache import ValueCache
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE, drive, same, seen_by_minimize

# Small populations, so that every algorithm has some generations.
SMALL = {
    "ga": {"mu": 8},
    "pbil": {"population": 8, "selection": 3},
    "umda": {"population": 8, "selection": 3},
    "mimic": {"population": 8, "selection": 3},
    "ltga": {"population": 8},
}
FAMILIES = ("linear", "gray", "unary", "direct")
PAIRS = [(name, FAMILIES[k % len(FAMILIES)]) for k, name in enumerate(names())]


def arguments(name, **others):
    return {"algorithm": name, "budget": 60, "seed": 5, **SMALL.get(name, {}), **others}


@pytest.mark.parametrize(("name", "family"), PAIRS)
def test_the_points_are_those_of_minimize(name, family):
    points, result = seen_by_minimize(**arguments(name, representation=family))
    for ask, order in (
        (None, lambda points: points),
        (None, lambda points: points[::-1]),
        (1, list),
        (3, list),
    ):
        with Optimizer(SPACE, **arguments(name, representation=family)) as optimizer:
            assert drive(optimizer, ask, order) == points
            assert same(optimizer.result, result)
            assert optimizer.best == (result.x, result.fun)
            assert optimizer.result.calls == result.calls == len(points)


@pytest.mark.parametrize("name", names())
def test_restarts_and_targets(name):
    restarting = arguments(name, restart=13)
    points, result = seen_by_minimize(**restarting)
    optimizer = Optimizer(SPACE, **restarting)
    assert drive(optimizer) == points
    assert same(optimizer.result, result)
    aiming = arguments(name, target=4)
    points, result = seen_by_minimize(**aiming)
    optimizer = Optimizer(SPACE, **aiming)
    assert drive(optimizer)[: len(points)] == points  # the rest of the generation was asked for
    assert same(optimizer.result, result)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("ga", [8, 8, 8]),
        ("pbil", [1, 8, 8]),
        ("umda", [1, 8, 8]),
        ("mimic", [1, 8, 8]),
        ("ltga", [8, 1, 1]),
        ("hc", [1, 19, 19]),
        ("rls", [1, 1, 1]),
        ("p3", [1, 1, 1]),
    ],
)
def test_a_generation_is_asked_at_once(name, sizes):
    optimizer = Optimizer(SPACE, **arguments(name))
    for size in sizes:
        points = optimizer.ask()
        assert len(points) == size
        assert optimizer.ask() == []  # values are missing
        assert not optimizer.done
        optimizer.tell(points, map(cost, points))


def test_a_generation_ends_with_the_budget():
    optimizer = Optimizer(SPACE, algorithm="ga", mu=8, budget=11, seed=1)
    assert [len(drive(optimizer)), optimizer.result.nfev] == [11, 11]
    assert optimizer.ask() == []


def test_values_are_accepted_one_by_one_in_any_order():
    points, result = seen_by_minimize(**arguments("ga"))
    optimizer = Optimizer(SPACE, **arguments("ga"))
    seen = []
    while not optimizer.done:
        some = [*optimizer.ask(3), *optimizer.ask(2)]
        rest = optimizer.ask()
        seen += some + rest
        for point in (*reversed(rest), *some[1::2], *some[::2]):
            assert point in optimizer.pending
            optimizer.tell([point], [cost(point)])
    assert seen == points
    assert same(optimizer.result, result)


def test_representations_of_every_kind():
    by_variable = {"base": "gray", "digit": representation("compact", 9), "flag": "direct"}
    points, _ = seen_by_minimize(**arguments("ga", representation=by_variable))
    assert drive(Optimizer(dict(SPACE), **arguments("ga", representation=by_variable))) == points


def test_the_best_is_that_of_all_points_with_a_value():
    optimizer = Optimizer(SPACE, algorithm="ga", mu=4, seed=1, target=-1)
    assert optimizer.best is None
    points = optimizer.ask()
    optimizer.tell([points[2]], [5])
    assert optimizer.best == (points[2], 5.0)
    optimizer.tell([points[1]], [5])  # an equal one that the search comes to first
    assert optimizer.best.x == points[1]
    optimizer.tell([points[3]], [9])
    assert optimizer.best == (points[1], 5.0)
    optimizer.tell([points[0]], [-2])
    assert optimizer.done
    assert optimizer.result.message == "the target was reached"
    assert optimizer.result.nfev == 1  # as in sequence: it was the first
    assert optimizer.best == (points[0], -2.0)


def test_values_after_the_end_count_for_the_best_alone():
    optimizer = Optimizer(SPACE, algorithm="ga", mu=4, seed=1, target=0)
    points = optimizer.ask()
    optimizer.tell([points[0]], [0])
    assert optimizer.done
    assert optimizer.ask() == []
    optimizer.tell([points[3]], [-7])
    assert (optimizer.best.fun, optimizer.result.fun) == (-7.0, 0.0)
    with pytest.raises(ValueError, match="expected a point that was asked for"):
        optimizer.tell([points[0]], [0])


def test_a_point_that_is_known_before():
    points, result = seen_by_minimize(**arguments("rls"))
    known = points[7]
    optimizer = Optimizer(SPACE, **arguments("rls"))
    optimizer.tell([known], [cost(known)])
    assert optimizer.best == (known, cost(known))
    assert drive(optimizer) == [point for point in points if point != known]
    assert same(optimizer.result, result)
    assert optimizer.result.calls == sum(point != known for point in points)


def test_all_points_known_before():
    space = Space({"flag": [True, False], "other": "ab"})
    optimizer = Optimizer(space, algorithm="ga", mu=4, budget=20, seed=1)
    everything = [{"flag": flag, "other": other} for flag in (True, False) for other in "ab"]
    optimizer.tell(everything, range(4))
    assert optimizer.ask() == []
    assert optimizer.done
    assert (optimizer.result.nfev, optimizer.result.calls, optimizer.result.fun) == (20, 0, 0.0)


@pytest.mark.parametrize("name", ["ga", "rls", "p3", "hc"])
def test_with_a_cache_no_point_is_asked_twice(name):
    points, result = seen_by_minimize(**arguments(name, budget=150))
    optimizer = Optimizer(SPACE, **arguments(name, budget=150, cache=True))
    asked = drive(optimizer)
    distinct = list({tuple(point.values()): point for point in points}.values())
    assert asked == distinct
    assert same(optimizer.result, result)
    assert optimizer.result.calls == len(distinct) < optimizer.result.nfev == 150


def test_what_is_remembered():
    values = ValueCache(3)
    for k in range(100):
        values.put(b"%d" % k, float(k))
        assert values.get(b"0") == 0.0  # what is looked for stays
    assert [values.get(b"%d" % k) for k in (50, 98, 99)] == [None, 98.0, 99.0]
    assert len(values._young) + len(values._old) <= 6
    values = ValueCache(0)
    values.put(b"a", 1.0)
    assert values.get(b"a") is None
    values.known[b"b"] = 2.0
    assert values.get(b"b") == 2.0


def telling(points, values):
    def act(optimizer):
        optimizer.tell(points(optimizer.ask()), values)

    return act


@pytest.mark.parametrize(
    ("act", "error", "sentence"),
    [
        (
            telling(lambda points: [{"base": "A", "digit": 0, "flag": True}], [1]),
            ValueError,
            "label of variable 'digit'",
        ),
        (
            telling(lambda points: [{"base": "A"}], [1]),
            ValueError,
            "a label for variable 'digit'",
        ),
        (telling(lambda points: points, [1]), ValueError, "each of 4 points, got 1"),
        (telling(lambda points: points[0], 1), TypeError, "a list of points and a list of their"),
        (telling(lambda points: points, 1), TypeError, "a list of points and a list of their"),
        (telling(lambda points: points, [1, 2, 3, math.nan]), ValueError, "got NaN at"),
        (
            telling(lambda points: points, [1, 2, 3, "4"]),
            TypeError,
            "expected a number as the value, got '4'",
        ),
        (
            telling(lambda points: points[:1] * 2, [1, 1]),
            ValueError,
            "expected a point that was asked for",
        ),
        (lambda optimizer: optimizer.ask(0), ValueError, "as number of points"),
        (lambda optimizer: optimizer.result, RuntimeError, "no result yet"),
    ],
)
def test_mistakes_change_nothing(act, error, sentence):
    optimizer = Optimizer(SPACE, algorithm="ga", mu=4, budget=10, seed=2)
    with pytest.raises(error, match=sentence):
        act(optimizer)
    assert optimizer.best is None
    again = Optimizer(SPACE, algorithm="ga", mu=4, budget=10, seed=2)
    points = again.ask()
    optimizer.ask()
    optimizer.tell(points, range(4))
    again.tell(points, range(4))
    assert optimizer.ask() == again.ask()


def test_points_that_await_no_value():
    optimizer = Optimizer(SPACE, algorithm="rls", seed=1)
    points = optimizer.ask()
    optimizer.tell(points, [1])
    with pytest.raises(ValueError, match="expected a point that was asked for"):
        optimizer.tell(points, [1])
    other = {**optimizer.ask()[0], "base": "A"}
    other["digit"] = other["digit"] % 9 + 1
    with pytest.raises(ValueError, match=r"expected a point that was asked for.*'digit'"):
        optimizer.tell([other], [1])


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"algorithm": "gaa"}, ValueError),
        ({"budget": 0}, ValueError),
        ({"seed": -1}, ValueError),
        ({"cache": "yes"}, ValueError),
        ({"cache": -1}, ValueError),
        ({"mu": 3}, TypeError),
    ],
)
def test_arguments_are_checked_at_once(wrong, error):
    with pytest.raises(error):
        Optimizer(SPACE, **wrong)


def test_infinite_values():
    optimizer = Optimizer(SPACE, algorithm="ga", mu=4, budget=8, seed=1)
    optimizer.tell(optimizer.ask(), [math.inf, -math.inf, math.inf, 3])
    assert optimizer.best.fun == -math.inf


def test_closing():
    with Optimizer(SPACE, algorithm="ga", mu=4, seed=1) as optimizer:
        points = optimizer.ask()
        optimizer.tell(points[:2], [3, 4])
        thread = optimizer._search.thread
    thread.join(10)
    assert not thread.is_alive()
    assert optimizer.done
    assert optimizer.ask() == []
    assert (optimizer.result.message, optimizer.result.nfev) == ("the optimizer was closed", 2)
    assert optimizer.best.fun == optimizer.result.fun == 3.0
    optimizer.close()
    with pytest.raises(RuntimeError, match="is closed"):
        optimizer.tell(points[2:3], [1])
    idle = Optimizer(SPACE, seed=1)
    idle.close()
    assert idle.done
    assert idle.ask() == []
    with pytest.raises(RuntimeError, match="no result: the optimizer was closed before the first"):
        _ = idle.result


def test_an_optimizer_nobody_has_ends():
    optimizer = Optimizer(SPACE, algorithm="rls", seed=1)
    optimizer.ask()
    thread, gone = optimizer._search.thread, weakref.ref(optimizer)
    del optimizer
    gc.collect()
    assert gone() is None
    thread.join(10)
    assert not thread.is_alive()


def test_many_at_once():
    optimizers = [Optimizer(SPACE, **arguments(name)) for name in names() * 3]
    while not all(optimizer.done for optimizer in optimizers):
        for optimizer in optimizers:
            points = optimizer.ask()
            optimizer.tell(points, map(cost, points))
    for first, second in zip(optimizers, optimizers[11:], strict=False):
        assert same(first.result, second.result)
    for optimizer in optimizers:
        optimizer._search.thread.join(10)
        assert not optimizer._search.thread.is_alive()


ABANDONED = """
import catcube
optimizers = [catcube.Optimizer({"base": "ATCG"}, algorithm=name, seed=1) for name in ("rls", "ga")]
for optimizer in optimizers:
    optimizer.ask()
print("end", flush=True)
"""


def test_the_interpreter_ends_with_optimizers_left():
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", ABANDONED], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
    assert time.monotonic() - began < 100


def test_what_is_shown():
    optimizer = Optimizer(SPACE, algorithm="rls", seed=3)
    assert repr(optimizer) == "Optimizer('rls', seed=3, 0 values, no best yet)"
    optimizer.tell(optimizer.ask(), [2.5])
    assert repr(optimizer) == "Optimizer('rls', seed=3, 1 values, best 2.5)"
    assert optimizer.seed == 3
