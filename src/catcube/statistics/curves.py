"""Empirical cumulative distribution of runtimes over many targets at once (ECDF)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from catcube.base.optional import import_optional
from catcube.base.text import expect
from catcube.statistics.results import Counts, Pair, Result, Sample, grouped

__all__ = [
    "TARGETS",
    "Curve",
    "Lead",
    "band",
    "check_improvements",
    "ecdf",
    "instance_curves",
    "joined",
    "leads",
    "log_grid",
    "mean_band",
    "performance_profiles",
]

TARGETS = 50
HUGEST = 2.0**1022  # differences of larger numbers may overflow


@dataclass(frozen=True)
class Curve:
    """A step function: after `evaluations[i]`, `reached[i]` of `total` triples are reached."""

    evaluations: Counts
    reached: Counts
    total: int

    @property
    def proportions(self) -> Sample:
        """The levels of the steps."""
        return self.reached / self.total

    def at(self, evaluations: ArrayLike) -> Sample:
        """Return the proportion reached by these numbers of evaluations.

        >>> Curve(np.array([1, 8]), np.array([3, 4]), 4).at([0, 1, 7, 8, 99]).tolist()
        [0.0, 0.75, 0.75, 1.0, 1.0]
        """
        levels = np.concatenate([[0.0], self.proportions])
        return levels[np.searchsorted(self.evaluations, evaluations, side="right")]

    @property
    def final(self) -> float:
        """The proportion reached in the end."""
        return float(self.reached[-1] / self.total) if self.reached.size else 0.0

    def mean(self, begin: float, end: float) -> float:
        """Average the level over the logarithm of evaluations from `begin` to `end`.

        >>> Curve(np.array([1, 10]), np.array([2, 4]), 4).mean(1, 100)
        0.75
        """
        steps = np.log(np.clip(self.evaluations, begin, end) / begin) / np.log(end / begin)
        return float(np.sum(np.diff(self.proportions, prepend=0.0) * (1 - steps)))

    def area(self, budget: int) -> float:
        """Average the level over the logarithm of evaluations from 1 to `budget`: from 0 to 1.

        >>> Curve(np.array([1, 10]), np.array([2, 4]), 4).area(100)
        0.75
        """
        expect(budget >= 2, "a budget of at least 2 evaluations", budget)
        return self.mean(1, budget)


def ecdf(results: Iterable[Result], count: int = TARGETS) -> dict[Pair, Curve]:
    """Compute, for each pair, the proportion of its (instance, run, target) triples reached.

    The `trace` of each result is a pair: the evaluations at which the value improved, and these
    values, beginning with that of the first point.

    The targets of an instance are equally spaced from the worst first value to the best last value
    of its runs, both included. So every run reaches the first target with its first evaluation, and
    only a run that finds the best value of all reaches the last one. A target is reached by a value
    that is not above it.

    >>> from catcube.statistics import PlainResult
    >>> one = PlainResult("easy", "sa", "linear", 1, 0, 5, 9, trace=([1, 5], [8, 0]))
    >>> other = PlainResult("easy", "sa", "direct", 1, 4, 9, 9, trace=([1, 9], [6, 4]))
    >>> curves = ecdf([one, other], count=5)
    >>> curves[("sa", "linear")].at([1, 5]).tolist()
    [0.2, 1.0]
    >>> curves[("sa", "direct")].at([1, 5, 9]).tolist()
    [0.4, 0.4, 0.6]
    """
    expect(count >= 2, "at least 2 targets, one at each end", count)
    curves: dict[Pair, list[Curve]] = {}
    for pairs in grouped(results).values():
        traces = [getattr(run, "trace", ((), ())) for runs in pairs.values() for run in runs]
        evaluations = [np.asarray(trace[0], np.int64) for trace in traces]
        values = [np.asarray(trace[1], np.float64) for trace in traces]
        sizes = [part.size for part in evaluations]
        expect(0 not in sizes, "a trace of each result (minimize and stores have them)", "none")
        alike = [part.size for part in values]
        expect(sizes == alike, "traces with as many evaluations as values", (sizes, alike))
        begins = np.cumsum([0, *sizes[:-1]], dtype=np.int64)
        improvements = np.concatenate(evaluations), np.concatenate(values), begins
        found = instance_curves(*improvements, [len(runs) for runs in pairs.values()], count)
        for pair, curve in zip(pairs, found, strict=True):
            curves.setdefault(pair, []).append(curve)
    return {pair: joined(parts) for pair, parts in curves.items()}


def instance_curves(
    evaluations: Counts, values: Sample, begins: Counts, runs: Sequence[int], count: int = TARGETS
) -> list[Curve]:
    """Compute the curves of all pairs on one instance, with the targets of `ecdf`.

    The improvements of all runs are concatenated; `begins` gives the start of each run, `runs` the
    number of runs of each pair. Where the worst or the best value is infinite, targets go from the
    worst to the best of all finite values; without any, no target is reached.

    >>> [curve] = instance_curves(np.array([1, 5]), np.array([8.0, 0]), np.array([0]), [1])
    >>> curve.reached.tolist()
    [1, 50]
    """
    check_improvements(evaluations, values, begins)
    worst, best = values[begins].max(), values.min()
    if not (np.isfinite(worst) and np.isfinite(best)):
        finite = values[np.isfinite(values)]
        if not finite.size:
            nothing = np.empty(0, np.int64)
            return [Curve(nothing, nothing, count * number) for number in runs]
        worst, best = finite.max(), finite.min()
    if max(worst, -best) >= HUGEST / count:  # so that nothing overflows
        unit = 0.5 / count
        worst, best, values = worst * unit, best * unit, values * unit
    # value <= target i, multiplied by count - 1: exact if values are integers.
    wanted = (worst - best) * np.arange(count)
    reached = np.searchsorted(wanted, (worst - values) * (count - 1), side="right")
    rises = np.diff(reached, prepend=0)
    rises[begins] = reached[begins]
    pair_of_run = np.repeat(np.arange(len(runs)), runs)
    pair_of_step = np.repeat(pair_of_run, np.diff(begins, append=values.size))
    # One pass over all pairs: a step is known by its pair and its evaluations together.
    span = int(evaluations.max()) + 1
    keys, heights = _steps(pair_of_step * span + evaluations, rises)
    pairs, moments = np.divmod(keys, span)
    ends = np.searchsorted(pairs, np.arange(1, len(runs)))
    parts = zip(np.split(moments, ends), np.split(heights, ends), runs, strict=True)
    return [Curve(when, np.cumsum(steps), count * number) for when, steps, number in parts]


def check_improvements(evaluations: Counts, values: Sample, begins: Counts) -> None:
    """Raise a ValueError for arrays that cannot be the improvements of runs.

    >>> check_improvements(np.array([1, 5]), np.array([8.0, 9]), np.array([0]))
    Traceback (most recent call last):
    ...
    catcube.errors.BadValue: expected a trace whose values decrease ... increase, got 'another'
    """
    within = np.ones(values.size, bool)
    within[begins] = False
    better = (values[1:] < values[:-1]) & (evaluations[1:] > evaluations[:-1])
    falls = not ((within[1:] & ~better).any() or np.isnan(values).any())
    expect(falls, "a trace whose values decrease and whose evaluations increase", "another")


def joined(curves: Sequence[Curve]) -> Curve:
    """Return the curve of the combined triples of several curves.

    >>> joined([Curve(np.array([1]), np.array([2]), 4), Curve(np.array([9]), np.array([4]), 4)])
    Curve(evaluations=array([1, 9]), reached=array([2, 6]), total=8)
    """
    moments, heights = _steps(
        np.concatenate([curve.evaluations for curve in curves]),
        np.concatenate([np.diff(curve.reached, prepend=0) for curve in curves]),
    )
    return Curve(moments, np.cumsum(heights), sum(curve.total for curve in curves))


def _steps(moments: Counts, rises: Counts) -> tuple[Counts, Counts]:
    """Return the distinct evaluations with a rise, and the sum of the rises at each."""
    risen = rises > 0
    distinct, index = np.unique(moments[risen], return_inverse=True)
    heights = np.bincount(index, weights=rises[risen], minlength=distinct.size)
    return distinct, heights.astype(np.int64)


def log_grid(budget: int, per_decade: int = 100) -> Counts:
    """Return distinct numbers of evaluations from 1 to `budget`, evenly spaced on a log axis.

    >>> log_grid(1000, per_decade=2).tolist()
    [1, 3, 10, 32, 100, 316, 1000]
    """
    count = int(np.ceil(np.log10(budget) * per_decade)) + 1
    return np.unique(np.rint(np.geomspace(1, budget, count)).astype(np.int64))


class Lead(NamedTuple):
    """The first curve (or the second) is ahead from `begin` up to but not including `end`."""

    first: bool
    begin: int
    end: int
    gap: float  # the largest difference of the curves in between


def leads(first: Curve, second: Curve, budget: int, tolerance: float = 0.0) -> list[Lead]:
    """Find the intervals from 1 to `budget` evaluations in which one of two curves is ahead.

    A curve leads where it is higher by more than the tolerance, and in between if the other does
    not. Where one lead follows that of the other curve, the first ends and the second begins where
    they cross for the last time in between. Otherwise a lead begins and ends with a difference of
    more than the tolerance. The last one ends at `budget + 1` if it lasts to the end.

    >>> slow = Curve(np.array([1, 50]), np.array([1, 4]), 4)
    >>> fast = Curve(np.array([1, 10]), np.array([1, 3]), 4)
    >>> for lead in leads(slow, fast, budget=100):
    ...     print(lead)
    Lead(first=False, begin=10, end=50, gap=0.5)
    Lead(first=True, begin=50, end=101, gap=0.25)
    """
    steps = np.union1d(first.evaluations, second.evaluations)
    steps = steps[steps <= budget]
    gaps = (first.at(steps) - second.at(steps)).round(12)  # 0.9515 - 0.9415 is not above 0.01
    ends = np.append(steps, budget + 1)[1:]
    found: list[Lead] = []
    crossing = 0  # the first evaluation since which the curve of the next lead is ahead
    side = 0.0
    for begin, end, gap in zip(steps.tolist(), ends.tolist(), gaps.tolist(), strict=True):
        if np.sign(gap) != side:
            crossing, side = begin, np.sign(gap)
        if abs(gap) <= tolerance:
            continue
        if found and found[-1].first == (gap > 0):
            found[-1] = found[-1]._replace(end=end, gap=max(found[-1].gap, abs(gap)))
        elif found:
            found[-1] = found[-1]._replace(end=crossing)
            found.append(Lead(gap > 0, crossing, end, abs(gap)))
        else:
            found.append(Lead(gap > 0, begin, end, abs(gap)))
    return found


def band(
    curves: Sequence[Curve], evaluations: ArrayLike, level: float = 0.95
) -> tuple[Sample, Sample]:
    """Return the ends of an interval of the mean level of instances' curves, at each evaluation.

    It is Student's interval over instances, within 0 and 1; with one instance it is all of it.

    >>> low, high = band([Curve(np.array([1]), np.array([r]), 4) for r in (1, 2, 3)], [1])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0], [1.0])
    """
    low, high = mean_band([curve.at(evaluations) for curve in curves], level)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def mean_band(rows: ArrayLike, level: float = 0.95) -> tuple[Sample, Sample]:
    """Return the ends of Student's intervals of the means of the columns; infinite for one row.

    >>> low, high = mean_band([[0.1, 0.5], [0.3, 0.5]])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([-1.07, 0.5], [1.47, 0.5])
    """
    t = import_optional("scipy.stats").t

    values = np.asarray(rows, np.float64)
    mean, count = values.mean(axis=0), len(values)
    if count == 1:
        return mean - np.inf, mean + np.inf
    error = values.std(axis=0, ddof=1) / np.sqrt(count)
    half = t.ppf((1 + level) / 2, count - 1) * error
    return mean - half, mean + half


def performance_profiles(
    costs: Mapping[str, Mapping[Pair, float]],
) -> dict[Pair, Sample]:
    """Divide the costs of each instance by the lowest: sorted ratios of each pair, infinite last.

    The profile of a pair is the share of instances whose ratio is at most a factor (E. Dolan and
    J. Moré, 2002). Instances that no pair solves are left out. Costs are positive.

    >>> costs = {"a": {Pair("sa", "linear"): 10, Pair("ga", "linear"): 40},
    ...          "b": {Pair("sa", "linear"): np.inf, Pair("ga", "linear"): 30}}
    >>> {pair.algorithm: ratios.tolist() for pair, ratios in performance_profiles(costs).items()}
    {'sa': [1.0, inf], 'ga': [1.0, 4.0]}
    """
    found: dict[Pair, list[float]] = {}
    for pairs in costs.values():
        lowest = min(pairs.values())
        expect(lowest > 0, "positive costs", lowest)
        if lowest < np.inf:
            for pair, cost in pairs.items():
                found.setdefault(pair, []).append(cost / lowest)
    return {pair: np.sort(ratios) for pair, ratios in found.items()}
