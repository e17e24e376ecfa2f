"""The claims of A. Berny, "Linear representation of categorical values" (2021), as data.

"Dominates" means: is ranked before. Every claim is checked by a pure function of the tables and
curves that `catcube.statistics` makes of complete experiments.
"""

from catcube.paper.claims import crossing_curves, fixed_budget, fixed_target
from catcube.paper.claims.claim import ALGORITHMS, Claim, Findings, Verdict

__all__ = ["ALGORITHMS", "CLAIMS", "Claim", "Findings", "Verdict", "verdicts"]

CLAIMS: tuple[Claim, ...] = (
    *fixed_budget.CLAIMS,
    *crossing_curves.CLAIMS,
    *fixed_target.CLAIMS,
)


def verdicts(findings: Findings) -> list[tuple[Claim, Verdict]]:
    """Every claim with its verdict, in the order of the experiments.

    >>> {verdict.outcome for _, verdict in verdicts(Findings())}
    {'undecided'}
    """
    return [(claim, claim.check(findings)) for claim in CLAIMS]
