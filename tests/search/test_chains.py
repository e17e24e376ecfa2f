"""Algorithms without generations run as several chains in an executor."""

import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from catcube import minimize
from catcube.algorithms import names
from catcube.search.parallel import ANNOUNCING
from tests.problems.python.slow_functions import Watched, cost, slower_cost
from tests.problems.python.test_parallel import Backwards, Counting
from tests.search.asked import SPACE, same

SMALL = {"ltga": {"population": 8}}
IN_CHAINS = [name for name in names() if name not in ANNOUNCING]


def settings(name, **others):
    return {
        "algorithm": name,
        "representation": "linear",
        "budget": 60,
        "seed": 5,
        **SMALL.get(name, {}),
        **others,
    }


@pytest.mark.parametrize("name", IN_CHAINS)
@pytest.mark.parametrize("ending", [{}, {"target": 1}, {"restart": 13}, {"cache": True}])
def test_the_result_depends_on_seed_and_workers_alone(name, ending):
    arguments = settings(name, **ending)
    first = minimize(cost, SPACE, executor=Backwards(), workers=3, **arguments)
    with ThreadPoolExecutor(3) as executor:
        second = minimize(cost, SPACE, executor=executor, **arguments)
    assert same(first, second)
    if "target" not in ending:  # what has begun when it is reached is finished in vain
        assert first.calls == second.calls
    assert first.fun == cost(first.x)
    if not ending:
        assert first.nfev == first.calls <= 60
        assert first.message in ("the budget is used up", "the algorithm has converged")


def test_a_point_is_waiting_for_the_next_free_worker():
    executor = Counting()
    minimize(cost, SPACE, executor=executor, workers=2, **settings("sa"))
    assert max(executor.under_way) == 3
    assert np.mean(executor.under_way[:57]) > 2.5  # two chains may need the same point


def test_one_worker_has_one_chain():
    executor = Counting()
    minimize(cost, SPACE, executor=executor, workers=1, **settings("sa"))
    assert set(executor.under_way) == {1}


@pytest.mark.parametrize("name", IN_CHAINS)
def test_all_workers_are_busy(name):
    watched = Watched(seconds=0.002)
    with ThreadPoolExecutor(3) as executor:
        minimize(watched, SPACE, executor=executor, **settings(name))
    assert watched.most == 3


def test_history_and_failures():
    def fragile(point):
        if point["digit"] == 7:
            raise ValueError
        return cost(point)

    with ThreadPoolExecutor(2) as executor:
        result = minimize(
            fragile, SPACE, executor=executor, catch=ValueError, history=True, **settings("rls")
        )
    assert len(result.history) == result.nfev == 60
    assert result.failed == np.isnan(result.history.values).sum() > 0
    assert np.nanmin(result.history.values) == result.fun
    trace = np.minimum.accumulate(np.nan_to_num(result.history.values, nan=np.inf))
    assert result.trace.values.tolist() == [trace[k - 1] for k in result.trace.evaluations]


def test_no_point_twice():
    seen = []

    def counted(point):
        seen.append(tuple(point.values()))
        return cost(point)

    with ThreadPoolExecutor(2) as executor:
        result = minimize(counted, SPACE, executor=executor, cache="unique", **settings("rls"))
    assert len(seen) == len(set(seen)) == result.calls == result.nfev == 60


@pytest.mark.parametrize("cache", [True, 5])
def test_cached_values_count_for_the_budget(cache):
    with ThreadPoolExecutor(2) as executor:
        result = minimize(cost, SPACE, executor=executor, cache=cache, **settings("rls"))
    assert result.message == "the budget is used up"
    assert result.calls < result.nfev == 60


@pytest.mark.parametrize("cache", [False, "unique"])
def test_known_values_are_not_computed(cache):
    known = {"base": "A", "digit": 1, "flag": True}
    seen, states = [], []

    def counted(point):
        seen.append(point)
        return cost(point)

    with ThreadPoolExecutor(2) as executor:
        result = minimize(
            counted,
            SPACE,
            executor=executor,
            x0=[{**known, "digit": 2}, known],
            y0=[np.nan, -1],
            cache=cache,
            callback=states.append,
            **settings("rls"),
        )
    assert (result.fun, result.x) == (-1, known)
    assert known not in seen
    assert {**known, "digit": 2} in seen
    assert (states[-1].value, states[-1].x) == (-1, known)


def test_an_exception_ends_all_chains():
    def failing(point):
        raise ValueError("mine")

    before = threading.active_count()
    with ThreadPoolExecutor(2) as executor, pytest.raises(ValueError, match="mine") as caught:
        minimize(failing, SPACE, executor=executor, **settings("rls"))
    assert caught.value.partial_result.x == {}
    for _ in range(100):
        if threading.active_count() <= before:
            break
        time.sleep(0.05)
    assert threading.active_count() <= before


def test_a_callback_sees_and_stops_all_chains():
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 3

    with ThreadPoolExecutor(2) as executor:
        result = minimize(
            slower_cost, SPACE, executor=executor, callback=callback, **settings("rls", budget=400)
        )
    assert result.message == "the callback asked to stop"
    assert all(cost(state.x) == state.value for state in seen)


def test_a_time_limit_ends_all_chains():
    with ThreadPoolExecutor(2) as executor:
        result = minimize(
            slower_cost, SPACE, executor=executor, time_limit=0.1, **settings("sa", budget=10_000)
        )
    assert result.message == "the time limit was reached"
    assert 1 <= result.nfev < 500


def test_the_number_of_workers_must_be_known():
    with pytest.raises(ValueError, match="use workers"):
        minimize(cost, SPACE, executor=Backwards(), **settings("rls"))


@pytest.mark.compiled
def test_two_processes_are_faster():
    """Two workers take less time than one; asserted is only what a busy machine gives too."""
    arguments = settings("rls", budget=150)
    began = time.perf_counter()
    minimize(slower_cost, SPACE, **arguments)
    alone = time.perf_counter() - began
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        minimize(slower_cost, SPACE, executor=executor, **settings("rls", budget=4))  # started
        began = time.perf_counter()
        minimize(slower_cost, SPACE, executor=executor, **arguments)
        together = time.perf_counter() - began
    print(f"two processes: {alone / together:.2f} times as fast")
    assert together < alone
