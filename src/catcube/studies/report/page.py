"""The page of a study: one HTML file that needs nothing else, not even a network.

Its style and scripts are the files in `assets`, allowed by their hashes; no other script runs. Its
sections are the `templates`, filled with the study, its tables and its charts.
"""

import base64
import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from catcube import __version__
from catcube.studies.analysis.model import (
    FIGURES,
    TESTED,
    Ecdf,
    FixedBudget,
    FixedTarget,
    Section,
    Study,
    Verdict,
)
from catcube.studies.report import charts as chart_data
from catcube.studies.report.charts import Chart
from catcube.studies.report.palette import representation_numbers
from catcube.studies.report.table import Column, ReportTable, Tables
from catcube.studies.report.tables import headlines, parts_table
from catcube.studies.report.text import (
    Cell,
    UniqueNames,
    against,
    cell_text,
    counted,
    duration,
    line_styles,
    moment,
    p_value,
    safe_name,
)

SIGNS: dict[Verdict, str] = {
    "holds": "✓",
    "too close to call": "≈",
    "contradicted": "✗",
    "agrees": "✓",
    "disagrees": "✗",
    "not measured": "–",
}
_SCRIPTS = ("draw.js", "bars.js", "curves.js", "ranks.js", "tables.js", "page.js")
_KINDS = (
    *("ranks", "values", "runtimes", "blocks", "effects", "comparisons"),
    *("levels", "areas", "leads", "published"),
)
_SHOWN_ABOVE = ("statements", "statement-parts")


@dataclass(frozen=True)
class PageSection:
    """A section of the page: a template and what it is filled with."""

    id: str
    title: str
    template: str
    context: Mapping[str, Any]


def page(study: Study, tables: Tables, extra: Sequence[PageSection] = ()) -> str:
    """Write the page; the tables are those of `report_tables`, and more if there are.

    A table of unknown kind is shown at the end of its section. Extra sections come before the
    last one, which says how the experiments were run.

    >>> page(Study(()), {}).startswith("<!DOCTYPE html>")
    True
    """
    charts: list[Chart] = []
    *sections, conditions = _sections(study, tables, charts)
    bodies = [
        {"id": one.id, "title": one.title, "body": _rendered(one.template, one.context)}
        for one in (*sections, *extra, conditions)
    ]
    style = _asset("style.css")
    script = "\n".join(['"use strict";', *map(_asset, _SCRIPTS)])
    numbers = representation_numbers(
        name for one in study.conditions for name in one.representations
    )
    return _rendered(
        "page.html.j2",
        {
            "policy": (
                f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
                f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
            ),
            "title": _page_title(study),
            "version": __version__,
            "sections": bodies,
            "style": Markup(style),
            "script": Markup(script),
            "charts": {"representations": numbers, "charts": charts},
        },
    )


def encoded(text: str) -> bytes:
    r"""Encode a page; names of files may contain what UTF-8 cannot encode.

    >>> encoded("odd\udcff")
    b'odd\\udcff'
    """
    return text.encode("utf-8", "backslashreplace")


def _asset(name: str) -> str:
    content = files("catcube.studies.report").joinpath("assets", name).read_text(encoding="utf-8")
    return content.strip()


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


# Sections


def _page_title(study: Study) -> str:
    """Return the title of the publication whose experiments are repeated, or their names."""
    if study.reference:
        return study.reference.title
    names = dict.fromkeys(one.experiment for one in study.conditions)
    return ": ".join(["Results", ", ".join(names)]) if names else "Results"


def _section_title(section: Section) -> str:
    """Name the view of an experiment, and the experiment unless its name says the same."""
    title = {
        FixedBudget: "Fixed budget",
        Ecdf: "Course of the search (ECDF)",
        FixedTarget: "Fixed target",
    }[type(section)]
    conditions = section.conditions
    if conditions.chosen:
        shown = conditions.budget if conditions.target is None else conditions.target
        title = f"{title} {cell_text(shown, 'number')}"
    name = conditions.experiment
    repeated = name and name.replace("-", " ").casefold() in title.casefold()
    return title if repeated else f"{title}: {name or '(no name)'}"


def _sections(study: Study, tables: Tables, charts: list[Chart]) -> list[PageSection]:
    """List the sections of the page, and append their charts."""
    context = {
        "reference": study.reference,
        "signs": SIGNS,
        "counted_apart": (("tested", TESTED), ("figures, within a tolerance", FIGURES)),
        "headlines": headlines(study),
        "experiments": study.conditions,
        "title": _page_title(study),
    }
    found = [PageSection("summary", "Summary", "summary.html.j2", context)]
    unique = UniqueNames()
    for name in ("summary", "statements", "conditions", "charts", "appearance"):
        unique(name)
    if study.reference and study.reference.statements:
        title = "Statements and verdicts"
        found.append(PageSection("statements", title, "statements.html.j2", context))
    for number, section in enumerate(study.sections):
        identity = unique(safe_name(_section_title(section)))
        found.append(_section(study, section, number, identity, tables, charts))
    further = [
        table
        for key, table in tables.items()
        if key.section is None and key.kind not in _SHOWN_ABOVE
    ]
    last = ("conditions", "How it was run", "conditions.html.j2")
    return [*found, PageSection(*last, context | {"further": further})]


def _section(
    study: Study, section: Section, number: int, identity: str, tables: Tables, charts: list[Chart]
) -> PageSection:
    title = _section_title(section)
    by_kind: dict[str, dict[str, ReportTable]] = {kind: {} for kind in _KINDS}
    further = []
    for key, table in tables.items():
        if key.section == number and key.kind in by_kind:
            by_kind[key.kind][key.subject] = table
        elif key.section == number:
            further.append(table)
    reference = study.reference
    known = reference.tables.get(section.conditions.experiment, ()) if reference else ()
    published = [one for one in known if one.name in by_kind["published"]]
    context: dict[str, Any] = {
        "id": identity,
        "title": title,
        "section": section,
        "conditions": section.conditions,
        "tables": by_kind,
        "further": further,
        "reference": reference,
        "published": published,
        "published_tested": any(row.adjusted for one in published for row in one.rows),
        "published_tables": [
            (
                f"{one.name} ({sum(bool(row.different) for row in one.rows)} of {len(one.rows)} "
                "differ)",
                by_kind["published"][one.name],
            )
            for one in published
        ],
    }
    choice = f"{identity}-instance"
    if not isinstance(section, Ecdf):
        context["default"] = _most_to_see(section)
    added: dict[str, Chart] = {}
    if isinstance(section, Ecdf):
        template = "ecdf.html.j2"
        curves = chart_data.ecdf_curves(section, choice)
        context["curve_names"] = curves["names"]
        if curves["names"]:
            added["curves"] = curves
        if section.leads:
            added["differences"] = chart_data.differences(section)
    elif isinstance(section, FixedBudget):
        template = "fixed_budget.html.j2"
        if section.means:
            added["means"] = chart_data.means(section, choice)
    else:
        template = "fixed_target.html.j2"
        if section.runtimes:
            added["runtimes"] = chart_data.runtimes(section, choice)
            added["success"] = chart_data.success(section)
        if section.profiles:
            added["profiles"] = chart_data.profiles(section)
    if not isinstance(section, Ecdf):
        added |= {
            factor: chart_data.mean_ranks(test, factor) for factor, test in section.blocks.items()
        }
    context["charts"] = {name: len(charts) + place for place, name in enumerate(added)}
    charts += added.values()
    return PageSection(identity, title, template, context)


def _most_to_see(section: FixedBudget | FixedTarget) -> str | None:
    """Choose the instance on which the pairs differ most: in success, then in ranks."""
    tables = section.runtimes if isinstance(section, FixedTarget) else section.values
    return max(
        tables,
        key=lambda name: (
            len({line.success_percent for line in tables[name]}),
            len({line.rank for line in tables[name]}),
        ),
        default=None,
    )


# Templates


def _rendered(template: str, context: Mapping[str, Any]) -> Markup:
    """Fill in a template; whatever is not markup is escaped."""
    return Markup(_environment().get_template(template).render(context))


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
    environment.filters |= {
        "against": against,
        "capitalised": _capitalised,
        "cell_text": cell_text,
        "counted": counted,
        "duration": duration,
        "enumerated": lambda names: [(str(index), name) for index, name in enumerate(names)],
        "in_order_of": _in_order_of,
        "is_text": _is_text,
        "line_styles": line_styles,
        "machine": lambda one: ", ".join(f"{name} {value}" for name, value in one.machine.items()),
        "moment": moment,
        "p_value": p_value,
        "parts_table": parts_table,
        "shown_rows": _shown_rows,
        "thousands": lambda number: f"{number:,}",
        "versions": lambda session: (session.version, session.sources[:12]),
        "without_experiment": lambda title, name: _capitalised(title.removeprefix(f"{name}: ")),
    }
    return environment


def _capitalised(text: str) -> str:
    """Capitalise the first letter only.

    >>> _capitalised("linear against XOR")
    'Linear against XOR'
    """
    return text[:1].upper() + text[1:]


def _in_order_of(items: Iterable[Any], attribute: str) -> list[tuple[str, list[Any]]]:
    """Group items by an attribute, in the order in which its values appear.

    >>> [(key, len(group)) for key, group in _in_order_of([1, 2j, 3], "imag")]
    [(0, 2), (2.0, 1)]
    """
    groups: dict[str, list[Any]] = {}
    for item in items:
        groups.setdefault(getattr(item, attribute), []).append(item)
    return list(groups.items())


def _is_text(column: Column) -> bool:
    """Tell whether the cells of a column are aligned as text."""
    return column.kind in ("text", "yes")


def _shown_rows(table: ReportTable) -> Iterator[tuple[bool, list[tuple[str, bool, str]]]]:
    """Yield, for each row, whether it is marked, and of each cell text, alignment and sort key."""
    for number, row in enumerate(table.rows):
        yield (
            number in table.marked,
            [
                (cell_text(cell, column.kind), _is_text(column), _sort_key(cell, column))
                for cell, column in zip(row, table.columns, strict=True)
            ],
        )


def _sort_key(cell: Cell, column: Column) -> str:
    """Return the number behind a cell whose text is none."""
    if column.kind == "p" and isinstance(cell, float) and cell < 0.001:
        return f"{cell:.3g}"
    if isinstance(cell, float) and math.isinf(cell):
        return "∞" if cell > 0 else "-∞"
    return ""
