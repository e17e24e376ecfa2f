"""What a study is held against: statements to be judged, and tables that others published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from catcube.statistics import Line, Pair

Verdict: TypeAlias = Literal["holds", "too close to call", "contradicted", "not measured"]

VERDICTS: tuple[Verdict, ...] = ("holds", "too close to call", "contradicted", "not measured")
"""In the order in which they are counted."""

Figure: TypeAlias = str | float | None

LEVEL = 0.05
"""A difference is significant if its adjusted p-value is at most this."""


@dataclass(frozen=True)
class Part:
    """What a statement says about one thing, and what the runs say about it."""

    about: str  # such as the name of an algorithm
    verdict: Verdict
    reason: str
    figures: Sequence[Figure] = ()  # one for each of the statement's columns
    p: float | None = None  # adjusted over the statement; None if nothing was tested


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
    """A published table, pair by pair beside ours; the remarks say what is systematic."""

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
