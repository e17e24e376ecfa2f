"""Points of an Optimizer that await their values: asked for again, given up, told by threads."""

import threading
from zlib import crc32

import pytest

from catcube import Optimizer
from tests.problems.python.slow_functions import cost
from tests.search.asked import SPACE, same, seen_by_minimize

RLS = {"algorithm": "rls", "budget": 60, "seed": 5}
GA = {"algorithm": "ga", "budget": 60, "seed": 5, "mu": 8}


def test_points_that_were_lost_are_asked_for_again():
    plain, result = seen_by_minimize(**RLS)
    optimizer = Optimizer(SPACE, **RLS)
    attempts = {}
    while not optimizer.done:
        for point in optimizer.ask():
            key = len(optimizer._past), str(point)
            attempts[key] = attempts.get(key, 0) + 1
            if attempts[key] == 2 or crc32(str(point).encode()) % 3:  # a third fail at first
                optimizer.tell([point], [cost(point)])
    assert same(optimizer.result, result)
    assert len(attempts) == len(plain)


def test_pending_points_can_be_asked_for_again_at_once():
    optimizer = Optimizer(SPACE, algorithm="ga", mu=4, seed=1)
    points = optimizer.ask()
    assert optimizer.pending == points
    assert optimizer.ask(2, again=True) == points[:2]
    optimizer.tell(points[:1], [1])
    optimizer.tell(points[:1], [1])  # it was handed out twice
    with pytest.raises(ValueError, match="expected a point that was asked for"):
        optimizer.tell([*points[3:], points[3]], [1, 2])
    assert optimizer.pending == points[1:]


def test_a_thread_is_not_handed_the_points_of_another():
    optimizer = Optimizer(SPACE, algorithm="rls", seed=1)
    optimizer.ask()
    seen = []
    thread = threading.Thread(target=lambda: seen.extend(optimizer.ask() for _ in range(3)))
    thread.start()
    thread.join()
    assert seen == [[], [], []]


def test_points_that_are_given_up(tmp_path):
    optimizer = Optimizer(SPACE, algorithm="ga", mu=5, budget=40, seed=1)
    with pytest.raises(RuntimeError, match="expected points that were asked for"):
        optimizer.give_up([{"base": "A", "digit": 1, "flag": True}])
    given_up = 0
    while not optimizer.done:
        for point in optimizer.ask():
            if point["flag"]:
                optimizer.give_up([point])
                given_up += 1
            else:
                optimizer.tell([point], [cost(point)])
        optimizer.save(tmp_path / "search.json")
        optimizer = Optimizer.load(tmp_path / "search.json")
    assert optimizer.result.failed == given_up > 0
    assert optimizer.result.x["flag"] is False
    assert optimizer.best.fun == optimizer.result.fun
    with pytest.raises(TypeError, match="expected a list of points"):
        optimizer.give_up({"base": "A"})


def test_values_from_many_threads():
    _, result = seen_by_minimize(**GA)
    optimizer = Optimizer(SPACE, **GA)

    def work():
        while not optimizer.done:
            for point in optimizer.ask(1):
                optimizer.tell([point], [cost(point)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert same(optimizer.result, result)
