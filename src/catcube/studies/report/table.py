"""A table for people, from which files and the page are made: CSV and LaTeX.

Titles and captions, also those of figures, are in `captions.toml`.
"""

import csv
import io
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple, TypeAlias

from catcube.base.text import count, format_columns
from catcube.studies.analysis.model import Conditions
from catcube.studies.report.text import Cell, Kind, cell_text, describe_comparison, safe_name

_DATA = files("catcube.studies.report")
_TEXTS = tomllib.loads(_DATA.joinpath("captions.toml").read_text(encoding="utf-8"))

P_VALUES = ("p", "adjusted p", "equivalent")
"""Titles of columns of p-values; one with "success" in it has percents."""

Row: TypeAlias = Sequence[Cell]
"""The cells of a row, one for each column."""


class Column(NamedTuple):
    """The title of a column and how its cells are shown."""

    title: str
    kind: Kind

    @property
    def is_text(self) -> bool:
        """Whether the cells are aligned as text."""
        return self.kind == "text"


@dataclass(frozen=True)
class ReportTable:
    """Rows of cells. `name` is the stem of its files; rows come in the order to be shown."""

    name: str  # such as fixed-budget-ranks
    title: str  # one line
    caption: str  # one or two sentences: what the numbers are
    titles: Sequence[str]  # of the columns
    rows: Sequence[Row]
    marked: frozenset[int] = frozenset()  # rows to be emphasised; the caption says why

    @property
    def columns(self) -> list[Column]:
        """The columns; how their cells are shown follows from title and cells."""
        return [Column(title, self._kind(n, title)) for n, title in enumerate(self.titles)]

    def _kind(self, place: int, title: str) -> Kind:
        if any(isinstance(row[place], str) for row in self.rows):
            return "text"
        return "p" if title in P_VALUES else "percent" if "success" in title else "number"

    def texts(self) -> list[list[str]]:
        """Return the cells as they are shown, row by row."""
        kinds = [column.kind for column in self.columns]
        return [list(map(cell_text, row, kinds)) for row in self.rows]


class TableKey(NamedTuple):
    """By what a table is found: its section, its kind, and the instance or group it is about."""

    section: int | None  # None: about the whole study
    kind: str
    subject: str = ""


Tables: TypeAlias = Mapping[TableKey, ReportTable]


def caption_of(
    kind: str, conditions: Conditions | None, *parts: str, **words: Any
) -> tuple[str, str, str]:
    """Return file name, title and caption; `parts` end the name of what is part of a section.

    >>> caption_of("missing", None, "missing")
    ('missing', 'Missing runs', 'Number of missing runs of each pair on each instance.')
    """
    name = "-".join(parts) if conditions is None else stem(conditions, *parts)
    words = _known(conditions) | words
    return name, *(_TEXTS[kind][text].format_map(words) for text in ("title", "caption"))


def make_table(
    kind: str,
    rows: Sequence[Row],
    conditions: Conditions | None = None,
    parts: Sequence[str] = (),
    more: Iterable[str] = (),
    marked: Iterable[bool] = (),
    **words: Any,
) -> ReportTable:
    """Make a table of a kind; `more` are the titles of its columns after those that it always has.

    Rows that are `marked` are emphasised.
    """
    named = caption_of(kind, conditions, *(parts or [kind]), **words)
    words = _known(conditions) | words
    columns = (*(title.format_map(words) for title in _TEXTS[kind]["columns"]), *more)
    numbers = frozenset(number for number, is_marked in enumerate(marked) if is_marked)
    return ReportTable(*named, columns, rows, numbers)


def _known(conditions: Conditions | None) -> dict[str, Any]:
    """Return the words that every part of a section knows."""
    if conditions is None:
        return {}
    return {
        "experiment": conditions.experiment,
        "budget": conditions.budget,
        "target": cell_text(conditions.target, "number"),
        "runs": count(conditions.runs, "run"),
        "first": conditions.representations[0],
        "compared": describe_comparison(conditions.representations),
    }


def stem(conditions: Conditions, *parts: str) -> str:
    """Return the stem of the files of a section, which names a budget or target that was chosen."""
    if conditions.chosen and conditions.target is None:
        parts = (f"budget-{conditions.budget}", *parts)
    elif conditions.chosen:
        parts = (f"target-{safe_name(f'{conditions.target:g}')}", *parts)
    return "-".join([safe_name(conditions.experiment), *parts])


def plain_text(table: ReportTable) -> str:
    """Write a table for a terminal, under its title.

    >>> print(plain_text(ReportTable("t", "T", "", ["pair", "p"], [("sa", 0.5)])))
    T
    pair  p
    sa    0.500
    """
    right = [place for place, column in enumerate(table.columns) if not column.is_text]
    return f"{table.title}\n{format_columns([list(table.titles), *table.texts()], 100, right)}"


def csv_text(table: ReportTable) -> str:
    """Write the cells, numbers with all their digits; empty cells are empty.

    p-values have twelve significant digits: the last ones depend on the processor.

    >>> csv_text(ReportTable("t", "T", "", ["p", "q"], [(1 / 3, 1 / 3), (None, 1)])).splitlines()
    ['p,q', '0.333333333333,0.3333333333333333', ',1']
    """
    stream = io.StringIO()
    kinds = [column.kind for column in table.columns]
    rows = (map(_csv_cell, row, kinds) for row in table.rows)
    csv.writer(stream, lineterminator="\n").writerows([table.titles, *rows])
    return stream.getvalue()


def _csv_cell(cell: Cell, kind: Kind) -> Cell:
    return float(f"{cell:.12g}") if kind == "p" and isinstance(cell, float) else cell


_LONG = 45  # lines: more do not fit on a page, and are broken over several
_WRAPPED = 30  # characters: a longer text is broken into lines
_LATIN = "\u017f"  # the last character that every LaTeX since 2018 knows by itself

_SPECIAL: dict[str, str] = tomllib.loads(_DATA.joinpath("latex.toml").read_text(encoding="utf-8"))


def escape_latex(text: str) -> str:
    r"""Escape text for LaTeX; a character that few fonts have becomes its number.

    >>> escape_latex("50 % of a_b ≤ ∞"), escape_latex(r"\end{table}")
    ('50 \\% of a\\_b $\\leq$ $\\infty$', '\\textbackslash{}end\\{table\\}')
    >>> escape_latex("Demšar"), escape_latex("数"), escape_latex("a--b")
    ('Demšar', '\\texttt{U+6570}', 'a-{}-b')
    """
    once = re.sub("-(?=-)", "-\0", " ".join(text.split()))  # two hyphens would become a dash
    return "".join(map(_character, once)).replace("\0", "{}")


def _character(character: str) -> str:
    known = character in "\0 " or (character.isprintable() and character <= _LATIN)
    return _SPECIAL.get(character, character if known else rf"\texttt{{U+{ord(character):04X}}}")


def latex_text(table: ReportTable) -> str:
    """Write a table environment with booktabs, or a longtable if it has many lines."""
    cells = table.texts()
    types = []
    for index, column in enumerate(table.columns):
        longest = max((len(row[index]) for row in cells), default=0)
        wide = r">{\raggedright\arraybackslash}p{0.3\linewidth}"
        types.append("r" if not column.is_text else wide if longest > _WRAPPED else "l")
    rows = ""
    for number, row in enumerate(cells):
        bold = r"\textbf{%s}" if number in table.marked else "%s"
        rows += " & ".join(text and bold % escape_latex(text) for text in row) + " \\\\\n"
    is_long = len(cells) > _LONG or any("p{" in kind for kind in types)
    frame = _DATA.joinpath("templates", "longtable.tex" if is_long else "table.tex")
    return Template(frame.read_text(encoding="utf-8")).substitute(
        name=table.name,
        caption=escape_latex(f"{table.title}. {table.caption}"),
        types="".join(types),
        titles=" & ".join(escape_latex(column.title) for column in table.columns) + r" \\",
        rows=rows,
    )


TABLE_FORMATS: Mapping[str, Callable[[ReportTable], str]] = {"csv": csv_text, "tex": latex_text}


def table_files(tables: Iterable[ReportTable], formats: Iterable[str]) -> dict[str, bytes]:
    """Return the content of NAME.csv or NAME.tex of each table, by name."""
    endings = [name for name in formats if name in TABLE_FORMATS]
    return {
        f"{table.name}.{ending}": TABLE_FORMATS[ending](table).encode("utf-8", "backslashreplace")
        for table in tables
        for ending in endings
    }
