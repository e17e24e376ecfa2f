"""Five numbers that stand for a sample."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.errors import BadValue
from catcube.statistics.samples import Name, Sample, checked_sample, equal_sized

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
HUGE = 2.0**1022  # differences of larger numbers may overflow


class Summary(NamedTuple):
    """Minimum, quartiles and maximum."""

    min: float
    q1: float
    median: float
    q3: float
    max: float

    @property
    def key(self) -> tuple[float, float, float, float, float]:
        """The numbers in the order in which summaries are compared: the median comes first."""
        return self.median, self.q1, self.q3, self.min, self.max


NEVER = Summary(*[float("inf")] * 5)
"""The runtimes of a pair without success: later than all others, and equal to each other."""


def summary(values: ArrayLike) -> Summary:
    """Summarise a sample; its quantiles are those of `quantiles`.

    >>> summary([4, 1, 3, 2])
    Summary(min=1.0, q1=1.75, median=2.5, q3=3.25, max=4.0)
    """
    return Summary(*quantiles(np.ravel(values), QUARTERS).tolist())


def summaries(samples: Mapping[Name, Sample]) -> dict[Name, Summary]:
    """Summarise many samples at once.

    >>> summaries({"a": np.array([4.0, 1, 3, 2])})
    {'a': Summary(min=1.0, q1=1.75, median=2.5, q3=3.25, max=4.0)}
    """
    found: dict[Name, Summary] = {}
    for names, rows in equal_sized(samples):
        numbers = quantiles(rows, QUARTERS).T.tolist()
        found |= zip(names, (Summary(*row) for row in numbers), strict=True)
    return {name: found[name] for name in samples}


def medians(samples: Mapping[Name, Sample]) -> dict[Name, float]:
    """Return the middle value of each sample; halfway between two, of which one may be infinite.

    >>> medians({"a": np.array([4.0, 1, np.inf]), "b": np.array([4.0, np.inf])})
    {'a': 4.0, 'b': inf}
    """
    found: dict[Name, float] = {}
    for names, rows in equal_sized(samples):
        found |= zip(names, np.median(checked_sample(rows), axis=1).tolist(), strict=True)
    return {name: found[name] for name in samples}


def quantiles(samples: ArrayLike, levels: Sequence[float]) -> NDArray[np.float64]:
    """Interpolate quantiles of samples (along the last axis) linearly: one row per level.

    Between a finite and an infinite value the quantile is infinite, where numpy returns NaN.

    >>> quantiles([[1, 2, np.inf], [5, 5, 5]], [0.5, 0.75]).tolist()
    [[2.0, 5.0], [inf, 5.0]]
    """
    given = checked_sample(samples)
    if np.abs(given).max() < HUGE:
        return np.asarray(np.quantile(given, levels, axis=-1, method="linear"), np.float64)
    ordered = np.sort(given, axis=-1)
    last = ordered.shape[-1] - 1
    positions = np.asarray(levels, np.float64) * last
    below = np.floor(positions).astype(np.int64)
    share = positions - below
    low, high = ordered[..., below], ordered[..., np.minimum(below + 1, last)]
    with np.errstate(invalid="ignore"):  # of both infinities, and where no share is wanted
        between = low * (1 - share) + high * share
    found = np.where((share == 0) | (low == high), low, between)
    if np.isnan(found).any():
        raise BadValue("a quantile between minus infinity and infinity is not defined")
    return np.moveaxis(found, -1, 0)
