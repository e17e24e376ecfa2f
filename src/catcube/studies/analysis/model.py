"""The parts of an analysis that are plain data: how experiments were run, and what is published.

The sections, which are computed, are in `sections`. A `Reference` is what a study is held against:
the statements and tables of a publication.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from catcube.problems.suites import family_of
from catcube.statistics import Line, Pair

LEVEL = 0.05
"""A difference is significant if its adjusted p-value is at most this."""

LEAD = 0.01
"""A curve leads where it is higher by more than this share of the targets: less may be chance."""

View: TypeAlias = Literal["budget", "ecdf", "target"]
"""The values found with a budget, the course of the search (ECDF), or the runtimes to a target."""


@dataclass(frozen=True)
class Group:
    """Some instances that are ranked together, and how they are described."""

    described: str
    instances: Sequence[str]


@dataclass(frozen=True)
class Outline:
    """The views of an experiment, groups of its instances besides "all", and their sizes.

    Sizes are numbers of what `size` names, such as unknown cells; without them, instances are
    in the order of the plan.
    """

    views: Sequence[View]
    groups: Mapping[str, Group] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)  # by instance; all or none have one
    size: str = ""

    def divide(self, instances: Iterable[str]) -> dict[str, list[str]]:
        """Divide instances into all of them and those of each group; empty ones are left out.

        >>> groups = {"one": Group("the first", ["a"]), "none": Group("no", [])}
        >>> Outline((), groups).divide(["a", "b"])
        {'all': ['a', 'b'], 'one': ['a']}
        """
        every = list(instances)
        found = {"all": every} | {
            name: [one for one in every if one in group.instances]
            for name, group in self.groups.items()
        }
        return {name: chosen for name, chosen in found.items() if chosen}


Outliner: TypeAlias = Callable[[str, Sequence[str], float | None], Outline]
"""Gives the outline of an experiment by its name, its instances and its target."""


def plain_outline(experiment: str, instances: Sequence[str], target: float | None) -> Outline:
    """Choose the views by whether a run has a target, and group instances by kind of problem.

    >>> plain_outline("mine", ["easy"], None).views, plain_outline("mine", ["easy"], 0.0).views
    (('budget', 'ecdf'), ('target',))
    >>> list(plain_outline("mine", ["match:4,3", "match:9,3", "mine.txt"], 0.0).groups)
    ['match', 'sudoku']
    """
    kinds: dict[str, list[str]] = {}
    for name in instances:
        kinds.setdefault(family_of(name) if ":" in name else "sudoku", []).append(name)
    groups = {kind: Group(f"{kind} instances", names) for kind, names in kinds.items()}
    return Outline(
        ("budget", "ecdf") if target is None else ("target",), groups if len(groups) > 1 else {}
    )


@dataclass(frozen=True)
class Session:
    """A session: the code, the number of runs, the time and the machine."""

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
    """How an experiment was run, and which runs are missing."""

    experiment: str
    instances: tuple[str, ...]
    pairs: tuple[Pair, ...]
    budget: int
    target: float | None
    runs: int  # of each pair on each instance, when complete
    seed: int
    done: int = 0
    total: int = 0
    failed: int = 0
    evaluations: int = 0
    seconds: float = 0.0  # of all runs together, however many were made at a time
    began: float | None = None  # seconds since 1970
    finished: float | None = None  # the last run
    missing: tuple[Missing, ...] = ()
    sessions: tuple[Session, ...] = ()
    chosen: bool = False  # whether budget or target were chosen for the report

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


Verdict: TypeAlias = Literal[
    "holds", "too close to call", "contradicted", "agrees", "disagrees", "not measured"
]

TESTED: tuple[Verdict, ...] = ("holds", "too close to call", "contradicted")
"""The verdicts of a test."""

FIGURES: tuple[Verdict, ...] = ("agrees", "disagrees")
"""The verdicts on figures, within a tolerance: counted apart from what was tested."""

VERDICTS: tuple[Verdict, ...] = (*TESTED, *FIGURES, "not measured")

Figure: TypeAlias = str | float | None


@dataclass(frozen=True)
class Part:
    """One part of a statement, and the verdict of the runs on it."""

    about: str  # such as the name of an algorithm
    verdict: Verdict
    reason: str
    figures: Sequence[Figure] = ()  # one for each of the statement's columns
    p: float | None = None  # adjusted over the statement; None if nothing was tested
    tolerance: str = ""  # of a figure, and whether half or twice as much changes the verdict


@dataclass(frozen=True)
class Statement:
    """A sentence of a publication in our words, judged part by part."""

    id: str
    topic: str  # the heading under which it stands
    where: str
    sentence: str
    test: str  # how a part is decided
    parts: Sequence[Part]
    columns: Sequence[str] = ()  # what the figures of the parts are
    note: str = ""


@dataclass(frozen=True)
class Beside:
    """A pair in our table and in a published one.

    `adjusted` has the p-value of each figure that was tested (min, q1, median, q3, max, success),
    corrected over all tests of the table.
    """

    pair: Pair
    ours: Line | None
    published: Line | None
    adjusted: Mapping[str, float] = field(default_factory=dict)

    @property
    def different(self) -> list[str]:
        """The figures that differ by more than chance."""
        return [name for name, p in self.adjusted.items() if p <= LEVEL]


@dataclass(frozen=True)
class PublishedTable:
    """A published table compared with ours; the remarks name systematic differences."""

    name: str
    rows: Sequence[Beside]
    remarks: Sequence[str] = ()


@dataclass(frozen=True)
class Reference:
    """A publication whose experiments a study repeats."""

    source: str
    title: str
    introduction: str
    notices: Sequence[str] = ()  # what a reader must not overlook
    scales: Mapping[str, str] = field(default_factory=dict)  # by experiment: how it compares
    statements: Sequence[Statement] = ()
    basis: Sequence[str] = ()  # what is common to the tests: constants, and why they are so
    tables: Mapping[str, Sequence[PublishedTable]] = field(default_factory=dict)  # by experiment
    about_tables: str = ""  # how the tables were compared
