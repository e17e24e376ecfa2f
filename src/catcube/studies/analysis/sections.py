"""The sections of a study: one for each view of each experiment, computed on use.

A section contains only pairs with all their runs, so that it shows what is complete in an
unfinished experiment. Its conditions list what is missing.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np

from catcube import statistics as stats
from catcube.statistics import Curve, Pair, Sample, Table
from catcube.studies.analysis.model import LEAD_MARGIN, Conditions, Outline, Reference

RESAMPLES = 999  # the ends of an interval are the 25th from both ends
MIN_FAMILIES = 10  # from this number on, mean effects are over families instead of instances

Samples: TypeAlias = Mapping[str, Mapping[Pair, Sample]]
"""One number per run, by instance and pair, of the pairs with all their runs."""


PLAIN = Outline(())
"""An outline without groups and sizes."""


class Mean(NamedTuple):
    """The mean of runs and its 95 % bootstrap interval."""

    mean: float
    interval: stats.Interval
    runs: int


class Effect(NamedTuple):
    """The effect of one choice against another: mean Cliff's delta over instances or families.

    `subject` is the algorithm. If it is empty, the effect is the mean over all algorithms, or that
    of two pairs.
    """

    subject: str
    first: str
    second: str
    effect: stats.MeanEffect
    p: float  # adjusted by Holm over all effects of a table


def adjust(effects: Mapping[tuple[str, str, str], stats.MeanEffect]) -> list[Effect]:
    """Return effects, given by subject, first and second, with p-values adjusted by Holm.

    An unknown p-value counts as 1.
    """
    chances = stats.holm([1.0 if np.isnan(one.p) else one.p for one in effects.values()])
    return [Effect(*names, effects[names], p) for names, p in zip(effects, chances, strict=True)]


@dataclass(frozen=True)
class Ranking:
    """Pairs ranked by one number per run, the common base of fixed budget and fixed target."""

    conditions: Conditions
    samples: Samples
    outline: Outline = PLAIN

    _rank_each: ClassVar[Any]  # maps samples to a table for each instance
    _rank_all: ClassVar[Any]  # maps samples to a table over all instances

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The pairs on each instance, best first."""
        tables: Mapping[str, Table] = self._rank_each(self.samples)
        return tables

    @cached_property
    def complete(self) -> Samples:
        """The samples of the instances on which every pair of the plan has all its runs."""
        wanted = len(self.conditions.pairs)
        return {name: pairs for name, pairs in self.samples.items() if len(pairs) == wanted}

    @cached_property
    def ranks(self) -> dict[str, Table]:
        """The ranking of the pairs over all complete instances, and over those of each group."""
        return {
            name: self._rank_all({one: self.complete[one] for one in chosen})
            for name, chosen in self.outline.divide(self.complete).items()
        }

    @cached_property
    def comparisons(self) -> list[stats.Comparison]:
        """Tests of the first representation against the others, on each instance."""
        return stats.compare_representations(
            self.samples, representations=self.conditions.representations
        )

    @cached_property
    def blocks(self) -> dict[str, stats.Friedman]:
        """The ranks of representations for each algorithm on each instance, and vice versa."""
        conditions = self.conditions
        names = {"representation": conditions.representations, "algorithm": conditions.algorithms}
        full = len(conditions.algorithms) * len(conditions.representations)
        if not self.complete or full > len(conditions.pairs):
            return {}
        return {
            factor: stats.friedman(self.complete, factor=factor)  # type: ignore[arg-type]  # a key
            for factor, known in names.items()
            if len(known) > 1
        }

    @cached_property
    def effects(self) -> list[Effect]:
        """The first representation against each other one, overall and by algorithm."""
        first, *others = self.conditions.representations
        found: dict[tuple[str, str, str], stats.MeanEffect] = {}
        for second in others if self.complete else ():
            names, pairs = self.conditions.algorithms, {*self.conditions.pairs}
            possible = {name: (Pair(name, first), Pair(name, second)) for name in names}
            known = {name: two for name, two in possible.items() if pairs.issuperset(two)}
            if len(self.complete) > 1 and len(known) > 1:
                found["", first, second] = self._mean(known.values())
            found |= {(name, first, second): self.effect(*two) for name, two in known.items()}
        return adjust(found)

    @cached_property
    def winner(self) -> Effect | None:
        """The effect of the pair ranked first against the second; None without two pairs.

        The p-value is adjusted over all pairs, because the winner was selected among them.
        """
        if len(self.ranks.get("all", ())) < 2:
            return None
        first, *others = (line.pair for line in self.ranks["all"])
        names = {other: ("", "-".join(first), "-".join(other)) for other in others}
        return adjust({names[other]: self.effect(first, other) for other in others})[0]

    def effect(self, first: Pair, second: Pair) -> stats.MeanEffect:
        """Return the effect of one pair against another over the complete instances.

        If there is a single instance, the interval and p-value are over its runs.
        """
        if len(self.complete) == 1:
            [pairs] = self.complete.values()
            return stats.run_effect(pairs[first], pairs[second])
        return self._mean([(first, second)])

    @cached_property
    def families(self) -> dict[str, list[str]]:
        """The complete instances by group, if there are many groups; otherwise empty."""
        divided = self.outline.divide(self.complete)
        found = {name: divided[name] for name in self.outline.groups if name in divided}
        return found if len(found) >= MIN_FAMILIES else {}

    def _mean(self, comparisons: Collection[tuple[Pair, Pair]]) -> stats.MeanEffect:
        """Return the mean delta over families, if there are many, otherwise over instances."""
        deltas = {
            name: float(np.mean([stats.cliffs_delta(pairs[a], pairs[b]) for a, b in comparisons]))
            for name, pairs in self.complete.items()
        }
        grouped = {name: [deltas[one] for one in chosen] for name, chosen in self.families.items()}
        return stats.mean_effect(grouped or [*deltas.values()])


Given = TypeVar("Given")
Known = TypeVar("Known")


def map_all(
    samples: Mapping[str, Mapping[Pair, Given]], compute: Callable[[Given], Known | None]
) -> dict[str, dict[Pair, Known]]:
    """Apply a function to every sample; omit results that are None."""
    return {
        instance: {
            pair: known for pair, sample in pairs.items() if (known := compute(sample)) is not None
        }
        for instance, pairs in samples.items()
    }


@dataclass(frozen=True)
class FixedBudget(Ranking):
    """The values found with a budget."""

    _rank_each = staticmethod(stats.value_tables)
    _rank_all = staticmethod(stats.fixed_budget_ranks)

    @cached_property
    def means(self) -> dict[str, dict[Pair, Mean]]:
        """The mean values on each instance, where they are finite."""

        def mean(sample: Sample) -> Mean | None:
            if not np.isfinite(sample).all():
                return None
            interval = stats.confidence_interval(sample, "mean", resamples=RESAMPLES)
            return Mean(stats.mean_of(sample), interval, sample.size)

        return map_all(self.samples, mean)


@dataclass(frozen=True)
class FixedTarget(Ranking):
    """The runs that reach a target, and their runtimes.

    The samples are runtimes, infinite without success; `evaluations` are those of whole runs.
    """

    evaluations: Samples | None = None

    _rank_each = staticmethod(stats.runtime_tables)
    _rank_all = staticmethod(stats.fixed_target_ranks)

    @cached_property
    def medians(self) -> dict[str, dict[Pair, stats.Interval]]:
        """Intervals of the median runtimes of successful runs on each instance."""

        def interval(sample: Sample) -> stats.Interval | None:
            reached = stats.successful_runtimes(sample)
            return stats.confidence_interval(reached, resamples=RESAMPLES) if reached.size else None

        return map_all(self.samples, interval)

    @cached_property
    def expected_running_times(self) -> dict[str, dict[Pair, float]]:
        """Expected running times (ERT) on each instance; infinite without success."""
        spent, expected = self.evaluations or {}, stats.expected_running_time_of_samples
        known = {name: pairs for name, pairs in self.samples.items() if name in spent}
        return {
            name: {pair: expected(sample, spent[name][pair]) for pair, sample in pairs.items()}
            for name, pairs in known.items()
        }

    @cached_property
    def penalized(self) -> dict[str, dict[Pair, float]]:
        """Penalized runtimes (PAR-10) on each instance."""
        return map_all(
            self.samples, partial(stats.penalized_runtime, budget=self.conditions.budget)
        )

    @cached_property
    def profiles(self) -> dict[Pair, Sample]:
        """Performance profiles of ERT over the complete instances."""
        known = self.expected_running_times.items()
        return stats.performance_profiles({one: ert for one, ert in known if one in self.complete})


@dataclass(frozen=True)
class Ecdf:
    """The fraction of targets reached after each number of evaluations (ECDF).

    The curves on an instance, and its targets, are those of the pairs with all their runs on it.
    """

    conditions: Conditions
    by_instance: Mapping[str, Mapping[Pair, Curve]]
    outline: Outline = PLAIN

    @cached_property
    def instances(self) -> tuple[str, ...]:
        """The instances of the overall curves: those on which every pair has all its runs."""
        wanted = len(self.conditions.pairs)
        return tuple(name for name, curves in self.by_instance.items() if len(curves) == wanted)

    @cached_property
    def by_group(self) -> dict[str, dict[Pair, Curve]]:
        """The curves over all instances, and over those of each group, best last."""
        found = {}
        for name, chosen in self.outline.divide(self.instances).items():
            curves = {
                pair: stats.join_curves([self.by_instance[one][pair] for one in chosen])
                for pair in self.conditions.pairs
            }
            best_last = sorted(curves.items(), key=lambda item: (item[1].final, self.area(item[1])))
            found[name] = dict(best_last)
        return found

    @property
    def curves(self) -> Mapping[Pair, Curve]:
        """The curves over all instances."""
        return self.by_group.get("all", {})

    def area(self, curve: Curve) -> float:
        """Return the area under a curve; if the budget is one evaluation, its level."""
        return curve.area(self.conditions.budget) if self.conditions.budget > 1 else curve.final

    @cached_property
    def leads(self) -> dict[Pair, list[stats.Lead]]:
        """The leads between the first representation and each other one, by pair of the other."""
        found = {}
        for pair in self.conditions.pairs:
            baseline = Pair(pair.algorithm, self.conditions.representations[0])
            if pair != baseline and {pair, baseline} <= self.curves.keys():
                found[pair] = stats.leads(
                    self.curves[baseline], self.curves[pair], self.conditions.budget, LEAD_MARGIN
                )
        return found


Section: TypeAlias = FixedBudget | Ecdf | FixedTarget


@dataclass(frozen=True)
class Study:
    """The sections of a report and, if there is one, the publication they are compared with."""

    sections: Sequence[Section]
    reference: Reference | None = None  # the publication whose experiments are repeated

    @property
    def conditions(self) -> list[Conditions]:
        """The conditions of each experiment, which may have several sections."""
        found: list[Conditions] = []
        for section in self.sections:
            if section.conditions not in found and not section.conditions.chosen:
                found.append(section.conditions)
        return found
