"""Representations against each other, for each instance and algorithm."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.errors import BadValue
from catcube.statistics.effect import cliffs_delta, magnitude, vargha_delaney
from catcube.statistics.results import Pair, Result, value_of
from catcube.statistics.samples import Data, checked_sample, samples_of


class Comparison(NamedTuple):
    """A two-sided Mann–Whitney test; effects above 0.5 (A12) and 0 (delta) favour the first."""

    instance: str
    algorithm: str
    first: str  # the representations
    second: str
    p: float
    adjusted: float  # by Holm, over all comparisons made together
    a12: float
    delta: float
    magnitude: str


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values by Holm's step-down method; they keep their order.

    All that are at most α are significant together: the probability of any false alarm among
    them is at most α.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise BadValue(f"expected p-values from 0 to 1, got {p_values}")
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    for step, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - step) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def mann_whitney(first: ArrayLike, second: ArrayLike) -> float:
    """Return the two-sided p-value of equal distributions; infinite values are ties.

    >>> mann_whitney([1, 2, 3, 4], [5, 6, 7, 8]) < 0.05
    True
    >>> mann_whitney([1, 1], [1, 1])
    1.0
    """
    sample, other = checked_sample(first), checked_sample(second)
    pooled = np.concatenate([sample, other])
    values, inverse, counts = np.unique(pooled, return_inverse=True, return_counts=True)
    if values.size == 1:  # nothing tells them apart
        return 1.0
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]  # finite also where values are not
    if values.size == pooled.size and min(sample.size, other.size) <= 8:
        return _by_enumeration(tuple(sorted(ranks[: sample.size])), other.size)
    return _by_normal_distribution(ranks[: sample.size], other.size, counts)


@lru_cache(maxsize=10_000)
def _by_enumeration(ranks: tuple[float, ...], others: int) -> float:
    """Return the exact p-value; `ranks` are the ranks, all different, of one sample.

    Small samples have few sets of ranks, and scipy takes a millisecond for each.
    """
    from scipy.stats import mannwhitneyu

    rest = set(range(1, len(ranks) + others + 1)).difference(ranks)
    return float(mannwhitneyu(ranks, sorted(rest)).pvalue)


def _by_normal_distribution(
    ranks: NDArray[np.float64], others: int, counts: NDArray[np.int64]
) -> float:
    """Compute as scipy does where it does not enumerate, in a twentieth of the time.

    `ranks` are the ranks of one sample, `counts` the numbers of values that are equal.
    """
    from scipy.special import ndtr

    size = ranks.size
    product, together = size * others, size + others
    wins = ranks.sum() - size * (size + 1) / 2
    ties = (counts.astype(np.float64) ** 3 - counts).sum()
    deviation = np.sqrt(product / 12 * ((together + 1) - ties / (together * (together - 1))))
    z = (max(wins, product - wins) - product / 2 - 0.5) / deviation
    return float(min(1.0, 2 * ndtr(-z)))


def compare_representations(
    data: Data,
    measure: Callable[[Result], float] = value_of,
    representations: Sequence[str] | None = None,
) -> list[Comparison]:
    """Test the first representation against each other one, for each instance and algorithm.

    `measure` is what is compared: values, or `runtime_to(target)`. The representations are by
    default all that appear, in that order. Where an algorithm lacks one of the two on an instance,
    they are not compared.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult("easy", "sa", name, run, base + run, 10, 10)
    ...     for name, base in {"linear": 0, "direct": 40}.items()
    ...     for run in range(20)
    ... ]
    >>> [one] = compare_representations(results)
    >>> one.algorithm, one.first, one.second, one.a12, one.magnitude, one.adjusted < 1e-6
    ('sa', 'linear', 'direct', 1.0, 'large', True)
    """
    samples = samples_of(data, measure)
    if representations is None:
        pairs = [pair for sample_pairs in samples.values() for pair in sample_pairs]
        representations = list(dict.fromkeys(pair.representation for pair in pairs))
    first, others = representations[:1], representations[1:]
    comparisons = [
        _comparison(instance, algorithm, (baseline, other), samples[instance])
        for instance, instance_pairs in samples.items()
        for algorithm in dict.fromkeys(pair.algorithm for pair in instance_pairs)
        for baseline in first
        for other in others
        if Pair(algorithm, baseline) in instance_pairs and Pair(algorithm, other) in instance_pairs
    ]
    adjusted = holm([one.p for one in comparisons])
    return [one._replace(adjusted=p) for one, p in zip(comparisons, adjusted, strict=True)]


def _comparison(
    instance: str,
    algorithm: str,
    representations: tuple[str, str],
    samples: Mapping[Pair, NDArray[np.float64]],
) -> Comparison:
    first, second = (samples[Pair(algorithm, name)] for name in representations)
    delta = cliffs_delta(first, second)
    return Comparison(
        instance,
        algorithm,
        *representations,
        p=mann_whitney(first, second),
        adjusted=1.0,
        a12=vargha_delaney(first, second),
        delta=delta,
        magnitude=magnitude(delta),
    )
