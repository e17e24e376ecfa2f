"""The page of a study: one HTML file that needs nothing else, not even a network.

Its style and scripts are the files in `assets`, allowed by their hashes; no other script runs. Its
sections are the `templates`, filled with the study, its tables and its charts.
"""

import base64
import hashlib
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import attrgetter
from typing import Any

from catcube import __version__
from catcube.base.optional import require
from catcube.base.text import count
from catcube.experiments.export import UniqueNames
from catcube.statistics import Table
from catcube.studies.analysis.model import FIGURES, TESTED, VERDICTS
from catcube.studies.analysis.sections import Ecdf, FixedBudget, FixedTarget, Section, Study
from catcube.studies.report import charts as chart_data
from catcube.studies.report.charts import INSTANCES, Chart
from catcube.studies.report.palette import representation_numbers
from catcube.studies.report.table import ReportTable, Tables
from catcube.studies.report.tables import headlines, parts_table
from catcube.studies.report.text import (
    Cell,
    Kind,
    cell_text,
    describe_comparison,
    describe_line_styles,
    format_duration,
    format_time,
    safe_name,
)

with require("jinja2"):
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

SIGNS = dict(zip(VERDICTS, "✓≈✗✓✗–", strict=True))
_SCRIPTS = ("draw.js", "bars.js", "curves.js", "ranks.js", "tables.js", "page.js")
_KINDS = {  # titles and templates
    FixedBudget: ("Fixed budget", "fixed_budget"),
    Ecdf: ("Course of the search (ECDF)", "ecdf"),
    FixedTarget: ("Fixed target", "fixed_target"),
}


def render_page(study: Study, tables: Tables, instances: int | None = INSTANCES) -> str:
    """Write the page; the tables are those of `report_tables`.

    At most `instances` instances of an experiment are shown one by one, or all if that is None.

    >>> render_page(Study(()), {}).startswith("<!DOCTYPE html>")
    True
    """
    charts: list[Chart] = []
    reference = study.reference
    context = {
        "reference": reference,
        "signs": SIGNS,
        "counted_apart": (("tested", TESTED), ("figures, within a tolerance", FIGURES)),
        "headlines": headlines(study),
        "experiments": study.conditions,
        "title": _page_title(study),
        "further": [
            table
            for key, table in tables.items()
            if key.section is None and not key.kind.startswith("statement")
        ],
    }
    sections = [_section("summary", "Summary", "summary", context)]
    if reference and reference.statements:
        sections += [_section("statements", "Statements and verdicts", "statements", context)]
    unique = UniqueNames()
    for name in ("summary", "statements", "conditions", "charts", "appearance"):
        unique(name)
    for number, section in enumerate(study.sections):
        title = _section_title(section)
        identity = unique(safe_name(title))
        every = section.by_instance if isinstance(section, Ecdf) else section.tables
        shown = chart_data.choose_evenly(every, instances)
        added = _section_charts(section, f"{identity}-instance", shown)
        own = _section_context(study, section, number, tables) | {
            "id": identity,
            "title": title,
            "instances": shown,
            "left_out": len(every) - len(shown),
            "charts": {name: len(charts) + place for place, name in enumerate(added)},
            "curve_names": added["curves"]["names"] if "curves" in added else {},
        }
        if not isinstance(section, Ecdf):
            own["default"] = _most_different(section.tables, shown)
        charts += added.values()
        sections += [_section(identity, title, _KINDS[type(section)][1], own)]
    sections += [_section("conditions", "How it was run", "conditions", context)]
    style = _asset("style.css")
    script = "\n".join(['"use strict";', *map(_asset, _SCRIPTS)])
    names = (name for one in study.conditions for name in one.representations)
    return _render(
        "page",
        policy=(
            f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
            f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
        ),
        title=_page_title(study),
        version=__version__,
        sections=sections,
        style=Markup(style),
        script=Markup(script),
        charts={"representations": representation_numbers(names), "charts": charts},
    )


def _asset(name: str) -> str:
    content = files("catcube.studies.report").joinpath("assets", name).read_text(encoding="utf-8")
    return content.strip()


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


# Sections


def _section(identity: str, title: str, template: str, context: dict[str, Any]) -> dict[str, str]:
    return {"id": identity, "title": title, "body": _render(template, **context)}


def _page_title(study: Study) -> str:
    """Return the title of the publication whose experiments are repeated, or their names."""
    if study.reference:
        return study.reference.title
    names = dict.fromkeys(one.experiment for one in study.conditions)
    return ": ".join(["Results", ", ".join(names)]) if names else "Results"


def _section_title(section: Section) -> str:
    """Name the view of an experiment, and the experiment unless its name says the same."""
    title, _ = _KINDS[type(section)]
    conditions = section.conditions
    if conditions.chosen:
        shown = conditions.budget if conditions.target is None else conditions.target
        title = f"{title} {cell_text(shown, 'number')}"
    name = conditions.experiment
    repeated = name and name.replace("-", " ").casefold() in title.casefold()
    return title if repeated else f"{title}: {name or '(no name)'}"


def _section_context(study: Study, section: Section, number: int, tables: Tables) -> dict[str, Any]:
    """Collect what the template of a section shows, apart from its charts."""
    by_kind: dict[str, dict[str, ReportTable]] = defaultdict(dict)
    for key, table in tables.items():
        if key.section == number:
            by_kind[key.kind][key.subject] = table
    known = study.reference.tables if study.reference else {}
    published = [
        one
        for one in known.get(section.conditions.experiment, ())
        if one.name in by_kind["published"]
    ]
    return {
        "section": section,
        "conditions": section.conditions,
        "tables": by_kind,
        "reference": study.reference,
        "published": published,
        "published_tables": [
            (
                f"{one.name} ({sum(bool(row.different) for row in one.rows)} of {len(one.rows)} "
                "differ)",
                by_kind["published"][one.name],
            )
            for one in published
        ],
    }


def _most_different(tables: Mapping[str, Table], names: Sequence[str]) -> str | None:
    """Return the instance on which the pairs differ most: in success, then in ranks."""

    def kinds(name: str) -> list[int]:
        found = zip(*((line.success_percent, line.rank) for line in tables[name]), strict=True)
        return [len({*column}) for column in found]

    return max(names, key=kinds, default=None)


def _section_charts(section: Section, choice: str, shown: Sequence[str]) -> dict[str, Chart]:
    added: dict[str, Chart] = {}
    if isinstance(section, Ecdf):
        if section.by_instance:
            added["curves"] = chart_data.ecdf_curves(section, choice, shown)
        if section.leads:
            added["differences"] = chart_data.differences(section)
        return added
    if section.tables:
        added["bars"] = chart_data.bars(section, choice, shown)
    if isinstance(section, FixedTarget):
        if section.tables:
            added["success"] = chart_data.success(section)
        if section.profiles:
            added["profiles"] = chart_data.profiles(section)
    return added | {
        name: chart_data.mean_ranks(test, name) for name, test in section.blocks.items()
    }


# Templates


def _render(template: str, **context: Any) -> Markup:
    """Fill in a template; everything that is not markup is escaped."""
    return Markup(_environment().get_template(f"{template}.html.j2").render(**context))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("catcube.studies.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    named = (
        *(capitalise, cell_text, describe_comparison, describe_line_styles, format_duration),
        *(format_time, parts_table, row_cells),
    )
    environment.filters |= {function.__name__: function for function in named}
    environment.filters |= {
        "adjacent": lambda items, key: [(k, list(g)) for k, g in groupby(items, attrgetter(key))],
        "counted": count,
        "enumerated": lambda names: [(str(index), name) for index, name in enumerate(names)],
        "machine": lambda one: ", ".join(f"{name} {value}" for name, value in one.machine.items()),
        "thousands": lambda number: f"{number:,}",
        "versions": lambda session: (session.version, session.sources[:12]),
        "without_experiment": lambda title, name: capitalise(title.removeprefix(f"{name}: ")),
    }
    return environment


def capitalise(text: str) -> str:
    """Capitalise the first letter only.

    >>> capitalise("linear against XOR")
    'Linear against XOR'
    """
    return text[:1].upper() + text[1:]


def row_cells(table: ReportTable) -> Iterator[tuple[bool, list[tuple[str, bool, str]]]]:
    """Yield, for each row, whether it is marked, and of each cell text, alignment and sort key."""
    columns = table.columns
    for number, cells in enumerate(zip(table.rows, table.texts(), strict=True)):
        found = [
            (text, column.is_text, _sort_key(cell, column.kind))
            for cell, text, column in zip(*cells, columns, strict=True)
        ]
        yield number in table.marked, found


def _sort_key(cell: Cell, kind: Kind) -> str:
    """Return the number behind a cell whose text is none."""
    if kind == "p" and isinstance(cell, float) and cell < 0.001:
        return f"{cell:.3g}"
    if isinstance(cell, float) and math.isinf(cell):
        return "∞" if cell > 0 else "-∞"
    return ""
