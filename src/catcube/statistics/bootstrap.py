"""How sure a mean or a median is: bootstrap confidence intervals."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


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
    from scipy import stats

    statistics = {"mean": np.mean, "median": np.median}
    methods = {"percentile": "percentile", "bca": "BCa"}
    if statistic not in statistics or method not in methods:
        raise ValueError("the statistic is mean or median, the method percentile or bca")
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0 or not np.isfinite(sample).all():
        raise ValueError("an interval needs at least one value, and finite ones")
    if (sample == sample[0]).all():  # nothing to resample
        return Interval(float(sample[0]), float(sample[0]))
    if method == "bca" and _jackknife_is_constant(sample, statistic):
        raise ValueError("bca is not defined for this sample, take the percentile method")
    interval = stats.bootstrap(
        (sample,),
        statistics[statistic],
        confidence_level=level,
        n_resamples=resamples,
        method=methods[method],
        random_state=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(interval.low), float(interval.high))


def _jackknife_is_constant(sample: NDArray[np.float64], statistic: str) -> bool:
    """Whether the statistic is the same whichever value is left out."""
    own = np.mean if statistic == "mean" else np.median
    left = [own(np.delete(sample, position)) for position in range(sample.size)]
    return bool(np.ptp(left) == 0)
