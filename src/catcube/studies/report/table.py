"""A table for people, from which files and the page are made: CSV and LaTeX."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from catcube.base.text import columns
from catcube.studies.report.text import Cell, Kind, cell_text

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


def plain_text(table: ReportTable) -> str:
    """Write a table for a terminal, under its title.

    >>> print(plain_text(ReportTable("t", "T", "", ["pair", "p"], [("sa", 0.5)])))
    T
    pair  p
    sa    0.500
    """
    right = [place for place, column in enumerate(table.columns) if not column.is_text]
    return f"{table.title}\n{columns([list(table.titles), *table.texts()], 100, right)}"


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

_SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{character: f"${character}$" for character in "<>|"},
    **{character: f"{{{character}}}" for character in "[]*'\""},  # after \\, in ligatures
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "∞": r"$\infty$",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "χ": r"$\chi$",
    "–": "--",
    "—": "---",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "\u202f": r"\,",
    "\u00a0": "~",
    "×": r"$\times$",
    **{character: f"$^{{{digit}}}$" for digit, character in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}


def escaped(text: str) -> str:
    r"""Escape text for LaTeX; a character that few fonts have becomes its number.

    >>> escaped("50 % of a_b ≤ ∞"), escaped(r"\end{table}")
    ('50 \\% of a\\_b $\\leq$ $\\infty$', '\\textbackslash{}end\\{table\\}')
    >>> escaped("Demšar"), escaped("数"), escaped("a--b")
    ('Demšar', '\\texttt{U+6570}', 'a-{}-b')
    """
    once = re.sub("-(?=-)", "-\0", " ".join(text.split()))  # two hyphens would become a dash
    return "".join(map(_character, once)).replace("\0", "{}")


def _character(character: str) -> str:
    known = character in "\0 " or (character.isprintable() and character <= _LATIN)
    return _SPECIAL.get(character, character if known else rf"\texttt{{U+{ord(character):04X}}}")


def latex(table: ReportTable) -> str:
    """Write a table environment with booktabs, or a longtable if it has many lines."""
    cells = table.texts()
    types = []
    for index, column in enumerate(table.columns):
        longest = max((len(row[index]) for row in cells), default=0)
        wide = r">{\raggedright\arraybackslash}p{0.3\linewidth}"
        types.append("r" if not column.is_text else wide if longest > _WRAPPED else "l")
    lines = []
    for number, row in enumerate(cells):
        bold = r"\textbf{%s}" if number in table.marked else "%s"
        lines.append(" & ".join(text and bold % escaped(text) for text in row) + r" \\")
    titles = " & ".join(escaped(column.title) for column in table.columns) + r" \\"
    heading = (r"\toprule", titles, r"\midrule")
    caption = rf"\caption{{{escaped(f'{table.title}. {table.caption}')}}}"
    label, types_text = rf"\label{{tab:{table.name}}}", "".join(types)
    if len(lines) > _LONG or any("p{" in kind for kind in types):
        found = (
            r"% needs \usepackage{array,booktabs,longtable}",
            *(r"\begingroup", r"\footnotesize", rf"\begin{{longtable}}{{{types_text}}}"),
            *(rf"{caption}{label}\\", *heading, r"\endfirsthead", *heading, r"\endhead"),
            *(r"\bottomrule", r"\endfoot", *lines, r"\end{longtable}", r"\endgroup"),
        )
    else:
        found = (
            r"% needs \usepackage{booktabs,graphicx}",
            *(r"\begin{table}[htbp]", r"\centering", caption, label),
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            *(rf"\begin{{tabular}}{{{types_text}}}", *heading, *lines, r"\bottomrule"),
            *(r"\end{tabular}}", r"\end{table}"),
        )
    return "\n".join(found) + "\n"


TABLE_FORMATS: Mapping[str, Callable[[ReportTable], str]] = {"csv": csv_text, "tex": latex}


def table_files(tables: Iterable[ReportTable], formats: Iterable[str]) -> dict[str, bytes]:
    """Return the content of NAME.csv or NAME.tex of each table, by name."""
    endings = [name for name in formats if name in TABLE_FORMATS]
    return {
        f"{table.name}.{ending}": TABLE_FORMATS[ending](table).encode("utf-8", "backslashreplace")
        for table in tables
        for ending in endings
    }
