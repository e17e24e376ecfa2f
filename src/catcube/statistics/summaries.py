"""Five numbers that stand for a sample."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


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
    """The summary of a sample; quantiles are interpolated linearly.

    >>> summary([4, 1, 3, 2])
    Summary(min=1.0, q1=1.75, median=2.5, q3=3.25, max=4.0)
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0:
        raise ValueError("an empty sample has no summary")
    return Summary(*np.quantile(sample, [0, 0.25, 0.5, 0.75, 1], method="linear").tolist())
