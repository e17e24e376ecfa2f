"""The tables of the ECDF."""

from catcube.studies.analysis.model import Ecdf
from catcube.studies.report.names import file_name
from catcube.studies.report.tables.table import (
    PAIR,
    RANKED,
    Cell,
    Column,
    ReportTable,
    SectionTables,
)
from catcube.studies.report.text import against, counted

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_POWERS = 5


def ecdf_tables(section: Ecdf) -> SectionTables:
    """Make the tables of levels, of areas by group, and of who leads when."""
    tables: SectionTables = {}
    if section.curves:
        tables["levels", ""] = _levels(section)
    if section.group_areas:
        tables["areas", ""] = _areas(section)
    if section.leads:
        tables["leads", ""] = _leads(section)
    return tables


def _levels(section: Ecdf) -> ReportTable:
    conditions = section.conditions
    largest = len(str(conditions.budget)) - 1  # the largest power of ten that is not above
    exponents = range(max(1, largest - _POWERS + 1), largest + 1)
    best_first = reversed(list(section.curves.items()))
    rows: list[list[Cell]] = [
        [
            *(rank, *pair, curve.final, section.areas.get(pair)),
            *curve.at([10**exponent for exponent in exponents]).tolist(),
        ]
        for rank, (pair, curve) in enumerate(best_first, start=1)
    ]
    return ReportTable(
        name=file_name(conditions.experiment, "levels"),
        title=f"{conditions.experiment}: share of the targets reached",
        caption=(
            f"Of all targets in {counted(conditions.runs, 'run')} on each of "
            f"{counted(len(section.instances), 'instance')}: the share reached in the end "
            f"({conditions.budget:,} evaluations), on average over the logarithm of "
            "evaluations (area), and after some powers of ten."
        ),
        columns=(
            *(*RANKED, Column("final", "number"), Column("area", "number")),
            *(
                Column(f"at 10{str(exponent).translate(_SUPERSCRIPTS)}", "number")
                for exponent in exponents
            ),
        ),
        rows=rows,
    )


def _areas(section: Ecdf) -> ReportTable:
    conditions = section.conditions
    rows: list[list[Cell]] = [
        [
            *(*pair, section.areas[pair]),
            *(areas[pair] for areas in section.group_areas.values()),
        ]
        for pair in sorted(section.areas, key=lambda pair: -section.areas[pair])
    ]
    return ReportTable(
        name=file_name(conditions.experiment, "areas"),
        title=f"{conditions.experiment}: area under the curves, by group of instances",
        caption=(
            "The share of the targets reached on average over the logarithm of evaluations: of all "
            "instances, and of each group of them. Higher is better."
        ),
        columns=(
            *(*PAIR, Column("all instances", "number")),
            *(Column(f"on {name}", "number") for name in section.group_areas),
        ),
        rows=rows,
    )


def _leads(section: Ecdf) -> ReportTable:
    conditions = section.conditions
    first, *others = conditions.representations
    several = len(others) > 1
    rows: list[list[Cell]] = []
    for pair, leads in section.leads.items():
        names = [*pair] if several else [pair.algorithm]
        if not leads:
            rows.append([*names, "neither", None, None, None])
        for lead in leads:
            ahead = first if lead.first else pair.representation
            rows.append([*names, ahead, lead.begin, lead.end - 1, lead.gap])
    return ReportTable(
        name=file_name(conditions.experiment, "leads"),
        title=f"{conditions.experiment}: which representation leads when",
        caption=(
            f"For each algorithm, {against(conditions.representations)}: the representation with "
            "the higher curve, from and to which number of evaluations, and the largest difference "
            "of the shares in between."
        ),
        columns=(
            *(Column("algorithm"), *((Column("against"),) if several else ())),
            *(Column("ahead"), Column("from", "integer")),
            *(Column("to", "integer"), Column("largest difference", "number")),
        ),
        rows=rows,
    )
