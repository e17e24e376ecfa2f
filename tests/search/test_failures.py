"""Failures, noise, parallel calls, limits of time."""

import logging
import math
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from catcube import Space, minimize
from tests.search.problem_examples import (
    TEAM_SPACE,
    Flaky,
    TwoArguments,
    affinity,
    dying,
    hanging,
    out_of_time,
    refusing,
    slow,
    straggling,
)


@pytest.mark.parametrize("algorithm", ["auto", "sa", "ga"])
def test_failed_points_have_no_value(algorithm):
    result = minimize(Flaky(), TEAM_SPACE, algorithm=algorithm, catch=OSError, budget=60, seed=1)
    values = result.history.values
    assert 0 < result.failed == np.isnan(values).sum() < 40
    assert result.success
    assert result.fun == np.nanmin(values) == affinity(result.x)


def test_a_failed_point_is_tried_again():
    result = minimize(Flaky(once=True), TEAM_SPACE, catch=OSError, retries=1, budget=40, seed=1)
    assert result.failed == 0
    assert result.calls > result.evaluations == 40


def test_an_exception_names_the_point_and_has_the_result_so_far():
    with pytest.raises(OSError, match="flaky") as raised:
        minimize(Flaky(), TEAM_SPACE, budget=60, seed=1)
    assert "p0" in raised.value.__notes__[0]
    assert len(raised.value.partial_result.history) > 0


def test_nan_ends_a_run_unless_it_is_caught():
    with pytest.raises(ValueError, match="NaN at"):
        minimize(lambda point: math.nan, TEAM_SPACE, budget=20, seed=1)
    result = minimize(lambda point: math.nan, TEAM_SPACE, catch=(), budget=20, seed=1)
    assert (result.failed, result.x, result.success) == (20, {}, False)


@pytest.mark.parametrize("arguments", [{}, {"catch": OSError}])
def test_what_is_not_a_number_ends_a_run(arguments):
    with pytest.raises(TypeError, match="many"):
        minimize(lambda point: "many", TEAM_SPACE, budget=20, seed=1, **arguments)
    result = minimize(lambda point: "many", TEAM_SPACE, catch=TypeError, budget=20, seed=1)
    assert (result.failed, result.x) == (20, {})


def test_infinite_values_are_no_success():
    result = minimize(lambda point: math.inf, TEAM_SPACE, budget=20, seed=1)
    assert (result.success, result.failed, result.fun) == (False, 0, math.inf)


@pytest.mark.parametrize("algorithm", ["auto", "ga"])
def test_a_noisy_function_is_reported_by_its_mean(algorithm):
    random = np.random.default_rng(1)
    result = minimize(
        lambda point: affinity(point) + random.normal(0, 2),
        TEAM_SPACE,
        algorithm=algorithm,
        noisy=True,
        budget=60,
        seed=1,
    )
    luckiest = result.history.values.min()
    true = affinity(result.x)
    assert abs(result.fun - true) < abs(luckiest - true) + 1
    assert result.fun > luckiest + 0.2


def noisy_search(space, budget):
    random = np.random.default_rng(2)
    table = random.normal(size=(6, 10))
    truth = {"x": lambda point: table[point["x"], point["y"]], "a": lambda point: point["a"]}

    def measured(point):
        return truth[min(set(point) - {"y"})](point) + random.normal()

    return minimize(measured, space, noisy=True, budget=budget, seed=1), table


def test_one_evaluation_of_every_point_is_not_enough():
    result, table = noisy_search({"x": range(6), "y": range(10)}, 200)
    assert result.evaluations == 200
    assert table[result.x["x"], result.x["y"]] <= np.sort(table.ravel())[1]
    assert len({tuple(row) for row in result.history.categories.tolist()}) > 15


@pytest.mark.parametrize("labels", [[1], [1, 2]])
def test_a_noisy_function_of_a_few_points_is_called_up_to_the_budget(labels):
    result, _ = noisy_search({"a": labels}, 60)
    assert result.evaluations == 60
    assert result.x == {"a": 1}
    assert abs(result.fun - 1) < 0.6


def test_the_mean_of_a_noisy_function_is_of_all_points(monkeypatch):
    """Those of the search that follows the model, too."""
    monkeypatch.setattr("catcube.search.auto.MAX_MODEL_EVALUATIONS", 40)
    monkeypatch.setattr("catcube.search.auto.MAX_P3_EVALUATIONS", 40)
    result, _ = noisy_search({"x": range(6), "y": range(10)}, 200)
    assert result.algorithm == "surrogate+sa"
    assert len(result.model.values) == result.evaluations == 200


@pytest.mark.parametrize("algorithm", ["auto", "rls", "sa", "ga"])
def test_the_result_in_an_executor_depends_on_seed_and_workers(algorithm):
    arguments = {"algorithm": algorithm, "budget": 40, "seed": 1, "workers": 3}
    with ThreadPoolExecutor(3) as executor:
        results = [
            minimize(function, TEAM_SPACE, executor=executor, **arguments)
            for function in (affinity, straggling)
        ]
    assert results[0] == results[1]
    assert results[0].evaluations == 40


def test_values_as_they_come():
    began = time.perf_counter()
    with ThreadPoolExecutor(8) as executor:
        result = minimize(
            straggling, TEAM_SPACE, executor=executor, ordered=False, budget=60, seed=1
        )
    assert result.evaluations == 60
    assert time.perf_counter() - began < 20
    points = [tuple(point.values()) for point, _ in result.history]
    assert len(set(points)) == 60


@pytest.mark.parametrize("representation", ["linear", "native"])
def test_values_as_they_come_of_few_points_that_are_proposed_again(representation):
    space = Space.repeat("x", range(3), 5)
    options = {"algorithm": "sa", "representation": representation, "budget": 150, "seed": 1}
    with ThreadPoolExecutor(3) as executor:
        result = minimize(summed, space, executor=executor, ordered=False, **options)
    assert result.evaluations == len({tuple(point.values()) for point, _ in result.history}) == 150


def summed(point):
    return sum(point.values())


def test_processes_of_our_own():
    alone = minimize(affinity, TEAM_SPACE, workers=1, budget=20, seed=1)
    assert alone == minimize(affinity, TEAM_SPACE, budget=20, seed=1)
    result = minimize(affinity, TEAM_SPACE, workers=2, budget=20, seed=1)
    assert result.evaluations == result.calls == 20


@pytest.mark.parametrize(("function", "limit"), [(hanging, {"timeout": 0.5}), (dying, {})])
def test_a_call_that_hangs_or_dies_has_failed(function, limit):
    result = minimize(function, TEAM_SPACE, workers=2, budget=12, seed=1, **limit)
    assert 0 < result.failed < 12
    assert result.evaluations == 12
    assert result.fun == affinity(result.x)


@pytest.mark.parametrize(
    ("raised", "arguments"),
    [(RuntimeError, {}), (None, {"catch": TwoArguments}), (TimeoutError, {"timeout": 60})],
)
def test_what_a_call_in_a_process_raises(raised, arguments):
    """Also an exception that cannot be sent to this process."""
    function = out_of_time if raised is TimeoutError else refusing
    arguments = {"workers": 2, "budget": 12, "seed": 1, **arguments}
    if raised is None:
        assert 0 < minimize(function, TEAM_SPACE, **arguments).failed < 12
    else:
        with pytest.raises(raised, match="by the function"):
            minimize(function, TEAM_SPACE, **arguments)


def test_a_time_limit_is_kept_with_workers():
    began = time.perf_counter()
    result = minimize(hanging, TEAM_SPACE, workers=6, time_limit=1, seed=1)
    assert time.perf_counter() - began < 12  # also processes are started; and none is waited for
    assert result.ending == "time"
    assert "in flight" in result.message


def test_a_lambda_cannot_be_sent_to_processes():
    with pytest.raises(TypeError, match="other processes"):
        minimize(lambda point: 0, TEAM_SPACE, workers=2, budget=5)


def test_the_callback_sees_every_call_of_a_slow_function():
    seen, flaky = [], Flaky()
    options = {"budget": 15, "seed": 1, "catch": OSError, "callback": seen.append}
    minimize(lambda point: slow(point) and flaky(point), TEAM_SPACE, **options)
    assert [progress.evaluations for progress in seen] == list(range(1, 16))
    seen = [progress for progress in seen if not math.isnan(progress.value)]
    assert 0 < len(seen) < 15
    assert all(progress.value == affinity(progress.point) for progress in seen)
    assert all(progress.fun == affinity(progress.x) <= progress.value for progress in seen)


@pytest.mark.parametrize(
    ("limit", "shown"),
    [({"budget": 15}, "15/15 "), ({"budget": 15, "time_limit": 99}, "15/15 "), ({}, "100/100 ")],
)
def test_a_progress_bar(limit, shown, capsys):
    limit = limit or {"time_limit": 0.1}
    minimize(slow, TEAM_SPACE, algorithm="rls", progress=True, seed=1, **limit)
    assert shown in capsys.readouterr().err


def test_improvements_are_logged(caplog):
    with caplog.at_level(logging.INFO, logger="catcube"):
        result = minimize(affinity, TEAM_SPACE, budget=30, seed=1)
    assert len(caplog.records) == len(result.trace.values)


def test_no_point_twice_and_repetitions_are_free():
    space = Space({"a": range(4), "b": range(4), "c": range(40)})
    for algorithm in ("rls", "sa", "ga", "p3"):
        calls = []
        result = minimize(
            lambda p: calls.append(tuple(p.values())) or sum(p.values()),  # noqa: B023
            space,
            algorithm=algorithm,
            budget=200,
            seed=1,
        )
        assert len(set(calls)) == len(calls) == result.calls == len(result.history)
