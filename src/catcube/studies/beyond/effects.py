"""How much better one representation is than another, for an algorithm on some instances.

The effect on an instance is Cliff's delta of the final values (or runtimes): the probability that a
run of the first is better minus that of being worse, from −1 to 1. On a group of instances it is
the mean; its interval is a bootstrap over instances and runs. Which instances differ is decided by
Mann–Whitney tests, Holm-adjusted over all algorithms and instances of a family of problems.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from catcube.problems.suites import family_of
from catcube.statistics import Interval, Pair, Sample, cliffs_delta, holm, mann_whitney
from catcube.studies.analysis.model import Samples

RESAMPLES = 999
LEVEL = 0.05


class Effect(NamedTuple):
    """Of the first representation against the second; above 0 the first is better."""

    algorithm: str
    first: str
    second: str
    delta: float
    interval: Interval
    better: int  # instances on which the first is significantly better
    worse: int
    instances: int

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval.low > 0 or self.interval.high < 0


def algorithms_of(samples: Samples) -> list[str]:
    """List the algorithms that have runs, in the order of the plan."""
    found = (pair.algorithm for pairs in samples.values() for pair in pairs)
    return list(dict.fromkeys(found))


def effects(
    samples: Samples, first: str, second: str, instances: Sequence[str] | None = None
) -> list[Effect]:
    """Compute the effect of the first representation against the second for each algorithm.

    Instances are those named, or all, on which an algorithm has runs with both. The p-values are
    adjusted over all instances of a family, also those that are not named.

    >>> values = {("sa", "linear"): np.zeros(9), ("sa", "direct"): np.ones(9)}
    >>> samples = {"nk:9,1": {Pair(*pair): sample for pair, sample in values.items()}}
    >>> [effect] = effects(samples, "linear", "direct")
    >>> effect.delta, effect.interval, (effect.better, effect.worse, effect.instances)
    (1.0, Interval(low=1.0, high=1.0), (1, 0, 1))
    """
    adjusted = _adjusted(samples, first, second)
    chosen = list(samples if instances is None else instances)
    found = []
    for algorithm in algorithms_of(samples):
        couples = {
            name: couple
            for name in chosen
            if (couple := _couple(samples, name, algorithm, first, second))
        }
        if not couples:
            continue
        deltas = {name: cliffs_delta(*couple) for name, couple in couples.items()}
        clear = [deltas[name] for name in couples if adjusted[name, algorithm] <= LEVEL]
        found.append(
            Effect(
                algorithm,
                first,
                second,
                float(np.mean(list(deltas.values()))),
                mean_delta_interval(list(couples.values())),
                sum(delta > 0 for delta in clear),
                sum(delta < 0 for delta in clear),
                len(couples),
            )
        )
    return found


def _couple(
    samples: Samples, instance: str, algorithm: str, first: str, second: str
) -> tuple[Sample, Sample] | None:
    pairs = samples[instance]
    one, other = pairs.get(Pair(algorithm, first)), pairs.get(Pair(algorithm, second))
    return None if one is None or other is None else (one, other)


def _adjusted(samples: Samples, first: str, second: str) -> dict[tuple[str, str], float]:
    """Adjust the p-values by Holm within each family, by instance and algorithm."""
    tested: dict[str, dict[tuple[str, str], float]] = {}
    for instance in samples:
        for algorithm in algorithms_of(samples):
            couple = _couple(samples, instance, algorithm, first, second)
            if couple is not None:
                family = tested.setdefault(family_of(instance), {})
                family[instance, algorithm] = mann_whitney(*couple)
    return {
        name: p
        for family in tested.values()
        for name, p in zip(family, holm(list(family.values())), strict=True)
    }


def mean_delta_interval(couples: Sequence[tuple[Sample, Sample]], seed: int = 0) -> Interval:
    """Compute the interval (95 %) of the mean delta: other instances, other runs on each.

    >>> mean_delta_interval([(np.zeros(5), np.ones(5))] * 3)
    Interval(low=1.0, high=1.0)
    """
    draw = np.random.default_rng(seed)
    by_instance = np.stack([_resampled_deltas(*couple, draw) for couple in couples])
    chosen = draw.integers(len(couples), size=(len(couples), RESAMPLES))
    means = np.take_along_axis(by_instance, chosen, axis=0).mean(axis=0)
    low, high = np.quantile(means, [0.025, 0.975]).tolist()
    return Interval(low, high)


def _resampled_deltas(first: Sample, second: Sample, draw: np.random.Generator) -> Sample:
    """Resample the runs of both and compute the delta each time."""
    one, other = first[:, None], second[None, :]
    wins = (one < other).astype(np.float64) - (one > other)  # infinite ones are equal
    rows, columns = _multiplicities(first.size, draw), _multiplicities(second.size, draw)
    deltas: Sample = ((rows @ wins) * columns).sum(axis=1)
    return deltas / (first.size * second.size)


def _multiplicities(size: int, draw: np.random.Generator) -> Sample:
    """Draw how often each run occurs in each resample."""
    return draw.multinomial(size, np.full(size, 1 / size), RESAMPLES).astype(np.float64)


def mean_ranks(
    samples: Samples, algorithm: str, representations: Sequence[str]
) -> dict[str, float]:
    """Average the ranks of an algorithm's representations over instances; by means, ties shared.

    >>> values = {"linear": [1.0, 1], "direct": [2.0, 2], "gray": [2.0, 2]}
    >>> pairs = {Pair("sa", name): np.array(sample) for name, sample in values.items()}
    >>> mean_ranks({"easy": pairs}, "sa", ["linear", "direct", "gray"])
    {'linear': 1.0, 'direct': 2.5, 'gray': 2.5}
    """
    from scipy.stats import rankdata

    pairs = [Pair(algorithm, name) for name in representations]
    ranks = [
        rankdata([np.mean(by_pair[pair]) for pair in pairs])
        for by_pair in samples.values()
        if all(pair in by_pair for pair in pairs)
    ]
    return dict(zip(representations, np.mean(ranks, axis=0).tolist(), strict=True))


def only(samples: Samples, instances: Sequence[str]) -> dict[str, Mapping[Pair, Sample]]:
    """Return the samples of these instances."""
    return {name: samples[name] for name in instances if name in samples}
