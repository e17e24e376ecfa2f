"""The statements of A. Berny, "Linear representation of categorical values" (2021), as data.

Each is judged part by part, from runs at the paper's scale, by the rule in `rule`. Most have one
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
from catcube.studies.paper.published import ALGORITHMS, GROUPS, pairs_of, published_table
from catcube.studies.paper.rule import (
    Evidence,
    Finding,
    PaperStatement,
    combine_tests,
    format_percent,
    format_signed,
    permutation_test,
    signed_rank_test,
)

# Tolerances of figures; statements.toml describes them in words.
MARGIN = 0.02
"""A difference of ECDF levels up to this, one target of fifty, counts as small."""
FACTOR = 3.0
"""The tolerance, as a factor, of the ends of a lead: half a decade."""
ALMOST_NEVER = 0.05
"""At most this fraction of the runs counts as "almost never"."""
MAX_FAILED = 0.005
"""A pair succeeds if at most this share of its runs fails: published rates are whole percents."""
STEEP = 0.15
"""A step begins with this slope, a share of the targets per decade, and ends with half of it."""

FIGURE_BOARD, TABLE_BOARD = "sudoku-intermediate-54", "sudoku-easy-56"
"""Our boards for figure 2 and for the table of values."""
RUNTIME_BOARD = "small-dimension-8-a"
"""Our board for the largest runtimes."""


def judge_all(evidence: Evidence) -> list[Statement]:
    """Judge all statements; those without evidence are not measured.

    >>> parts = [part for statement in judge_all(Evidence()) for part in statement.parts]
    >>> len(parts), {part.verdict for part in parts}
    (120, {'not measured'})
    """
    return [statement.evaluate(evidence) for statement in STATEMENTS]


# Fixed budget


def _improves_mean(evidence: Evidence, algorithm: str) -> Finding:
    linear, direct = (evidence.budget.samples[FIGURE_BOARD][pair] for pair in pairs_of(algorithm))
    test = permutation_test(linear, direct, lambda rows: rows.mean(axis=1))
    means = float(linear.mean()), float(direct.mean())
    reason = f"mean {means[0]:.2f} with linear, {means[1]:.2f} with direct"
    return Finding(means, reason, test)


def _profits(evidence: Evidence, algorithm: str) -> Finding:
    test = evidence.values_on(TABLE_BOARD, *pairs_of(algorithm))
    samples = evidence.budget.samples[TABLE_BOARD]
    found = [float(np.median(samples[pair])) for pair in pairs_of(algorithm)]
    reason = f"median {found[0]:g} with linear, {found[1]:g} with direct; {test.finding}"
    return Finding((*found, test.direction), reason, test)


def _ranks(table: Table, algorithm: str) -> tuple[int, ...]:
    lines = by_pair(table)
    return tuple(lines[pair].rank for pair in pairs_of(algorithm))


def _values_dominate(evidence: Evidence, algorithm: str) -> Finding:
    test = evidence.values(*pairs_of(algorithm))
    ranks = _ranks(evidence.budget.ranks["all"], algorithm)
    return Finding(ranks, f"by median values {test.finding}", test)


def _first(evidence: Evidence, part: str, experiment: str) -> Finding:
    """Judge whether a pair, such as sa-linear, is ahead of every other one."""
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
    return Finding((line.rank, line.summary.max), reason, combine_tests(list(tests.values())))


def _seldom_optimal(evidence: Evidence, _: str) -> Finding:
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
    return Finding(figures, reason, agrees=lambda factor: count <= factor * ALMOST_NEVER * total)


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
    """Return the smallest maximum distance to a curve that is first convex, then concave.

    The axis is logarithmic, with 30 numbers of evaluations per decade. This is J. and P. Hartigan's
    dip statistic of the distribution of logarithms of runtimes.

    >>> distance_from_sigmoid(Curve(np.array([1, 100]), np.array([1, 3]), 4), 10_000) < 0.02
    True
    """
    grid = np.unique(np.rint(np.geomspace(1, budget, round(30 * np.log10(budget)) + 1)))
    places, levels = np.log10(grid), curve.at(grid)

    def parts(turn: int) -> tuple[float, float]:
        """Return the distances of the parts before and after a point from convex and concave."""
        before = levels[: turn + 1] - _convex(places[: turn + 1], levels[: turn + 1])
        after = -levels[turn:] - _convex(places[turn:], -levels[turn:])
        return float(before.max()) / 2, float(after.max()) / 2

    low, high = 0, grid.size - 1  # the first distance grows with the turning point
    while high - low > 1:
        middle = (low + high) // 2
        before, after = parts(middle)
        low, high = (middle, high) if before < after else (low, middle)
    return min(max(parts(low)), max(parts(high)))


def _convex(places: NDArray[np.float64], levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the greatest convex curve below points, whose slopes are an isotonic regression."""
    widths = np.diff(places)
    fit = import_optional("scipy.optimize").isotonic_regression
    slopes = fit(np.diff(levels) / widths, weights=widths).x if widths.size else widths
    rises: NDArray[np.float64] = np.concatenate([levels[:1], slopes * widths])
    return np.cumsum(rises)


def _shape(evidence: Evidence, part: str) -> Finding:
    """Judge whether curves are sigmoids, staircases, or neither."""
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

    return Finding((len(chosen), chosen[best], chosen[worst]), spread, agrees=agrees)


def _leads(evidence: Evidence, algorithm: str) -> Sequence[Lead]:
    return cast(Sequence[Lead], evidence.ecdf.leads[pairs_of(algorithm)[1]])


def _describe_leads(evidence: Evidence, algorithm: str) -> str:
    """Describe which curve leads in which interval."""
    stretches = [
        f"{'linear' if lead.first else 'direct'} leads in [{lead.begin:,}, {lead.end - 1:,}]"
        for lead in _leads(evidence, algorithm)
    ]
    return ", ".join(stretches) or "neither leads"


def _finals(evidence: Evidence, algorithm: str) -> tuple[float, ...]:
    return tuple(evidence.ecdf.curves[pair].final for pair in pairs_of(algorithm))


def _diverges(evidence: Evidence, algorithm: str) -> Finding:
    end, whole = evidence.levels(algorithm), evidence.levels(algorithm, 1)
    reason = (
        f"linear − direct in the end {end.finding}, on average {whole.finding}; "
        f"{_describe_leads(evidence, algorithm)}"
    )
    return Finding(_finals(evidence, algorithm), reason, combine_tests([end, whole]))


def _crosses_from_below(evidence: Evidence, algorithm: str) -> Finding:
    early = evidence.levels(algorithm, 1, evidence.ecdf.conditions.budget**0.5)
    end = evidence.levels(algorithm)
    linear, direct = _finals(evidence, algorithm)
    reason = (
        f"linear − direct at first {early.finding}, in the end {end.finding}; "
        f"{_describe_leads(evidence, algorithm)}"
    )
    if algorithm == "mimic":
        small = "at most" if abs(linear - direct) <= MARGIN else "more than"
        reason += f"; the margin is {small} {format_percent(MARGIN)}"
    return Finding((linear, direct), reason, combine_tests([early.opposite(), end]))


def _ahead_between(evidence: Evidence, algorithm: str, begin: float, end: float) -> Finding:
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
        f"{_describe_leads(evidence, algorithm)}; linear − direct within the paper’s interval "
        f"{within.finding}"
    )
    return Finding((*ends, None), reason, agrees=agrees)


def _then_direct(evidence: Evidence, algorithm: str, end: float) -> Finding:
    test = evidence.levels(algorithm, end)
    reason = f"linear − direct after {end:,.0f} evaluations {test.finding}"
    return Finding((None, None, test.finding.split()[0]), reason, test.opposite())


def _continues_to_rise(evidence: Evidence, algorithm: str) -> Finding:
    decade, found = evidence.ecdf.conditions.budget / 10, evidence.ecdf.by_instance.values()
    pairs = ([curves[pair] for curves in found] for pair in pairs_of(algorithm))
    rises = np.array([[one.final - float(one.at(decade)) for one in curves] for curves in pairs])
    linear, direct = rises.mean(axis=1).tolist()
    test = signed_rank_test(*-rises)
    reason = (
        f"in the last decade linear rises by {linear:.4f}, direct by {direct:.4f} ({test.finding})"
    )
    return Finding((None, None, format_signed(linear - direct)), reason, test)


def _almost_catches_up(evidence: Evidence, algorithm: str, end: float) -> Finding:
    linear, direct = _finals(evidence, algorithm)
    later = [lead for lead in _leads(evidence, algorithm) if not lead.first and lead.end > end]
    largest = max((lead.gap for lead in later), default=0.0)
    final = direct - linear
    reason = f"direct’s largest lead is {largest:.4f}, in the end it is {final:.4f}"
    figures = None, None, format_signed(-final)
    return Finding(figures, reason, agrees=lambda factor: 0 <= final <= factor * largest / 2)


# Fixed target


Failures: TypeAlias = Mapping[Pair, tuple[int, int]]
"""The numbers of failed and of all runs, by pair."""


def _failing(failures: Failures, factor: float = 1.0) -> set[Pair]:
    """Return the pairs with more failed runs than the tolerance allows."""
    most = factor * MAX_FAILED
    return {pair for pair, (failed, runs) in failures.items() if failed > most * runs}


def _name_failing(failures: Failures) -> str:
    """Describe the pairs with failed runs, the worst first."""
    worst = sorted(failures.items(), key=lambda one: -one[1][0])
    shares = [f"{'-'.join(pair)} ({some:,} of {runs:,})" for pair, (some, runs) in worst if some]
    return f"runs fail of {', '.join(shares)}" if shares else "no run fails"


def _judge_failures(
    failures: Failures, agrees: Callable[[float], bool], reason: str = ""
) -> Finding:
    failed, runs = (sum(column) for column in zip(*failures.values(), strict=True))
    figures = failed, runs, len(_failing(failures))
    return Finding(figures, reason or _name_failing(failures), agrees=agrees)


SA_LINEAR, SA_DIRECT = pairs_of("sa")
MIMIC = {*pairs_of("mimic")}


def _all_succeed(evidence: Evidence, _: str) -> Finding:
    below, upto = evidence.failures(range(1, 6)), evidence.failures(range(1, 7))
    return _judge_failures(
        upto,
        lambda factor: not _failing(below, factor) or not _failing(upto, factor),
        f"fewer than six erased cells: {_name_failing(below)}; up to six: {_name_failing(upto)}",
    )


def _who_fails(evidence: Evidence, part: str) -> Finding:
    found = evidence.failures(range(1, 11))

    def agrees(factor: float) -> bool:
        failing = _failing(found, factor)
        if part.startswith("all unsuccessful"):
            return {pair for pair in failing if pair.representation == "linear"} == {SA_LINEAR}
        return [name for name in ALGORITHMS if {*pairs_of(name)} <= failing] == ["sa"]

    return _judge_failures(found, agrees)


def _only_annealing_direct_fails(evidence: Evidence, _: str) -> Finding:
    found = evidence.failures(GROUPS["low"])
    return _judge_failures(found, lambda factor: _failing(found, factor) == {SA_DIRECT})


def _fails_on_medium(evidence: Evidence, part: str) -> Finding:
    everywhere, medium = evidence.failures(range(1, 11)), evidence.failures(GROUPS["medium"])
    if part == "MIMIC succeeds":
        found = {pair: medium[pair] for pair in pairs_of("mimic")}
        return _judge_failures(found, lambda factor: not _failing(found, factor))
    found = {pair: count for pair, count in medium.items() if pair not in MIMIC}
    wanted = partial(_failing, everywhere)
    return _judge_failures(found, lambda factor: _failing(found, factor) == wanted(factor) - MIMIC)


def _largest_runtime(evidence: Evidence, algorithm: str) -> Finding:
    linear, direct = (
        np.minimum(evidence.target.samples[RUNTIME_BOARD][pair], evidence.target.conditions.budget)
        for pair in pairs_of(algorithm)
    )
    test = permutation_test(linear, direct, lambda rows: np.log(rows.max(axis=1)))
    largest = float(linear.max()), float(direct.max())
    ours = by_pair(published_table("fixed-target-runtimes-8-a"))
    theirs = [ours[pair].summary.max for pair in pairs_of(algorithm)]
    reason = (
        f"the largest runtimes are {largest[0]:,.0f} with linear and {largest[1]:,.0f} with direct"
        f" (published {theirs[0]:,.0f} and {theirs[1]:,.0f})"
    )
    figures = *largest, max(largest) / min(largest)
    return Finding(figures, reason, test._replace(direction=abs(test.direction)))


def _runtimes_dominate(evidence: Evidence, algorithm: str, group: str) -> Finding:
    section = evidence.target
    boards = section.outline.divide(section.samples)[group]
    test = evidence.runtimes(boards, *pairs_of(algorithm))
    ranks = _ranks(section.ranks[group], algorithm)
    return Finding(ranks, test.finding, test)


# Conclusion


def _clear_advantage(evidence: Evidence, algorithm: str) -> Finding:
    values, levels = evidence.values(*pairs_of(algorithm)), evidence.levels(algorithm)
    linear, direct = _finals(evidence, algorithm)
    ranks = _ranks(evidence.budget.ranks["all"], algorithm)
    reason = (
        f"fixed budget: by median values {values.finding}; ECDF: linear − direct in the end "
        f"{levels.finding}"
    )
    tests = combine_tests([values, levels])
    return Finding((*ranks, format_signed(linear - direct)), reason, tests)


def _overtakes(evidence: Evidence, algorithm: str) -> Finding:
    test = evidence.levels(algorithm).opposite()
    linear, direct = _finals(evidence, algorithm)
    figures = (format_signed(linear - direct),)
    return Finding(figures, f"in the end linear − direct = {test.finding}", test)


def _course(algorithm: str, begin: float, end: float) -> Callable[[Evidence, str], Finding]:
    """Return a judge of statements on leads: linear in an interval, then direct."""

    def judge(evidence: Evidence, part: str) -> Finding:
        if part.startswith("linear ahead"):
            return _ahead_between(evidence, algorithm, begin, end)
        if part.startswith("linear goes on"):
            return _continues_to_rise(evidence, algorithm)
        return (_then_direct if part == "then direct" else _almost_catches_up)(
            evidence, algorithm, end
        )

    return judge


_JUDGES: Mapping[str, Callable[[Evidence, str], Finding]] = {
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
"""The texts of a report about the paper as a whole."""

STATEMENTS = tuple(
    PaperStatement(**{"parts": ALGORITHMS} | row, judge=_JUDGES[row["id"]])
    for row in TEXTS.pop("statement")
)
