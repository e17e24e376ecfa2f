"""Expected running times and curves, by other packages and by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.statistics import Curve, Pair, PlainResult, ecdf, expected_running_time, whole_percent
from tests.statistics.sample_strategies import INF
from tests.statistics.traces import traced


def finished(runtimes, budget=100):
    return [
        PlainResult("easy", "sa", "linear", k, 0.0, runtime, runtime)
        if runtime < INF
        else PlainResult("easy", "sa", "linear", k, 3.0, 7, budget)
        for k, runtime in enumerate(runtimes)
    ]


@pytest.mark.long  # so does iohinspector
@given(st.lists(st.integers(1, 99) | st.just(INF), min_size=1, max_size=9))
def test_the_expected_running_time_is_that_of_iohinspector(runtimes):
    polars = pytest.importorskip("polars")
    metrics = pytest.importorskip("iohinspector.metrics")
    rows = []
    for run, runtime in enumerate(runtimes):
        moments = (
            [(1, 5.0), (runtime, 0.0)]
            if 1 < runtime < INF
            else [(1, 5.0 if runtime == INF else 0.0)]
        )
        moments += [(100, moments[-1][1])] if runtime == INF else []
        rows += [(run, "sa", moment, value) for moment, value in moments]
    data = polars.DataFrame(
        rows, ["data_id", "algorithm_name", "evaluations", "raw_y"], orient="row"
    )
    table = metrics.aggregate_running_time(
        data, f_min=0.0, f_max=1.0, scale_f_log=False, eval_max=100
    )
    [theirs] = table[table["raw_y"] == 0.0]["ERT"]
    ours = expected_running_time(finished(runtimes))
    assert ours == pytest.approx(theirs) or (ours == INF and not math.isfinite(theirs))


@given(st.lists(st.integers(1, 99) | st.just(INF), min_size=1, max_size=9))
def test_the_expected_running_time_by_hand(runtimes):
    successes = sum(runtime < INF for runtime in runtimes)
    spent = sum(min(runtime, 100) for runtime in runtimes)
    wanted = spent / successes if successes else INF
    assert expected_running_time(finished(runtimes)) == pytest.approx(wanted)


@given(st.integers(1, 400).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs))))
def test_whole_percent_is_never_too_much(counts):
    percent = whole_percent(*counts)
    assert percent <= Fraction(100 * counts[0], counts[1]) < percent + 1


# Curves


moments = [1, 2, 5, 9]
falling = st.lists(
    st.sampled_from([INF, 7.0, 6.0, 4.0, 1.0, 0.0]), min_size=1, max_size=4, unique=True
).map(lambda values: sorted(values, reverse=True))


@given(st.lists(falling, min_size=1, max_size=4), st.sampled_from([2, 5, 50]))
def test_targets_lie_between_finite_values(runs, count):
    traces = [
        traced("a", "sa", "linear", k, moments[: len(run)], run) for k, run in enumerate(runs)
    ]
    curve = ecdf(traces, count)[Pair("sa", "linear")]
    finite = [value for run in runs for value in run if value < INF]
    worst, best = max(run[0] for run in runs), min(finite, default=INF)
    if worst == INF:
        worst = max(finite, default=INF)
    for moment in (0, 1, 2, 4, 5, 9, 10):
        reached = sum(
            any(
                value < INF and (worst - value) * (count - 1) >= (worst - best) * number
                for value, when in zip(run, moments, strict=False)
                if when <= moment
            )
            for run in runs
            for number in range(count)
        )
        assert curve.at(moment) == reached / (count * len(runs))


@pytest.mark.parametrize("scale", [1.0, -1.0, 2.0**-1000, 2.0**1020])
def test_curves_do_not_depend_on_the_scale_of_values(scale):
    values = np.sort([7 * scale, 3 * scale, -2 * scale])[::-1]
    runs = [
        traced("a", "sa", "linear", 1, [1, 4, 6], values),
        traced("a", "sa", "direct", 1, [1], values[:1]),
    ]
    plain = [run._replace(trace=(run.trace[0], run.trace[1] / abs(scale))) for run in runs]
    for one, other in zip(ecdf(runs).values(), ecdf(plain).values(), strict=True):
        assert one.at(range(8)).tolist() == other.at(range(8)).tolist()
        assert one.final > 0


def test_a_curve_of_very_many_evaluations():
    curve = Curve(np.array([1, 2**53 + 1, 2**62]), np.array([1, 2, 3]), 3)
    assert curve.at([2**53, 2**53 + 1, 2**62]).tolist() == [1 / 3, 2 / 3, 1]
