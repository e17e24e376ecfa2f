"""The sections of the page: which template shows them, and with what."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catcube.studies.analysis.model import Ecdf, FixedBudget, FixedTarget, Section, Study
from catcube.studies.analysis.reference import Verdict
from catcube.studies.report.page import charts as chart_data
from catcube.studies.report.page.charts import Chart
from catcube.studies.report.tables.table import ReportTable, Tables

SIGNS: dict[Verdict, str] = {
    "holds": "✓",
    "too close to call": "≈",
    "contradicted": "✗",
    "not measured": "–",
}
_KINDS = (
    *("ranks", "values", "runtimes", "friedman", "comparisons"),
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


def page_title(study: Study) -> str:
    """Return the title of the publication whose experiments are repeated, or their names.

    >>> page_title(Study(()))
    'Results'
    """
    if study.reference:
        return study.reference.title
    names = dict.fromkeys(one.experiment for one in study.conditions)
    return ": ".join(["Results", ", ".join(names)]) if names else "Results"


def section_title(section: Section) -> str:
    """Name the view of an experiment, and the experiment unless its name says the same."""
    title = {
        FixedBudget: "Fixed budget",
        Ecdf: "Course of the search (ECDF)",
        FixedTarget: "Fixed target",
    }[type(section)]
    name = section.conditions.experiment
    repeated = name and name.replace("-", " ").casefold() in title.casefold()
    return title if repeated else f"{title}: {name or '(no name)'}"


def page_sections(study: Study, tables: Tables, charts: list[Chart]) -> list[PageSection]:
    """List the sections of the page, and append their charts."""
    study_context = {
        "reference": study.reference,
        "signs": SIGNS,
        "experiments": study.conditions,
        "title": page_title(study),
    }
    sections = [PageSection("summary", "Summary", "summary.html.j2", study_context)]
    if study.reference and study.reference.statements:
        title = "Statements and verdicts"
        sections.append(PageSection("statements", title, "statements.html.j2", study_context))
    for number, section in enumerate(study.sections):
        sections.append(_section(study, section, number, tables, charts))
    further = [
        table
        for key, table in tables.items()
        if key.section is None and key.kind not in _SHOWN_ABOVE
    ]
    return [
        *sections,
        PageSection(
            *("conditions", "How it was run", "conditions.html.j2"),
            study_context | {"further": further},
        ),
    ]


def _section(
    study: Study, section: Section, number: int, tables: Tables, charts: list[Chart]
) -> PageSection:
    section_id, title = f"section-{number}", section_title(section)
    by_kind: dict[str, dict[str, ReportTable]] = {kind: {} for kind in _KINDS}
    further = []
    for key, table in tables.items():
        if key.section == number and key.kind in by_kind:
            by_kind[key.kind][key.subject] = table
        elif key.section == number:
            further.append(table)
    context = {
        "id": section_id,
        "title": title,
        "section": section,
        "conditions": section.conditions,
        "tables": by_kind,
        "further": further,
        **_published(study, section, by_kind["published"]),
    }
    choice = f"{section_id}-instance"
    if isinstance(section, FixedBudget):
        template = "fixed_budget.html.j2"
        added = {"means": chart_data.means(section, choice)} if section.means else {}
    elif isinstance(section, FixedTarget):
        template = "fixed_target.html.j2"
        added = {}
        if section.runtimes:
            added["runtimes"] = chart_data.runtimes(section, choice)
            added["success"] = chart_data.success(section)
    else:
        template = "ecdf.html.j2"
        curves = chart_data.ecdf_curves(section, choice)
        context["curve_names"] = curves["names"]
        added = {"curves": curves} if curves["names"] else {}
    if not isinstance(section, Ecdf) and section.friedman:
        added["ranks"] = chart_data.mean_ranks(section.friedman)
    numbers = range(len(charts), len(charts) + len(added))
    context["charts"] = {"ranks": None} | dict(zip(added, numbers, strict=True))
    charts += added.values()
    return PageSection(section_id, title, template, context)


def _published(
    study: Study, section: Section, tables: Mapping[str, ReportTable]
) -> dict[str, object]:
    """Return the published tables that are shown, each with how many of its rows differ."""
    reference = study.reference
    everything = reference.tables.get(section.conditions.experiment, ()) if reference else ()
    published = [one for one in everything if one.name in tables]
    return {
        "reference": reference,
        "published": published,
        "published_tested": any(row.adjusted for one in published for row in one.rows),
        "published_tables": [
            (
                f"{one.name} ({sum(bool(row.different) for row in one.rows)} of {len(one.rows)} "
                "differ)",
                tables[one.name],
            )
            for one in published
        ],
    }
