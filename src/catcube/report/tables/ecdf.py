"""The tables of the ECDF."""

from catcube.analysis.model import Course
from catcube.report.tables.common import PAIR, counted, table_name
from catcube.report.tables.table import Cell, Column, ReportTable

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_POWERS = 5


def course_tables(section: Course) -> list[ReportTable]:
    """Levels of the curves, and who is ahead when; what is empty is left out."""
    return [*_levels(section), *_leads(section)]


def _levels(section: Course) -> list[ReportTable]:
    if not section.curves:
        return []
    conditions = section.conditions
    largest = len(str(conditions.budget)) - 1  # the largest power of ten that is not above
    exponents = range(max(1, largest - _POWERS + 1), largest + 1)
    best_first = reversed(list(section.curves.items()))
    rows: list[list[Cell]] = [
        [
            *(place, *pair, curve.final, section.areas.get(pair)),
            *curve.at([10**exponent for exponent in exponents]).tolist(),
        ]
        for place, (pair, curve) in enumerate(best_first, start=1)
    ]
    return [
        ReportTable(
            name=table_name(conditions, "levels"),
            title=f"{conditions.experiment}: share of the targets reached",
            caption=(
                f"Of all targets in {counted(conditions.runs, 'run')} on each of "
                f"{counted(len(section.instances), 'instance')}: the share reached in the end "
                f"({conditions.budget:,} evaluations), on average over the logarithm of "
                "evaluations (area), and after some powers of ten."
            ),
            columns=(
                *(Column("place", "integer"), *PAIR),
                *(Column("final", "number"), Column("area", "number")),
                *(
                    Column(f"at 10{str(exponent).translate(_SUPERSCRIPTS)}", "number")
                    for exponent in exponents
                ),
            ),
            rows=rows,
        )
    ]


def _leads(section: Course) -> list[ReportTable]:
    if not section.leads:
        return []
    rows: list[list[Cell]] = []
    for algorithm, leads in section.leads.items():
        if not leads:
            rows.append([algorithm, "neither", None, None, None])
        for lead in leads:
            ahead = "linear" if lead.first else "direct"
            rows.append([algorithm, ahead, lead.begin, lead.end - 1, lead.gap])
    return [
        ReportTable(
            name=table_name(section.conditions, "leads"),
            title=f"{section.conditions.experiment}: which representation is ahead when",
            caption=(
                "For each algorithm, the representation whose curve is the higher one, from and to "
                "which number of evaluations, and the largest difference of the shares in between."
            ),
            columns=(
                *(Column("algorithm"), Column("ahead"), Column("from", "integer")),
                *(Column("to", "integer"), Column("largest difference", "number")),
            ),
            rows=rows,
        )
    ]
