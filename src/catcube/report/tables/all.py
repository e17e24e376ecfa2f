"""All tables of a study."""

from dataclasses import replace

from catcube.analysis.model import FixedBudget, FixedTarget, Section, Study
from catcube.report.names import UniqueNames
from catcube.report.tables.ecdf import course_tables
from catcube.report.tables.fixed_budget import budget_tables
from catcube.report.tables.fixed_target import target_tables
from catcube.report.tables.reference import published_table, statement_tables
from catcube.report.tables.study import condition_tables
from catcube.report.tables.table import ReportTable


def report_tables(study: Study) -> list[ReportTable]:
    """The statements, then the tables of each section, then how it was run.

    Names are safe as names of files and different; of what is not there yet, there is no table.

    >>> report_tables(Study(()))
    []
    """
    unique = UniqueNames()
    parts: list[tuple[int | None, list[ReportTable]]] = [
        (None, statement_tables(study.reference)),
        *(
            (number, [*section_tables(section), *published_tables(study, section)])
            for number, section in enumerate(study.sections)
        ),
        (None, condition_tables(study)),
    ]
    return [
        replace(table, name=unique(table.name), section=number)
        for number, tables in parts
        for table in tables
    ]


def section_tables(section: Section) -> list[ReportTable]:
    """The tables of one section; two sections may use the same names."""
    if isinstance(section, FixedBudget):
        return budget_tables(section)
    if isinstance(section, FixedTarget):
        return target_tables(section)
    return course_tables(section)


def published_tables(study: Study, section: Section) -> list[ReportTable]:
    """The published tables beside those of the section, if there are any."""
    if study.reference is None:
        return []
    own = study.reference.tables.get(section.conditions.experiment, ())
    return [published_table(section.conditions, table) for table in own if table.rows]
