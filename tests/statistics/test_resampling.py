"""Resamples, intervals and targets: their laws, their defaults and their limits."""

import numpy as np
import pytest

from catcube.statistics import (
    PlainResult,
    confidence_interval,
    ecdf,
    expected_running_time,
    fixed_target_ranks,
    resample_quantiles,
    runtime_tables,
)
from tests.statistics.traces import traced


def test_an_interval_has_seed_0_unless_another_is_given():
    sample = [3, 5, 4, 6, 4, 5, 7, 4, 11]
    for statistic in ("mean", "median"):
        assert confidence_interval(sample, statistic) == confidence_interval(
            sample, statistic, seed=0
        )
    assert confidence_interval(sample, "mean") != confidence_interval(sample, "mean", seed=1)
    assert confidence_interval([2.5], "mean") == (2.5, 2.5)
    with pytest.raises(ValueError, match="finite"):
        confidence_interval([])


def test_the_target_is_0_unless_another_is_given():
    results = [
        PlainResult("small-dimension-6-b", "rls", "linear", run, value, 10 * run, 100)
        for run, value in enumerate([0.0, 0.5, 1.0, -1.0], start=1)
    ]
    [line] = runtime_tables(results)["small-dimension-6-b"]
    assert (line.success_percent, line.summary.median) == (50, 25.0)
    assert fixed_target_ranks(results)[0].success_percent == 50
    assert fixed_target_ranks(results, 0.5)[0].success_percent == 75
    assert expected_running_time(results) == (10 + 100 + 100 + 40) / 2
    assert expected_running_time(results, 1.0) == (10 + 20 + 30 + 40) / 4


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_quantiles_of_resamples_are_distributed_as_if_every_value_was_drawn(size):
    draw = np.random.default_rng(2)
    rows = np.array([[1.0, 2, 4, 9, np.inf], [0, 0, 5, 7, 8]])
    available = np.array([4, 5])
    levels = [0, 0.25, 0.5, 0.9, 1]
    rows_drawn = np.repeat([0, 1], 20_000)
    found = resample_quantiles(rows, available, rows_drawn, np.full(40_000, size), levels, draw)
    assert found.shape == (5, 40_000)
    for row in (0, 1):
        values = rows[row, : available[row]]
        drawn = np.quantile(draw.choice(values, (20_000, size)), levels, axis=1)
        for sample, other in zip(found[:, rows_drawn == row], drawn, strict=True):
            # The largest distance of two ECDFs of 20,000 draws: above 0.02 once in 2,000 times.
            grid = np.unique(np.round(np.concatenate([sample, other]), 9))
            below = [
                np.searchsorted(np.sort(np.round(part, 9)), grid, side="right") / 20_000
                for part in (sample, other)
            ]
            assert np.abs(below[0] - below[1]).max() < 0.02


def test_quantiles_without_values_are_infinite():
    rows = np.array([[1.0, 2, 4], [3, 3, 3]])
    available = np.array([3, 0])
    draw = np.random.default_rng(3)
    rows_drawn, sizes = np.array([[0, 1], [0, 1]]), np.array([[2, 2], [0, 0]])
    found = resample_quantiles(rows, available, rows_drawn, sizes, [0, 1], draw)
    assert found.shape == (2, 2, 2)
    assert np.isfinite(found[:, 0, 0]).all()
    assert np.isinf(found[:, 0, 1]).all()
    assert np.isinf(found[:, 1]).all()
    assert (found[0] <= found[1]).all()


def test_at_least_one_resample():
    with pytest.raises(ValueError, match="resample"):
        confidence_interval([1, 2, 3], resamples=0)
    low, high = confidence_interval([1, 2, 3], "mean", resamples=1)
    assert low == high


@pytest.mark.parametrize("step", [1, 3, 100, 2**40])
def test_a_target_that_is_met_exactly_is_reached(step):
    # With 50 targets from 49 steps down to 0, values and targets are the same integers.
    for reached in range(1, 51):
        values = [49 * step, (50 - reached) * step] if reached > 1 else [49 * step]
        worst = traced("easy", "sa", "linear", 1, range(1, len(values) + 1), values)
        best = traced("easy", "sa", "direct", 1, [1, 2], [49 * step, 0])
        curve = ecdf([worst, best])["sa", "linear"]
        assert (curve.reached[-1], curve.total) == (reached, 50)


@pytest.mark.parametrize("values", [[0.0, -1.7e308], [1.7e308, 0.0], [1.7e308, -1.7e308]])
def test_targets_between_the_largest_numbers(values):
    halfway = [values[0], values[0] / 2 + values[1] / 2]
    traces = [
        traced("easy", "sa", name, 1, [1, 2], series)
        for name, series in {"whole": values, "half": halfway}.items()
    ]
    curves = ecdf(traces, count=4)
    assert curves["sa", "whole"].reached.tolist() == [1, 4]
    assert curves["sa", "half"].reached.tolist() == [1, 2]
