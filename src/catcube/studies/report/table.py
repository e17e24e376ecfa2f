"""A table for people, from which files and the page are made: CSV, Markdown and LaTeX."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from catcube.statistics import Line, Summary
from catcube.studies.report.text import Cell, Kind, cell_text


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


def csv_text(table: ReportTable) -> str:
    """Write the cells as they are, numbers with all their digits; empty cells are empty.

    >>> table = ReportTable("t", "T", "", (Column("p", "p"), Column("far", "yes")), [[1 / 3, True]])
    >>> csv_text(table).splitlines()
    ['p,far', '0.3333333333333333,true']
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.title for column in table.columns])
    writer.writerows([_raw(cell) for cell in row] for row in table.rows)
    return stream.getvalue()


def _raw(cell: Cell) -> Cell:
    return str(cell).lower() if isinstance(cell, bool) else cell


def markdown(table: ReportTable) -> str:
    """Write a table as GitHub shows it, under its title and above its caption.

    >>> table = ReportTable("t", "A_B", "Two.", (Column("pair"), Column("p", "p")), [["a|b", 0.5]])
    >>> print(markdown(table))
    # A\\_B
    <BLANKLINE>
    | pair | p |
    |---|---:|
    | a\\|b | 0.500 |
    <BLANKLINE>
    Two.
    <BLANKLINE>
    """
    rules = ["---" if column.kind in ("text", "yes") else "---:" for column in table.columns]
    lines = [
        f"# {_plain(table.title)}",
        "",
        _markdown_row([_plain(column.title) for column in table.columns]),
        "|" + "|".join(rules) + "|",
    ]
    for number, row in enumerate(table.rows):
        texts = [
            _plain(cell_text(cell, column.kind))
            for cell, column in zip(row, table.columns, strict=True)
        ]
        if number in table.marked:
            texts = [text and f"**{text}**" for text in texts]
        lines.append(_markdown_row(texts))
    return "\n".join([*lines, "", _plain(table.caption), ""])


def _markdown_row(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _plain(text: str) -> str:
    """Escape text for Markdown, in one line."""
    kept = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]|$~#^!])", r"\\\1", kept)


_LONG = 45  # lines: more do not fit on a page, and are broken over several
_WRAPPED = 30  # characters: a longer text is broken into lines

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
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "χ": r"$\chi$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "\u00a0": "~",
    "\u202f": r"\,",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    **{character: f"$^{{{digit}}}$" for digit, character in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}
_ACCENTS = {
    "\u0300": r"\`",
    "\u0301": r"\'",
    "\u0302": r"\^",
    "\u0303": r"\~",
    "\u0308": r"\"",
    "\u030a": r"\r",
    "\u030c": r"\v",
    "\u0327": r"\c",
}


def escaped(text: str) -> str:
    r"""Escape text for LaTeX; a character that few fonts have becomes its number.

    >>> escaped("50 % of a_b ≤ ∞"), escaped(r"\end{table}")
    ('50 \\% of a\\_b $\\leq$ $\\infty$', '\\textbackslash{}end\\{table\\}')
    >>> escaped("Demšar"), escaped("数")
    ('Dem\\v{s}ar', '\\texttt{U+6570}')
    """
    joined = "".join(map(_character, " ".join(text.split())))
    return re.sub("-(?=-)", "-{}", joined)  # two hyphens would be printed as a dash


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if " " <= character <= "~":
        return character
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        return f"{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return rf"\texttt{{U+{ord(character):04X}}}"


def latex(table: ReportTable) -> str:
    """Write a table environment with booktabs, or a longtable if it has many lines."""
    cells = [
        [cell_text(cell, column.kind) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    types = []
    for index, column in enumerate(table.columns):
        longest = max((len(row[index]) for row in cells), default=0)
        left = column.kind in ("text", "yes")
        wide = r">{\raggedright\arraybackslash}p{0.3\linewidth}"
        types.append(wide if left and longest > _WRAPPED else "l" if left else "r")
    lines = []
    for number, row in enumerate(cells):
        texts = [escaped(text) for text in row]
        if number in table.marked:
            texts = [rf"\textbf{{{text}}}" if text else text for text in texts]
        lines.append(" & ".join(texts) + r" \\")
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


TABLE_FORMATS: Mapping[str, Callable[[ReportTable], str]] = {
    "csv": csv_text,
    "md": markdown,
    "tex": latex,
}


def table_files(tables: Iterable[ReportTable], formats: Iterable[str]) -> dict[str, bytes]:
    """Return the content of NAME.csv, NAME.md or NAME.tex of each table, by name."""
    endings = [name for name in formats if name in TABLE_FORMATS]
    return {
        f"{table.name}.{ending}": TABLE_FORMATS[ending](table).encode()
        for table in tables
        for ending in endings
    }
