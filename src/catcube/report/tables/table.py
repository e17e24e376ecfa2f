"""A table for people, from which files and the page are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "integer", "number", "percent", "p", "yes"]
"""How the cells of a column are written: `p` is a p-value, `yes` a truth value."""

Cell = str | int | float | bool | None
"""None is an empty cell; infinite numbers are written as ∞."""


@dataclass(frozen=True)
class Column:
    """The title of a column and how its cells are written."""

    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class ReportTable:
    """Named cells. `name` is the stem of its files; rows come in the order to be shown."""

    name: str  # such as fixed-budget-ranks
    title: str  # a line
    caption: str  # one or two sentences: what the numbers are
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    marked: frozenset[int] = frozenset()  # rows to be emphasised; the caption says why
    section: int | None = None  # which section of the study it belongs to; None: all of it
