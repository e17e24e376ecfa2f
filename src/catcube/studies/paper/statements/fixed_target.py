"""Statements about the runs that solve boards with one to ten erased cells."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from catcube.statistics import Pair, by_pair
from catcube.studies.paper.published import published
from catcube.studies.paper.significance import permuted_largest
from catcube.studies.paper.statements import failures, ranks
from catcube.studies.paper.statements.evidence import Evidence, both, rank
from catcube.studies.paper.statements.failures import SA_DIRECT, SA_LINEAR
from catcube.studies.paper.statements.statement import (
    ALGORITHMS,
    Condition,
    Outcome,
    PaperStatement,
    all_of,
)
from catcube.studies.paper.statements.success import counts

LARGEST = "small-dimension-8-a"
"""The board whose largest runtimes are compared."""
FIRST = Pair("rls", "linear")
PAIRS = tuple(pair for name in ALGORITHMS for pair in both(name))
_TOPIC = "Fixed target"
_NEEDS = ("fixed-target",)


def largest_runtime(evidence: Evidence, algorithm: str) -> Outcome:
    """Check that the largest runtimes differ; a run that fails counts as the budget."""
    section = evidence.target_section
    samples = [
        np.minimum(section.samples[LARGEST][pair], section.conditions.budget)
        for pair in both(algorithm)
    ]
    linear, direct = (float(sample.max()) for sample in samples)
    ratio = max(linear, direct) / min(linear, direct)
    return Outcome(
        Condition(True, permuted_largest(*samples)),
        (linear, direct, ratio),
        f"the largest runtimes are {linear:,.0f} with linear and {direct:,.0f} with direct",
    )


def is_first(evidence: Evidence, _: str) -> Outcome:
    """Check that RLS-linear is ranked before every other pair, over all boards."""
    section = evidence.target_section
    ranked, tables = section.ranks["all"], list(section.runtimes.values())
    failed = counts(section.samples, section.runtimes)
    conditions = {
        line.pair: ranks.ahead(ranked, tables, FIRST, line.pair, failed)
        for line in ranked
        if line.pair != FIRST
    }
    closest = max(conditions, key=lambda pair: conditions[pair].p)
    position = rank(ranked, FIRST)
    return Outcome(
        all_of(list(conditions.values())),
        (position, by_pair(ranked)[FIRST].summary.median),
        f"rls-linear has rank {position}; the closest is {'-'.join(closest)}",
    )


def linear_dominates(
    evidence: Evidence, algorithm: str, group: str, without: Sequence[str]
) -> Outcome:
    """Check the table of ranks of a group of boards."""
    section = evidence.target_section
    instances = section.groups[group].instances if group in section.groups else section.runtimes
    tables = [section.runtimes[name] for name in instances]
    failed = counts(section.samples, instances)
    return ranks.dominance(algorithm, section.ranks[group], tables, without, failed)


def _published_first() -> str:
    first = published("fixed-target-ranks-all")[0].pair
    return "" if first == FIRST else f"{'-'.join(first)} is first"


def _dominance(
    identity: str, where: str, group: str, without: Sequence[str], sentence: str
) -> PaperStatement:
    return PaperStatement(
        identity,
        _TOPIC,
        where,
        sentence,
        ALGORITHMS,
        _NEEDS,
        (*ranks.COLUMNS, *ranks.FAILURES),
        ranks.TEST_WITH_SUCCESS,
        partial(linear_dominates, group=group, without=without),
        ranks.published_dominance(f"fixed-target-ranks-{group}", without),
    )


_T3: dict[str, Callable[[Evidence, str], Outcome]] = {
    "all unsuccessful pairs but one use direct": failures.failures_use_direct,
    "only SA fails with either": failures.only_annealing_fails_with_either,
}
_T7: dict[str, Callable[[Evidence, str], Outcome]] = {
    "MIMIC succeeds": failures.mimic_succeeds,
    "otherwise the same pairs fail": failures.same_pairs_fail,
}

STATEMENTS = (
    PaperStatement(
        "T1",
        _TOPIC,
        "text",
        "All runs succeed up to six erased cells.",
        ("all pairs",),
        _NEEDS,
        failures.COLUMNS,
        failures.TEST,
        failures.all_succeed,
        lambda _: failures.published_failures("low", PAIRS),
    ),
    PaperStatement(
        "T2",
        _TOPIC,
        "table of runtimes, 8-a",
        "The representation matters for the largest runtime.",
        ("umda", "mimic", "hc", "ea-1p1"),
        _NEEDS,
        ("largest with linear", "largest with direct", "ratio"),
        f"Largest of 100 runtimes on {LARGEST}; the test exchanges runs between the two samples "
        "(9,999 permutations) and compares the ratio of the maxima. It cannot show that the "
        "representation does not matter.",
        largest_runtime,
    ),
    PaperStatement(
        "T3",
        _TOPIC,
        "table of ranks over all boards",
        "All unsuccessful pairs but one use direct; only SA fails with either representation.",
        tuple(_T3),
        _NEEDS,
        failures.COLUMNS,
        failures.TEST,
        lambda evidence, part: _T3[part](evidence, part),
        lambda _: failures.published_failures(
            "all", {pair for pair in PAIRS if pair.representation == "linear"} - {SA_LINEAR}
        ),
    ),
    _dominance(
        "T4",
        "table of ranks over all boards",
        "all",
        ("ga",),
        "Linear dominates direct for all algorithms but GA.",
    ),
    PaperStatement(
        "T5",
        _TOPIC,
        "table of ranks, one to five erased cells",
        "Only SA with direct is not always successful.",
        ("all pairs",),
        _NEEDS,
        failures.COLUMNS,
        failures.TEST,
        failures.only_annealing_direct_fails,
        lambda _: failures.published_failures("low", set(PAIRS) - {SA_DIRECT}),
    ),
    _dominance(
        "T6",
        "table of ranks, one to five erased cells",
        "low",
        ("ga", "pbil", "umda", "mimic"),
        "Linear dominates direct for all algorithms but GA, PBIL, UMDA and MIMIC.",
    ),
    PaperStatement(
        "T7",
        _TOPIC,
        "table of ranks, six to ten erased cells",
        "MIMIC succeeds; otherwise the same pairs fail as over all boards.",
        tuple(_T7),
        _NEEDS,
        failures.COLUMNS,
        f"{failures.TEST} A pair whose n failures are all on the other boards is against the "
        "second part with a p-value of 1 / 2ⁿ.",
        lambda evidence, part: _T7[part](evidence, part),
        lambda _: failures.published_failures("medium", both("mimic")),
    ),
    _dominance(
        "T8",
        "table of ranks, six to ten erased cells",
        "medium",
        ("ga", "mimic"),
        "Linear dominates direct for all algorithms but GA and MIMIC.",
    ),
    _dominance(
        "T9",
        "conclusion, on the fixed target",
        "all",
        ("ga", "mimic"),
        "Linear surpasses direct for all algorithms but GA and MIMIC.",
    ),
    PaperStatement(
        "T10",
        _TOPIC,
        "table of ranks over all boards",
        "RLS with linear is first.",
        ("rls-linear",),
        _NEEDS,
        ("rank", "median rank"),
        f"{ranks.TEST_WITH_SUCCESS} It is made against every other pair; all have to be "
        "significant.",
        is_first,
        lambda _: _published_first(),
    ),
)
