"""Statistics against other implementations: scipy, pandas, statsmodels, iohinspector, counting."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from catcube.statistics import (
    Curve,
    Pair,
    PlainResult,
    Trace,
    cliffs_delta,
    compare_representations,
    confidence_interval,
    critical_difference,
    ecdf,
    expected_running_time,
    expected_running_time_of_samples,
    friedman,
    holm,
    magnitude,
    mann_whitney,
    quantiles,
    ranks,
    resampled_means,
    resampled_quantiles,
    runtime_tables,
    samples_of,
    summary,
    value_of,
    value_tables,
    vargha_delaney,
    whole_percent,
)

INF = math.inf
CHANCE = 1e-6  # of each test of a distribution to fail although it is right
few = st.integers(0, 4)
with_failures = st.lists(few | st.just(INF), min_size=1, max_size=9)
reals = st.floats(-1e300, 1e300, allow_nan=False)


# Quantiles


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


@given(st.lists(reals, min_size=1, max_size=20))
def test_five_numbers_are_those_of_pandas(values):
    wanted = pd.Series(values).quantile([0, 0.25, 0.5, 0.75, 1], interpolation="linear")
    largest = max(map(abs, values))
    assert list(summary(values)) == pytest.approx(wanted.tolist(), rel=1e-12, abs=1e-12 * largest)


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


def test_many_samples_at_once_are_the_single_ones():
    rows = np.array([[3, 1, 2], [1, INF, 2], [INF, INF, INF]], float)
    found = quantiles(rows, [0, 0.25, 0.5, 0.75, 1])
    assert found.T.tolist() == [list(summary(row)) for row in rows]


# What is no number


def refused(function, *arguments):
    with pytest.raises(ValueError, match=r"NaN|empty|infinity|p-value|trace"):
        function(*arguments)


@pytest.mark.parametrize("sample", [[], [1, math.nan], [math.nan]])
def test_nothing_is_said_of_nothing_and_of_nan(sample):
    pair = Pair("sa", "linear")
    for function in (summary, whole_sample_table, friedman_with):
        refused(function, sample)
    for function in (mann_whitney, vargha_delaney, cliffs_delta):
        refused(function, sample, [1, 2])
        refused(function, [1, 2], sample)
    refused(expected_running_time_of_samples, sample, [1] * len(sample))
    refused(runtime_tables, {"easy": {pair: sample}})
    refused(ecdf, [Trace("easy", *pair, 1, list(range(1, len(sample) + 1)), sample)])


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
    refused(summary, [-INF, INF])


@pytest.mark.parametrize("p", [math.nan, -0.1, 1.1])
def test_what_is_no_p_value(p):
    refused(holm, [0.5, p])


@pytest.mark.parametrize("given_", [(1, 9, 0.05), (3, 0, 0.05), (3, 9, 0), (3, 9, 1), (3, 9, 5)])
def test_differences_that_make_no_sense(given_):
    with pytest.raises(ValueError, match="expected at least two pairs"):
        critical_difference(*given_)


@pytest.mark.parametrize("options", [{"level": 95}, {"level": 0}, {"resamples": 0}])
def test_intervals_that_make_no_sense(options):
    with pytest.raises(ValueError, match=r"expected a level|at least one resample"):
        confidence_interval([1, 2, 3], **options)


# Ranks


@given(st.lists(few | st.just(INF), min_size=1, max_size=15))
def test_ranks_are_those_of_pandas(keys):
    found = ranks(dict(enumerate(keys)))
    wanted = pd.Series(keys).rank(method="min")
    assert [found[name] for name in range(len(keys))] == wanted.tolist()


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


@pytest.mark.parametrize("pairs", [2, 3, 7, 22])
@pytest.mark.parametrize("level", [0.01, 0.05, 0.1])
def test_critical_differences_by_integration(pairs, level):
    """The range of k normal numbers is below q with chance k ∫ φ(z) (Φ(z) − Φ(z − q))^(k−1) dz."""
    instances = 11
    difference = critical_difference(pairs, instances, level)
    q = difference / math.sqrt(pairs * (pairs + 1) / (6 * instances)) * math.sqrt(2)
    z = np.linspace(-9, 9 + q, 20_001)
    inside = stats.norm.pdf(z) * (stats.norm.cdf(z) - stats.norm.cdf(z - q)) ** (pairs - 1)
    assert pairs * np.trapezoid(inside, z) == pytest.approx(1 - level, abs=1e-7)


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


@pytest.mark.parametrize(("difference", "word"), [(33, "medium"), (32, "small"), (48, "large")])
def test_the_word_at_a_limit(difference, word):
    """Ten against ten: of 100 couples, so many more are won than lost."""
    second = np.arange(10) + 0.5
    first = np.repeat(9.75, 10)  # wins nothing
    wins, extra = divmod((100 + difference) // 2, 10)
    first[:wins] = -1
    first[wins] = 9.6 - extra
    if difference % 2:
        second[9 - extra] = first[wins]
    delta = cliffs_delta(first, second)
    assert round(delta * 100) == pytest.approx(delta * 100) == pytest.approx(difference, abs=1)
    assert magnitude(delta) == magnitude(cliffs_delta(second, first))
    assert magnitude(difference / 100) == magnitude(-difference / 100) == word


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


def test_all_comparisons_are_adjusted_together():
    draw = np.random.default_rng(3)
    pairs = [Pair("sa", name) for name in ("linear", "direct")]
    samples = {
        str(k): {pair: draw.integers(0, 9, 12).astype(float) for pair in pairs} for k in range(5)
    }
    found = compare_representations(samples)
    p = [stats.mannwhitneyu(*samples[str(k)].values()).pvalue for k in range(5)]
    assert [one.p for one in found] == pytest.approx(p)
    assert [one.adjusted for one in found] == holm([one.p for one in found])


# Runtimes


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
    traces = [Trace("a", "sa", "linear", k, moments[: len(run)], run) for k, run in enumerate(runs)]
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
        Trace("a", "sa", "linear", 1, [1, 4, 6], values),
        Trace("a", "sa", "direct", 1, [1], values[:1]),
    ]
    plain = [run._replace(values=np.array(run.values) / abs(scale)) for run in runs]
    for one, other in zip(ecdf(runs).values(), ecdf(plain).values(), strict=True):
        assert one.at(range(8)).tolist() == other.at(range(8)).tolist()
        assert one.final > 0


def test_a_curve_of_very_many_evaluations():
    curve = Curve(np.array([1, 2**53 + 1, 2**62]), np.array([1, 2, 3]), 3)
    assert curve.at([2**53, 2**53 + 1, 2**62]).tolist() == [1 / 3, 2 / 3, 1]


# Resampling


def agrees(observed, chances):
    """Chi-square; values that are rare are put together."""
    chances = {value: share for value, share in chances.items() if share > 0}
    assert set(observed) <= set(chances)
    total = sum(observed.values())
    common = [value for value, share in chances.items() if share * total >= 8]
    seen = [observed[value] for value in common]
    wanted = [float(chances[value]) * total for value in common]
    if total - sum(wanted) > 1e-6:
        seen.append(total - sum(seen))
        wanted.append(total - sum(wanted))
    assert stats.chisquare(seen, wanted, sum_check=False).pvalue > CHANCE


@pytest.mark.parametrize("sample", [[1, 2, 4, 8], [1, 1, 5], [0, 3, 3, 3, 9]])
@pytest.mark.parametrize("level", [0.25, 0.5, 1.0])
def test_resampled_quantiles_have_the_distribution_of_all_resamples(sample, level):
    size = len(sample)
    chances = Counter()
    for drawn in product(sample, repeat=size):
        chances[round(float(np.quantile(drawn, level)), 9)] += Fraction(1, size**size)
    zeros = np.zeros(20_000, np.int64)
    [found] = resampled_quantiles(
        np.array([sample], float),
        np.array([size]),
        zeros,
        zeros + size,
        [level],
        np.random.default_rng(5),
    )
    agrees(Counter(np.round(found, 9).tolist()), chances)


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
    found = resampled_means(sample, 20_000, np.random.default_rng(6))
    agrees(Counter(np.rint(found * size).astype(int).tolist()), chances)


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_an_interval_has_the_ends_of_the_distribution_of_all_resamples(statistic):
    sample = [1, 4, 6, 13, 30]
    statistic_of = np.mean if statistic == "mean" else np.median
    every = np.sort([statistic_of(drawn) for drawn in product(sample, repeat=5)])
    low, high = confidence_interval(sample, statistic, level=0.9, seed=3)
    assert np.quantile(every, 0.04) <= low <= np.quantile(every, 0.06)
    assert np.quantile(every, 0.94) <= high <= np.quantile(every, 0.96)
