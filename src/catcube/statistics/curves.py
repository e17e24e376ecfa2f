"""Empirical cumulative distribution functions (ECDF) of runtimes over many targets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from catcube.base.optional import import_optional
from catcube.base.text import expect
from catcube.statistics.results import Counts, Pair, Result, Sample, group_results

__all__ = [
    "TARGETS",
    "Curve",
    "Lead",
    "band",
    "check_improvements",
    "ecdf",
    "instance_curves",
    "join_curves",
    "leads",
    "log_grid",
    "mean_band",
    "performance_profiles",
]

TARGETS = 50
LARGEST_SAFE = 2.0**1022  # differences of larger numbers may overflow


@dataclass(frozen=True)
class Curve:
    """A step function: after `evaluations[i]` evaluations, `reached[i]` of `total` triples.

    Examples
    --------
    >>> Curve(np.array([1, 8]), np.array([1, 3]), 4).proportions.tolist()
    [0.25, 0.75]
    """

    evaluations: Counts
    reached: Counts
    total: int

    @property
    def proportions(self) -> Sample:
        """The proportion of triples after each step."""
        return self.reached / self.total

    def at(self, evaluations: ArrayLike) -> Sample:
        """Return the proportions reached after given numbers of evaluations.

        Parameters
        ----------
        evaluations
            A number of evaluations, or an array of them.

        Returns
        -------
        array of float
            The proportions of triples, from 0 to 1, in the shape of `evaluations`; larger is
            better.

        Examples
        --------
        >>> Curve(np.array([1, 8]), np.array([3, 4]), 4).at([0, 1, 7, 8, 99]).tolist()
        [0.0, 0.75, 0.75, 1.0, 1.0]
        """
        levels = np.concatenate([[0.0], self.proportions])
        return levels[np.searchsorted(self.evaluations, evaluations, side="right")]

    @property
    def final(self) -> float:
        """The proportion reached at the end."""
        return float(self.reached[-1] / self.total) if self.reached.size else 0.0

    def mean(self, begin: float, end: float) -> float:
        """Return the mean proportion over the logarithm of evaluations from `begin` to `end`.

        Parameters
        ----------
        begin, end
            The ends of the range of evaluations, with 0 < `begin` < `end`.

        Returns
        -------
        float
            The mean proportion, from 0 to 1; larger is better.

        Examples
        --------
        >>> Curve(np.array([1, 10]), np.array([2, 4]), 4).mean(1, 100)
        0.75
        """
        steps = np.log(np.clip(self.evaluations, begin, end) / begin) / np.log(end / begin)
        return float(np.sum(np.diff(self.proportions, prepend=0.0) * (1 - steps)))

    def area(self, budget: int) -> float:
        """Return the mean proportion over the logarithm of evaluations from 1 to `budget`.

        Parameters
        ----------
        budget
            The end of the range of evaluations, at least 2.

        Returns
        -------
        float
            The area under the curve, as a share of the largest possible one, from 0 to 1; larger is
            better.

        Examples
        --------
        >>> Curve(np.array([1, 10]), np.array([2, 4]), 4).area(100)
        0.75
        """
        expect(budget >= 2, "a budget of at least 2 evaluations", budget)
        return self.mean(1, budget)


def ecdf(results: Iterable[Result], count: int = TARGETS) -> dict[Pair, Curve]:
    """Compute, for each pair, the proportion of its (instance, run, target) triples reached.

    The targets of an instance are equally spaced from the worst first value to the best last value
    of its runs, both included. So every run reaches the first target with its first evaluation, and
    only runs with the best value of all reach the last one. A target is reached by a value that is
    less than or equal to it.

    Parameters
    ----------
    results
        Results with a `trace`: the evaluations at which the value improved, and the values,
        beginning with that of the first point.
    count
        The number of targets per instance.

    Returns
    -------
    dict of Curve by Pair
        The curves over all instances.

    Examples
    --------
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
    for pairs in group_results(results).values():
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
    return {pair: join_curves(parts) for pair, parts in curves.items()}


def instance_curves(
    evaluations: Counts, values: Sample, begins: Counts, runs: Sequence[int], count: int = TARGETS
) -> list[Curve]:
    """Compute the curves of all pairs on one instance, with the targets of `ecdf`.

    The improvements of all runs are concatenated, pair by pair. If the worst or the best value is
    infinite, the targets range from the worst to the best finite value; without any, no target is
    reached.

    Parameters
    ----------
    evaluations, values
        The evaluations at which the value improved, and the values, beginning in each run with
        those of its first point. Smaller values are better.
    begins
        The index of the first improvement of each run.
    runs
        The number of runs of each pair.
    count
        The number of targets.

    Returns
    -------
    list of Curve
        One curve for each pair, in the order of `runs`. Its `total` is `count` times the number of
        runs of the pair.

    Examples
    --------
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
    if max(worst, -best) >= LARGEST_SAFE / count:  # so that nothing overflows
        unit = 0.5 / count
        worst, best, values = worst * unit, best * unit, values * unit
    # The condition value <= target, multiplied by count - 1, is exact for integers.
    wanted = (worst - best) * np.arange(count)
    reached = np.searchsorted(wanted, (worst - values) * (count - 1), side="right")
    rises = np.diff(reached, prepend=0)
    rises[begins] = reached[begins]
    pair_of_run = np.repeat(np.arange(len(runs)), runs)
    pair_of_step = np.repeat(pair_of_run, np.diff(begins, append=values.size))
    # One pass over all pairs: a key combines a pair and its evaluations.
    span = int(evaluations.max()) + 1
    keys, heights = _steps(pair_of_step * span + evaluations, rises)
    pairs, moments = np.divmod(keys, span)
    ends = np.searchsorted(pairs, np.arange(1, len(runs)))
    parts = zip(np.split(moments, ends), np.split(heights, ends), runs, strict=True)
    return [Curve(when, np.cumsum(steps), count * number) for when, steps, number in parts]


def check_improvements(evaluations: Counts, values: Sample, begins: Counts) -> None:
    """Raise a ValueError if arrays cannot be the improvements of runs.

    Parameters
    ----------
    evaluations, values
        The evaluations and the values of the improvements of all runs, concatenated.
    begins
        The index of the first improvement of each run.

    Raises
    ------
    ValueError
        If the values of a run do not decrease, its evaluations do not increase, or a value is NaN.

    Examples
    --------
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


def join_curves(curves: Sequence[Curve]) -> Curve:
    """Return the curve of all triples of several curves.

    Parameters
    ----------
    curves
        At least one curve, such as those of a pair on several instances.

    Returns
    -------
    Curve
        The sum of the curves: at each step, the number of triples reached in all of them together,
        of the sum of their totals.

    Examples
    --------
    >>> one, other = Curve(np.array([1]), np.array([2]), 4), Curve(np.array([9]), np.array([4]), 4)
    >>> join_curves([one, other])
    Curve(evaluations=array([1, 9]), reached=array([2, 6]), total=8)
    """
    moments, heights = _steps(
        np.concatenate([curve.evaluations for curve in curves]),
        np.concatenate([np.diff(curve.reached, prepend=0) for curve in curves]),
    )
    return Curve(moments, np.cumsum(heights), sum(curve.total for curve in curves))


def _steps(moments: Counts, rises: Counts) -> tuple[Counts, Counts]:
    """Return the distinct evaluations at which curves rise, and the total rise at each."""
    risen = rises > 0
    distinct, index = np.unique(moments[risen], return_inverse=True)
    heights = np.bincount(index, weights=rises[risen], minlength=distinct.size)
    return distinct, heights.astype(np.int64)


def log_grid(budget: int, per_decade: int = 100) -> Counts:
    """Return distinct numbers of evaluations from 1 to `budget`, logarithmically spaced.

    Parameters
    ----------
    budget
        The largest number of evaluations, at least 1.
    per_decade
        The number of points for each factor of ten, before rounding to integers. Points that are
        equal after rounding appear only once.

    Returns
    -------
    array of int
        The numbers of evaluations, in increasing order.

    Examples
    --------
    >>> log_grid(1000, per_decade=2).tolist()
    [1, 3, 10, 32, 100, 316, 1000]
    """
    count = int(np.ceil(np.log10(budget) * per_decade)) + 1
    return np.unique(np.rint(np.geomspace(1, budget, count)).astype(np.int64))


class Lead(NamedTuple):
    """An interval, from `begin` up to but excluding `end`, in which one of two curves leads.

    Examples
    --------
    >>> lead = Lead(first=True, begin=50, end=101, gap=0.25)
    >>> lead.end - lead.begin
    51
    """

    first: bool
    begin: int
    end: int
    gap: float  # the largest difference of the curves in the interval


def leads(first: Curve, second: Curve, budget: int, tolerance: float = 0.0) -> list[Lead]:
    """Find the intervals from 1 to `budget` evaluations in which one of two curves leads.

    A curve leads where it is higher by more than the tolerance, and also between two such places
    if the other does not lead there. If the lead changes, the first interval ends and the second
    begins where the curves cross for the last time in between. Otherwise an interval begins and
    ends with a difference of more than the tolerance. The last one ends at `budget + 1` if it lasts
    to the end.

    Parameters
    ----------
    first, second
        The curves to compare.
    budget
        The last number of evaluations that is considered.
    tolerance
        The largest difference of proportions that does not count as a lead. A larger tolerance
        ignores more of the small differences.

    Returns
    -------
    list of Lead
        The intervals in increasing order. In each, `first` tells whether the first curve leads, and
        `gap` is the largest difference of the proportions.

    Examples
    --------
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
    crossing = 0  # the evaluation of the last change of sides
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
    """Return the ends of confidence intervals of the mean of the curves of several instances.

    They are Student's intervals over instances, limited to 0 and 1; for one instance, 0 and 1.

    Parameters
    ----------
    curves
        The curves of a pair, one for each instance.
    evaluations
        The numbers of evaluations at which the intervals are computed.
    level
        Confidence level, between 0 and 1. A higher level gives wider intervals.

    Returns
    -------
    tuple of two arrays of float
        The lower and the upper ends, proportions in the shape of `evaluations`.

    Examples
    --------
    >>> low, high = band([Curve(np.array([1]), np.array([r]), 4) for r in (1, 2, 3)], [1])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0], [1.0])
    """
    low, high = mean_band([curve.at(evaluations) for curve in curves], level)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


def mean_band(rows: ArrayLike, level: float = 0.95) -> tuple[Sample, Sample]:
    """Return the ends of Student's intervals of the means of columns; infinite for a single row.

    Parameters
    ----------
    rows
        The sample, an array with one row per independent unit, such as an instance.
    level
        Confidence level, between 0 and 1. A higher level gives wider intervals.

    Returns
    -------
    tuple of two arrays of float
        The lower and the upper ends, one of each per column, in the unit of the values.

    Examples
    --------
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


def performance_profiles(costs: Mapping[str, Mapping[Pair, float]]) -> dict[Pair, Sample]:
    """Return, for each pair, the sorted ratios of its costs to the lowest costs on each instance.

    The profile of a pair is the share of instances whose ratio is at most a given factor (E. Dolan
    and J. Moré, 2002). Costs are positive, and infinite without success; instances that no pair
    solves are omitted.

    Parameters
    ----------
    costs
        The costs, such as numbers of evaluations, by instance and pair. Smaller costs are better.

    Returns
    -------
    dict of array by Pair
        The ratios of each pair in increasing order, one per instance that any pair solves. They are
        at least 1; larger ones are worse, and infinite ones are failures.

    Examples
    --------
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
