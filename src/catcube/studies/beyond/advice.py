"""Which representation for which algorithm: mean ranks over instances, and what is as good."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from catcube.statistics import Pair, Sample, critical_difference
from catcube.studies.analysis.model import Samples
from catcube.studies.beyond.effects import mean_ranks


class Advice(NamedTuple):
    """The representation of the best mean rank, and those not significantly worse, best first."""

    best: str
    as_good: tuple[str, ...]
    ranks: Mapping[str, float]
    instances: int


def advice(samples: Samples, algorithm: str, representations: Sequence[str]) -> Advice | None:
    """Rank an algorithm's representations over the instances that have runs with all of them.

    Those within Nemenyi's critical difference (5 %) of the best are as good. Without instances
    there is no advice.

    >>> import numpy as np
    >>> values = {"native": [1.0, 1], "direct": [3.0, 3], "gray": [2.0, 2]}
    >>> pairs = {Pair("sa", name): np.array(sample) for name, sample in values.items()}
    >>> found = advice({f"nk:{n},2": pairs for n in range(9)}, "sa", list(values))
    >>> found.best, found.as_good
    ('native', ('gray',))
    """
    complete = {
        instance: pairs
        for instance, pairs in samples.items()
        if all(Pair(algorithm, name) in pairs for name in representations)
    }
    if not complete or len(representations) < 2:
        return None
    ranks = mean_ranks(complete, algorithm, representations)
    order = sorted(representations, key=lambda name: ranks[name])
    limit = ranks[order[0]] + critical_difference(len(order), len(complete))
    as_good = tuple(name for name in order[1:] if ranks[name] <= limit)
    return Advice(order[0], as_good, ranks, len(complete))


def best_pairs(samples: Samples) -> dict[Pair, float]:
    """Average the ranks of all pairs over the instances that have runs of all; the best first."""
    from scipy.stats import rankdata

    pairs = list(dict.fromkeys(pair for by_pair in samples.values() for pair in by_pair))
    complete = [by_pair for by_pair in samples.values() if len(by_pair) == len(pairs)]
    if not complete:
        return {}
    ranks = [rankdata([by_pair[pair].mean() for pair in pairs]) for by_pair in complete]
    means = dict(
        zip(pairs, (sum(column) / len(ranks) for column in zip(*ranks, strict=True)), strict=True)
    )
    return {pair: float(means[pair]) for pair in sorted(pairs, key=lambda pair: means[pair])}


def with_categories(
    samples: Samples, categories: Mapping[str, int], least: int, most: int
) -> dict[str, Mapping[Pair, Sample]]:
    """Return the samples of instances whose number of categories is within bounds."""
    return {name: by_pair for name, by_pair in samples.items() if least <= categories[name] <= most}
