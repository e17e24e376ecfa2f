"""The callback of `minimize`, its time limit, and other threads."""

import threading
import time
from itertools import pairwise

import pytest

from catcube import minimize
from catcube.engine.compiled.jit import JIT
from catcube.problems import Match
from tests.search.minimize_examples import SPACE, cost

PYTHON_AND_COMPILED = pytest.mark.parametrize("objective", [cost, Match(30, 9, seed=1)])


def run_long(objective, **options):
    space = SPACE if callable(objective) else None
    return minimize(objective, space, algorithm="rls", budget=10**12, seed=1, **options)


@PYTHON_AND_COMPILED
def test_the_callback_sees_the_run(objective):
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 4

    result = run_long(objective, callback=callback)
    assert len(seen) == 4
    assert (result.message, result.success) == ("the callback asked to stop", False)
    evaluations = [progress.evaluations for progress in seen]
    assert evaluations == sorted(set(evaluations))
    values = [progress.value for progress in seen]
    assert values == sorted(values, reverse=True)
    assert all(a.seconds < b.seconds for a, b in pairwise(seen))
    assert result.nfev >= evaluations[-1]
    assert result.fun <= values[-1]


@PYTHON_AND_COMPILED
def test_a_slow_callback_is_not_asked_again(objective):
    seen = []

    def callback(progress):
        seen.append(progress)
        time.sleep(0.1)
        return True

    run_long(objective, callback=callback)
    assert len(seen) == 1


@PYTHON_AND_COMPILED
def test_only_true_stops(objective):
    seen = []
    result = run_long(objective, callback=lambda p: seen.append(p) or 1, time_limit=0.3)
    assert result.message == "the time limit was reached"
    assert len(seen) > 1


@PYTHON_AND_COMPILED
def test_what_the_callback_raises_is_raised(objective):
    raised = KeyError("mine")

    def callback(progress):
        raise raised

    with pytest.raises(KeyError) as caught:
        run_long(objective, callback=callback)
    assert caught.value is raised
    assert raised.partial_result.nfev > 0
    assert raised.partial_result.message == "the callback asked to stop"


@PYTHON_AND_COMPILED
def test_the_time_limit(objective):
    began = time.perf_counter()
    result = run_long(objective, time_limit=0.3)
    assert 0.3 <= time.perf_counter() - began < 0.3 + 0.5 + (0 if JIT else 1)
    assert (result.message, result.status, result.success) == (
        "the time limit was reached",
        3,
        False,
    )
    assert 0.3 <= result.seconds < 0.8
    assert result.nfev > 100


@pytest.mark.compiled
def test_a_compiled_run_leaves_other_threads_alone():
    """It does not hold the GIL: this thread goes on while another one runs."""
    results = []
    thread = threading.Thread(
        target=lambda: results.append(run_long(Match(30, 9, seed=1), time_limit=1.0))
    )
    thread.start()
    steps, longest, last = 0, 0.0, time.perf_counter()
    while thread.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        steps += 1
    assert results[0].nfev > 10**5
    assert steps > 50
    assert longest < 0.5
