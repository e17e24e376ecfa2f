"""The tables of a fixed-target experiment."""

from catcube.analysis.model import FixedTarget
from catcube.report.names import safe_name
from catcube.report.tables.cells import written
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
from catcube.statistics import Table

_SUCCESS = Column("success", "percent")


def target_tables(section: FixedTarget) -> list[ReportTable]:
    """Ranks, runtimes by instance, and tests; what is empty is left out."""
    conditions = section.conditions
    tables = [_ranks(section, group, lines) for group, lines in section.ranks.items() if lines]
    if section.friedman is not None:
        pairs = set(section.friedman.mean_ranks)
        instances = sum(
            pairs <= {line.pair for line in lines} for lines in section.runtimes.values()
        )
        tables.append(friedman_table(conditions, section.friedman, instances))
    tables += comparison_tables(conditions, section.comparisons, "runtimes")
    for instance, lines in section.runtimes.items():
        if lines:
            tables.append(_runtimes(section, instance, lines))
    return tables


def _aim(section: FixedTarget) -> str:
    """What a run must do, and at what price."""
    conditions = section.conditions
    target = written(conditions.target, "number")
    return f"the value {target} within {conditions.budget:,} evaluations"


def _ranks(section: FixedTarget, group: str, lines: Table) -> ReportTable:
    conditions = section.conditions
    described = section.groups[group].described if group in section.groups else "all instances"
    return ReportTable(
        name=table_name(conditions, "ranks", safe_name(group)),
        title=f"{conditions.experiment}: ranks on {described}",
        caption=(
            f"How many of {counted(conditions.runs, 'run')} on each instance reach "
            f"{_aim(section)}, rounded down, and the ranks of the pairs by success and runtime. "
            "Sorted by success, then median, first and third quartile, minimum, maximum."
        ),
        columns=(*PLACED, *SUMMARY, _SUCCESS),
        rows=[[*placed(line), *line.summary, line.success_percent] for line in lines],
    )


def _runtimes(section: FixedTarget, instance: str, lines: Table) -> ReportTable:
    conditions = section.conditions
    medians = section.medians.get(instance, {})
    expected = section.expected_running_times.get(instance, {})
    rows = []
    for line in lines:
        interval: list[Cell] = [*medians.get(line.pair, (None, None))]
        rows.append(
            [
                *placed(line),
                *line.summary,
                *interval,
                expected.get(line.pair),
                line.success_percent,
            ]
        )
    return ReportTable(
        name=table_name(conditions, "runtimes", safe_name(instance)),
        title=f"{conditions.experiment}: runtimes on {instance}",
        caption=(
            f"Evaluations of the successful ones of {counted(conditions.runs, 'run')}, which reach "
            f"{_aim(section)}; the 95 % bootstrap interval of the median; and the expected running "
            "time (ERT): evaluations of all runs by the number of successes."
        ),
        columns=(
            *(*PLACED, *SUMMARY),
            *(Column("median from", "number"), Column("median to", "number")),
            *(Column("ERT", "number"), _SUCCESS),
        ),
        rows=rows,
    )
