"""Many samples at once: the same numbers as those of `catcube.statistics` one by one, sooner.

A thousand boards with twenty pairs are twenty thousand small samples, for which calling numpy
takes longer than computing. So samples of the same size are the rows of a matrix.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from catcube.statistics import (
    QUARTERS,
    Interval,
    Summary,
    confidence_interval,
    quantiles,
    resampled_quantiles,
)

ENDS = ((1 - 0.95) / 2, (1 + 0.95) / 2)  # as `confidence_interval` computes them
CELLS = 1_000_000  # numbers that are worked on at a time: memory stays small
EXACT = 2.0**53  # sums of integers up to this do not depend on their order

Name = TypeVar("Name", bound=Hashable)
Sample = NDArray[np.float64]
Samples = Mapping[Name, Sample]


def summaries(samples: Samples[Name]) -> dict[Name, Summary]:
    """The summary of each sample; none may be empty.

    >>> summaries({"a": np.array([4.0, 1, 3, 2])})
    {'a': Summary(min=1.0, q1=1.75, median=2.5, q3=3.25, max=4.0)}
    """
    found: dict[Name, Summary] = {}
    for names, rows in _same_sized(samples):
        own = quantiles(rows, QUARTERS).T.tolist()
        found |= zip(names, (Summary(*numbers) for numbers in own), strict=True)
    return {name: found[name] for name in samples}


def medians(samples: Samples[Name]) -> dict[Name, float]:
    """The middle value of each sample; halfway between the two middle ones.

    >>> medians({"a": np.array([4.0, 1, np.inf]), "b": np.array([4.0, np.inf])})
    {'a': 4.0, 'b': inf}
    """
    found: dict[Name, float] = {}
    for names, rows in _same_sized(samples):
        found |= zip(names, np.median(rows, axis=1).tolist(), strict=True)
    return {name: found[name] for name in samples}


def intervals(
    samples: Samples[Name], statistic: Literal["mean", "median"], resamples: int
) -> dict[Name, Interval]:
    """The bootstrap interval (95 %) of the mean or the median of each sample.

    `confidence_interval` draws with the same seed for each sample. So the resamples of samples of
    the same size are made of the same places, which are drawn once.

    >>> intervals({"a": np.array([3.0, 3]), "b": np.array([1.0, 2])}, "mean", 99)
    {'a': Interval(low=3.0, high=3.0), 'b': Interval(low=1.0, high=2.0)}
    """
    found: dict[Name, Interval] = {}
    for names, rows in _same_sized(samples, max(resamples, 1)):
        rows = np.sort(rows, axis=1)
        if not np.isfinite(rows[:, [0, -1]]).all():
            raise ValueError("an interval needs finite values")
        different = 1 + np.count_nonzero(rows[:, 1:] != rows[:, :-1], axis=1)
        size = rows.shape[1]
        # The others are drawn value by value: see `resampled_means`.
        together = different > 1 if statistic == "median" else size <= 16 * different
        together &= different > 1
        if together.any():
            drawn = _medians if statistic == "median" else _means
            ends = np.quantile(drawn(rows[together], resamples), ENDS, axis=1).T.tolist()
            chosen = np.flatnonzero(together).tolist()
            found |= {names[place]: Interval(*own) for place, own in zip(chosen, ends, strict=True)}
        for place in np.flatnonzero(~together).tolist():
            found[names[place]] = confidence_interval(rows[place], statistic, resamples=resamples)
    return {name: found[name] for name in samples}


def _means(rows: NDArray[np.float64], resamples: int) -> NDArray[np.float64]:
    """The means of resamples of each row, as `resampled_means` draws them."""
    size = rows.shape[1]
    exact = (rows == np.rint(rows)).all() and np.abs(rows).max() * size < EXACT
    draw = np.random.default_rng(0)
    found = np.empty((len(rows), resamples))
    step = max(1, CELLS // size)
    for first in range(0, resamples, step):
        part = slice(first, min(first + step, resamples))
        count = part.stop - first
        chosen = draw.integers(size, size=(count, size), dtype=np.int32)
        if exact:
            # How often each place is drawn: a product of matrices, the same in any order.
            places = (np.arange(count)[:, None] * size + chosen).reshape(-1)
            often = np.bincount(places, minlength=count * size).reshape(count, size)
            found[:, part] = rows @ often.T.astype(np.float64) / size
        else:
            for own, means in zip(rows, found, strict=True):
                means[part] = own[chosen].mean(axis=1)
    return found


class _Again:
    """Draws for one resample after the other what is drawn for the first."""

    def standard_gamma(self, shapes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of shapes that are the same in the last dimension but one."""
        drawn = np.random.default_rng(0).standard_gamma(shapes[:, 0])
        return np.broadcast_to(drawn[:, None], shapes.shape)


def _medians(rows: NDArray[np.float64], resamples: int) -> NDArray[np.float64]:
    """The medians of resamples of each row, as `resampled_quantiles` draws them."""
    count, size = rows.shape
    chosen = np.broadcast_to(np.arange(count)[:, None], (count, resamples))
    sizes = np.full((count, resamples), size)
    again: Any = _Again()
    (found,) = resampled_quantiles(rows, np.full(count, size), chosen, sizes, [0.5], again)
    return np.asarray(found, np.float64)


def _same_sized(
    samples: Samples[Name], least: int = 1
) -> Iterator[tuple[Sequence[Name], NDArray[np.float64]]]:
    """Names and rows of samples of one size, some at a time; each counts as `least` at least."""
    sizes: dict[int, list[Name]] = {}
    for name, own in samples.items():
        sizes.setdefault(own.size, []).append(name)
    for size, names in sizes.items():
        step = max(1, CELLS // max(size, least))
        for first in range(0, len(names), step):
            part = names[first : first + step]
            yield part, np.stack([samples[name] for name in part])
