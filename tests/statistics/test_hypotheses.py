"""Tests of hypotheses, effect sizes and intervals, against hand-worked and published figures."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from catcube.statistics import (
    Pair,
    PlainResult,
    cliffs_delta,
    compare_representations,
    compare_success,
    confidence_interval,
    critical_difference,
    friedman,
    holm,
    indistinguishable,
    magnitude,
    runtime_to,
    signed_rank,
    vargha_delaney,
)

samples = st.lists(st.integers(0, 5) | st.just(math.inf), min_size=1, max_size=8)


def test_holm_by_hand():
    # Sorted 0.01, 0.013, 0.014, 0.19, 0.35, 0.5, 0.63, 0.67, 0.75, 0.81: times 10, 9, 8, ...,
    # never less than the one before, and at most 1.
    p = [0.75, 0.01, 0.19, 0.013, 0.81, 0.014, 0.35, 0.5, 0.67, 0.63]
    wanted = [1, 0.1, 1, 0.117, 1, 0.117, 1, 1, 1, 1]
    assert holm(p) == pytest.approx(wanted)


@given(samples, samples)
def test_the_effect_size_counts_all_couples(first, second):
    wins = sum(a < b for a in first for b in second)
    ties = sum(a == b for a in first for b in second)
    couples = len(first) * len(second)
    assert vargha_delaney(first, second) == pytest.approx((wins + ties / 2) / couples)
    losses = couples - wins - ties
    assert cliffs_delta(first, second) == pytest.approx((wins - losses) / couples)
    assert vargha_delaney(first, second) + vargha_delaney(second, first) == pytest.approx(1)


def test_magnitudes_begin_at_their_limits():
    assert [magnitude(delta) for delta in (0.146, 0.147, 0.33, 0.474)] == [
        "negligible",
        "small",
        "medium",
        "large",
    ]


def runs(instance, values):
    return [
        PlainResult(instance, *pair, run, value, 10 + run, 100)
        for pair, sample in values.items()
        for run, value in enumerate(sample)
    ]


def test_representations_are_compared_by_instance_and_algorithm():
    low, high = [1, 2, 3, 4, 5], [6, 7, 8, 9, 10]
    found = compare_representations(
        [
            *runs("1", {Pair("sa", "linear"): low, Pair("sa", "direct"): high}),
            *runs("2", {Pair("sa", "linear"): low, Pair("sa", "direct"): low}),
            *runs("2", {Pair("ga", "linear"): low}),
        ]
    )
    assert [one[:2] for one in found] == [("1", "sa"), ("2", "sa")]
    assert [one.a12 for one in found] == [1, 0.5]
    assert [one.delta for one in found] == [1, 0]
    assert [one.p for one in found] == pytest.approx([2 / 252, 1])
    assert [one.adjusted for one in found] == pytest.approx([4 / 252, 1])


def test_runtimes_are_compared_with_failures_last():
    [one] = compare_representations(
        runs("1", {Pair("sa", "linear"): [0, 0, 0], Pair("sa", "direct"): [2, 2, 2]}),
        runtime_to(0.0),
    )
    assert one.a12 == 1


@pytest.mark.parametrize(
    ("pairs", "q"),
    [
        *((2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850)),
        *((7, 2.949), (8, 3.031), (9, 3.102), (10, 3.164)),
    ],
)
def test_critical_differences_are_the_published_ones(pairs, q):
    # Demšar, table 5 (a), level 0.05: three decimals, of which the last may be off by one.
    unit = math.sqrt(pairs * (pairs + 1) / 84)
    assert critical_difference(pairs, 14) / unit == pytest.approx(q, abs=1e-3)


def table(values):
    """Values by instance (rows) and pair (columns a, b, c, ...)."""
    return [
        PlainResult(str(instance), "abcdef"[column], "linear", 1, value, 1, 1)
        for instance, row in enumerate(values)
        for column, value in enumerate(row)
    ]


def test_friedman_by_hand():
    # Ranks of the rows: (1,2,3), (1,2,3), (2,1,3), (1,3,2); sums 5, 8, 11;
    # 12/(4·3·4) · (25 + 64 + 121) − 3·4·4 = 4.5, and exp(−4.5/2) with two degrees of freedom.
    test = friedman(table([(1, 2, 3), (4, 5, 9), (5, 4, 6), (0, 8, 7)]))
    assert test.statistic == pytest.approx(4.5)
    assert test.p == pytest.approx(math.exp(-2.25))
    assert list(test.mean_ranks.values()) == [1.25, 2, 2.75]
    assert test.critical_difference == critical_difference(3, 4)
    assert [len(group) for group in test.groups] == [3]


def test_friedman_takes_medians_and_mean_ranks_of_ties():
    more = [PlainResult("0", "a", "linear", run, value, 1, 1) for run, value in ((2, 9), (3, 9))]
    test = friedman([*table([(1, 5, 5), (6, 7, 7)]), *more])
    ranks = {pair.algorithm: rank for pair, rank in test.mean_ranks.items()}
    assert ranks == {"a": 2, "b": 2, "c": 2}


def test_friedman_of_equal_pairs():
    test = friedman(table([(1, 1, 1), (2, 2, 2)]))
    assert (test.statistic, test.p) == (0, 1)


@pytest.mark.parametrize("values", [[(1,), (1,)], [(1, 2, 3), (1, 2)]])
def test_friedman_needs_two_complete_pairs(values):
    with pytest.raises(ValueError, match="two or more"):
        friedman(table(values))


@given(st.lists(st.integers(0, 12), max_size=7), st.integers(0, 5))
def test_groups_are_the_largest_sets_of_pairs_that_do_not_differ(ranks, difference):
    means = {Pair(str(number), ""): float(rank) for number, rank in enumerate(ranks)}
    found = [set(group) for group in indistinguishable(means, difference)]
    for group in found:
        assert max(means[p] for p in group) - min(means[p] for p in group) <= difference
        assert not any(group < other for other in found)
    together = {frozenset((p, q)) for group in found for p in group for q in group if p != q}
    wanted = {
        frozenset((p, q))
        for p in means
        for q in means
        if p != q and abs(means[p] - means[q]) <= difference
    }
    assert together == wanted


def test_intervals_cover_the_mean_about_as_often_as_they_say():
    draw = np.random.default_rng(1)
    covered = 0
    for seed in range(100):
        sample = draw.normal(5, 2, 40)
        low, high = confidence_interval(sample, "mean", level=0.8, resamples=300, seed=seed)
        covered += low <= 5 <= high
    assert 65 <= covered <= 92  # 80 expected; outside with probability below 1 in 1000


def test_representations_are_ranked_for_each_algorithm_on_each_instance():
    values = {("sa", "linear"): 1, ("sa", "direct"): 2, ("ga", "linear"): 30, ("ga", "direct"): 29}
    samples = {name: {Pair(*pair): [value] for pair, value in values.items()} for name in "abcdefg"}
    samples["g"] = samples["a"] | {Pair("ga", "direct"): [31]}
    test = friedman(samples, factor="representation")
    assert test.blocks == 14
    assert test.mean_ranks == {"linear": 20 / 14, "direct": 22 / 14}
    assert test.statistic == pytest.approx(14 * 2 * (1 / 14) ** 2 / 0.5)
    assert test.p == pytest.approx(stats.chi2.sf(test.statistic, 1))
    assert list(friedman(samples, factor="algorithm").mean_ranks) == ["sa", "ga"]


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9))
def test_signed_ranks_by_all_choices_of_signs(differences):
    ranks = stats.rankdata(np.abs(differences)) * (np.array(differences) != 0)
    observed = (ranks * np.sign(differences)).sum()
    sums = [(ranks * signs).sum() for signs in product([-1, 1], repeat=len(differences))]
    balance, p = signed_rank(differences)
    assert balance == observed
    assert p == pytest.approx(np.mean(np.abs(sums) >= abs(observed) - 1e-9))


@given(st.integers(0, 6), st.integers(0, 6))
def test_success_on_one_instance_is_fishers_test(first, second):
    surplus, p = compare_success([(first, 6, second, 6)])
    assert surplus == (first - second) / 2
    assert p == pytest.approx(stats.fisher_exact([[first, 6 - first], [second, 6 - second]]).pvalue)


def test_success_on_two_instances_by_all_arrangements_of_the_runs():
    outcomes = [[1, 1, 1, 0, 1, 0], [1, 1, 0, 0, 0, 0]]  # three runs of the first, then the second
    sums = [
        sum(one[:3]) + sum(other[:3])
        for one in permutations(outcomes[0])
        for other in permutations(outcomes[1])
    ]
    _, p = compare_success([(3, 3, 1, 3), (2, 3, 0, 3)])
    assert p == pytest.approx(2 * np.mean(np.array(sums) >= 5))
