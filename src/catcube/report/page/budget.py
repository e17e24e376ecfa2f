"""The section of a fixed-budget experiment."""

from catcube.analysis.model import FixedBudget
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
from catcube.report.tables.common import counted


def fixed_budget(section: FixedBudget, parts: Parts) -> list[str]:
    """Values by instance, ranks, and tests."""
    budget = counted(section.conditions.budget, "evaluation")
    return [
        paragraph(f"How good are the values found with {budget}? Lower is better."),
        missing_runs(section),
        "<h3>Values on each instance</h3>",
        *_values(section, parts),
        "<h3>Ranks over the instances</h3>",
        *(parts.shown("ranks") or [nothing("ranks need an instance on which all runs are done")]),
        *told_apart(section.friedman, parts),
        *comparisons(parts),
    ]


def _values(section: FixedBudget, parts: Parts) -> list[str]:
    if not section.means:
        return [nothing("no pair has all its runs done on an instance")]
    choice = f"{parts.identity}-instance"
    chart = parts.charts.add(page_charts.histogram(section, choice))
    caption = "Mean final values of the pairs; whiskers are 95 % bootstrap intervals of the mean."
    return [
        instance_chooser(choice, list(section.means)),
        figure(chart, "bars", caption),
        tables_by_instance(
            choice, list(section.means), section.values, parts.take("values-"), parts
        ),
    ]
