"""How large a difference of two samples is, smaller values being better."""

import numpy as np
from numpy.typing import ArrayLike

from catcube.statistics.samples import checked_sample


def vargha_delaney(first: ArrayLike, second: ArrayLike) -> float:
    """Compute A12: the probability that a value of the first is smaller, ties counted by half.

    0.5 is no difference, 1 means that every value of the first is below every one of the second.
    We minimise, so what is usually "greater" is "smaller" here. Infinite values (runs without
    success) are worse than all others and equal to each other.

    >>> vargha_delaney([1, 2], [2, 3])
    0.875
    """
    wins, losses, couples = _couples(first, second)
    return (couples + wins - losses) / (2 * couples)


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """Compute Cliff's delta: the probability of being smaller minus that of being greater.

    It is 2 A12 − 1, from −1 to 1; computed from integers, because 2 A12 − 1 would round, and a
    delta of −0.33 would not be medium.

    >>> cliffs_delta([1, 2], [2, 3])
    0.75
    """
    wins, losses, couples = _couples(first, second)
    return (wins - losses) / couples


def _couples(first: ArrayLike, second: ArrayLike) -> tuple[int, int, int]:
    """Count the couples in which the value of the first is smaller, greater, and all couples."""
    sample, other = checked_sample(first), np.sort(checked_sample(second), axis=None)
    greater = np.searchsorted(other, sample, side="left")
    smaller = other.size - np.searchsorted(other, sample, side="right")
    return int(smaller.sum()), int(greater.sum()), sample.size * other.size


def magnitude(delta: float) -> str:
    """Name the size of Cliff's delta, with the usual limits 0.147, 0.33 and 0.474.

    J. Romano et al., "Appropriate statistics for ordinal level data", 2006.

    >>> [magnitude(delta) for delta in (0.1, -0.2, 0.4, -0.5)]
    ['negligible', 'small', 'medium', 'large']
    """
    for limit, word in ((0.147, "negligible"), (0.33, "small"), (0.474, "medium")):
        if abs(delta) < limit:
            return word
    return "large"
