"""The statements of A. Berny, "Linear representation of categorical values" (2021), as data.

Each is judged part by part, from runs at the paper's scale, by the rule in `rule`; most have one
part per algorithm.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from math import log
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from catcube.base.optional import import_optional
from catcube.statistics import Curve, Lead, Pair, Table, by_pair
from catcube.studies.analysis.model import Statement
from catcube.studies.paper.published import ALGORITHMS, GROUPS, both, published
from catcube.studies.paper.rule import (
    Evidence,
    Judged,
    PaperStatement,
    all_of,
    over_instances,
    percent,
    permuted,
    signed,
)

# The tolerances of figures: statements.toml says in words what agrees.
MARGIN = 0.02
"""One target of fifty in the average run: a smaller margin of the ECDF counts as small."""
FACTOR = 3.0
"""The tolerance, as a factor, of the ends of a lead: half a decade."""
SELDOM = 0.05
"""At most this fraction of the runs counts as "almost never"."""
FAILING = 0.005
"""The published rates are whole percents: a pair succeeds if at most half a percent fails."""
STEEP = 0.15
"""The slope, as a share of the targets per decade, with which a step begins; it ends with half."""

FIGURE, SHOWN, LARGEST = "sudoku-intermediate-54", "sudoku-easy-56", "small-dimension-8-a"
"""The instances of figure 2, of the table of values, and of the largest runtimes."""


def judged(evidence: Evidence) -> list[Statement]:
    """Judge every statement; what is not in the evidence is not measured.

    >>> parts = [part for statement in judged(Evidence()) for part in statement.parts]
    >>> len(parts), {part.verdict for part in parts}
    (120, {'not measured'})
    """
    return [statement.judged(evidence) for statement in STATEMENTS]


# Fixed budget


def _improves_mean(evidence: Evidence, algorithm: str) -> Judged:
    linear, direct = (evidence.budget.samples[FIGURE][pair] for pair in both(algorithm))
    test = permuted(linear, direct, lambda rows: rows.mean(axis=1))
    means = float(linear.mean()), float(direct.mean())
    reason = f"mean {means[0]:.2f} with linear, {means[1]:.2f} with direct"
    return Judged(means, reason, test)


def _profits(evidence: Evidence, algorithm: str) -> Judged:
    test = evidence.values_on(SHOWN, *both(algorithm))
    found = [float(np.median(evidence.budget.samples[SHOWN][pair])) for pair in both(algorithm)]
    reason = f"median {found[0]:g} with linear, {found[1]:g} with direct; {test.finding}"
    return Judged((*found, test.direction), reason, test)


def _ranks(table: Table, algorithm: str) -> tuple[int, ...]:
    lines = by_pair(table)
    return tuple(lines[pair].rank for pair in both(algorithm))


def _values_dominate(evidence: Evidence, algorithm: str) -> Judged:
    test = evidence.values(*both(algorithm))
    ranks = _ranks(evidence.budget.ranks["all"], algorithm)
    return Judged(ranks, f"by median values {test.finding}", test)


def _first(evidence: Evidence, part: str, experiment: str) -> Judged:
    """Compare a pair, such as sa-linear, with every other one: all have to be shown behind."""
    section, compare = evidence.sections[experiment], evidence.values
    if experiment == "fixed-target":
        compare = partial(evidence.runtimes, list(section.samples))
    table, first = section.ranks["all"], Pair(*part.rsplit("-", 1))
    tests = {line.pair: compare(first, line.pair) for line in table if line.pair != first}
    closest = max(tests, key=lambda pair: tests[pair].p)
    line = by_pair(table)[first]
    reason = (
        f"rank {line.rank} over all instances; the closest is {'-'.join(closest)} "
        f"({tests[closest].finding})"
    )
    return Judged((line.rank, line.summary.max), reason, all_of(list(tests.values())))


def _seldom_optimal(evidence: Evidence, _: str) -> Judged:
    found: Counter[Pair] = Counter()
    total = 0
    for pairs in evidence.budget.samples.values():
        found.update({pair: int((values == 0).sum()) for pair, values in pairs.items()})
        total += sum(values.size for values in pairs.values())
    count, [(pair, most)] = found.total(), found.most_common(1)
    percents = 100 * count / total
    reason = (
        f"{count:,} of {total:,} runs find an optimum ({percents:.2f} %), {most:,} of them with "
        f"{'-'.join(pair)}"
    )
    figures = count, total, percents
    return Judged(figures, reason, agrees=lambda factor: count <= factor * SELDOM * total)


# ECDF


def steps(curve: Curve, begin: float, end: float, steep: float = STEEP) -> int:
    """Count the steep stretches of a curve, on a grid of 15 numbers of evaluations per decade.

    >>> steps(Curve(np.array([1, 300, 310, 2000]), np.array([1, 3, 4, 9]), 10), 100, 5000)
    2
    """
    grid = np.geomspace(begin, end, round(15 * np.log10(end / begin)) + 1)
    count, high = 0, False
    for slope in (np.diff(curve.at(grid)) * 15).tolist():
        if not high and slope >= steep:
            count, high = count + 1, True
        elif slope <= steep / 2:
            high = False
    return count


def distance_from_sigmoid(curve: Curve, budget: int) -> float:
    """Return the least possible largest distance to a curve that is first convex, then concave.

    That is on the logarithmic axis, 30 numbers of evaluations per decade (J. and P. Hartigan's dip
    of the distribution of the logarithms of runtimes).

    >>> distance_from_sigmoid(Curve(np.array([1, 100]), np.array([1, 3]), 4), 10_000) < 0.02
    True
    """
    grid = np.unique(np.rint(np.geomspace(1, budget, round(30 * np.log10(budget)) + 1)))
    places, levels = np.log10(grid), curve.at(grid)

    def parts(turn: int) -> tuple[float, float]:
        """Return how far the parts before and after a point are from convex and concave."""
        before = levels[: turn + 1] - _convex(places[: turn + 1], levels[: turn + 1])
        after = -levels[turn:] - _convex(places[turn:], -levels[turn:])
        return float(before.max()) / 2, float(after.max()) / 2

    low, high = 0, grid.size - 1  # the first part grows with the point of turn, the other shrinks
    while high - low > 1:
        middle = (low + high) // 2
        before, after = parts(middle)
        low, high = (middle, high) if before < after else (low, middle)
    return min(max(parts(low)), max(parts(high)))


def _convex(places: NDArray[np.float64], levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the greatest convex curve below some points: its slopes are the isotonic ones."""
    widths = np.diff(places)
    fit = import_optional("scipy.optimize").isotonic_regression
    slopes = fit(np.diff(levels) / widths, weights=widths).x if widths.size else widths
    rises: NDArray[np.float64] = np.concatenate([levels[:1], slopes * widths])
    return np.cumsum(rises)


def _shape(evidence: Evidence, part: str) -> Judged:
    """Judge the shapes of the curves: sigmoids, staircases, neither."""
    curves, budget = evidence.ecdf.curves, evidence.ecdf.conditions.budget
    special = {"p3": "P3", "ltga": "LTGA"}
    named = [pair for pair in curves if special.get(pair.algorithm, "almost all") in part]
    chosen = {pair: distance_from_sigmoid(curves[pair], budget) for pair in named}
    worst = max(chosen, key=lambda pair: chosen[pair])
    best = min(chosen, key=lambda pair: chosen[pair])
    spread = (
        f"distances from a sigmoid {chosen[best]:.4f} ({'-'.join(best)}) to {chosen[worst]:.4f} "
        f"({'-'.join(worst)})"
    )

    if "P3" in part:
        counts = [str(steps(curves[pair], 100, 5_000)) for pair in chosen]
        spread = f"{' and '.join(counts)} steps from 100 to 5,000; {spread}"

    def agrees(factor: float) -> bool:
        close = np.mean([value <= factor * MARGIN for value in chosen.values()])
        if "P3" in part:
            stairs = [steps(curves[pair], 100, 5_000, STEEP * factor) >= 3 for pair in chosen]
            return all(stairs) and bool(close == 1)
        return bool(close == 0 if "LTGA" in part else close >= 0.9)

    return Judged((len(chosen), chosen[best], chosen[worst]), spread, agrees=agrees)


def _leads(evidence: Evidence, algorithm: str) -> Sequence[Lead]:
    return cast(Sequence[Lead], evidence.ecdf.leads[both(algorithm)[1]])


def _who_leads(evidence: Evidence, algorithm: str) -> str:
    """Describe which curve leads in which interval."""
    stretches = [
        f"{'linear' if lead.first else 'direct'} leads in [{lead.begin:,}, {lead.end - 1:,}]"
        for lead in _leads(evidence, algorithm)
    ]
    return ", ".join(stretches) or "neither leads"


def _finals(evidence: Evidence, algorithm: str) -> tuple[float, ...]:
    return tuple(evidence.ecdf.curves[pair].final for pair in both(algorithm))


def _diverges(evidence: Evidence, algorithm: str) -> Judged:
    end, whole = evidence.levels(algorithm), evidence.levels(algorithm, 1)
    reason = (
        f"linear − direct in the end {end.finding}, on average {whole.finding}; "
        f"{_who_leads(evidence, algorithm)}"
    )
    return Judged(_finals(evidence, algorithm), reason, all_of([end, whole]))


def _crosses_from_below(evidence: Evidence, algorithm: str) -> Judged:
    early = evidence.levels(algorithm, 1, evidence.ecdf.conditions.budget**0.5)
    end = evidence.levels(algorithm)
    linear, direct = _finals(evidence, algorithm)
    reason = (
        f"linear − direct at first {early.finding}, in the end {end.finding}; "
        f"{_who_leads(evidence, algorithm)}"
    )
    if algorithm == "mimic":
        small = "at most" if abs(linear - direct) <= MARGIN else "more than"
        reason += f"; the margin is {small} {percent(MARGIN)}"
    return Judged((linear, direct), reason, all_of([early.opposite(), end]))


def _ahead_between(evidence: Evidence, algorithm: str, begin: float, end: float) -> Judged:
    found = [lead for lead in _leads(evidence, algorithm) if lead.first]
    lead = max(found, key=lambda one: one.end / one.begin, default=None)
    within = evidence.levels(algorithm, begin, end)

    def agrees(factor: float) -> bool:
        return lead is not None and all(
            abs(log(ours / theirs)) <= factor * log(FACTOR)
            for ours, theirs in ((lead.begin, begin), (lead.end, end))
        )

    ends = (lead.begin, lead.end - 1) if lead else (None, None)
    reason = (
        f"{_who_leads(evidence, algorithm)}; linear − direct within the paper’s interval "
        f"{within.finding}"
    )
    return Judged((*ends, None), reason, agrees=agrees)


def _then_direct(evidence: Evidence, algorithm: str, end: float) -> Judged:
    test = evidence.levels(algorithm, end)
    reason = f"linear − direct after {end:,.0f} evaluations {test.finding}"
    return Judged((None, None, test.finding.split()[0]), reason, test.opposite())


def _goes_on(evidence: Evidence, algorithm: str) -> Judged:
    decade, found = evidence.ecdf.conditions.budget / 10, evidence.ecdf.by_instance.values()
    pairs = ([curves[pair] for curves in found] for pair in both(algorithm))
    rises = np.array([[one.final - float(one.at(decade)) for one in curves] for curves in pairs])
    linear, direct = rises.mean(axis=1).tolist()
    test = over_instances(*-rises)
    reason = (
        f"in the last decade linear rises by {linear:.4f}, direct by {direct:.4f} ({test.finding})"
    )
    return Judged((None, None, signed(linear - direct)), reason, test)


def _almost_catches_up(evidence: Evidence, algorithm: str, end: float) -> Judged:
    linear, direct = _finals(evidence, algorithm)
    later = [lead for lead in _leads(evidence, algorithm) if not lead.first and lead.end > end]
    largest = max((lead.gap for lead in later), default=0.0)
    final = direct - linear
    reason = f"direct’s largest lead is {largest:.4f}, in the end it is {final:.4f}"
    figures = None, None, signed(-final)
    return Judged(figures, reason, agrees=lambda factor: 0 <= final <= factor * largest / 2)


# Fixed target


Failures: TypeAlias = Mapping[Pair, tuple[int, int]]
"""Of each pair, the failed runs and all."""


def _failing(failures: Failures, factor: float = 1.0) -> set[Pair]:
    """Return the pairs with more failed runs than the tolerance allows."""
    return {pair for pair, (failed, runs) in failures.items() if failed > factor * FAILING * runs}


def _failed(failures: Failures) -> str:
    """Name the pairs with failed runs, the worst first."""
    worst = sorted(failures.items(), key=lambda one: -one[1][0])
    shares = [f"{'-'.join(pair)} ({some:,} of {runs:,})" for pair, (some, runs) in worst if some]
    return f"runs fail of {', '.join(shares)}" if shares else "no run fails"


def _failures_judged(
    failures: Failures, agrees: Callable[[float], bool], reason: str = ""
) -> Judged:
    failed, runs = (sum(column) for column in zip(*failures.values(), strict=True))
    figures = failed, runs, len(_failing(failures))
    return Judged(figures, reason or _failed(failures), agrees=agrees)


SA_LINEAR, SA_DIRECT = both("sa")
MIMIC = {*both("mimic")}


def _all_succeed(evidence: Evidence, _: str) -> Judged:
    below, upto = evidence.failures(range(1, 6)), evidence.failures(range(1, 7))
    return _failures_judged(
        upto,
        lambda factor: not _failing(below, factor) or not _failing(upto, factor),
        f"fewer than six erased cells: {_failed(below)}; up to six: {_failed(upto)}",
    )


def _who_fails(evidence: Evidence, part: str) -> Judged:
    found = evidence.failures(range(1, 11))

    def agrees(factor: float) -> bool:
        failing = _failing(found, factor)
        if part.startswith("all unsuccessful"):
            return {pair for pair in failing if pair.representation == "linear"} == {SA_LINEAR}
        return [name for name in ALGORITHMS if {*both(name)} <= failing] == ["sa"]

    return _failures_judged(found, agrees)


def _only_annealing_direct_fails(evidence: Evidence, _: str) -> Judged:
    found = evidence.failures(GROUPS["low"])
    return _failures_judged(found, lambda factor: _failing(found, factor) == {SA_DIRECT})


def _fails_on_medium(evidence: Evidence, part: str) -> Judged:
    everywhere, medium = evidence.failures(range(1, 11)), evidence.failures(GROUPS["medium"])
    if part == "MIMIC succeeds":
        found = {pair: medium[pair] for pair in both("mimic")}
        return _failures_judged(found, lambda factor: not _failing(found, factor))
    found = {pair: count for pair, count in medium.items() if pair not in MIMIC}
    wanted = partial(_failing, everywhere)
    return _failures_judged(found, lambda factor: _failing(found, factor) == wanted(factor) - MIMIC)


def _largest_runtime(evidence: Evidence, algorithm: str) -> Judged:
    linear, direct = (
        np.minimum(evidence.target.samples[LARGEST][pair], evidence.target.conditions.budget)
        for pair in both(algorithm)
    )
    test = permuted(linear, direct, lambda rows: np.log(rows.max(axis=1)))
    largest = float(linear.max()), float(direct.max())
    ours = by_pair(published("fixed-target-runtimes-8-a"))
    theirs = [ours[pair].summary.max for pair in both(algorithm)]
    reason = (
        f"the largest runtimes are {largest[0]:,.0f} with linear and {largest[1]:,.0f} with direct"
        f" (published {theirs[0]:,.0f} and {theirs[1]:,.0f})"
    )
    figures = *largest, max(largest) / min(largest)
    return Judged(figures, reason, test._replace(direction=abs(test.direction)))


def _runtimes_dominate(evidence: Evidence, algorithm: str, group: str) -> Judged:
    section = evidence.target
    boards = section.outline.divide(section.samples)[group]
    test = evidence.runtimes(boards, *both(algorithm))
    ranks = _ranks(section.ranks[group], algorithm)
    return Judged(ranks, test.finding, test)


# Conclusion


def _clear_advantage(evidence: Evidence, algorithm: str) -> Judged:
    values, levels = evidence.values(*both(algorithm)), evidence.levels(algorithm)
    linear, direct = _finals(evidence, algorithm)
    ranks = _ranks(evidence.budget.ranks["all"], algorithm)
    reason = (
        f"fixed budget: by median values {values.finding}; ECDF: linear − direct in the end "
        f"{levels.finding}"
    )
    return Judged((*ranks, signed(linear - direct)), reason, all_of([values, levels]))


def _overtakes(evidence: Evidence, algorithm: str) -> Judged:
    test = evidence.levels(algorithm).opposite()
    linear, direct = _finals(evidence, algorithm)
    return Judged((signed(linear - direct),), f"in the end linear − direct = {test.finding}", test)


def _course(algorithm: str, begin: float, end: float) -> Callable[[Evidence, str], Judged]:
    """Judge a statement on who leads when: linear in an interval, then direct."""

    def judge(evidence: Evidence, part: str) -> Judged:
        if part.startswith("linear ahead"):
            return _ahead_between(evidence, algorithm, begin, end)
        if part.startswith("linear goes on"):
            return _goes_on(evidence, algorithm)
        return (_then_direct if part == "then direct" else _almost_catches_up)(
            evidence, algorithm, end
        )

    return judge


_JUDGES: Mapping[str, Callable[[Evidence, str], Judged]] = {
    "B1": _improves_mean,
    "B2": _profits,
    "B3": _values_dominate,
    "B4": partial(_first, experiment="fixed-budget"),
    "B5": _seldom_optimal,
    "E0": _shape,
    "E1": _diverges,
    "E2": _crosses_from_below,
    "E3": _course("p3", 1e3, 1.5e6),
    "E4": _course("ltga", 924, 4.7e5),
    "T1": _all_succeed,
    "T2": _largest_runtime,
    "T3": _who_fails,
    "T4": partial(_runtimes_dominate, group="all"),
    "T5": _only_annealing_direct_fails,
    "T6": partial(_runtimes_dominate, group="low"),
    "T7": _fails_on_medium,
    "T8": partial(_runtimes_dominate, group="medium"),
    "T9": partial(_runtimes_dominate, group="all"),
    "T10": partial(_first, experiment="fixed-target"),
    "C1": _clear_advantage,
    "C2": _overtakes,
}


TEXTS = tomllib.loads(
    files("catcube").joinpath("data", "paper", "statements.toml").read_text(encoding="utf-8")
)
"""What a report says of the paper as a whole."""

STATEMENTS = tuple(
    PaperStatement(**{"parts": ALGORITHMS} | row, judge=_JUDGES[row["id"]])
    for row in TEXTS.pop("statement")
)
