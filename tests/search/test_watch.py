"""What a callback sees of a run, and when."""

import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from catcube import minimize
from catcube.problems import Match
from tests.problems.python.slow_functions import cost, slower_cost
from tests.search.asked import SPACE

SETTINGS = {"algorithm": "rls", "representation": "linear", "seed": 2}


def seen_of(function, *arguments, **settings):
    seen = []
    result = minimize(function, *arguments, callback=lambda s: seen.append(s), **settings)
    return seen, result


def test_short_runs_are_seen():
    seen, result = seen_of(cost, SPACE, budget=3, **SETTINGS)
    assert seen[-1].x == result.x
    assert seen[-1].value == result.fun
    assert seen[-1].evaluations == result.nfev


def test_every_improvement_of_a_slow_function_is_seen():
    seen, result = seen_of(slower_cost, SPACE, budget=1, **SETTINGS)
    assert [state.value for state in seen] == [result.fun]
    seen, result = seen_of(slower_cost, SPACE, budget=60, **SETTINGS)
    assert len(seen) <= 2 + 20 * max(1, result.seconds)
    assert all(state.value == cost(state.x) for state in seen)
    assert [state.value for state in seen] == sorted((s.value for s in seen), reverse=True)


@pytest.mark.parametrize("algorithm", ["auto", "rls", "ga", "p3", "surrogate"])
@pytest.mark.parametrize("kept", [False, True])
def test_an_improvement_is_seen_before_the_next_call(algorithm, kept):
    calls = []

    def function(point):
        calls.append(point)
        time.sleep(0.06)
        return cost(point)

    def stop(state):
        assert state.evaluations == len(calls)
        assert state.value == min(map(cost, calls)) == cost(state.x)
        return len(calls) == 3

    limits = {"budget": 40, "seed": 2, "history": kept}
    result = minimize(function, SPACE, algorithm=algorithm, callback=stop, **limits)
    assert (len(calls), result.nfev) == (3, 3)


def test_the_end_is_seen_once():
    for algorithm in ("auto", "rls", "surrogate"):
        seen, _ = seen_of(slower_cost, SPACE, budget=80, algorithm=algorithm, seed=2)
        counts = [state.evaluations for state in seen]
        assert counts == sorted(set(counts))


@pytest.mark.parametrize("algorithm", ["auto", "rls", "surrogate"])
@pytest.mark.parametrize("workers", [0, 2])
def test_a_failed_point_is_not_shown(algorithm, workers):
    settings = {"budget": 20, "algorithm": algorithm, "catch": (), "seed": 2}
    with ThreadPoolExecutor(workers or 1) as pool:
        executor = pool if workers else None
        seen, _ = seen_of(lambda point: math.nan, SPACE, executor=executor, **settings)
    assert seen[-1].evaluations == 20
    assert all(state.x == {} and state.value == math.inf for state in seen)


@pytest.mark.compiled
def test_points_of_a_compiled_run_have_the_value_they_are_shown_with():
    problem = Match(100_000, 9, seed=1)  # it improves for a second
    seen, result = seen_of(problem, budget=20_000_000, **(SETTINGS | {"patience": 10**9}))
    assert len(seen) > 1
    for state in seen:
        assert not state.x or problem.evaluate(state.x) == state.value
    assert seen[-1].x == result.x


def test_a_callback_that_fails_at_the_end():
    def callback(state):
        if state.evaluations == 5:
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        minimize(cost, SPACE, budget=5, callback=callback, **SETTINGS)


def test_a_bar(capsys):
    seen = []
    minimize(cost, SPACE, budget=50, progress=True, callback=seen.append, **SETTINGS)
    shown = capsys.readouterr().err
    assert "50/50" in shown
    assert "best" in shown
    assert seen
    assert "tqdm" in sys.modules
