"""How representations differ in the study beyond the paper: effects, their tests, ranks.

The effect on an instance is Cliff's delta of the final values (or runtimes). The mean over families
of the means over their instances has an interval from the spread of the families. Fewer than ten
families are fixed: the interval is from the spread of their instances. p-values are adjusted by
Holm over the algorithms; equivalence is a test with the margin 0.147, adjusted as well.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from beyond_data import ByPair
from scipy.stats import rankdata

from catcube.problems.suites import family_of
from catcube.statistics import MeanEffect, Pair, cliffs_delta, holm, mean_effect

LEVEL = 0.05
SAMPLE = 10  # families that are a sample of others; fewer are fixed
Verdict = Literal["better", "worse", "equivalent", "open"]


class Row(NamedTuple):
    """An algorithm: the first representation against the second; above 0 the first is better."""

    algorithm: str
    effect: MeanEffect
    p: float  # adjusted over the algorithms
    equivalence: float  # adjusted over the algorithms
    families: Mapping[str, MeanEffect]
    instances: int

    @property
    def verdict(self) -> Verdict:
        """What is shown at 5 %; a difference that is shown counts before equivalence."""
        if self.p <= LEVEL:
            return "better" if self.effect.mean > 0 else "worse"
        return "equivalent" if self.equivalence <= LEVEL else "open"

    @property
    def reversals(self) -> list[str]:
        """The families in which the opposite of the mean is shown (their own interval)."""
        sign = np.sign(self.effect.mean)
        return [
            name
            for name, effect in self.families.items()
            if (effect.high < 0 if sign > 0 else effect.low > 0)
        ]


def effects(
    samples: ByPair,
    first: str,
    second: str,
    chosen: Callable[[str], bool] = lambda instance: True,
) -> list[Row]:
    """Compute the effect of the first representation against the second for each algorithm.

    With ten families or more, these are the units; with fewer, their instances.

    >>> values = {("sa", "linear"): np.zeros(9), ("sa", "direct"): np.ones(9)}
    >>> pairs = {Pair(*pair): sample for pair, sample in values.items()}
    >>> samples = {"nk:9,1": pairs, "nk:8,1": pairs, "trap:9,3,4": pairs, "trap:9,3,5": pairs}
    >>> [row] = effects(samples, "linear", "direct")
    >>> row.effect.mean, row.effect.units, row.instances
    (1.0, 2, 4)
    """
    found: dict[str, dict[str, list[float]]] = {}
    for instance, pairs in samples.items():
        for pair in pairs if chosen(instance) else ():
            other = Pair(pair.algorithm, second)
            if pair.representation == first and other in pairs:
                family = found.setdefault(pair.algorithm, {}).setdefault(family_of(instance), [])
                family.append(cliffs_delta(pairs[pair], pairs[other]))
    means = {name: mean_over(families) for name, families in found.items()}
    adjusted = holm([_known(effect.p) for effect in means.values()])
    equivalences = holm([_known(effect.equivalence) for effect in means.values()])
    return [
        Row(
            name,
            means[name],
            p,
            equivalence,
            {family: mean_effect(deltas) for family, deltas in found[name].items()},
            sum(map(len, found[name].values())),
        )
        for name, p, equivalence in zip(means, adjusted, equivalences, strict=True)
    ]


def mean_over(families: Mapping[str, Sequence[float]]) -> MeanEffect:
    """Average effects over families: random if there are many, fixed if few."""
    if len(families) == 1:
        return mean_effect(next(iter(families.values())))
    return mean_effect(families, families="fixed" if len(families) < SAMPLE else "random")


def _known(p: float) -> float:
    return 1.0 if np.isnan(p) else p


def pooled(samples: ByPair, first: str, second: str, chosen: Callable[[str], bool]) -> MeanEffect:
    """Return the effect over all algorithms: on an instance the mean of theirs, over families."""
    deltas: dict[str, list[float]] = {}
    for instance, pairs in samples.items():
        if chosen(instance):
            found = [
                cliffs_delta(sample, pairs[Pair(pair.algorithm, second)])
                for pair, sample in pairs.items()
                if pair.representation == first and Pair(pair.algorithm, second) in pairs
            ]
            deltas.setdefault(family_of(instance), []).append(float(np.mean(found)))
    return mean_over(deltas)


def mean_ranks(samples: ByPair, pairs: Sequence[Pair]) -> dict[Pair, float]:
    """Average the ranks of pairs by their mean values, over instances with runs of all of them.

    >>> values = {Pair("sa", name): np.full(2, value) for name, value in (("a", 1), ("b", 2))}
    >>> list(mean_ranks({"easy": values}, list(values)).values())
    [1.0, 2.0]
    """
    ranks = [
        rankdata([np.mean(found[pair]) for pair in pairs])
        for found in samples.values()
        if all(pair in found for pair in pairs)
    ]
    return dict(zip(pairs, np.mean(ranks, axis=0).tolist(), strict=True))


def at_best(sweeps: Sequence[ByPair]) -> tuple[ByPair, dict[Pair, list[int]]]:
    """Take each pair at its best setting: of the best mean rank among its settings.

    Return the samples, and for each pair how the settings rank (0 is the best), by their index.
    """
    order: dict[Pair, list[int]] = {}
    pairs = {pair for found in sweeps[0].values() for pair in found}
    for pair in pairs:
        ranks = [
            rankdata([np.mean(sweep[instance][pair]) for sweep in sweeps]) for instance in sweeps[0]
        ]
        order[pair] = np.argsort(np.mean(ranks, axis=0), kind="stable").tolist()
    best = {
        instance: {pair: sweeps[order[pair][0]][instance][pair] for pair in found}
        for instance, found in sweeps[0].items()
    }
    return best, order
