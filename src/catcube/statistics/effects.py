"""Mean effects over instances, or over families of instances, with their intervals.

The effect on an instance, such as Cliff's delta of its runs, varies with the instance and with its
runs, and the spread of the effects includes both. Therefore the interval of their mean is Student's
interval over instances: resampling the runs as well would count their noise twice. Since effects
are bounded, the interval is symmetric on Fisher's scale, atanh, and stays between −1 and 1. The
standard error on this scale is the larger of those of the delta method and of the jackknife (R. G.
Miller, "The jackknife: a review", Biometrika 61, 1974). They agree for moderate effects; near ±1
effects are skewed, and the delta method alone underestimates the error. There atanh of a mean is
also biased away from 0, and the samples with the largest bias have the smallest variances, so the
centre of the interval is moved towards 0.

tests/statistics/test_effects.py simulates the designs of the studies with several kinds of
populations. If runs are shifted normally or effects have beta distributions, with means up to ±0.9,
the intervals cover the mean in 92 to 97 % of the cases. Effects that are normal on Fisher's scale
with a standard deviation near 1 are more skewed: means of ±0.9 are covered in 88 to 96 %, means of
0 in up to 98.5 % of the cases. Beyond ±0.95 the coverage is 86 to 99 %, because the few instances
that are far from the bound may all be missing in a sample. No interval accounts for kinds of
families that are missing in the sample: if one family in seven is far from the others, the coverage
is 87 to 92 %.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from catcube.base.optional import import_optional
from catcube.base.text import expect
from catcube.statistics.hypotheses import cliffs_delta, mann_whitney
from catcube.statistics.results import Sample, as_sample

__all__ = ["NEGLIGIBLE", "MeanEffect", "mean_effect", "run_effect"]

NEGLIGIBLE = 0.147
"""Effects (Cliff's delta) closer to 0 are negligible: the default margin of equivalence."""


UNIT_DEFICIT = 0.2
"""If all effects are at the bound, one is reduced by this, so that their spread is not 0."""


class MeanEffect(NamedTuple):
    """A mean of effects, with its interval and the p-values of two tests.

    `p` belongs to the two-sided test of no effect, `equivalence` to the test of equivalence (two
    one-sided tests): if it is small, the mean is within the margin. With a single instance the
    spread is unknown, and the interval and both p-values are NaN.

    Examples
    --------
    >>> mean_effect([0.5, 0.5]).low, mean_effect([0.5, 0.5]).units
    (0.5, 2)
    """

    mean: float
    low: float
    high: float
    p: float
    equivalence: float
    units: int  # the number of instances or families from whose spread the interval is computed


def mean_effect(
    effects: ArrayLike | Mapping[str, ArrayLike],
    *,
    level: float = 0.95,
    margin: float = NEGLIGIBLE,
    families: Literal["random", "fixed"] = "random",
) -> MeanEffect:
    """Return the mean effect over instances, or over families of instances, with its interval.

    Parameters
    ----------
    effects
        One effect per instance, from −1 to 1; or a mapping of such lists by family.
    level
        Confidence level of the interval.
    margin
        Largest negligible effect, for the test of equivalence.
    families
        "random" if the families are a sample of all families: the interval is Student's interval
        over the means of families. "fixed" if they are all families of interest: it is computed
        from the spread of the instances within families, with the degrees of freedom of B. L. Welch
        (Biometrika 34, 1947).

    Returns
    -------
    MeanEffect
        The mean, in which all families have the same weight, with its interval and tests.

    Examples
    --------
    >>> found = mean_effect([0.3, 0.1, 0.4, 0.2])
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3), round(found.p, 3)
    (0.25, 0.036, 0.442, 0.034)
    >>> close = mean_effect({"nk": [0.01, 0.03], "potts": [-0.02, 0.0], "match": [0.0, 0.02]})
    >>> round(close.mean, 3), close.equivalence < 0.05, close.units
    (0.007, True, 3)
    """
    expect(families in ("random", "fixed"), "families random or fixed", families)
    expect(0 < level < 1, "a level between 0 and 1", level)
    expect(margin > 0, "a positive margin", margin)
    groups: list[Any] = list(effects.values()) or [[]] if isinstance(effects, Mapping) else []
    strata = [as_sample(one) for one in groups or [effects]]
    if groups and families == "random":
        strata = [np.array([one.mean() for one in strata])]
    units = len(groups) or strata[0].size
    expect(all(np.abs(one).max() <= 1 for one in strata), "effects from -1 to 1", effects)
    mean = float(np.mean([one.mean() for one in strata]))
    own = np.array([one.size - 1 for one in strata])
    place, error, freedom = np.nan, np.nan, float(own.min())
    if freedom and abs(mean) == 1:  # all effects are at the bound
        error, freedom = UNIT_DEFICIT / sum(one.size for one in strata), float(own.sum())
        inner = mean * (1 - error)
        place, error = float(np.arctanh(inner)), error / (1 - inner**2)
    elif freedom:
        parts = _stratum_variances(strata, mean)
        error = float(np.sqrt(parts.sum()))
        place = float(np.arctanh(mean)) - 2 * mean**3 * error**2  # near ±1 twice its bias
        if error > 0:  # + 2 and - 2, because squares of variances are biased
            welch = parts.sum() ** 2 / (parts**2 / (own + 2)).sum() - 2
            freedom = float(np.clip(welch, own.min(), own.sum()))
    return _with_interval(mean, place, error, freedom, units, level, margin)


def _stratum_variances(strata: Sequence[Sample], mean: float) -> Sample:
    """Return the contributions of the strata to the variance of atanh of the mean.

    They are those of the delta method or of the jackknife, whichever has the larger sum. If all
    units but one are at the bound, the mean of the others is limited by `UNIT_DEFICIT`.
    """
    limit = max(abs(mean), 1 - UNIT_DEFICIT / (sum(one.size for one in strata) - 1))
    found = []
    for one in strata:
        others, scale = one.size - 1, len(strata) * (1 - mean**2)
        without = mean + (one.mean() - one) / (others * len(strata))
        jackknife = others * np.arctanh(without.clip(-limit, limit)).var()
        found.append((one.var() / others / scale**2, jackknife))
    parts: Sample = max(np.array(found).T, key=np.sum)
    return parts


def _with_interval(
    mean: float, place: float, error: float, freedom: float, units: int, level: float, margin: float
) -> MeanEffect:
    """Return a mean with interval and tests, given its position and error on Fisher's scale."""
    special = import_optional("scipy.special")  # a hundred times faster than scipy.stats
    if np.isnan(error):
        return MeanEffect(mean, np.nan, np.nan, np.nan, np.nan, units)
    if error == 0:  # all effects are equal
        return MeanEffect(mean, mean, mean, float(mean == 0), float(abs(mean) >= margin), units)
    half = float(special.stdtrit(freedom, (1 + level) / 2)) * error
    return MeanEffect(
        mean,
        min(mean, float(np.tanh(place - half))),
        max(mean, float(np.tanh(place + half))),
        float(2 * special.stdtr(freedom, -abs(place) / error)),
        float(special.stdtr(freedom, (abs(place) - np.arctanh(margin)) / error)),
        units,
    )


def run_effect(
    first: ArrayLike, second: ArrayLike, *, level: float = 0.95, margin: float = NEGLIGIBLE
) -> MeanEffect:
    """Return Cliff's delta of the runs on one instance, with an interval over the runs.

    The variance is Cliff's unbiased estimate; `p` is that of the Mann–Whitney test.

    Parameters
    ----------
    first, second
        The values of the runs of two algorithms, one number per run. Smaller values are better.
    level
        Confidence level of the interval.
    margin
        Largest negligible effect, for the test of equivalence.

    Returns
    -------
    MeanEffect
        The effect, from −1 to 1, with its interval and tests. It is positive if the first values
        tend to be smaller. If there is only one first or second value, the interval and the p-value
        of equivalence are NaN.

    Examples
    --------
    >>> found = run_effect([1, 2, 4, 3, 2, 1], [3, 4, 6, 5, 4, 7])
    >>> round(found.mean, 2), round(found.low, 2), round(found.high, 2), found.p < 0.05
    (0.86, 0.24, 0.98, True)
    """
    one, other = as_sample(first).ravel(), as_sample(second).ravel()
    delta, p = cliffs_delta(one, other), mann_whitney(one, other)
    wins = (one[:, None] < other).astype(np.float64) - (one[:, None] > other)
    sizes = one.size, other.size
    if min(sizes) == 1:
        return MeanEffect(delta, np.nan, np.nan, p, np.nan, 1)
    rows, columns = ((wins.mean(axis=axis) - delta) ** 2 for axis in (1, 0))
    square = (
        sizes[1] ** 2 * rows.sum() + sizes[0] ** 2 * columns.sum() - ((wins - delta) ** 2).sum()
    ) / (sizes[0] * sizes[1] * (sizes[0] - 1) * (sizes[1] - 1))
    error = float(np.sqrt(max(square, (1 - delta**2) / (sizes[0] * sizes[1] - 1))))
    inner = delta
    if abs(delta) == 1:  # as if one run in two were not at the bound
        error = UNIT_DEFICIT / (min(sizes) // 2)
        inner = delta * (1 - error)
    place, scale = float(np.arctanh(inner)), error / (1 - inner**2)
    return _with_interval(delta, place, scale, sum(sizes) - 2, 1, level, margin)._replace(p=p)
