"""Resamples, intervals and targets: their laws, their defaults and their limits."""

import numpy as np
import pytest
from scipy import stats

from catcube.statistics import (
    TARGETS,
    Line,
    PlainResult,
    Summary,
    Trace,
    confidence_interval,
    critical_difference,
    ecdf,
    expected_running_time,
    fixed_target_ranks,
    friedman,
    log_grid,
    rank_summaries,
    resampled_quantiles,
    runtime_tables,
    summary,
    value_of,
)


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


def test_other_numbers_that_need_not_be_given():
    sample = np.sqrt(np.arange(1, 40))  # so that no two resamples have the same mean
    stated = confidence_interval(sample, "mean", level=0.95, resamples=9999, method="percentile")
    assert confidence_interval(sample, "mean") == stated
    assert confidence_interval(sample) == confidence_interval(sample, "median")
    assert TARGETS == 50
    trace = Trace("easy", "sa", "linear", 1, [1, 5], [8, 0])
    assert ecdf([trace])["sa", "linear"].total == 50
    assert log_grid(10**4).tolist() == log_grid(10**4, per_decade=100).tolist()
    assert log_grid(10**6).size > log_grid(10**6, per_decade=99).size
    assert critical_difference(4, 7) == critical_difference(4, 7, level=0.05)
    results = [
        PlainResult(instance, name, "linear", 1, value, 10, 10)
        for instance in "abcdefgh"
        for name, value in {"rls": 3, "sa": 1, "ga": 2}.items()
    ]
    assert friedman(results) == friedman(results, value_of, 0.05)
    assert friedman(results).critical_difference == critical_difference(3, 8)


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_quantiles_of_resamples_are_distributed_as_if_every_value_was_drawn(size):
    draw = np.random.default_rng(2)
    rows = np.array([[1.0, 2, 4, 9, np.inf], [0, 0, 5, 7, 8]])
    available = np.array([4, 5])
    levels = [0, 0.25, 0.5, 0.9, 1]
    rows_drawn = np.repeat([0, 1], 20_000)
    found = resampled_quantiles(rows, available, rows_drawn, np.full(40_000, size), levels, draw)
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
    found = resampled_quantiles(rows, available, rows_drawn, sizes, [0, 1], draw)
    assert found.shape == (2, 2, 2)
    assert np.isfinite(found[:, 0, 0]).all()
    assert np.isinf(found[:, 0, 1]).all()
    assert np.isinf(found[:, 1]).all()
    assert (found[0] <= found[1]).all()


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_an_accelerated_interval_is_of_the_statistic_asked_for(statistic):
    sample = np.array([3.1, 5, 4.2, 6, 4.4, 5.5, 7, 4, 11, 2, 19])
    found = confidence_interval(sample, statistic, method="bca", resamples=999, level=0.9, seed=4)
    scipys = stats.bootstrap(
        (np.sort(sample),),
        {"mean": np.mean, "median": np.median}[statistic],
        confidence_level=0.9,
        n_resamples=999,
        method="BCa",
        random_state=np.random.default_rng(4),
    ).confidence_interval
    assert found == (scipys.low, scipys.high)


@pytest.mark.parametrize("level", [-0.1, 0, 1, 1.5, 2])
def test_a_level_is_between_0_and_1(level):
    with pytest.raises(ValueError, match="level"):
        confidence_interval([1, 2, 3], level=level)


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
        worst = Trace("easy", "sa", "linear", 1, range(1, len(values) + 1), values)
        best = Trace("easy", "sa", "direct", 1, [1, 2], [49 * step, 0])
        curve = ecdf([worst, best])["sa", "linear"]
        assert (curve.reached[-1], curve.total) == (reached, 50)


@pytest.mark.parametrize("values", [[0.0, -1.7e308], [1.7e308, 0.0], [1.7e308, -1.7e308]])
def test_targets_between_the_largest_numbers(values):
    halfway = [values[0], values[0] / 2 + values[1] / 2]
    traces = [
        Trace("easy", "sa", name, 1, [1, 2], series)
        for name, series in {"whole": values, "half": halfway}.items()
    ]
    curves = ecdf(traces, count=4)
    assert curves["sa", "whole"].reached.tolist() == [1, 4]
    assert curves["sa", "half"].reached.tolist() == [1, 2]


@pytest.mark.parametrize("level", [-0.1, 0, 1, 1.1])
def test_a_critical_difference_has_a_level_between_0_and_1(level):
    with pytest.raises(ValueError, match="level"):
        critical_difference(4, 7, level)


def test_ranks_of_hundreds_of_tables():
    line = Line("sa", "linear", 1, Summary(0, 0, 0, 0, 0))
    tables = [[line._replace(rank=1 + number % 3)] for number in range(900)]
    assert rank_summaries(tables) == {("sa", "linear"): Summary(1, 1, 2, 3, 3)}
    with pytest.raises(ValueError, match="sa-linear is in 900 of 901 tables"):
        rank_summaries([*tables, []])


def test_a_summary_is_numpys_to_the_last_digit():
    draw = np.random.default_rng(5)
    for size in range(1, 60):
        sample = draw.normal(50, 20, size)
        assert summary(sample) == tuple(np.quantile(sample, [0, 0.25, 0.5, 0.75, 1]).tolist())
