"""Statements about the course of the search over ten million evaluations."""

from functools import partial
from math import log

from catcube.statistics import Curve, leads
from catcube.studies.paper.levels import PER_DECADE
from catcube.studies.paper.statements.curve_pair import (
    LEAD,
    RESAMPLES,
    CurvePair,
    above,
    below,
    longest_lead,
    tolerated,
)
from catcube.studies.paper.statements.evidence import Evidence, both
from catcube.studies.paper.statements.statement import (
    Outcome,
    PaperStatement,
    all_of,
    any_of,
    percent,
)

MARGIN = 0.02
"""One target of fifty in the mean run: less is a small margin, more is a clear one."""
FACTOR = 3.0
"""How far, as a factor, the ends of a lead may be from those of the paper: half a decade."""
_TOPIC = "ECDF"
_NEEDS = ("ecdf",)
_FINAL = ("final level of linear", "final level of direct", "largest lead of direct in a decade")
_TESTED = (
    f"The level of a curve is the mean over runs, taken at {PER_DECADE} numbers of evaluations per "
    "decade; differences of means are tested by the normal distribution, with standard errors from "
    "the runs on each instance."
)


def _curve_pair(evidence: Evidence, algorithm: str) -> CurvePair:
    return CurvePair(evidence.run_levels, algorithm)


def _figures(curve_pair: CurvePair) -> tuple[float, ...]:
    finals = [float(curve_pair.levels.final(pair).mean()) for pair in both(curve_pair.algorithm)]
    return (*finals, max(-decade for decade, _ in curve_pair.decades))


def diverges(evidence: Evidence, algorithm: str) -> Outcome:
    """Check that linear ends ahead, and that direct never leads by more than the margin."""
    curve_pair = _curve_pair(evidence, algorithm)
    common = [tolerated(above(decade, -MARGIN)) for decade in curve_pair.decades]
    found = all_of([above(curve_pair.final), *common])
    return Outcome(found, _figures(curve_pair), curve_pair.description())


def crosses_from_below(evidence: Evidence, algorithm: str) -> Outcome:
    """Check that direct leads by more than the margin in some decade, and linear in the end.

    MIMIC is said to do so by a small margin.
    """
    curve_pair = _curve_pair(evidence, algorithm)
    behind = any_of([below(decade, -MARGIN) for decade in curve_pair.decades])
    conditions = [behind, above(curve_pair.final)]
    if algorithm == "mimic":
        conditions.append(tolerated(below(curve_pair.final, MARGIN)))
    return Outcome(all_of(conditions), _figures(curve_pair), curve_pair.description())


def ahead_between(evidence: Evidence, algorithm: str, begin: float, end: float) -> Outcome:
    """Check that linear leads between the ends, and that these are about where its lead ends."""
    curve_pair = _curve_pair(evidence, algorithm)

    def agrees(linear: Curve, direct: Curve) -> bool:
        lead = longest_lead(linear, direct, curve_pair.levels.budget)
        return lead is not None and all(
            abs(log(ours / theirs)) <= log(FACTOR)
            for ours, theirs in ((lead.begin, begin), (lead.end, end))
        )

    found = all_of(
        [above(curve_pair.over(begin * FACTOR, end / FACTOR)), curve_pair.within(agrees)]
    )
    lead = longest_lead(*curve_pair.curves, curve_pair.levels.budget)
    ends = (lead.begin, lead.end - 1) if lead else (None, None)
    difference, _ = curve_pair.over(begin * FACTOR, end / FACTOR)
    return Outcome(found, (*ends, difference), curve_pair.description())


def then_direct(evidence: Evidence, algorithm: str, end: float) -> Outcome:
    """Check that direct is ahead after the lead of linear, to the end."""
    curve_pair = _curve_pair(evidence, algorithm)
    difference = curve_pair.over(end * FACTOR, curve_pair.levels.budget)
    return Outcome(below(difference), (None, None, difference[0]), curve_pair.description())


def goes_on(evidence: Evidence, algorithm: str) -> Outcome:
    """Check that linear rises in the last decade, and direct by no more than the margin."""
    curve_pair = _curve_pair(evidence, algorithm)
    levels = curve_pair.levels
    last = levels.budget / 10
    rises = [levels.final(pair) - levels.at(pair, last) for pair in both(algorithm)]
    linear, direct = (float(rise.mean()) for rise in rises)
    more = curve_pair.difference(lambda pair: levels.final(pair) - levels.at(pair, last))
    error = float((rises[1].var(axis=1, ddof=1) / rises[1].shape[1]).sum()) ** 0.5 / len(rises[1])
    found = all_of([above(more), tolerated(below((direct, error), MARGIN))])
    reason = f"in the last decade linear rises by {linear:.4f}, direct by {direct:.4f}"
    return Outcome(found, (None, None, more[0]), reason)


def almost_catches_up(evidence: Evidence, algorithm: str, end: float) -> Outcome:
    """Check that linear ends behind, by at most half of direct's largest lead after crossing."""
    curve_pair = _curve_pair(evidence, algorithm)

    def agrees(linear: Curve, direct: Curve) -> bool:
        later = leads(linear, direct, curve_pair.levels.budget, LEAD)
        largest = max(
            (lead.gap for lead in later if not lead.first and lead.end > end), default=0.0
        )
        return 0 <= direct.final - linear.final <= max(largest / 2, LEAD)

    return Outcome(
        curve_pair.within(agrees), (None, None, curve_pair.final[0]), curve_pair.description()
    )


def _between(
    identity: str, sentence: str, algorithm: str, begin: float, end: float, more: bool
) -> PaperStatement:
    parts = {
        f"linear ahead in [{begin:,.0f}, {end:,.0f}]": partial(
            ahead_between, algorithm=algorithm, begin=begin, end=end
        ),
        "then direct": partial(then_direct, algorithm=algorithm, end=end),
    }
    if more:
        parts["linear goes on improving, direct does not"] = partial(goes_on, algorithm=algorithm)
        parts["linear almost catches up"] = partial(almost_catches_up, algorithm=algorithm, end=end)
    return PaperStatement(
        identity,
        _TOPIC,
        f"curves of {algorithm.upper()}",
        sentence,
        tuple(parts),
        _NEEDS,
        ("lead begins", "lead ends", "linear − direct"),
        f"{_TESTED} A lead is tested over the interval less a factor of {FACTOR:g} at either end, "
        f"what follows from that factor after it. It begins where it exceeds {percent(LEAD)} and "
        "ends where the curves cross; these ends agree if they are within the factor (if not, "
        f"{RESAMPLES} bootstrap resamples of the runs are the test). Goes on: over the last decade "
        f"linear rises more, and direct by at most {percent(MARGIN)}. Almost catches up: the "
        "difference in the end is at most half of direct’s largest lead after the crossing, or "
        f"{percent(LEAD)}.",
        lambda evidence, part: parts[part](evidence),
    )


STATEMENTS = (
    PaperStatement(
        "E1",
        _TOPIC,
        "curves of five algorithms",
        "The curves diverge, and linear dominates.",
        ("rls", "sa", "ea-1p1", "ea-10p1", "ga"),
        _NEEDS,
        _FINAL,
        f"{_TESTED} That curves diverge is read so: they begin as one, and linear is ahead in the "
        f"end; before, direct may lead by at most {percent(MARGIN)} on average over any decade of "
        "evaluations.",
        diverges,
    ),
    PaperStatement(
        "E2",
        _TOPIC,
        "curves of four algorithms",
        "Linear crosses direct from below after a delayed, sharp rise; MIMIC by a small margin.",
        ("hc", "pbil", "umda", "mimic"),
        _NEEDS,
        _FINAL,
        f"{_TESTED} Direct has to lead by more than {percent(MARGIN)} on average over some "
        f"decade, and linear in the end; with MIMIC by at most {percent(MARGIN)}. How sharp the "
        "rise is, is not judged.",
        crosses_from_below,
    ),
    _between(
        "E3",
        "P3: linear is ahead from 10³ to 1.5·10⁶ evaluations, then direct.",
        "p3",
        1e3,
        1.5e6,
        more=False,
    ),
    _between(
        "E4",
        "LTGA: linear is ahead from 924 to 4.7·10⁵ evaluations, then direct; linear goes on "
        "improving to the end, direct does not; it almost catches up.",
        "ltga",
        924,
        4.7e5,
        more=True,
    ),
)
