"""The templates of the page, with the filters that they use."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from catcube.studies.analysis.model import Session
from catcube.studies.report.tables.cells import cell_text
from catcube.studies.report.tables.reference import parts_table
from catcube.studies.report.tables.table import Cell, Column, ReportTable
from catcube.studies.report.text import against, counted, duration, line_styles, moment, p_value


def rendered(template: str, context: Mapping[str, Any]) -> Markup:
    """Fill in a template; whatever is not markup is escaped.

    >>> rendered("conditions.html.j2", {"experiments": [], "further": []})[:25]
    Markup('<h2>How it was run</h2>\\n<')
    """
    return Markup(_environment().get_template(template).render(context))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("catcube.studies.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    environment.filters |= {
        "against": against,
        "capitalised": capitalised,
        "cell_text": cell_text,
        "counted": counted,
        "duration": duration,
        "enumerated": lambda names: [(str(index), name) for index, name in enumerate(names)],
        "in_order_of": in_order_of,
        "is_text": is_text,
        "line_styles": line_styles,
        "machine": lambda session: _listed(session.machine),
        "moment": moment,
        "p_value": p_value,
        "parts_table": parts_table,
        "shown_rows": shown_rows,
        "thousands": lambda number: f"{number:,}",
        "versions": _version,
        "without_experiment": without_experiment,
    }
    return environment


def capitalised(text: str) -> str:
    """Capitalise the first letter only.

    >>> capitalised("linear against XOR")
    'Linear against XOR'
    """
    return text[:1].upper() + text[1:]


def without_experiment(title: str, experiment: str) -> str:
    """Shorten the title of a table in the section of its experiment.

    >>> without_experiment("mine: ranks", "mine")
    'Ranks'
    """
    return capitalised(title.removeprefix(f"{experiment}: "))


def in_order_of(items: Iterable[Any], attribute: str) -> list[tuple[str, list[Any]]]:
    """Group items by an attribute, in the order in which its values appear.

    >>> [(key, len(group)) for key, group in in_order_of([1, 2j, 3], "imag")]
    [(0, 2), (2.0, 1)]
    """
    groups: dict[str, list[Any]] = {}
    for item in items:
        groups.setdefault(getattr(item, attribute), []).append(item)
    return list(groups.items())


def is_text(column: Column) -> bool:
    """Tell whether the cells of a column are aligned as text."""
    return column.kind in ("text", "yes")


def shown_rows(table: ReportTable) -> Iterator[tuple[bool, list[tuple[str, bool, str]]]]:
    """Yield, for each row, whether it is marked, and of each cell text, alignment and sort key."""
    for number, row in enumerate(table.rows):
        yield number in table.marked, _cells(row, table.columns)


def _cells(row: Sequence[Cell], columns: Sequence[Column]) -> list[tuple[str, bool, str]]:
    return [
        (cell_text(cell, column.kind), is_text(column), _sort_key(cell, column))
        for cell, column in zip(row, columns, strict=True)
    ]


def _sort_key(cell: Cell, column: Column) -> str:
    """Return the number behind a cell whose text is none."""
    if column.kind == "p" and isinstance(cell, float) and cell < 0.001:
        return f"{cell:.3g}"
    if isinstance(cell, float) and math.isinf(cell):
        return "∞" if cell > 0 else "-∞"
    return ""


def _version(session: Session) -> tuple[str, str]:
    return session.version, session.sources[:12]


def _listed(machine: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in machine.items())
