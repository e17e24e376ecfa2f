"""The statements of A. Berny, "Linear representation of categorical values" (2021), as data.

Each is judged part by part, from runs at the paper's scale; most have one part per algorithm.
A part is one or several conditions, each true or false of our runs, with a test that tells whether
it could be so by chance; see `statement`.
"""

from catcube.studies.analysis.reference import Statement
from catcube.studies.paper.statements import conclusion, ecdf, fixed_budget, fixed_target
from catcube.studies.paper.statements.evidence import Evidence
from catcube.studies.paper.statements.statement import ALGORITHMS, LEVEL, PaperStatement, percent

__all__ = ["ALGORITHMS", "BASIS", "STATEMENTS", "Evidence", "PaperStatement", "judged"]

STATEMENTS: tuple[PaperStatement, ...] = (
    *fixed_budget.STATEMENTS,
    *ecdf.STATEMENTS,
    *fixed_target.STATEMENTS,
    *conclusion.STATEMENTS,
)

BASIS = (
    "A part holds if it is true of our runs and the difference is significant; it is contradicted "
    "if the opposite is significant; otherwise it is too close to call. Significant means a "
    f"p-value of at most {percent(LEVEL)}, adjusted by Holm over the parts of the statement. "
    "Where a part has several conditions, all of them have to hold: its p-value is the largest of "
    "theirs; if some are not true, it is the smallest of theirs times the number of conditions.",
    f"Where the paper names a margin or a figure, it is read with a tolerance: "
    f"{percent(ecdf.MARGIN)} of the targets (one target of fifty in the mean run) for what is "
    f"small, clear or significant in the ECDF; a factor of {ecdf.FACTOR:g} for numbers of "
    f"evaluations, half a decade on the logarithmic axis of the figures; and "
    f"{percent(fixed_budget.SELDOM)} of the runs for “almost never”. What agrees within its "
    "tolerance needs no test; that it does not is tested.",
)


def judged(evidence: Evidence) -> list[Statement]:
    """Judge every statement; what is not in the evidence is not measured.

    >>> parts = [part for statement in judged(Evidence()) for part in statement.parts]
    >>> len(parts), {part.verdict for part in parts}
    (127, {'not measured'})
    """
    return [statement.judged(evidence) for statement in STATEMENTS]
