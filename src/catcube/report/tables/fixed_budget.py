"""The tables of a fixed-budget experiment."""

from collections.abc import Mapping

from catcube.analysis.model import Conditions, FixedBudget, Mean
from catcube.report.names import safe_name
from catcube.report.tables.common import (
    PLACED,
    SUMMARY,
    comparison_tables,
    counted,
    friedman_table,
    placed,
    table_name,
)
from catcube.report.tables.table import Cell, Column, ReportTable
from catcube.statistics import Pair, Table


def budget_tables(section: FixedBudget) -> list[ReportTable]:
    """Ranks, values by instance, and tests; what is empty is left out."""
    conditions = section.conditions
    tables = []
    if section.ranks:
        tables.append(_ranks(section))
    if section.friedman is not None:
        tables.append(friedman_table(conditions, section.friedman, _complete(section)))
    tables += comparison_tables(conditions, section.comparisons, "final values")
    for instance, lines in section.values.items():
        if lines:
            tables.append(_values(conditions, instance, lines, section.means.get(instance, {})))
    return tables


def _complete(section: FixedBudget) -> int:
    """On how many instances all pairs of the ranks have all their runs done."""
    ranked = {line.pair for line in section.ranks}
    return sum(ranked <= {line.pair for line in own} for own in section.values.values())


def _ranks(section: FixedBudget) -> ReportTable:
    conditions = section.conditions
    return ReportTable(
        name=table_name(conditions, "ranks"),
        title=f"{conditions.experiment}: ranks",
        caption=(
            f"Ranks of the pairs by their values after {conditions.budget:,} evaluations, over "
            f"{counted(_complete(section), 'instance')} with {counted(conditions.runs, 'run')} "
            "each. Sorted by median, then first and third quartile, minimum, maximum."
        ),
        columns=(*PLACED, *SUMMARY),
        rows=[[*placed(line), *line.summary] for line in section.ranks],
    )


def _values(
    conditions: Conditions, instance: str, lines: Table, means: Mapping[Pair, Mean]
) -> ReportTable:
    rows = []
    for line in lines:
        own = means.get(line.pair)
        mean: list[Cell] = [own.mean, *own.interval] if own else [None, None, None]
        rows.append([*placed(line), *line.summary, *mean])
    return ReportTable(
        name=table_name(conditions, "values", safe_name(instance)),
        title=f"{conditions.experiment}: values on {instance}",
        caption=(
            f"Values found with {conditions.budget:,} evaluations in "
            f"{counted(conditions.runs, 'run')}, lower is better; the mean with its 95 % bootstrap "
            "interval."
        ),
        columns=(
            *(*PLACED, *SUMMARY, Column("mean", "number")),
            *(Column("mean from", "number"), Column("mean to", "number")),
        ),
        rows=rows,
    )
