"""The tables of fixed-budget and fixed-target experiments."""

from collections.abc import Mapping

from catcube.statistics import Pair, Table
from catcube.studies.analysis.model import Conditions, FixedBudget, FixedTarget, Mean
from catcube.studies.analysis.outline import Group
from catcube.studies.report.names import file_name, safe_name
from catcube.studies.report.tables.cells import cell_text
from catcube.studies.report.tables.significance import comparison_tables, friedman_tables
from catcube.studies.report.tables.table import (
    RANKED,
    SUMMARY,
    Cell,
    Column,
    ReportTable,
    SectionTables,
    ranked,
)
from catcube.studies.report.text import counted

_SUCCESS = Column("success", "percent")
_ORDER = "median, first and third quartile, minimum, maximum"


def budget_tables(section: FixedBudget) -> SectionTables:
    """Make the tables of ranks, of tests, and of the values on each instance."""
    conditions = section.conditions
    tables: SectionTables = {}
    for group, lines in section.ranks.items():
        complete = _complete(lines, section.values, section.groups.get(group))
        tables["ranks", group] = ReportTable(
            name=file_name(conditions.experiment, "ranks", *_suffix(group)),
            title=f"{conditions.experiment}: ranks{_on(section, group)}",
            caption=(
                f"Ranks of the pairs by their values after {conditions.budget:,} evaluations, over "
                f"{counted(complete, 'instance')} with {counted(conditions.runs, 'run')} each. "
                f"Sorted by {_ORDER}."
            ),
            columns=(*RANKED, *SUMMARY),
            rows=[[*ranked(line), *line.summary] for line in lines],
        )
    complete = _complete(section.ranks.get("all", ()), section.values)
    tables |= friedman_tables(conditions, section.friedman, complete)
    tables |= comparison_tables(conditions, section.comparisons, "final values", section.groups)
    for instance, lines in section.values.items():
        means = section.means.get(instance, {})
        tables["values", instance] = _values(conditions, instance, lines, means)
    return tables


def target_tables(section: FixedTarget) -> SectionTables:
    """Make the tables of ranks, of tests, and of the runtimes on each instance."""
    conditions = section.conditions
    tables: SectionTables = {}
    for group, lines in section.ranks.items():
        tables["ranks", group] = ReportTable(
            name=file_name(conditions.experiment, "ranks", safe_name(group)),
            title=f"{conditions.experiment}: ranks{_on(section, group) or ' on all instances'}",
            caption=(
                f"How many of {counted(conditions.runs, 'run')} on each instance reach "
                f"{_aim(conditions)}, rounded down, and the ranks of the pairs by success and "
                f"runtime. Sorted by success, then {_ORDER}."
            ),
            columns=(*RANKED, *SUMMARY, _SUCCESS),
            rows=[[*ranked(line), *line.summary, line.success_percent] for line in lines],
        )
    complete = _complete(section.ranks.get("all", ()), section.runtimes)
    tables |= friedman_tables(conditions, section.friedman, complete)
    tables |= comparison_tables(conditions, section.comparisons, "runtimes", section.groups)
    for instance, lines in section.runtimes.items():
        tables["runtimes", instance] = _runtimes(section, instance, lines)
    return tables


def _suffix(group: str) -> list[str]:
    return [] if group == "all" else [safe_name(group)]


def _on(section: FixedBudget | FixedTarget, group: str) -> str:
    """Describe the instances of a group; nothing for all."""
    return f" on {section.groups[group].described}" if group in section.groups else ""


def _complete(ranks: Table, tables: Mapping[str, Table], group: Group | None = None) -> int:
    """Count the instances on which all ranked pairs have all their runs."""
    pairs = {line.pair for line in ranks}
    return sum(
        bool(pairs) and pairs <= {line.pair for line in lines}
        for instance, lines in tables.items()
        if group is None or instance in group.instances
    )


def _aim(conditions: Conditions) -> str:
    """Say which value a run must reach, and with how many evaluations."""
    target = cell_text(conditions.target, "number")
    return f"the value {target} within {conditions.budget:,} evaluations"


def _values(
    conditions: Conditions, instance: str, lines: Table, means: Mapping[Pair, Mean]
) -> ReportTable:
    rows = []
    for line in lines:
        mean = means.get(line.pair)
        cells: list[Cell] = [mean.mean, *mean.interval] if mean else [None, None, None]
        rows.append([*ranked(line), *line.summary, *cells])
    return ReportTable(
        name=file_name(conditions.experiment, "values", safe_name(instance)),
        title=f"{conditions.experiment}: values on {instance}",
        caption=(
            f"Values found with {conditions.budget:,} evaluations in "
            f"{counted(conditions.runs, 'run')}, lower is better; the mean with its 95 % bootstrap "
            "interval."
        ),
        columns=(
            *(*RANKED, *SUMMARY, Column("mean", "number")),
            *(Column("mean from", "number"), Column("mean to", "number")),
        ),
        rows=rows,
    )


def _runtimes(section: FixedTarget, instance: str, lines: Table) -> ReportTable:
    conditions = section.conditions
    medians = section.medians.get(instance, {})
    expected = section.expected_running_times.get(instance, {})
    rows: list[list[Cell]] = [
        [
            *(*ranked(line), *line.summary, *medians.get(line.pair, (None, None))),
            *(expected.get(line.pair), line.success_percent),
        ]
        for line in lines
    ]
    return ReportTable(
        name=file_name(conditions.experiment, "runtimes", safe_name(instance)),
        title=f"{conditions.experiment}: runtimes on {instance}",
        caption=(
            f"Evaluations of the successful ones of {counted(conditions.runs, 'run')}, which reach "
            f"{_aim(conditions)}; the 95 % bootstrap interval of the median; and the expected "
            "running time (ERT): the evaluations of all runs divided by the number of successes."
        ),
        columns=(
            *(*RANKED, *SUMMARY),
            *(Column("median from", "number"), Column("median to", "number")),
            *(Column("ERT", "number"), _SUCCESS),
        ),
        rows=rows,
    )
