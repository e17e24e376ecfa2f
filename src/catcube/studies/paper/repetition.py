"""Repetitions of an experiment, by the bootstrap: summaries and ranks as they could have been.

A sample is the values, or the runtimes (infinite without success), of one pair on one instance;
all samples that are given together have the same number of runs.
"""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.statistics import QUARTERS, Pair, resampled_quantiles

REPETITIONS = 2000

Sample = NDArray[np.float64]


def repeated_summaries(boards: Sequence[Sample], size: int, draw: np.random.Generator) -> Sample:
    """Summarise the successful ones of `size` runs, each time on one of the boards.

    One row for each of minimum, quartiles and maximum, one column for each repetition.

    >>> repeated_summaries([np.array([4.0, 4, 4])], 3, np.random.default_rng(1))[:, 0].tolist()
    [4.0, 4.0, 4.0, 4.0, 4.0]
    """
    chosen = draw.integers(len(boards), size=REPETITIONS)
    found, _ = _repeated(boards, chosen, size, draw)
    return found


def repeated_ranks(
    instances: Sequence[Mapping[Pair, Sample]],
    kinds: Sequence[Hashable],
    size: int,
    draw: np.random.Generator,
) -> NDArray[np.int64]:
    """Rank the pairs in the tables of all instances, each time on other instances.

    Each instance is replaced by one of those of its kind, with `size` runs on it. All instances
    have the same pairs in the same order. What is returned has the dimensions repetition,
    instance, pair.
    """
    chosen = np.stack([_drawn(kinds, kind, draw) for kind in kinds], axis=1)
    keys = []
    for pair in instances[0]:
        boards = [samples[pair] for samples in instances]
        found, successes = _repeated(boards, chosen, size, draw)
        least, q1, median, q3, most = found
        keys.append(np.stack([-successes, median, q1, q3, least, most]))
    return ranks_by_keys(np.stack(keys, axis=-1))


def _drawn(
    kinds: Sequence[Hashable], kind: Hashable, draw: np.random.Generator
) -> NDArray[np.int64]:
    same = np.array([number for number, other in enumerate(kinds) if other == kind])
    return same[draw.integers(same.size, size=REPETITIONS)]


def _repeated(
    boards: Sequence[Sample], chosen: NDArray[np.int64], size: int, draw: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Summarise the successful runs on each chosen board, and return how many there are."""
    rows = np.sort(np.stack(boards), axis=1)  # those without success come last
    available = np.isfinite(rows).sum(axis=1)
    successes = draw.binomial(size, available[chosen] / rows.shape[1])
    return resampled_quantiles(rows, available, chosen, successes, QUARTERS, draw), successes


def ranks_by_keys(keys: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank by several keys: one more than the number of smaller ones, in the last dimension.

    The first dimension is that of the keys, the most important one first.

    >>> ranks_by_keys(np.array([[5, 3, 5, 5], [1, 9, 1, 2]])).tolist()
    [2, 1, 2, 4]
    """
    order = np.lexsort(keys[::-1], axis=-1)
    ordered = np.take_along_axis(keys, order[None], axis=-1)
    later = (ordered[..., 1:] != ordered[..., :-1]).any(axis=0)
    first = np.zeros(order.shape, np.int64)  # where the equal ones before it begin
    first[..., 1:] = np.where(later, np.arange(1, order.shape[-1]), 0)
    ranks = np.empty(order.shape, np.int64)
    np.put_along_axis(ranks, order, np.maximum.accumulate(first, axis=-1) + 1, axis=-1)
    return ranks
