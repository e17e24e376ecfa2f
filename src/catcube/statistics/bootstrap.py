"""Bootstrap confidence intervals of means and medians."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from catcube.errors import BadValue
from catcube.statistics.resampling import few_distinct, resampled_means, resampled_medians
from catcube.statistics.samples import Name, Sample, equal_sized

Statistic = Literal["mean", "median"]


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


def confidence_interval(
    values: ArrayLike,
    statistic: Statistic = "median",
    *,
    level: float = 0.95,
    resamples: int = 9999,
    method: Literal["percentile", "bca"] = "percentile",
    seed: int = 0,
) -> Interval:
    """Compute a bootstrap interval of the mean or the median; it depends on the seed alone.

    The percentile method is the default: the accelerated one (bca) breaks down where leaving out
    one value does not change the statistic, as is common for the median of values with ties.

    >>> low, high = confidence_interval([3, 5, 4, 6, 4, 5, 7, 4], "mean")
    >>> 3.5 < low < 4.75 < high < 6
    True
    >>> confidence_interval([4, 4, 4])
    Interval(low=4.0, high=4.0)
    """
    if method not in ("percentile", "bca"):
        raise BadValue(f"expected the method percentile or bca, got {method!r}")
    sample = np.sort(np.asarray(values, np.float64), axis=None)
    [interval] = confidence_intervals(
        {None: sample}, statistic, level=level, resamples=resamples, seed=seed
    ).values()
    if method == "bca" and sample[0] != sample[-1]:
        return _accelerated(sample, statistic, level, resamples, seed)
    return interval


def confidence_intervals(
    samples: Mapping[Name, Sample],
    statistic: Statistic = "median",
    *,
    level: float = 0.95,
    resamples: int = 9999,
    seed: int = 0,
) -> dict[Name, Interval]:
    """Compute the percentile intervals of many samples at once.

    Each sample is resampled with the same seed. So the resamples of samples of one size are made
    of the same indices, which are drawn once.

    >>> confidence_intervals({"a": np.array([3.0, 3]), "b": np.array([1.0, 2])}, "mean")
    {'a': Interval(low=3.0, high=3.0), 'b': Interval(low=1.0, high=2.0)}
    """
    if statistic not in ("mean", "median"):
        raise BadValue(f"expected the statistic mean or median, got {statistic!r}")
    if not 0 < level < 1:
        raise BadValue(f"expected a level between 0 and 1, got {level}")
    if resamples < 1:
        raise BadValue(f"expected at least one resample, got {resamples}")
    ends = [(1 - level) / 2, (1 + level) / 2]
    found: dict[Name, Interval] = {}
    for names, unsorted in equal_sized(samples, resamples):
        rows = np.sort(unsorted, axis=1)
        if rows.size == 0 or not np.isfinite(rows[:, [0, -1]]).all():
            raise BadValue("expected at least one value and finite values only")
        lowest = rows[:, 0].tolist()
        found |= {name: Interval(low, low) for name, low in zip(names, lowest, strict=True)}
        vary = rows[:, 0] < rows[:, -1]
        alone = vary & few_distinct(rows) if statistic == "mean" else np.zeros(len(rows), bool)
        parts = [np.flatnonzero(vary & ~alone), *(np.array([row]) for row in np.flatnonzero(alone))]
        for chosen in parts:
            if chosen.size:
                resampled = resampled_means if statistic == "mean" else resampled_medians
                drawn = resampled(rows[chosen], resamples, np.random.default_rng(seed))
                bounds = np.quantile(drawn, ends, axis=1).T.tolist()
                for row, (low, high) in zip(chosen.tolist(), bounds, strict=True):
                    found[names[row]] = Interval(low, high)
    return {name: found[name] for name in samples}


def _accelerated(
    sample: Sample, statistic: str, level: float, resamples: int, seed: int
) -> Interval:
    from scipy import stats

    function = np.mean if statistic == "mean" else np.median
    left_out = [function(np.delete(sample, index)) for index in range(sample.size)]
    if np.ptp(left_out) == 0:  # the same whichever value is left out
        raise BadValue("bca is not defined for this sample; use the percentile method")
    interval = stats.bootstrap(
        (sample,),
        function,
        confidence_level=level,
        n_resamples=resamples,
        method="BCa",
        random_state=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(interval.low), float(interval.high))
