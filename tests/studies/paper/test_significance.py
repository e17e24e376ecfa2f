"""The tests behind verdicts, against scipy and against slow definitions."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from catcube.studies.paper.significance import (
    beyond,
    permuted_largest,
    permuted_means,
    rate_above,
    signed_rank,
    stratified_difference,
)


def test_signed_rank_is_wilcoxons_test_where_that_is_exact():
    draw = np.random.default_rng(1)
    for size in (5, 10, 20, 40):
        differences = draw.normal(0.3, 1, size)
        balance, p = signed_rank(differences)
        wanted = stats.wilcoxon(differences, method="exact")
        assert p == pytest.approx(wanted.pvalue)
        assert (balance > 0) == (differences @ stats.rankdata(np.abs(differences)) > 0) or p > 0.5


def test_signed_rank_with_ties_and_zeros_counts_all_signs():
    draw = np.random.default_rng(2)
    for _ in range(5):
        differences = draw.integers(-3, 4, 8)
        ranks = stats.rankdata(np.abs(differences))[differences != 0]
        signs = np.sign(differences[differences != 0])
        seen = ranks[signs > 0].sum()
        sums = np.array(
            [ranks[np.array(signs, bool)].sum() for signs in product([0, 1], repeat=ranks.size)]
        )
        tail = min((sums <= seen).mean(), (sums >= seen).mean())
        balance, p = signed_rank(differences)
        assert p == pytest.approx(min(1, 2 * tail))
        assert balance == pytest.approx((ranks * signs).sum())


def test_permutations_of_means_are_scipys():
    draw = np.random.default_rng(3)
    first, second = draw.poisson(20, 20), draw.poisson(23, 20)
    wanted = stats.permutation_test(
        (first, second),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(4),
    ).pvalue
    assert permuted_means(first, second) == pytest.approx(wanted, abs=0.01)
    assert permuted_means([4, 4], [4, 4]) == 1.0


def test_the_largest_differ_by_chance_if_one_run_makes_the_difference():
    usual = np.arange(1.0, 101)
    late = np.append(usual[:-1], 1e6)
    assert permuted_largest(usual, late) > 0.5  # one of the two samples has it, whichever
    assert permuted_largest(usual, np.append(usual[:-10], [1e6] * 10)) < 0.01


def test_strata_take_out_what_differs_between_instances():
    draw = np.random.default_rng(5)
    levels = np.arange(10.0)[:, None] * 100
    first, second = (levels + draw.normal(mean, 1, (10, 20)) for mean in (0.5, 0))
    difference, error = stratified_difference(first, second)
    assert difference == pytest.approx(first.mean() - second.mean())
    assert error == pytest.approx(0.1, rel=0.1)  # sqrt(2 / 200)
    assert beyond(difference, error) < 1e-3
    assert beyond(difference, error, 0.5) > 0.05


def test_a_test_of_nothing_has_seldom_small_p_values():
    """Of 200 differences by chance about ten are below 5 %: at most 20, but for 1 in 400."""
    draw = np.random.default_rng(6)
    samples = draw.normal(0, 1, (200, 2, 10, 20))
    alarms = sum(beyond(*stratified_difference(*sample)) <= 0.05 for sample in samples)
    assert 2 <= alarms <= 20


def test_rates_are_tested_by_the_binomial_distribution():
    assert rate_above(9, 10, 0.5) == pytest.approx(2 * 11 / 1024)
    assert rate_above(1, 10, 0.5) == pytest.approx(2 * 11 / 1024)
    assert rate_above(5, 10, 0.5) == 1.0
