"""The parts of an analysis, as plain data.

A `Study` has a section for each view of each experiment. A section of an unfinished experiment
holds what is complete; its conditions tell what is missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from catcube.statistics import Comparison, Curve, Friedman, Interval, Lead, Pair, Table
from catcube.studies.analysis.outline import Group
from catcube.studies.analysis.reference import Reference

Samples: TypeAlias = Mapping[str, Mapping[Pair, NDArray[np.float64]]]
"""By instance, of the pairs with all their runs done: one number per run."""


@dataclass(frozen=True)
class Session:
    """One stretch of computing: which code made how many runs, when, and on what machine."""

    began: float  # seconds since 1970
    version: str
    sources: str
    machine: Mapping[str, str]  # python, numpy, numba, system, processor, cores
    runs: int


@dataclass(frozen=True)
class Missing:
    """Runs of a pair on an instance that are not done."""

    instance: str
    pair: Pair
    runs: int


@dataclass(frozen=True)
class Conditions:
    """How an experiment was run, and what of it is missing."""

    experiment: str
    instances: tuple[str, ...]
    pairs: tuple[Pair, ...]
    budget: int
    target: float | None
    runs: int  # of each pair on each instance, when complete
    seed: int
    done: int
    total: int
    failed: int
    evaluations: int
    seconds: float  # of all runs together, however many were made at a time
    began: float | None  # seconds since 1970
    finished: float | None  # the last run
    missing: tuple[Missing, ...]
    sessions: tuple[Session, ...]

    @property
    def complete(self) -> bool:
        """Whether all runs are done."""
        return not self.missing

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms of the pairs, in the order of the plan."""
        return tuple(dict.fromkeys(pair.algorithm for pair in self.pairs))

    @property
    def representations(self) -> tuple[str, ...]:
        """The representations of the pairs; the others are compared with the first."""
        return tuple(dict.fromkeys(pair.representation for pair in self.pairs))


@dataclass(frozen=True)
class Mean:
    """The mean of some runs and its bootstrap interval (95 %)."""

    mean: float
    interval: Interval
    runs: int


@dataclass(frozen=True)
class FixedBudget:
    """Which values are found with the budget."""

    conditions: Conditions
    values: Mapping[str, Table]  # by instance: all pairs with all their runs done
    ranks: Mapping[str, Table]  # over all complete instances, and over those of each group
    means: Mapping[str, Mapping[Pair, Mean]]  # by instance: the histogram
    comparisons: Sequence[Comparison]  # of the first representation with the others
    friedman: Friedman | None  # None if there is too little to compare
    samples: Samples = field(default_factory=dict)  # the values
    groups: Mapping[str, Group] = field(default_factory=dict)


@dataclass(frozen=True)
class Ecdf:
    """Which share of the targets is reached by which number of evaluations: the ECDF."""

    conditions: Conditions
    curves: Mapping[Pair, Curve]  # of pairs with all their runs done on `instances`, best last
    by_instance: Mapping[str, Mapping[Pair, Curve]]
    instances: tuple[str, ...]  # those the overall curves are made of
    areas: Mapping[Pair, float]
    leads: Mapping[Pair, Sequence[Lead]]  # the same algorithm with the first representation first
    groups: Mapping[str, Group] = field(default_factory=dict)
    by_group: Mapping[str, Mapping[Pair, Curve]] = field(default_factory=dict)
    group_areas: Mapping[str, Mapping[Pair, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class FixedTarget:
    """How many runs reach the target, and after how many evaluations."""

    conditions: Conditions
    runtimes: Mapping[str, Table]  # by instance
    ranks: Mapping[str, Table]  # over all complete instances, and over those of each group
    expected_running_times: Mapping[str, Mapping[Pair, float]]  # by instance; infinite: never
    medians: Mapping[str, Mapping[Pair, Interval]]  # intervals of median runtimes; by instance
    comparisons: Sequence[Comparison]
    friedman: Friedman | None
    samples: Samples = field(default_factory=dict)  # the runtimes, infinite without success
    groups: Mapping[str, Group] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)  # by instance; all or none have one
    size: str = ""  # what the sizes count


Section = FixedBudget | Ecdf | FixedTarget


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
            if section.conditions not in found:
                found.append(section.conditions)
        return found
