"""What the sections of a study say about the claims of the paper."""

from collections.abc import Sequence
from dataclasses import replace

from catcube.analysis.model import Course, FixedBudget, FixedTarget, Section
from catcube.paper.claims import Claim, Findings, Verdict, verdicts

PAPER = ("fixed-budget", "ecdf", "fixed-target")
"""The names of the paper's experiments, in its order."""


def findings_of(sections: Sequence[Section]) -> Findings:
    """The tables of the paper's experiments that are complete, at any scale.

    Of the ECDF, the curves over all instances: also while other pairs are under way.
    """
    found = Findings()
    for own in sections:
        conditions = own.conditions
        if conditions.experiment not in PAPER:
            continue
        if isinstance(own, Course):
            if own.curves and own.instances == conditions.instances:
                found = replace(found, curves=own.curves, curves_budget=conditions.budget)
        elif not conditions.complete:
            continue
        elif isinstance(own, FixedBudget):
            found = replace(found, budget_ranks=own.ranks, budget_values=own.values)
        elif isinstance(own, FixedTarget):
            found = replace(found, target_ranks=own.ranks, target_runtimes=own.runtimes)
    return found


def verdicts_of(sections: Sequence[Section]) -> list[tuple[Claim, Verdict]]:
    """Every claim with its verdict; none if none of the experiments is the paper's."""
    if not any(own.conditions.experiment in PAPER for own in sections):
        return []
    return verdicts(findings_of(sections))
