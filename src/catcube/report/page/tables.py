"""Tables of the page: sortable there, wide ones scroll in their box."""

import math
from collections.abc import Sequence

from catcube.report.page.markup import chooser, following, text
from catcube.report.tables.cells import written
from catcube.report.tables.table import Cell, Column, ReportTable

_LONG = 30  # rows; longer tables scroll upright, too


def table_figure(table: ReportTable, title: str | None = None) -> str:
    """A table with its title and caption; `title` replaces its own."""
    heads = "".join(_head(column) for column in table.columns)
    rows = "".join(_row(table, number) for number in range(len(table.rows)))
    name = text(title or table.title)
    long = " long" if len(table.rows) > _LONG else ""
    return (
        f'<figure class="table" data-table="{text(table.name)}">'
        f"<figcaption><strong>{name}</strong>{text(table.caption)}</figcaption>"
        f'<div class="scroll{long}" tabindex="0" role="region" aria-label="{name}">'
        f'<table class="sortable" aria-label="{name}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></figure>"
    )


def section_table(table: ReportTable, experiment: str) -> str:
    """A table in the section of its experiment, whose name its title need not repeat."""
    title = table.title.removeprefix(f"{experiment}: ")
    return table_figure(table, title[:1].upper() + title[1:])


def chosen_tables(
    identity: str, label: str, tables: Sequence[ReportTable], names: Sequence[str], experiment: str
) -> str:
    """Tables of which one is shown at a time, with the select for them if there are several."""
    parts = [(str(place), section_table(own, experiment)) for place, own in enumerate(tables)]
    if len(parts) < 2:
        return "".join(part for _, part in parts)
    if len(names) != len(tables):
        names = [own.title for own in tables]
    options = [(value, name) for (value, _), name in zip(parts, names, strict=True)]
    return chooser(identity, label, options) + following(identity, parts)


def _head(column: Column) -> str:
    return f'<th scope="col"{_left(column)}>{text(column.title)}</th>'


def _left(column: Column) -> str:
    return ' class="t"' if column.kind in ("text", "yes") else ""


def _row(table: ReportTable, number: int) -> str:
    cells = "".join(
        f"<td{_left(column)}{_sort(cell, column)}>{text(written(cell, column.kind))}</td>"
        for cell, column in zip(table.rows[number], table.columns, strict=True)
    )
    return f'<tr class="marked">{cells}</tr>' if number in table.marked else f"<tr>{cells}</tr>"


def _sort(cell: Cell, column: Column) -> str:
    """The number behind a cell whose text is none."""
    if column.kind == "p" and isinstance(cell, float) and cell < 0.001:
        return f' data-sort="{cell:.3g}"'
    if isinstance(cell, float) and math.isinf(cell):
        return f' data-sort="{"∞" if cell > 0 else "-∞"}"'
    return ""
