"""Statistics of results: pure functions, nothing is read, run or drawn here.

They take any iterable of results with the attributes of `Result`, such as the rows of
`catcube.batch`; the ECDF takes the traces of the runs. The summaries and ranks are those of
A. Berny, "Linear representation of categorical values" (2021); the tests, effect sizes and
intervals need scipy (the extra `study`).
"""

from catcube.statistics.bootstrap import Interval, confidence_interval
from catcube.statistics.comparison import Comparison, compare_representations, holm, mann_whitney
from catcube.statistics.crossings import Lead, leads
from catcube.statistics.curves import TARGETS, Curve, Trace, ecdf, log_grid
from catcube.statistics.effect import cliffs_delta, magnitude, vargha_delaney
from catcube.statistics.fixed_budget import fixed_budget_ranks, value_tables
from catcube.statistics.fixed_target import (
    GROUPS,
    erased_cells,
    expected_running_time,
    fixed_target_groups,
    fixed_target_ranks,
    runtime_tables,
)
from catcube.statistics.nemenyi import Friedman, critical_difference, friedman, indistinguishable
from catcube.statistics.results import (
    Pair,
    PlainResult,
    Result,
    complete,
    grouped,
    runtime_to,
    value_of,
)
from catcube.statistics.summaries import NEVER, Summary, summary
from catcube.statistics.tables import (
    Line,
    Table,
    by_pair,
    rank_summaries,
    ranks,
    table,
    whole_percent,
)

__all__ = [
    "GROUPS",
    "NEVER",
    "TARGETS",
    "Comparison",
    "Curve",
    "Friedman",
    "Interval",
    "Lead",
    "Line",
    "Pair",
    "PlainResult",
    "Result",
    "Summary",
    "Table",
    "Trace",
    "by_pair",
    "cliffs_delta",
    "compare_representations",
    "complete",
    "confidence_interval",
    "critical_difference",
    "ecdf",
    "erased_cells",
    "expected_running_time",
    "fixed_budget_ranks",
    "fixed_target_groups",
    "fixed_target_ranks",
    "friedman",
    "grouped",
    "holm",
    "indistinguishable",
    "leads",
    "log_grid",
    "magnitude",
    "mann_whitney",
    "rank_summaries",
    "ranks",
    "runtime_tables",
    "runtime_to",
    "summary",
    "table",
    "value_of",
    "value_tables",
    "vargha_delaney",
    "whole_percent",
]
