"""How sure a mean or a median is: bootstrap confidence intervals."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.statistics.resampling import resampled_means, resampled_quantiles


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


def confidence_interval(
    values: ArrayLike,
    statistic: Literal["mean", "median"] = "median",
    *,
    level: float = 0.95,
    resamples: int = 9999,
    method: Literal["percentile", "bca"] = "percentile",
    seed: int = 0,
) -> Interval:
    """A bootstrap interval of the mean or the median; the same seed gives the same interval.

    The percentile method is the default: the accelerated one (bca) breaks down where leaving out
    one value does not change the statistic, as is common for the median of values with ties.

    >>> low, high = confidence_interval([3, 5, 4, 6, 4, 5, 7, 4], "mean")
    >>> 3.5 < low < 4.75 < high < 6
    True
    >>> confidence_interval([4, 4, 4])
    Interval(low=4.0, high=4.0)
    """
    if statistic not in ("mean", "median") or method not in ("percentile", "bca"):
        raise ValueError("the statistic is mean or median, the method percentile or bca")
    if not 0 < level < 1 or resamples < 1:
        raise ValueError(
            "the level is between 0 and 1, with at least one resample, not "
            f"{level} with {resamples}"
        )
    sample = np.sort(np.asarray(values, dtype=np.float64), axis=None)
    if sample.size == 0 or not np.isfinite(sample).all():
        raise ValueError("an interval needs at least one value, and finite ones")
    if sample[0] == sample[-1]:  # nothing to resample
        return Interval(float(sample[0]), float(sample[0]))
    if method == "bca":
        return _accelerated(sample, statistic, level, resamples, seed)
    draw = np.random.default_rng(seed)
    if statistic == "mean":
        found = resampled_means(sample, resamples, draw)
    else:
        one = np.zeros(resamples, np.int64)
        size = np.array([sample.size])
        found = resampled_quantiles(sample[None], size, one, one + sample.size, [0.5], draw)
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high)


def _accelerated(
    sample: NDArray[np.float64], statistic: str, level: float, resamples: int, seed: int
) -> Interval:
    from scipy import stats

    if _jackknife_is_constant(sample, statistic):
        raise ValueError("bca is not defined for this sample, take the percentile method")
    interval = stats.bootstrap(
        (sample,),
        np.mean if statistic == "mean" else np.median,
        confidence_level=level,
        n_resamples=resamples,
        method="BCa",
        random_state=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(interval.low), float(interval.high))


def _jackknife_is_constant(sample: NDArray[np.float64], statistic: str) -> bool:
    """Whether the statistic is the same whichever value is left out."""
    own = np.mean if statistic == "mean" else np.median
    left = [own(np.delete(sample, position)) for position in range(sample.size)]
    return bool(np.ptp(left) == 0)
