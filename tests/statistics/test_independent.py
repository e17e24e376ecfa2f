"""Statistics against other implementations: scipy, pandas, statsmodels, iohinspector, counting."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from catcube.statistics import (
    PlainResult,
    cliffs_delta,
    friedman,
    holm,
    magnitude,
    mann_whitney,
    summary,
)
from tests.statistics.sample_strategies import INF, few, with_failures


def between(values, level):
    """The quantile in fractions; infinite where a share of an infinite value is wanted."""
    values = sorted(values)
    position = Fraction(level) * (len(values) - 1)
    low, share = values[int(position)], position - int(position)
    if share == 0:
        return low
    high = values[int(position) + 1]
    return low if low == high else INF if high == INF else low + float(share) * (high - low)


@given(with_failures)
def test_five_numbers_of_samples_with_failures(values):
    assert list(summary(values)) == [between(values, quarter / 4) for quarter in range(5)]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([INF], [INF] * 5),
        ([INF, INF], [INF] * 5),
        ([1, INF], [1, INF, INF, INF, INF]),
        ([1, 2, INF], [1, 1.5, 2, INF, INF]),
        ([-INF, 1], [-INF, -INF, -INF, -INF, 1]),
        ([-1.5e308, 1.5e308], [-1.5e308, -0.75e308, 0, 0.75e308, 1.5e308]),
        ([5e-324, 5e-324], [5e-324] * 5),
        ([-0.0, 0.0], [0] * 5),
    ],
)
def test_five_numbers_at_the_ends_of_numbers(values, wanted):
    assert list(summary(values)) == wanted


# Ranks


grids = st.integers(3, 5).flatmap(
    lambda width: st.lists(
        st.lists(few | st.just(INF), min_size=width, max_size=width), min_size=1, max_size=6
    )
)


@given(grids)
def test_friedman_from_its_formula(rows):
    """With the correction for ties, in fractions; ranks by pandas."""
    test = friedman(
        PlainResult(str(row), str(column), "linear", 1, value, 1, 1)
        for row, values in enumerate(rows)
        for column, value in enumerate(values)
    )
    table = pd.DataFrame(rows).rank(axis=1)
    means = {pair.algorithm: rank for pair, rank in test.mean_ranks.items()}
    assert means == pytest.approx({str(k): mean for k, mean in table.mean().to_dict().items()})
    n, k = table.shape
    ties = sum(count**3 - count for row in rows for count in Counter(row).values())
    sums = [Fraction(rank_sum) for rank_sum in table.sum()]
    correction = 1 - Fraction(ties, n * k * (k * k - 1))
    if correction == 0:
        assert (test.statistic, test.p) == (0, 1)
        return
    raw = Fraction(12, n * k * (k + 1)) * sum(rank_sum**2 for rank_sum in sums) - 3 * n * (k + 1)
    assert test.statistic == pytest.approx(float(raw / correction), abs=1e-9)
    assert test.p == pytest.approx(stats.chi2.sf(float(raw / correction), k - 1), abs=1e-9)


# Two samples


@given(with_failures, with_failures)
def test_mann_whitney_is_that_of_scipy(first, second):
    """Failures are ties: scipy, which does not know infinite values, is given a large one."""
    finite = [[min(value, 99) for value in sample] for sample in (first, second)]
    if len(set(finite[0] + finite[1])) == 1:
        assert mann_whitney(first, second) == 1
    else:
        assert mann_whitney(first, second) == pytest.approx(
            stats.mannwhitneyu(*finite).pvalue, rel=1e-12
        )


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 5), (2, 3), (3, 3), (4, 4), (3, 6)])
def test_mann_whitney_without_ties_counts_all_divisions(n, m):
    ranks = range(n + m)
    below = {  # for each division, how many couples the first wins
        subset: sum(a < b for a in subset for b in ranks if b not in subset)
        for subset in combinations(ranks, n)
    }
    for subset, wins in list(below.items())[::3]:
        rest = [rank for rank in ranks if rank not in subset]
        most = max(wins, n * m - wins)
        share = sum(won >= most for won in below.values()) / len(below)
        assert mann_whitney(subset, rest) == pytest.approx(min(1, 2 * share))


@given(with_failures, with_failures)
def test_the_effect_of_the_other_way_round(first, second):
    """Exactly the opposite, in the same word."""
    assert cliffs_delta(first, second) == -cliffs_delta(second, first)
    assert magnitude(cliffs_delta(first, second)) == magnitude(cliffs_delta(second, first))
    wanted = Fraction(
        sum((a < b) - (a > b) for a in first for b in second), len(first) * len(second)
    )
    assert cliffs_delta(first, second) == float(wanted)


@pytest.mark.long  # statsmodels takes its time to be imported
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p_values):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    wanted = multitest.multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(wanted.tolist(), abs=1e-12)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=8), st.integers(1, 40))
def test_holm_rejects_what_his_procedure_does(numbers, level):
    """From the smallest p on, as long as p · (how many are left) is at most the level."""
    p_values, alpha = [number / 64 for number in numbers], level / 64
    rejected = set()
    for step, index in enumerate(sorted(range(len(numbers)), key=numbers.__getitem__)):
        if p_values[index] * (len(numbers) - step) > alpha:
            break
        rejected.add(index)
    assert {index for index, p in enumerate(holm(p_values)) if p <= alpha} == rejected
