"""The sections of the page: one for each experiment and way to look at it."""

from collections.abc import Sequence

from catcube.analysis.model import Course, FixedBudget, FixedTarget, Section
from catcube.analysis.reference import Reference
from catcube.report.page.budget import fixed_budget
from catcube.report.page.charts import Charts
from catcube.report.page.course import course
from catcube.report.page.markup import joined, text
from catcube.report.page.parts import Parts, published_beside
from catcube.report.page.target import fixed_target
from catcube.report.tables.table import ReportTable


def section_title(section: Section) -> str:
    """The way to look at an experiment, and its name unless that says the same."""
    title = {
        FixedBudget: "Fixed budget",
        Course: "Course of the search (ECDF)",
        FixedTarget: "Fixed target",
    }[type(section)]
    name = section.conditions.experiment
    repeated = name and name.replace("-", " ").casefold() in title.casefold()
    return title if repeated else f"{title}: {name or '(no name)'}"


def section_body(
    section: Section,
    tables: Sequence[ReportTable],
    identity: str,
    charts: Charts,
    reference: Reference | None = None,
) -> str:
    """A section with its tables; identities of its elements begin with the given one."""
    parts = Parts(section, tables, identity, charts)
    if isinstance(section, FixedBudget):
        body = fixed_budget(section, parts)
    elif isinstance(section, FixedTarget):
        body = fixed_target(section, parts)
    else:
        body = course(section, parts)
    if reference is not None:
        body += published_beside(reference, parts)
    further = parts.rest()
    return joined(
        [
            f"<h2>{text(section_title(section))}</h2>",
            *body,
            "<h3>Further tables</h3>" if further else "",
            *further,
        ]
    )
