"""Claims about the course of the search over ten million evaluations."""

from functools import partial
from math import log

from catcube.paper.claims.claim import Claim, Findings, Verdict, absent_pairs, decided, undecided
from catcube.statistics import Lead, Pair, leads

BUDGET = 10_000_000
TOLERANCE = 0.01
"""A lead counts if it grows beyond one percent of all triples: smaller ones may be chance."""
COMMON_START = 0.05
"""Up to such a lead of direct, the curves have a common start; beyond, linear is from below.

Where linear does come from below, direct leads by far more: by 0.3 in trials of six runs of hill
climbing, PBIL and UMDA. By chance, curves of 200 runs are estimated to differ by about 0.01.
"""
BARELY = 0.05
FACTOR = 3.0
"""How far, as a factor, the ends of a lead may be from where the paper reads them off a figure."""


def _course(findings: Findings, algorithm: str) -> tuple[list[Lead], float]:
    """The leads of linear (first) and direct, and by how much linear is ahead in the end."""
    linear = findings.curves[Pair(algorithm, "linear")]
    direct = findings.curves[Pair(algorithm, "direct")]
    found = leads(linear, direct, findings.curves_budget, TOLERANCE)
    end = [findings.curves_budget]
    return found, float(linear.at(end)[0] - direct.at(end)[0])


def _missing(findings: Findings, algorithm: str) -> Verdict | None:
    absent = absent_pairs(findings.curves, [algorithm])
    if absent:
        return undecided(f"the curves of {absent}")
    if findings.curves_budget < BUDGET:
        return undecided(f"evaluations from {findings.curves_budget:,} to {BUDGET:,}")
    return None


def _figures(found: list[Lead], final: float) -> dict[str, tuple[float, ...]]:
    """Leads as (1 for linear or 0 for direct, begin, end, gap), and the final difference."""
    figures: dict[str, tuple[float, ...]] = {
        f"lead {number}": lead for number, lead in enumerate(found, start=1)
    }
    return figures | {"final": (final,)}


def _told(found: list[Lead], final: float) -> str:
    stretches = [
        f"{'linear' if lead.first else 'direct'} ahead in [{lead.begin:,}, {lead.end - 1:,}]"
        for lead in found
    ]
    return ", ".join([*stretches, f"in the end linear − direct = {final:+.4f}"])


def _largest_lead_of_direct(found: list[Lead]) -> float:
    return max((lead.gap for lead in found if not lead.first), default=0.0)


def diverges(findings: Findings, algorithm: str) -> Verdict:
    """After a common start linear is ahead, also in the end."""
    missing = _missing(findings, algorithm)
    if missing:
        return missing
    found, final = _course(findings, algorithm)
    holds = final > 0 and bool(found) and found[-1].first
    holds &= _largest_lead_of_direct(found) <= COMMON_START
    return decided(holds, _told(found, final), _figures(found, final))


def crosses_from_below(findings: Findings, algorithm: str, most: float = 1.0) -> Verdict:
    """Direct is ahead by more than chance, and in the end linear is, by at most `most`.

    The last crossing counts however small it is, since one of them is said to be barely one.
    """
    missing = _missing(findings, algorithm)
    if missing:
        return missing
    found, final = _course(findings, algorithm)
    holds = _largest_lead_of_direct(found) > COMMON_START and 0 < final <= most
    return decided(holds, _told(found, final), _figures(found, final))


def leads_between(
    findings: Findings, algorithm: str, begin: float, end: float, catches_up: bool
) -> Verdict:
    """Linear's longest lead (in logarithms) begins and ends about there, and direct ends ahead.

    With `catches_up`, the difference in the end is also at most half of direct's largest lead
    after the crossing.
    """
    missing = _missing(findings, algorithm)
    if missing:
        return missing
    found, final = _course(findings, algorithm)
    own = max(
        (lead for lead in found if lead.first),
        key=lambda lead: lead.end / lead.begin,
        default=None,
    )
    holds = final < 0 and own is not None
    if own is not None:
        holds &= abs(log(own.begin / begin)) <= log(FACTOR)
        holds &= abs(log(own.end / end)) <= log(FACTOR)
        if catches_up:
            later = [lead.gap for lead in found if not lead.first and lead.begin >= own.end]
            holds &= -final <= max(later, default=0.0) / 2
    return decided(holds, _told(found, final), _figures(found, final))


CLAIMS = (
    *(
        Claim(
            f"ecdf-{name}",
            "ecdf",
            f"For {name}, linear and direct diverge and linear is ahead.",
            partial(diverges, algorithm=name),
        )
        for name in ("rls", "sa", "ea-1p1", "ea-10p1", "ga")
    ),
    *(
        Claim(
            f"ecdf-{name}",
            "ecdf",
            f"For {name}, linear comes from below and crosses direct.",
            partial(crosses_from_below, algorithm=name),
        )
        for name in ("hc", "pbil", "umda")
    ),
    Claim(
        "ecdf-mimic",
        "ecdf",
        "For mimic, linear comes from below and barely crosses direct.",
        partial(crosses_from_below, algorithm="mimic", most=BARELY),
    ),
    Claim(
        "ecdf-p3",
        "ecdf",
        "For p3, linear is ahead from 1,000 to 1,500,000 evaluations, then direct.",
        partial(leads_between, algorithm="p3", begin=1e3, end=1.5e6, catches_up=False),
    ),
    Claim(
        "ecdf-ltga",
        "ecdf",
        "For ltga, linear is ahead from 924 to 470,000 evaluations, then direct; "
        "in the end linear has almost caught up.",
        partial(leads_between, algorithm="ltga", begin=924, end=4.7e5, catches_up=True),
    ),
)
