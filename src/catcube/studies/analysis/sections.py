"""The sections of a study: one for each view of each experiment, computed when they are read.

A section holds the runs of the pairs that have all of them, so that of an unfinished experiment it
shows what is complete; its conditions tell what is missing.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np

from catcube import statistics as stats
from catcube.statistics import Curve, Pair, Sample, Table
from catcube.studies.analysis.model import LEAD, Conditions, Outline, Reference

RESAMPLES = 999  # for an interval: its ends are the 25th from both ends
FAMILIES = 10  # so many families, or more, are a sample: means of effects are over them

Samples: TypeAlias = Mapping[str, Mapping[Pair, Sample]]
"""By instance, of the pairs with all their runs done: one number per run."""


PLAIN = Outline(())
"""Of instances that are neither grouped nor sized."""


class Mean(NamedTuple):
    """The mean of some runs and its bootstrap interval (95 %)."""

    mean: float
    interval: stats.Interval
    runs: int


class Effect(NamedTuple):
    """How much better one thing is than another: mean Cliff's delta, over instances or families.

    `subject` is the algorithm; without one, the delta on an instance is the mean of those of all
    algorithms, or that of two pairs.
    """

    subject: str
    first: str
    second: str
    effect: stats.MeanEffect
    p: float  # adjusted by Holm over the effects that are shown together


def adjusted(effects: Mapping[tuple[str, str, str], stats.MeanEffect]) -> list[Effect]:
    """Return effects by subject, first and second, adjusted by Holm; unknown p-values become 1."""
    chances = stats.holm([1.0 if np.isnan(one.p) else one.p for one in effects.values()])
    return [Effect(*names, effects[names], p) for names, p in zip(effects, chances, strict=True)]


@dataclass(frozen=True)
class Ranking:
    """Pairs ranked by one number per run: what fixed budget and fixed target have in common."""

    conditions: Conditions
    samples: Samples
    outline: Outline = PLAIN

    _rank_each: ClassVar[Any]  # a function of samples, to a table of each instance
    _rank_all: ClassVar[Any]  # a function of samples, to a table over all instances

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The pairs on each instance, best first."""
        tables: Mapping[str, Table] = self._rank_each(self.samples)
        return tables

    @cached_property
    def complete(self) -> Samples:
        """The instances on which every pair of the plan has all its runs."""
        wanted = len(self.conditions.pairs)
        return {name: pairs for name, pairs in self.samples.items() if len(pairs) == wanted}

    @cached_property
    def ranks(self) -> dict[str, Table]:
        """The pairs over all complete instances, and over those of each group."""
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
        """The first representation against each other one: over all algorithms, and by each."""
        first, *others = self.conditions.representations
        found: dict[tuple[str, str, str], stats.MeanEffect] = {}
        for second in others if self.complete else ():
            names, pairs = self.conditions.algorithms, {*self.conditions.pairs}
            possible = {name: (Pair(name, first), Pair(name, second)) for name in names}
            couples = {name: two for name, two in possible.items() if pairs.issuperset(two)}
            if len(self.complete) > 1 and len(couples) > 1:
                found["", first, second] = self._mean(couples.values())
            found |= {(name, first, second): self.effect(*two) for name, two in couples.items()}
        return adjusted(found)

    @cached_property
    def winner(self) -> Effect | None:
        """The pair that is ranked first against the second; none without two pairs.

        The p-value is adjusted over all others, because the winner was found among them.
        """
        if len(self.ranks.get("all", ())) < 2:
            return None
        first, *others = (line.pair for line in self.ranks["all"])
        names = {other: ("", "-".join(first), "-".join(other)) for other in others}
        return adjusted({names[other]: self.effect(first, other) for other in others})[0]

    def effect(self, first: Pair, second: Pair) -> stats.MeanEffect:
        """Compare two pairs over the complete instances; of a single one, by its runs."""
        if len(self.complete) == 1:
            [pairs] = self.complete.values()
            return stats.run_effect(pairs[first], pairs[second])
        return self._mean([(first, second)])

    @cached_property
    def families(self) -> dict[str, list[str]]:
        """The complete instances by group, if there are ten groups or more; otherwise nothing."""
        divided = self.outline.divide(self.complete)
        found = {name: divided[name] for name in self.outline.groups if name in divided}
        return found if len(found) >= FAMILIES else {}

    def _mean(self, couples: Collection[tuple[Pair, Pair]]) -> stats.MeanEffect:
        """Average deltas over families, where there are many, otherwise over instances."""
        deltas = {
            name: float(np.mean([stats.cliffs_delta(pairs[a], pairs[b]) for a, b in couples]))
            for name, pairs in self.complete.items()
        }
        grouped = {name: [deltas[one] for one in chosen] for name, chosen in self.families.items()}
        return stats.mean_effect(grouped or [*deltas.values()])


Given = TypeVar("Given")
Known = TypeVar("Known")


def each(
    samples: Mapping[str, Mapping[Pair, Given]], compute: Callable[[Given], Known | None]
) -> dict[str, dict[Pair, Known]]:
    """Compute something of every sample; None is left out."""
    return {
        instance: {
            pair: known for pair, sample in pairs.items() if (known := compute(sample)) is not None
        }
        for instance, pairs in samples.items()
    }


@dataclass(frozen=True)
class FixedBudget(Ranking):
    """Which values are found with the budget."""

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

        return each(self.samples, mean)


@dataclass(frozen=True)
class FixedTarget(Ranking):
    """The runs that reach the target, and the evaluations they take.

    The samples are runtimes, infinite without success; `evaluations` are all that a run made.
    """

    evaluations: Samples | None = None

    _rank_each = staticmethod(stats.runtime_tables)
    _rank_all = staticmethod(stats.fixed_target_ranks)

    @cached_property
    def medians(self) -> dict[str, dict[Pair, stats.Interval]]:
        """Intervals of the median runtimes of successful runs, on each instance."""

        def interval(sample: Sample) -> stats.Interval | None:
            reached = stats.successful_runtimes(sample)
            return stats.confidence_interval(reached, resamples=RESAMPLES) if reached.size else None

        return each(self.samples, interval)

    @cached_property
    def expected_running_times(self) -> dict[str, dict[Pair, float]]:
        """ERT on each instance; infinite if no run succeeds."""
        spent, expected = self.evaluations or {}, stats.expected_running_time_of_samples
        known = {name: pairs for name, pairs in self.samples.items() if name in spent}
        return {
            name: {pair: expected(sample, spent[name][pair]) for pair, sample in pairs.items()}
            for name, pairs in known.items()
        }

    @cached_property
    def penalized(self) -> dict[str, dict[Pair, float]]:
        """PAR-10 on each instance."""
        return each(self.samples, partial(stats.penalized_runtime, budget=self.conditions.budget))

    @cached_property
    def profiles(self) -> dict[Pair, Sample]:
        """Performance profiles of ERT over the complete instances."""
        known = self.expected_running_times.items()
        return stats.performance_profiles({one: ert for one, ert in known if one in self.complete})


@dataclass(frozen=True)
class Ecdf:
    """The fraction of targets reached by a number of evaluations: the ECDF.

    The curves of an instance are those of the pairs that have all their runs on it, and its targets
    come from the runs of these pairs.
    """

    conditions: Conditions
    by_instance: Mapping[str, Mapping[Pair, Curve]]
    outline: Outline = PLAIN

    @cached_property
    def instances(self) -> tuple[str, ...]:
        """Those of which every pair of the plan has all its runs: the overall curves are theirs."""
        wanted = len(self.conditions.pairs)
        return tuple(name for name, curves in self.by_instance.items() if len(curves) == wanted)

    @cached_property
    def by_group(self) -> dict[str, dict[Pair, Curve]]:
        """The curves over all instances, and over those of each group; best last."""
        found = {}
        for name, chosen in self.outline.divide(self.instances).items():
            curves = {
                pair: stats.joined([self.by_instance[one][pair] for one in chosen])
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
        """Return the area under a curve; with a budget of one evaluation, its level."""
        return curve.area(self.conditions.budget) if self.conditions.budget > 1 else curve.final

    @cached_property
    def leads(self) -> dict[Pair, list[stats.Lead]]:
        """Where each pair, or the same algorithm with the first representation, is ahead."""
        found = {}
        for pair in self.conditions.pairs:
            baseline = Pair(pair.algorithm, self.conditions.representations[0])
            if pair != baseline and {pair, baseline} <= self.curves.keys():
                found[pair] = stats.leads(
                    self.curves[baseline], self.curves[pair], self.conditions.budget, LEAD
                )
        return found


Section: TypeAlias = FixedBudget | Ecdf | FixedTarget


@dataclass(frozen=True)
class Study:
    """Everything that a report shows."""

    sections: Sequence[Section]
    reference: Reference | None = None  # the publication whose experiments are repeated

    @property
    def conditions(self) -> list[Conditions]:
        """The conditions of each experiment once: two views of it are two sections."""
        found: list[Conditions] = []
        for section in self.sections:
            if section.conditions not in found and not section.conditions.chosen:
                found.append(section.conditions)
        return found
