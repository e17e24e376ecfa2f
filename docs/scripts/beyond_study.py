"""What the study beyond the paper has measured, how representations differ, and which to choose.

The effect on an instance is Cliff's delta of the final values (or runtimes): the probability that a
run of the first is better minus that of being worse, from -1 to 1. On a group of instances it is
the mean; its interval is a bootstrap over instances and runs. Which instances differ is decided by
Mann-Whitney tests, Holm-adjusted over all algorithms and instances of a family of problems.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from catcube.experiments.plan import Configuration, build_problem
from catcube.experiments.store import Store
from catcube.experiments.trace import unpack_traces
from catcube.problems.suites import family_of
from catcube.statistics import (
    Curve,
    Interval,
    Pair,
    Sample,
    cliffs_delta,
    critical_difference,
    holm,
    mann_whitney,
)
from catcube.studies.analysis.model import Samples
from catcube.studies.analysis.read import CurveMaker


@dataclass(frozen=True)
class Facts:
    """What is known of an instance without a search."""

    categories: int  # of the variable that has the most
    variables: int
    optimum: float | None


@dataclass
class Measured:
    """An experiment of the study: of each pair on each instance one number per run.

    Only pairs with all their runs are here. `values` are the best values found, `first` those of
    the first point, `runtimes` the evaluations to the known optimum or to the target, infinite
    where it is missed.
    """

    experiment: str
    budget: int
    runs: int
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    facts: dict[str, Facts] = field(default_factory=dict)
    values: dict[str, dict[Pair, Sample]] = field(default_factory=dict)
    first: dict[str, dict[Pair, Sample]] = field(default_factory=dict)
    runtimes: dict[str, dict[Pair, Sample]] = field(default_factory=dict)
    curves: Mapping[str, Mapping[Pair, Curve]] = field(default_factory=dict)

    @property
    def algorithms(self) -> list[str]:
        """The algorithms, in the order of the plan."""
        return list(
            dict.fromkeys(pair.algorithm for by_pair in self.values.values() for pair in by_pair)
        )

    @property
    def representations(self) -> list[str]:
        """The representations, in the order of the plan."""
        pairs = (pair for by_pair in self.values.values() for pair in by_pair)
        return list(dict.fromkeys(pair.representation for pair in pairs))

    def losses(self) -> Samples:
        """Return values as parts of the range: 0 is the best found, 1 the worst first point."""
        found = {}
        for instance, pairs in self.values.items():
            best = min(float(sample.min()) for sample in pairs.values())
            worst = max(float(sample.max()) for sample in self.first[instance].values())
            unit = worst - best or 1.0
            found[instance] = {pair: (sample - best) / unit for pair, sample in pairs.items()}
        return found

    def runtimes_or_values(self) -> Samples:
        """Return evaluations to the target, and beyond the budget, by value, where it is missed."""
        return {
            instance: {
                pair: np.where(
                    np.isfinite(sample), sample, self.budget + self.values[instance][pair]
                )
                for pair, sample in pairs.items()
            }
            for instance, pairs in self.runtimes.items()
        }

    def areas(self) -> dict[str, dict[Pair, float]]:
        """Return the areas over the convergence curves: 0 is at the best target at once."""
        return {
            instance: {pair: 1 - curve.area(self.budget) for pair, curve in pairs.items()}
            for instance, pairs in self.curves.items()
        }


def read(stores: Iterable[str | os.PathLike[str]]) -> dict[str, Measured]:
    """Read the experiments of these stores, in their order, also unfinished ones."""
    found: dict[str, Measured] = {}
    for path in stores:
        with Store(path) as store, store.snapshot():
            configurations = store.configurations()
            makers: dict[str, CurveMaker] = {}
            for index, rows, traces in store.parts():
                configuration = configurations[index]
                name = configuration.experiment
                measured = found.setdefault(
                    name, Measured(name, configuration.budget, configuration.runs)
                )
                measured.total += configuration.runs
                measured.done += rows.size
                measured.seconds += float(rows["seconds"].sum())
                if rows.size == configuration.runs:
                    _take(measured, configuration, rows, traces)
                    maker = makers.setdefault(name, CurveMaker())
                    maker.add(configuration.instance, Pair(*configuration.pair), traces)
            for name, maker in makers.items():
                found[name].curves = maker.curves()
    return found


def _take(
    measured: Measured, configuration: Configuration, rows: np.ndarray, traces: list[bytes]
) -> None:
    instance, pair = configuration.instance, Pair(*configuration.pair)
    if instance not in measured.facts:
        problem = build_problem(configuration.content, instance)[0]
        sizes = problem.space.cardinalities
        measured.facts[instance] = Facts(int(sizes.max()), len(problem.space), problem.optimum)
    _, values, begins = unpack_traces(traces)
    optimum = measured.facts[instance].optimum
    target = configuration.target if optimum is None else optimum
    measured.values.setdefault(instance, {})[pair] = rows["value"]
    measured.first.setdefault(instance, {})[pair] = values[begins]
    if target is not None:
        reached = np.where(rows["value"] <= target, rows["evaluations_to_best"], np.inf)
        measured.runtimes.setdefault(instance, {})[pair] = reached


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
