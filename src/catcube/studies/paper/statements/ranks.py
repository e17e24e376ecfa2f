"""Statements that one pair is ranked before another, over several instances."""

from collections.abc import Callable, Mapping, Sequence

from catcube.statistics import Pair, Table, by_pair
from catcube.studies.paper.published import published
from catcube.studies.paper.significance import fisher, signed_rank
from catcube.studies.paper.statements.evidence import both, rank
from catcube.studies.paper.statements.statement import Condition, Outcome
from catcube.studies.paper.statements.success import Count

COLUMNS = ("rank of linear", "rank of direct", "instances linear ahead", "instances direct ahead")
FAILURES = ("failures with linear", "failures with direct")
TEST = (
    "Ranks in the table; the test is Wilcoxon’s signed-rank test (exact, Pratt’s zeros) of the "
    "differences of the two ranks on each instance."
)
TEST_WITH_SUCCESS = (
    "Ranks in the table, which is sorted by success before ranks. The test is Wilcoxon’s "
    "signed-rank test (exact, Pratt’s zeros) of the differences of the two ranks on each "
    "instance; where the numbers of failures differ, also Fisher’s exact test of them, and twice "
    "the smaller p-value counts."
)

Failures = Mapping[Pair, Count]


def ahead(
    ranked: Table,
    tables: Sequence[Table],
    first: Pair,
    second: Pair,
    failures: Failures | None = None,
) -> Condition:
    """Tell whether one pair is ranked before another, tested by what the ranking is made of.

    That are the ranks on the instances, and the `failures` if they are given and differ.
    """
    true = rank(ranked, first) < rank(ranked, second)
    balance, p = signed_rank([rank(table, second) - rank(table, first) for table in tables])
    p = p if (balance > 0) == true else 1.0
    if failures and failures[first] != failures[second]:
        p = min(1.0, 2 * min(p, fisher(*failures[first], *failures[second])))
    return Condition(true, p)


def dominance(
    algorithm: str,
    ranked: Table,
    tables: Sequence[Table],
    without: Sequence[str],
    failures: Failures | None = None,
) -> Outcome:
    """Check that linear is ranked before direct, or that it is not for an algorithm `without`."""
    linear, direct = both(algorithm)
    found = ahead(ranked, tables, linear, direct, failures)
    differences = [rank(table, direct) - rank(table, linear) for table in tables]
    better, worse = (
        sum(difference > 0 for difference in differences),
        sum(difference < 0 for difference in differences),
    )
    ranks = rank(ranked, linear), rank(ranked, direct)
    reason = (
        f"linear has rank {ranks[0]}, direct {ranks[1]}; ahead on {better} and {worse} of "
        f"{len(tables)} instances"
    )
    figures: tuple[int, ...] = (*ranks, better, worse)
    if failures:
        counts = failures[linear].failed, failures[direct].failed
        figures = (*figures, *counts)
        reason += f"; {counts[0]:,} and {counts[1]:,} of {failures[linear].runs:,} runs fail"
    return Outcome(found.negated() if algorithm in without else found, figures, reason)


def published_dominance(name: str, without: Sequence[str]) -> Callable[[str], str]:
    """Tell where a published table does not say that linear dominates, but not `without`."""

    def contradiction(algorithm: str) -> str:
        lines = by_pair(published(name))
        linear, direct = (lines[pair].rank for pair in both(algorithm))
        if (linear < direct) == (algorithm not in without):
            return ""
        return f"{algorithm} has rank {linear} with linear and {direct} with direct"

    return contradiction
