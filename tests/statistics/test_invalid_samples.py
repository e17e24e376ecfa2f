"""Samples that are empty or hold NaN, and other invalid arguments."""

import math

import pytest

from catcube.statistics import (
    Pair,
    PlainResult,
    cliffs_delta,
    confidence_interval,
    critical_difference,
    ecdf,
    expected_running_time_of_samples,
    friedman,
    holm,
    mann_whitney,
    runtime_tables,
    samples_of,
    summary,
    value_of,
    value_tables,
    vargha_delaney,
)
from tests.statistics.sample_strategies import INF
from tests.statistics.traces import traced

REFUSED = r"NaN|nan|empty|infinity|p-value|trace"


@pytest.mark.parametrize("sample", [[], [1, math.nan], [math.nan]])
def test_nothing_is_said_of_nothing_and_of_nan(sample):
    pair = Pair("sa", "linear")
    trace = traced("easy", *pair, 1, list(range(1, len(sample) + 1)), sample)
    for function, *arguments in (
        *((function, sample) for function in (summary, whole_sample_table, friedman_with)),
        *((function, sample, [1, 2]) for function in (mann_whitney, vargha_delaney, cliffs_delta)),
        *((function, [1, 2], sample) for function in (mann_whitney, vargha_delaney, cliffs_delta)),
        (expected_running_time_of_samples, sample, [1] * len(sample)),
        (runtime_tables, {"easy": {pair: sample}}),
        (ecdf, [trace]),
    ):
        with pytest.raises(ValueError, match=REFUSED):
            function(*arguments)


def whole_sample_table(sample):
    return samples_of(
        [PlainResult("easy", "sa", "linear", k, value, 1, 1) for k, value in enumerate(sample)]
        or [PlainResult("easy", "sa", "linear", 0, math.nan, 1, 1)],
        value_of,
    )


def friedman_with(sample):
    other = {Pair(name, "linear"): [1.0, 2.0] for name in "ab"}
    return friedman({"easy": {**other, Pair("c", "linear"): sample}})


def test_the_run_without_a_number_is_named():
    results = [
        PlainResult("easy", "sa", "linear", k, value, 1, 1) for k, value in [(7, 1), (8, math.nan)]
    ]
    with pytest.raises(ValueError, match="run 8 of sa-linear on easy"):
        value_tables(results)


def test_no_quantile_between_the_infinities():
    with pytest.raises(ValueError, match=REFUSED):
        summary([-INF, INF])


@pytest.mark.parametrize("p", [math.nan, -0.1, 1.1])
def test_what_is_no_p_value(p):
    with pytest.raises(ValueError, match=REFUSED):
        holm([0.5, p])


@pytest.mark.parametrize(
    "differences", [(1, 9, 0.05), (3, 0, 0.05), (3, 9, 0), (3, 9, 1), (3, 9, 5)]
)
def test_differences_that_make_no_sense(differences):
    with pytest.raises(ValueError, match="expected two pairs or more"):
        critical_difference(*differences)


@pytest.mark.parametrize(
    ("values", "options"),
    [
        ([1, 2, 3], {"level": 95}),
        ([1, 2, 3], {"level": 0}),
        ([1, 2, 3], {"resamples": 0}),
        ([1, 2, 3], {"statistic": "mode"}),
        ([], {}),
        ([1, math.inf], {}),
    ],
)
def test_intervals_that_make_no_sense(values, options):
    with pytest.raises(ValueError, match="expected"):
        confidence_interval(values, **options)
