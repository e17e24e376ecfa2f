"""The tables of a study."""

from dataclasses import replace

from catcube.studies.analysis.model import FixedBudget, FixedTarget, Section, Study
from catcube.studies.report.names import UniqueNames
from catcube.studies.report.tables.conditions import condition_tables
from catcube.studies.report.tables.ecdf import ecdf_tables
from catcube.studies.report.tables.reference import published_tables, statement_tables
from catcube.studies.report.tables.results import budget_tables, target_tables
from catcube.studies.report.tables.table import ReportTable, SectionTables, TableKey


def report_tables(study: Study) -> dict[TableKey, ReportTable]:
    """Make the tables of the statements, of each section, and of how the experiments were run.

    The names of the tables are different and safe as names of files; what has no rows is left out.

    >>> report_tables(Study(()))
    {}
    """
    parts: list[tuple[int | None, SectionTables]] = [
        (None, statement_tables(study.reference)),
        *((number, section_tables(study, one)) for number, one in enumerate(study.sections)),
        (None, condition_tables(study)),
    ]
    unique = UniqueNames()
    return {
        TableKey(number, *key): replace(table, name=unique(table.name))
        for number, tables in parts
        for key, table in tables.items()
        if table.rows
    }


def section_tables(study: Study, section: Section) -> SectionTables:
    """Make the tables of one section; two sections may use the same names."""
    if isinstance(section, FixedBudget):
        tables = budget_tables(section)
    elif isinstance(section, FixedTarget):
        tables = target_tables(section)
    else:
        tables = ecdf_tables(section)
    return tables | published_tables(study.reference, section.conditions)
