"""Statistics of results: pure functions, nothing is read, run or drawn here.

They take any iterable of results with the attributes of `Result`, such as the rows of
`catcube.campaigns.batch`; the ECDF takes the traces of the runs. The summaries and ranks are
those of A. Berny, "Linear representation of categorical values" (2021); the tests, effect sizes and
intervals need scipy (the extra `study`).
"""

from catcube.statistics.bootstrap import Interval, confidence_interval
from catcube.statistics.comparison import (
    Comparison,
    compare_representations,
    compare_samples,
    holm,
    mann_whitney,
)
from catcube.statistics.crossings import Lead, leads
from catcube.statistics.curves import (
    TARGETS,
    Curve,
    Steps,
    Trace,
    ecdf,
    instance_curves,
    joined,
    log_grid,
    steps_of,
)
from catcube.statistics.effect import cliffs_delta, magnitude, vargha_delaney
from catcube.statistics.fixed_budget import fixed_budget_ranks, sample_tables, value_tables
from catcube.statistics.fixed_target import (
    expected_running_time,
    expected_running_time_of_samples,
    fixed_target_ranks,
    runtime_sample_ranks,
    runtime_sample_tables,
    runtime_tables,
    successful_runtimes,
)
from catcube.statistics.nemenyi import (
    Friedman,
    critical_difference,
    friedman,
    friedman_of_samples,
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
from catcube.statistics.samples import Samples, checked_sample, samples_of
from catcube.statistics.summaries import NEVER, QUARTERS, Summary, quantiles, summary
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
    "Friedman",
    "Interval",
    "Lead",
    "Line",
    "Pair",
    "PlainResult",
    "Result",
    "Samples",
    "Steps",
    "Summary",
    "Table",
    "Trace",
    "by_pair",
    "checked_sample",
    "cliffs_delta",
    "compare_representations",
    "compare_samples",
    "complete",
    "confidence_interval",
    "critical_difference",
    "ecdf",
    "expected_running_time",
    "expected_running_time_of_samples",
    "fixed_budget_ranks",
    "fixed_target_ranks",
    "friedman",
    "friedman_of_samples",
    "grouped",
    "holm",
    "indistinguishable",
    "instance_curves",
    "joined",
    "leads",
    "log_grid",
    "magnitude",
    "mann_whitney",
    "quantiles",
    "rank_summaries",
    "ranks",
    "resampled_means",
    "resampled_quantiles",
    "runtime_sample_ranks",
    "runtime_sample_tables",
    "runtime_tables",
    "runtime_to",
    "sample_tables",
    "samples_of",
    "steps_of",
    "successful_runtimes",
    "summary",
    "table",
    "value_of",
    "value_tables",
    "vargha_delaney",
    "whole_percent",
]
