"""Values near the largest number: no statistic becomes infinite or NaN."""

import math

import numpy as np
import pytest

from catcube.statistics import (
    Curve,
    Pair,
    band,
    confidence_interval,
    expected_running_time_of_samples,
    mean_of,
    median,
    penalized_runtime,
    performance_profiles,
    summary,
)

LARGE = [[1.7e308, 1.6e308, 1.7e308, 1.5e308], [-1.7e308, 1.7e308, 1.6e308, -1.5e308]]


@pytest.mark.parametrize("sample", LARGE)
def test_medians_means_and_intervals_are_finite(sample):
    halves = np.array(sample) / 4
    assert median(sample) == 4 * np.median(halves)
    assert summary(sample).median == 4 * np.median(halves)
    assert mean_of(sample) == pytest.approx(4 * halves.mean())
    for statistic in ("mean", "median"):
        low, high = confidence_interval(sample, statistic)
        expected = confidence_interval(halves, statistic)
        assert (low, high) == pytest.approx((4 * expected.low, 4 * expected.high))
        assert math.isfinite(low)
        assert math.isfinite(high)


def test_running_times_need_the_evaluations_of_every_run():
    with pytest.raises(ValueError, match="2, 1"):
        expected_running_time_of_samples([1, 2], [3])


def test_a_failure_counts_as_ten_budgets():
    assert penalized_runtime([10, math.inf, math.inf, 30], 100) == (40 + 2000) / 4


def test_profiles_leave_out_what_nobody_solves():
    sa, ga = Pair("sa", "linear"), Pair("ga", "linear")
    costs = {"a": {sa: 2.0, ga: 3.0}, "b": {sa: math.inf, ga: math.inf}}
    assert {pair: ratios.tolist() for pair, ratios in performance_profiles(costs).items()} == {
        sa: [1.0],
        ga: [1.5],
    }
    with pytest.raises(ValueError, match="positive"):
        performance_profiles({"a": {sa: 0.0}})


def test_bands_have_the_spread_of_the_instances():
    curves = [Curve(np.array([1, 10]), np.array([1, level]), 100) for level in (40, 50, 60, 55)]
    low, high = band(curves, [1, 10])
    assert low[0] == high[0] == pytest.approx(0.01)
    assert (low[1] + high[1]) / 2 == pytest.approx(0.5125)
    assert (high[1] - low[1]) / 2 == pytest.approx(3.182446 * 0.0853913 / 2, rel=1e-5)
    assert [ends.tolist() for ends in band(curves[:1], [10])] == [[0.0], [1.0]]
