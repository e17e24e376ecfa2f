"""The section of a fixed-target experiment."""

from catcube.analysis.model import FixedTarget
from catcube.report.page import charts as page_charts
from catcube.report.page.charts import figure
from catcube.report.page.markup import paragraph
from catcube.report.page.parts import (
    Parts,
    comparisons,
    instance_chooser,
    missing_runs,
    nothing,
    tables_by_instance,
    told_apart,
)
from catcube.report.page.tables import chosen_tables
from catcube.report.tables.cells import written


def fixed_target(section: FixedTarget, parts: Parts) -> list[str]:
    """Ranks, success, runtimes by instance, and tests."""
    conditions = section.conditions
    target = written(conditions.target, "number")
    opening = [
        paragraph(
            f"How many runs reach the value {target} within {conditions.budget:,} evaluations, and "
            "how many evaluations does it take them?"
        ),
        missing_runs(section),
    ]
    if not section.runtimes:
        return [*opening, nothing("runtimes need a pair with all its runs done on an instance")]
    choice = f"{parts.identity}-instance"
    runtimes = parts.charts.add(page_charts.runtimes(section, choice))
    success = parts.charts.add(page_charts.success(section))
    groups = [name for name, lines in section.ranks.items() if lines]
    return [
        *opening,
        "<h3>Ranks over the instances</h3>",
        chosen_tables(
            f"{parts.identity}-group", "Instances", parts.take("ranks"), groups, parts.experiment
        )
        or nothing("ranks need an instance on which all runs are done"),
        *told_apart(section.friedman, parts),
        "<h3>Success</h3>",
        figure(
            success,
            "overall",
            "Runs that reach the target, in percent of all runs (means of the whole percents of "
            "the instances). Colours are algorithms; linear is solid, direct dashed.",
        ),
        "<h3>Runtimes on each instance</h3>",
        instance_chooser(choice, list(section.runtimes)),
        figure(
            runtimes,
            "bars",
            "Median evaluations of the successful runs; whiskers are 95 % bootstrap intervals of "
            "the median. The axis is logarithmic.",
        ),
        tables_by_instance(
            choice, list(section.runtimes), section.runtimes, parts.take("runtimes-"), parts
        ),
        *comparisons(parts),
    ]
