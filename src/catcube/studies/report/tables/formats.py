"""Tables as files: CSV for programs, Markdown and LaTeX for people."""

import csv
import io
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from catcube.base.files import replace_file
from catcube.studies.report.tables.cells import cell_text
from catcube.studies.report.tables.latex import latex
from catcube.studies.report.tables.table import Cell, ReportTable


def csv_text(table: ReportTable) -> str:
    """Write the cells as they are, numbers with all their digits; empty cells are empty.

    >>> from catcube.studies.report.tables.table import Column
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

    >>> from catcube.studies.report.tables.table import Column
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


_FORMATS: dict[str, Callable[[ReportTable], str]] = {
    "csv": csv_text,
    "md": markdown,
    "tex": latex,
}


def write_tables(tables: Iterable[ReportTable], folder: str | os.PathLike[str]) -> list[Path]:
    """Write NAME.csv, NAME.md and NAME.tex of each table, and return the paths.

    The folder is made if need be. A file is replaced as a whole: a reader sees the old one or the
    new one.
    """
    return [
        replace_file(Path(folder) / f"{table.name}.{ending}", write(table).encode())
        for table in tables
        for ending, write in _FORMATS.items()
    ]
