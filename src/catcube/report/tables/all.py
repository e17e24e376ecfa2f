"""All tables of a study."""

from dataclasses import replace

from catcube.analysis.model import FixedBudget, FixedTarget, Section, Study
from catcube.report.names import UniqueNames
from catcube.report.tables.ecdf import course_tables
from catcube.report.tables.fixed_budget import budget_tables
from catcube.report.tables.fixed_target import target_tables
from catcube.report.tables.study import claim_tables, condition_tables
from catcube.report.tables.table import ReportTable


def report_tables(study: Study) -> list[ReportTable]:
    """The claims, then the tables of each section, then how it was run.

    Names are safe as names of files and different; of what is not there yet, there is no table.

    >>> report_tables(Study(()))
    []
    """
    unique = UniqueNames()
    parts: list[tuple[int | None, list[ReportTable]]] = [
        (None, claim_tables(study)),
        *((number, section_tables(section)) for number, section in enumerate(study.sections)),
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
