"""The plain data of an analysis: how experiments were run, and what a publication says.

The computed parts are in `sections`. A `Reference` contains the statements and tables of a
publication with which a study is compared.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from catcube.problems.suites import family_of
from catcube.statistics import Line, Pair

LEVEL = 0.05
"""Significance level: a difference is significant if its adjusted p-value is at most this."""

LEAD_MARGIN = 0.01
"""A curve leads where it is higher by more than this share of the targets."""

View: TypeAlias = Literal["budget", "ecdf", "target"]
"""A view of an experiment: values for a budget, ECDF curves, or runtimes to a target."""


@dataclass(frozen=True)
class Group:
    """Instances that are ranked together, and a description of them."""

    described: str
    instances: Sequence[str]


@dataclass(frozen=True)
class Outline:
    """The views of an experiment, groups of its instances besides "all", and sizes of instances.

    `size` is what the sizes count, such as unknown cells.
    """

    views: Sequence[View]
    groups: Mapping[str, Group] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)  # by instance; all or none have one
    size: str = ""

    def divide(self, instances: Iterable[str]) -> dict[str, list[str]]:
        """Return all of the given instances, and those of each group; omit empty groups.

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
"""A function that returns the outline of an experiment, given its name, instances and target."""


def plain_outline(experiment: str, instances: Sequence[str], target: float | None) -> Outline:
    """Return an outline with views that depend on the target, and a group per kind of problem.

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
    """A session of a campaign: its start, code and machine, and the number of its runs."""

    began: float  # seconds since 1970
    version: str
    sources: str
    machine: Mapping[str, str]  # python, numpy, numba, system, processor, cores
    runs: int


@dataclass(frozen=True)
class Missing:
    """The number of missing runs of a pair on an instance."""

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
    runs: int  # planned for each pair on each instance
    seed: int
    done: int = 0
    total: int = 0
    failed: int = 0
    evaluations: int = 0
    seconds: float = 0.0  # summed over the runs
    began: float | None = None  # seconds since 1970
    finished: float | None = None  # when the last run ended
    missing: tuple[Missing, ...] = ()
    sessions: tuple[Session, ...] = ()
    chosen: bool = False  # whether the budget or target was chosen for the report

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
"""The verdicts on parts that are tested."""

FIGURES: tuple[Verdict, ...] = ("agrees", "disagrees")
"""The verdicts on figures, which are compared within a tolerance."""

VERDICTS: tuple[Verdict, ...] = (*TESTED, *FIGURES, "not measured")

Figure: TypeAlias = str | float | None


@dataclass(frozen=True)
class Part:
    """A part of a statement, and the verdict on it."""

    about: str  # such as the name of an algorithm
    verdict: Verdict
    reason: str
    figures: Sequence[Figure] = ()  # one for each column of the statement
    p: float | None = None  # adjusted over the statement; None if nothing was tested
    tolerance: str = ""  # of a figure, and whether halving or doubling it changes the verdict


@dataclass(frozen=True)
class Statement:
    """A statement of a publication, in our words, with verdicts on its parts."""

    id: str
    topic: str  # the heading in the report
    where: str
    sentence: str
    test: str  # how the parts are tested
    parts: Sequence[Part]
    columns: Sequence[str] = ()  # titles of the figures of the parts
    note: str = ""


@dataclass(frozen=True)
class PublishedRow:
    """The lines of a pair in our table and in a published one.

    `adjusted` contains the p-values of the tested figures (min, q1, median, q3, max, success),
    adjusted over all tests of the table.
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
    """A published table compared with ours, and remarks on systematic differences."""

    name: str
    rows: Sequence[PublishedRow]
    remarks: Sequence[str] = ()


@dataclass(frozen=True)
class Reference:
    """A publication whose experiments a study repeats."""

    source: str
    title: str
    introduction: str
    notices: Sequence[str] = ()  # shown prominently
    scales: Mapping[str, str] = field(default_factory=dict)  # the original scale, by experiment
    statements: Sequence[Statement] = ()
    basis: Sequence[str] = ()  # how parts are judged
    tables: Mapping[str, Sequence[PublishedTable]] = field(default_factory=dict)  # by experiment
    about_tables: str = ""  # how tables are compared
