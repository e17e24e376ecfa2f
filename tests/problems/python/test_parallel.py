"""Objectives evaluated side by side give the results of a sequence."""

import os
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from catcube import compiled, minimize
from catcube.algorithms import names
from catcube.problems import Match
from tests.problems.python.slow_functions import Watched, cost, process_number, slow_cost
from tests.search.asked import SMALL, SPACE, same

IN_ROWS = ("ga", "pbil", "umda", "mimic", "ltga", "hc")  # some rows at once
SIDE_BY_SIDE = ("ga", "pbil", "umda", "mimic", "hc")  # all generations


class Backwards(Executor):
    """Does nothing until a result is waited for, and then the last task first."""

    def __init__(self):
        self.tasks = []
        self.most = 0

    def submit(self, function, *arguments):
        future = Lazy(self)
        self.tasks.append((future, function, arguments))
        self.most = max(self.most, len(self.tasks))
        return future

    def work(self, awaited):
        for future, function, arguments in reversed(self.tasks):
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*arguments))
                except Exception as exception:
                    future.set_exception(exception)
        self.tasks.clear()


class Counting(Backwards):
    """Evaluates a point when its value is waited for; counts the points under way then."""

    def __init__(self):
        super().__init__()
        self.under_way = []

    def work(self, awaited):
        self.under_way.append(len(self.tasks))
        task = next(task for task in self.tasks if task[0] is awaited)
        self.tasks.remove(task)
        awaited.set_result(task[1](*task[2]))


class Lazy(Future):
    def __init__(self, executor):
        super().__init__()
        self.executor = executor

    def done(self):
        if not super().done():
            self.executor.work(self)
        return super().done()


@pytest.mark.parametrize("name", SIDE_BY_SIDE)
@pytest.mark.parametrize("ending", [{}, {"target": 1}, {"restart": 13}])
def test_the_result_is_that_of_a_sequence(name, ending):
    arguments = {"algorithm": name, "budget": 60, "seed": 5, **SMALL.get(name, {}), **ending}
    plain = minimize(cost, SPACE, **arguments)
    executor = Backwards()
    result = minimize(cost, SPACE, executor=executor, **arguments)
    assert same(result, plain)
    assert executor.most > 1
    assert not executor.tasks  # nothing is left behind
    if "target" not in ending:
        assert result.calls == plain.calls


@pytest.mark.parametrize("name", SIDE_BY_SIDE)
def test_threads_work_at_the_same_time(name):
    watched = Watched(seconds=0.001)
    arguments = {"algorithm": name, "budget": 40, "seed": 5, **SMALL.get(name, {})}
    with ThreadPoolExecutor(3) as executor:
        result = minimize(watched, SPACE, executor=executor, **arguments)
    assert 2 <= watched.most <= 3
    assert same(result, minimize(cost, SPACE, **arguments))


def test_processes():
    arguments = {"algorithm": "ga", "mu": 20, "budget": 60, "seed": 5}
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        result = minimize(slow_cost, SPACE, executor=executor, **arguments)
        assert same(result, minimize(cost, SPACE, **arguments))
        process = minimize(
            process_number, SPACE, executor=executor, algorithm="rls", budget=2, seed=1
        )
        assert process.fun != os.getpid()
        with pytest.raises(
            TypeError, match=r"the function cannot be sent to other processes .*def"
        ):
            minimize(lambda point: 0, SPACE, executor=executor)
        with pytest.raises(TypeError, match="the labels of the space cannot be sent"):
            minimize(cost, {"lock": [threading.Lock()]}, executor=executor)


class Own(Exception):  # noqa: N818
    pass


@pytest.mark.parametrize("name", SIDE_BY_SIDE)
def test_an_exception_is_that_of_the_first_point_in_order(name):
    calls = []

    def failing(point):
        calls.append(point)
        if point["digit"] == 3:
            raise Own(point)
        return cost(point)

    arguments = {"algorithm": name, "budget": 200, "seed": 5, **SMALL.get(name, {})}
    with pytest.raises(Own) as plain:
        minimize(failing, SPACE, **arguments)
    with pytest.raises(Own) as caught:
        minimize(failing, SPACE, executor=Backwards(), **arguments)
    assert caught.value.args == plain.value.args
    assert same(caught.value.partial_result, plain.value.partial_result)


def test_a_target_leaves_no_work_behind():
    begun = []

    def counted(point):
        begun.append(point)
        time.sleep(0.002)
        return 0.0

    with ThreadPoolExecutor(1) as executor:
        result = minimize(counted, SPACE, algorithm="ga", target=0, executor=executor, seed=1)
    assert result.nfev == 1
    assert result.calls == len(begun) < 100  # the others were cancelled


def test_a_time_limit_ends_a_generation():
    with ThreadPoolExecutor(2) as executor:
        began = time.perf_counter()
        result = minimize(
            lambda point: time.sleep(0.05) or 1.0,
            SPACE,
            algorithm="ga",
            executor=executor,
            time_limit=0.2,
            seed=1,
        )
    assert result.ending == "time"
    assert 1 <= result.nfev < 100
    assert time.perf_counter() - began < 4  # 100 points take 2.5 s


def test_ctrl_c_while_values_are_waited_for():
    arguments = {"algorithm": "ga", "seed": 1}
    minimize(cost, SPACE, budget=1, **arguments)  # compiled before
    over, begun = threading.Event(), threading.Semaphore(0)

    def waiting(point):
        seen.append(point)
        begun.release()
        if len(seen) > 2:
            over.wait(20)
        return float(len(seen))

    def interrupt():
        for _ in range(3):
            begun.acquire()
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    seen = []
    threading.Thread(target=interrupt, daemon=True).start()
    with ThreadPoolExecutor(1) as executor:
        result = minimize(waiting, SPACE, executor=executor, budget=10**6, **arguments)
        over.set()
    assert result.message.startswith("interrupted by the user")
    assert result.fun == 1.0
    assert len(seen) < 10  # the rest was cancelled


def test_a_pool_that_breaks():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(RuntimeError, match="after shutdown") as caught:
        minimize(cost, SPACE, executor=executor, budget=9, seed=1)
    assert caught.value.partial_result.x == {}


def test_what_cannot_be_run_in_an_executor():
    executor = ThreadPoolExecutor(1)
    with pytest.raises(ValueError, match="expected a Python function"):
        minimize(Match(3, 3, seed=1), executor=executor)
    with pytest.raises(ValueError, match="expected a Python function"):
        minimize(compiled(lambda categories: 0.0), SPACE, executor=executor)
    with pytest.raises(ValueError, match="got both"):
        minimize(cost, SPACE, executor=executor, vectorized=True)
    with pytest.raises(TypeError, match=r"expected a concurrent.futures.Executor, got 4"):
        minimize(cost, SPACE, executor=4)


@pytest.mark.parametrize("name", names())
def test_rows_of_a_whole_generation(name):
    shapes = []

    def rows_cost(rows):
        shapes.append(len(rows))
        return np.array([cost(SPACE.decode(row)) for row in rows])

    arguments = {"algorithm": name, "budget": 60, "seed": 5, **SMALL.get(name, {})}
    result = minimize(rows_cost, SPACE, vectorized=True, **arguments)
    assert same(result, minimize(cost, SPACE, **arguments))
    assert sum(shapes) == result.calls <= 60
    assert (max(shapes) > 1) == (name in IN_ROWS)
