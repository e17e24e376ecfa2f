"""Statements of the conclusion, on the fixed budget and the ECDF together."""

from catcube.studies.paper.statements.curve_pair import CurvePair, above, below, tolerated
from catcube.studies.paper.statements.ecdf import MARGIN
from catcube.studies.paper.statements.evidence import Evidence, both, rank
from catcube.studies.paper.statements.ranks import ahead
from catcube.studies.paper.statements.statement import (
    ALGORITHMS,
    Outcome,
    PaperStatement,
    all_of,
    percent,
    signed,
)

UNCLEAR = ("mimic", "ltga", "p3")
"""The algorithms for which linear is said to have no clear advantage."""
OVERTAKEN = "p3"
"""The algorithm with which direct is said to overtake linear."""


def clear_advantage(evidence: Evidence, algorithm: str) -> Outcome:
    """Check that linear is ranked before direct, and ends clearly above it; or not both."""
    section = evidence.budget_section
    linear, direct = both(algorithm)
    tables = list(section.values.values())
    final = CurvePair(evidence.run_levels, algorithm).final
    found = all_of([ahead(section.ranks["all"], tables, linear, direct), above(final, MARGIN)])
    ranks = rank(section.ranks["all"], linear), rank(section.ranks["all"], direct)
    return Outcome(
        found.negated() if algorithm in UNCLEAR else found,
        (*ranks, final[0]),
        f"fixed budget: linear has rank {ranks[0]}, direct {ranks[1]}; in the end of the ECDF "
        f"linear − direct = {signed(final[0])}",
    )


def overtakes(evidence: Evidence, algorithm: str) -> Outcome:
    """Check that direct ends above linear by more than the margin with P3, and not otherwise."""
    final = CurvePair(evidence.run_levels, algorithm).final
    if algorithm == OVERTAKEN:
        found = below(final, -MARGIN)
    else:
        found = tolerated(above(final, -MARGIN))
    return Outcome(found, (final[0],), f"in the end linear − direct = {signed(final[0])}")


STATEMENTS = (
    PaperStatement(
        "C1",
        "Conclusion",
        "fixed budget and ECDF",
        "Linear has a clear advantage for all algorithms but MIMIC, LTGA and P3.",
        ALGORITHMS,
        ("fixed-budget", "ecdf"),
        ("rank of linear", "rank of direct", "final linear − direct"),
        "A clear advantage: linear is ranked before direct over the ten instances of the fixed "
        "budget (Wilcoxon’s signed-rank test over instances), and its final level of the ECDF is "
        f"higher by more than {percent(MARGIN)} (normal test of the means over runs).",
        clear_advantage,
    ),
    PaperStatement(
        "C2",
        "Conclusion",
        "fixed budget and ECDF",
        "Only with P3 does direct overtake linear by a significant margin within the budget.",
        ALGORITHMS,
        ("ecdf",),
        ("final linear − direct",),
        f"Direct overtakes if its final level of the ECDF is higher by more than {percent(MARGIN)} "
        "(normal test of the means over runs).",
        overtakes,
    ),
)
