"""How likely a difference between a published figure and ours is by chance alone."""

import numpy as np
from numpy.typing import NDArray

from catcube.studies.paper.significance import fisher


def repetition_chance(repeated: NDArray[np.float64], ours: float, published: float) -> float:
    """Give the share of couples of repetitions that differ at least as much as these two figures.

    The couple that is tested counts, too, so that the share is never zero. An infinite figure
    (no run succeeds) differs infinitely from all finite ones, and not from another one.

    >>> repetition_chance(np.array([1.0, 2, 2, 4]), ours=2, published=4)  # 3 of 6 couples
    0.5714285714285714
    >>> repetition_chance(np.array([1.0, 2, 2, 4]), ours=2, published=2)
    1.0
    """
    if ours == published:
        return 1.0
    difference = abs(ours - published)
    finite = np.sort(repeated[np.isfinite(repeated)])
    couples = finite.size * (repeated.size - finite.size)  # of a finite and an infinite one
    if np.isfinite(difference):
        above = finite.size - np.searchsorted(finite, finite + difference, side="left")
        couples += int(above.sum())
    return (couples + 1) / (repeated.size * (repeated.size - 1) // 2 + 1)


def extreme_chance(boards: list[NDArray[np.float64]], size: int, least: float) -> float:
    """Give the probability that all of `size` other runs are at or above `least`, two-sided.

    The bootstrap cannot tell how far extremes vary: it never goes beyond what was seen. So ranks
    are counted: if k of our n runs are below, those k are the smallest of all n + `size` runs.
    That the published minimum is below ours proves nothing: some run is the best of all. For a
    maximum, give the negative values.

    >>> round(extreme_chance([np.arange(10.0)], 10, least=0), 3), extreme_chance(
    ...     [np.arange(10.0)], 10, least=5) < 0.05
    (1.0, True)
    """
    chances = []
    for sample in boards:
        runs = sample[np.isfinite(sample)]
        below = np.arange(int((runs < least).sum()))
        chances.append(float(np.prod((runs.size - below) / (runs.size + size - below))))
    return min(1.0, 2 * float(np.mean(chances)))


def success_chance(successes: int, runs: int, percent: int, published_runs: int) -> float:
    """Give the p-value of Fisher's test that both success rates are one, two-sided.

    Published percents are rounded down; of the numbers of successes that a percent can stand for,
    the one nearest to ours is taken.

    >>> success_chance(2000, 2000, 100, 2000), success_chance(1990, 2000, 99, 2000)
    (1.0, 1.0)
    >>> success_chance(91, 100, 100, 100) < 0.01
    True
    """
    lowest = -(-percent * published_runs // 100)
    highest = min(published_runs, -(-(percent + 1) * published_runs // 100) - 1)
    theirs = min(max(round(successes * published_runs / runs), lowest), highest)
    return fisher(successes, runs, theirs, published_runs)
