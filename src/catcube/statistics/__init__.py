"""Statistics of results: pure functions, nothing is read, run or drawn here.

They take any iterable of results with the attributes of `Result`, such as the rows of
`catcube.experiments.batch`, or samples of what was measured; the ECDF takes the traces of the runs.
The summaries and ranks are those of A. Berny, "Linear representation of categorical values"
(2021); the tests, effect sizes and intervals need scipy (the extra `report`).
"""

from catcube.statistics.bootstrap import Interval, confidence_interval, confidence_intervals
from catcube.statistics.comparison import (
    Comparison,
    compare_representations,
    holm,
    mann_whitney,
)
from catcube.statistics.crossings import Lead, leads
from catcube.statistics.curves import (
    TARGETS,
    Curve,
    Trace,
    check_improvements,
    ecdf,
    instance_curves,
    joined,
    log_grid,
)
from catcube.statistics.effect import cliffs_delta, magnitude, vargha_delaney
from catcube.statistics.fixed_budget import fixed_budget_ranks, value_tables
from catcube.statistics.fixed_target import (
    expected_running_time,
    expected_running_time_of_samples,
    fixed_target_ranks,
    runtime_tables,
    success_counts,
    successful_runtimes,
)
from catcube.statistics.nemenyi import (
    Friedman,
    critical_difference,
    friedman,
    indistinguishable,
)
from catcube.statistics.resampling import resampled_means, resampled_quantiles
from catcube.statistics.results import (
    Pair,
    PlainResult,
    Result,
    complete,
    grouped,
    runtime_to,
    value_of,
)
from catcube.statistics.samples import (
    Data,
    Sample,
    Samples,
    by_instance,
    checked_sample,
    flattened,
    samples_of,
)
from catcube.statistics.summaries import (
    NEVER,
    QUARTERS,
    Summary,
    medians,
    quantiles,
    summaries,
    summary,
)
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
    "NEVER",
    "QUARTERS",
    "TARGETS",
    "Comparison",
    "Curve",
    "Data",
    "Friedman",
    "Interval",
    "Lead",
    "Line",
    "Pair",
    "PlainResult",
    "Result",
    "Sample",
    "Samples",
    "Summary",
    "Table",
    "Trace",
    "by_instance",
    "by_pair",
    "check_improvements",
    "checked_sample",
    "cliffs_delta",
    "compare_representations",
    "complete",
    "confidence_interval",
    "confidence_intervals",
    "critical_difference",
    "ecdf",
    "expected_running_time",
    "expected_running_time_of_samples",
    "fixed_budget_ranks",
    "fixed_target_ranks",
    "flattened",
    "friedman",
    "grouped",
    "holm",
    "indistinguishable",
    "instance_curves",
    "joined",
    "leads",
    "log_grid",
    "magnitude",
    "mann_whitney",
    "medians",
    "quantiles",
    "rank_summaries",
    "ranks",
    "resampled_means",
    "resampled_quantiles",
    "runtime_tables",
    "runtime_to",
    "samples_of",
    "success_counts",
    "successful_runtimes",
    "summaries",
    "summary",
    "table",
    "value_of",
    "value_tables",
    "vargha_delaney",
    "whole_percent",
]
