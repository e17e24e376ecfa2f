"""Statements about runs that fail: on which boards, by which pairs."""

from collections.abc import Collection, Sequence

from catcube.statistics import Pair
from catcube.studies.paper.boards import GROUPS
from catcube.studies.paper.published import published
from catcube.studies.paper.statements.evidence import Evidence, both
from catcube.studies.paper.statements.statement import (
    ALGORITHMS,
    Condition,
    Outcome,
    all_of,
    any_of,
)
from catcube.studies.paper.statements.success import Count, counts, failing

ERASED = 6
"""Up to so many erased cells, all runs are said to succeed."""
SA_LINEAR, SA_DIRECT = both("sa")
COLUMNS = ("runs that fail", "runs", "pairs with failures")
TEST = (
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


def published_failures(group: str, pairs: Collection[Pair]) -> str:
    """Tell which of these pairs, that are said to succeed, fail in a published table."""
    lines = [line for line in published(f"fixed-target-ranks-{group}") if line.pair in pairs]
    rates = [
        f"{'-'.join(line.pair)} has {line.success_percent} %"
        for line in lines
        if line.success_percent != 100
    ]
    return f"on the {group} boards {', '.join(rates)}" if rates else ""
