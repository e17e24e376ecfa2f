"""Statements about the runs that solve boards with one to ten erased cells."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

import numpy as np

from catcube.paper.boards import GROUPS
from catcube.paper.published import published
from catcube.paper.significance import permuted_largest
from catcube.paper.statements import ranks
from catcube.paper.statements.evidence import Evidence, both, rank
from catcube.paper.statements.statement import (
    ALGORITHMS,
    Condition,
    Outcome,
    PaperStatement,
    all_of,
    any_of,
)
from catcube.paper.statements.success import Count, counts, failing
from catcube.statistics import Pair, by_pair

ERASED = 6
"""Up to so many erased cells, all runs are said to succeed."""
LARGEST = "small-dimension-8-a"
"""The board whose largest runtimes are compared."""
FIRST = Pair("rls", "linear")
PAIRS = tuple(pair for name in ALGORITHMS for pair in both(name))
SA_LINEAR, SA_DIRECT = both("sa")
_TOPIC = "Fixed target"
_NEEDS = ("fixed-target",)
_FAILED = ("runs that fail", "runs", "pairs with failures")
_RATE = (
    "The paper’s runs are a sample, too: a pair succeeds if its failures are not significantly "
    "more than none of as many runs (Fisher’s exact test, 5 %). A pair is not always successful "
    "if any run fails."
)


def _counts(evidence: Evidence, numbers: Sequence[int]) -> dict[Pair, Count]:
    """Count failures on the boards with these numbers of erased cells."""
    section = evidence.target_section
    boards = [name for name, erased in section.sizes.items() if erased in numbers]
    return counts(section.samples, boards)


def _outcome(found: dict[Pair, Count], condition: Condition) -> Outcome:
    failed, runs = (sum(column) for column in zip(*found.values(), strict=True))
    return Outcome(
        condition, (failed, runs, sum(value.failed > 0 for value in found.values())), failing(found)
    )


def all_succeed(evidence: Evidence, _: str) -> Outcome:
    """Check that all pairs succeed up to six erased cells."""
    found = _counts(evidence, range(1, ERASED + 1))
    return _outcome(found, all_of([value.succeeds() for value in found.values()]))


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


def failures_use_direct(evidence: Evidence, _: str) -> Outcome:
    """Check that of the pairs with linear only SA fails."""
    found = _counts(evidence, range(1, 11))
    linear = [
        value.fails() if pair == SA_LINEAR else value.succeeds()
        for pair, value in found.items()
        if pair.representation == "linear"
    ]
    return _outcome(found, all_of(linear))


def only_annealing_fails_with_either(evidence: Evidence, _: str) -> Outcome:
    """Check that SA fails with both representations, and no other algorithm does."""
    found = _counts(evidence, range(1, 11))
    others = [
        any_of([found[pair].succeeds() for pair in both(name)])
        for name in ALGORITHMS
        if name != "sa"
    ]
    annealing = [found[pair].fails() for pair in (SA_LINEAR, SA_DIRECT)]
    return _outcome(found, all_of([*annealing, *others]))


def only_annealing_direct_fails(evidence: Evidence, _: str) -> Outcome:
    """Check that on the low boards all pairs but SA-direct succeed."""
    found = _counts(evidence, GROUPS["low"])
    conditions = [
        value.fails() if pair == SA_DIRECT else value.succeeds() for pair, value in found.items()
    ]
    return _outcome(found, all_of(conditions))


def mimic_succeeds(evidence: Evidence, _: str) -> Outcome:
    """Check that on the medium boards both pairs of MIMIC succeed."""
    found = _counts(evidence, GROUPS["medium"])
    mimic = {pair: found[pair] for pair in both("mimic")}
    return _outcome(mimic, all_of([count.succeeds() for count in mimic.values()]))


def same_pairs_fail(evidence: Evidence, _: str) -> Outcome:
    """Check that pairs that fail over all boards fail on the medium ones, MIMIC aside.

    If all of n failures are on the low boards, that is by chance with probability 1 / 2^n.
    """
    everywhere, medium = (_counts(evidence, cells) for cells in (range(1, 11), GROUPS["medium"]))
    others = {pair: value for pair, value in medium.items() if pair.algorithm != "mimic"}
    conditions = []
    for pair, other in others.items():
        failed = everywhere[pair].failed
        if failed:
            conditions.append(Condition(other.failed > 0, 0.0 if other.failed else 0.5**failed))
    return _outcome(others, all_of(conditions or [Condition(True, 0.0)]))


def is_first(evidence: Evidence, _: str) -> Outcome:
    """Check that RLS-linear is ranked before every other pair, over all boards."""
    section = evidence.target_section
    ranked, tables = section.ranks["all"], list(section.runtimes.values())
    failures = counts(section.samples, section.runtimes)
    conditions = {
        line.pair: ranks.ahead(ranked, tables, FIRST, line.pair, failures)
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
    failures = counts(section.samples, instances)
    return ranks.dominance(algorithm, section.ranks[group], tables, without, failures)


def _published_failures(group: str, pairs: Collection[Pair]) -> str:
    """Tell which of these pairs, that are said to succeed, fail in a published table."""
    lines = [line for line in published(f"fixed-target-ranks-{group}") if line.pair in pairs]
    rates = [
        f"{'-'.join(line.pair)} has {line.success_percent} %"
        for line in lines
        if line.success_percent != 100
    ]
    return f"on the {group} boards {', '.join(rates)}" if rates else ""


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
    "all unsuccessful pairs but one use direct": failures_use_direct,
    "only SA fails with either": only_annealing_fails_with_either,
}
_T7: dict[str, Callable[[Evidence, str], Outcome]] = {
    "MIMIC succeeds": mimic_succeeds,
    "otherwise the same pairs fail": same_pairs_fail,
}

STATEMENTS = (
    PaperStatement(
        "T1",
        _TOPIC,
        "text",
        "All runs succeed up to six erased cells.",
        ("all pairs",),
        _NEEDS,
        _FAILED,
        _RATE,
        all_succeed,
        lambda _: _published_failures("low", PAIRS),
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
        _FAILED,
        _RATE,
        lambda evidence, part: _T3[part](evidence, part),
        lambda _: _published_failures(
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
        _FAILED,
        _RATE,
        only_annealing_direct_fails,
        lambda _: _published_failures("low", set(PAIRS) - {SA_DIRECT}),
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
        _FAILED,
        f"{_RATE} A pair whose n failures are all on the other boards is against the second part "
        "with a p-value of 1 / 2ⁿ.",
        lambda evidence, part: _T7[part](evidence, part),
        lambda _: _published_failures("medium", both("mimic")),
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
