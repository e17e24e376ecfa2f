"""Resampling, compared with the enumeration of all resamples."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from catcube.statistics import confidence_interval, resample_means, resample_quantiles
from tests.statistics.sample_strategies import CHANCE


def chance_of(observed, chances):
    """Return the p-value of the chi-square test; values that are rare are put together."""
    chances = {value: share for value, share in chances.items() if share > 0}
    assert set(observed) <= set(chances)
    total = sum(observed.values())
    common = [value for value, share in chances.items() if share * total >= 8]
    seen = [observed[value] for value in common]
    wanted = [float(chances[value]) * total for value in common]
    if total - sum(wanted) > 1e-6:
        seen.append(total - sum(seen))
        wanted.append(total - sum(wanted))
    return stats.chisquare(seen, wanted, sum_check=False).pvalue


@pytest.mark.parametrize("sample", [[1, 2, 4, 8], [1, 1, 5], [0, 3, 3, 3, 9]])
@pytest.mark.parametrize("level", [0.25, 0.5, 1.0])
def test_resampled_quantiles_have_the_distribution_of_all_resamples(sample, level):
    size = len(sample)
    chances = Counter()
    for drawn in product(sample, repeat=size):
        chances[round(float(np.quantile(drawn, level)), 9)] += Fraction(1, size**size)
    zeros = np.zeros(20_000, np.int64)
    [found] = resample_quantiles(
        np.array([sample], float),
        np.array([size]),
        zeros,
        zeros + size,
        [level],
        np.random.default_rng(5),
    )
    assert chance_of(Counter(np.round(found, 9).tolist()), chances) > CHANCE


@pytest.mark.parametrize("sample", [[1, 2, 4, 8], [0] * 30 + [1] * 10])
def test_resampled_means_have_the_distribution_of_all_resamples(sample):
    size = len(sample)
    if size < 9:
        chances = Counter()
        for drawn in product(sample, repeat=size):
            chances[sum(drawn)] += Fraction(1, size**size)
    else:  # by the other way to draw them; the sum of ones is binomial
        share = Fraction(sum(sample), size)
        chances = {
            k: math.comb(size, k) * share**k * (1 - share) ** (size - k) for k in range(size + 1)
        }
    found = resample_means(sample, 20_000, np.random.default_rng(6))
    assert chance_of(Counter(np.rint(found * size).astype(int).tolist()), chances) > CHANCE


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_an_interval_has_the_ends_of_the_distribution_of_all_resamples(statistic):
    sample = [1, 4, 6, 13, 30]
    statistic_of = np.mean if statistic == "mean" else np.median
    every = np.sort([statistic_of(drawn) for drawn in product(sample, repeat=5)])
    low, high = confidence_interval(sample, statistic, level=0.9, seed=3)
    assert np.quantile(every, 0.04) <= low <= np.quantile(every, 0.06)
    assert np.quantile(every, 0.94) <= high <= np.quantile(every, 0.96)
