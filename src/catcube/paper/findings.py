"""What the sections of a study say about the statements of the paper."""

from collections.abc import Sequence
from dataclasses import replace

from catcube.analysis.model import Course, FixedBudget, FixedTarget, Section
from catcube.analysis.reference import Part, Statement, Verdict
from catcube.paper.claims import Findings, verdicts

_TOPICS = {"fixed-budget": "Fixed budget", "ecdf": "ECDF", "fixed-target": "Fixed target"}
_VERDICTS: dict[str, Verdict] = {
    "confirmed": "holds",
    "refuted": "contradicted",
    "undecided": "not measured",
}


def findings_of(sections: Sequence[Section]) -> Findings:
    """Collect the tables and curves of the experiments that are at the paper's scale."""
    found = Findings()
    for own in sections:
        if isinstance(own, Course):
            budget = own.conditions.budget
            found = replace(found, curves=own.curves, curves_budget=budget)
        elif isinstance(own, FixedBudget):
            found = replace(found, budget_ranks=own.ranks, budget_values=own.values)
        elif isinstance(own, FixedTarget):
            found = replace(found, target_ranks=own.ranks, target_runtimes=own.runtimes)
    return found


def statements_of(sections: Sequence[Section]) -> list[Statement]:
    """Judge every statement; the sections are those at the paper's scale."""
    return [
        Statement(
            claim.id,
            _TOPICS[claim.experiment],
            "",
            claim.sentence,
            "",
            [Part("all", _VERDICTS[verdict.outcome], verdict.reason)],
        )
        for claim, verdict in verdicts(findings_of(sections))
    ]
