"""A table for people, from which files and the page are made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from catcube.statistics import Line, Summary

Kind = Literal["text", "integer", "number", "percent", "p", "yes"]
"""How the cells of a column are shown: `p` is a p-value, `yes` a truth value."""

Cell = str | int | float | bool | None
"""None is an empty cell; infinite numbers are shown as ∞."""


@dataclass(frozen=True)
class Column:
    """The title of a column and how its cells are shown."""

    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class ReportTable:
    """Named cells. `name` is the stem of its files; rows come in the order to be shown."""

    name: str  # such as fixed-budget-ranks
    title: str  # one line
    caption: str  # one or two sentences: what the numbers are
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    marked: frozenset[int] = frozenset()  # rows to be emphasised; the caption says why


class TableKey(NamedTuple):
    """By what a table is found: its section, its kind, and the instance or group it is about."""

    section: int | None  # None: about the whole study
    kind: str
    subject: str = ""


Tables: TypeAlias = Mapping[TableKey, ReportTable]

SectionTables: TypeAlias = dict[tuple[str, str], ReportTable]
"""The tables of one section, by kind and subject."""

PAIR = (Column("algorithm"), Column("representation"))
SUMMARY = tuple(Column(field, "number") for field in Summary._fields)
RANKED = (Column("rank", "integer"), *PAIR)
"""The first columns of a table of pairs: see `ranked`."""


def ranked(line: Line) -> list[Cell]:
    """Return the first cells of a line: its rank and pair."""
    return [line.rank, line.algorithm, line.representation]
