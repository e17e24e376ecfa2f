"""Claims about the values found with 300,000 evaluations."""

from catcube.paper.claims.claim import Claim, Findings, Verdict, decided, dominance, undecided
from catcube.statistics import Pair, by_pair

SHOWN = "sudoku-easy-56"
"""The instance whose values are published."""


def linear_dominates(findings: Findings) -> Verdict:
    """In the table of ranks over all instances."""
    return dominance(findings.budget_ranks)


def annealing_is_first(findings: Findings) -> Verdict:
    """Its largest rank is 1; the figures are the summary of its ranks."""
    line = by_pair(findings.budget_ranks).get(Pair("sa", "linear"))
    if line is None:
        return undecided("the ranks of sa-linear")
    worst = line.summary.max
    return decided(worst == 1, f"the worst rank of sa-linear is {worst:g}", {"sa": line.summary})


def only_mimic_does_not_profit(findings: Findings) -> Verdict:
    """In the table of values of the instance that is shown."""
    if SHOWN not in findings.budget_values:
        return undecided(f"the values on {SHOWN}")
    return dominance(findings.budget_values[SHOWN], without=("mimic",))


CLAIMS = (
    Claim(
        "budget-linear-dominates",
        "fixed-budget",
        "With a fixed budget, linear is ranked before direct for every algorithm.",
        linear_dominates,
    ),
    Claim(
        "budget-sa-linear-first",
        "fixed-budget",
        "With a fixed budget, simulated annealing with linear is first on every instance.",
        annealing_is_first,
    ),
    Claim(
        "budget-only-mimic",
        "fixed-budget",
        f"On the instance shown ({SHOWN}), only MIMIC does not profit from linear.",
        only_mimic_does_not_profit,
    ),
)
