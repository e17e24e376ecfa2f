"""Empirical cumulative distribution of runtimes over many targets at once (ECDF)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.statistics.results import Pair

TARGETS = 50
HUGEST = 2.0**1022


class Trace(NamedTuple):
    """The improvements of one run: values that decrease, and when each was found.

    The first value is that of the first evaluated point.
    """

    instance: str
    algorithm: str
    representation: str
    run: int
    evaluations: ArrayLike
    values: ArrayLike


@dataclass(frozen=True)
class Curve:
    """A step function: after `evaluations[i]`, `reached[i]` of `total` triples are reached."""

    evaluations: NDArray[np.int64]
    reached: NDArray[np.int64]
    total: int

    @property
    def proportions(self) -> NDArray[np.float64]:
        """The levels of the steps."""
        return self.reached / self.total

    def at(self, evaluations: ArrayLike) -> NDArray[np.float64]:
        """The proportion reached by these numbers of evaluations.

        >>> Curve(np.array([1, 8]), np.array([3, 4]), 4).at([0, 1, 7, 8, 99]).tolist()
        [0.0, 0.75, 0.75, 1.0, 1.0]
        """
        levels = np.concatenate([[0.0], self.proportions])
        return levels[np.searchsorted(self.evaluations, evaluations, side="right")]

    @property
    def final(self) -> float:
        """The proportion reached in the end."""
        return float(self.reached[-1] / self.total) if self.reached.size else 0.0

    def area(self, budget: int) -> float:
        """The mean level over the logarithm of evaluations from 1 to `budget`: from 0 to 1.

        >>> Curve(np.array([1, 10]), np.array([2, 4]), 4).area(100)
        0.75
        """
        if budget < 2:
            raise ValueError(f"the area from 1 to {budget} evaluations is empty")
        steps = np.log(np.minimum(self.evaluations, budget))
        rises = np.diff(self.proportions, prepend=0.0)
        return float(np.sum(rises * (1 - steps / np.log(budget))))


def ecdf(traces: Iterable[Trace], count: int = TARGETS) -> dict[Pair, Curve]:
    """For each pair, the proportion of its (instance, run, target) triples reached over time.

    The targets of an instance go evenly from the worst first to the best last value of all its
    runs, both included. So the first target is reached by every run with its first evaluation,
    and the last one only by a run that finds the best value of all. A target is reached by a
    value that is not above it.

    >>> curves = ecdf([Trace("easy", "sa", "linear", 1, [1, 5], [8, 0]),
    ...                Trace("easy", "sa", "direct", 1, [1, 9], [6, 4])], count=5)
    >>> curves[("sa", "linear")].at([1, 5]).tolist()
    [0.2, 1.0]
    >>> curves[("sa", "direct")].at([1, 5, 9]).tolist()
    [0.4, 0.4, 0.6]
    """
    if count < 2:
        raise ValueError(f"at least 2 targets are needed to have both ends, not {count}")
    grouped: dict[str, dict[Pair, list[Trace]]] = {}
    for trace in traces:
        pair = Pair(trace.algorithm, trace.representation)
        grouped.setdefault(trace.instance, {}).setdefault(pair, []).append(trace)
    found: dict[Pair, list[Curve]] = {}
    for pairs in grouped.values():
        steps = {pair: steps_of(run[-2:] for run in runs) for pair, runs in pairs.items()}
        for pair, curve in instance_curves(steps, count).items():
            found.setdefault(pair, []).append(curve)
    return {pair: joined(own) for pair, own in found.items()}


class Steps(NamedTuple):
    """The improvements of some runs, one run after the other; `begins` is where each one begins."""

    evaluations: NDArray[np.int64]
    values: NDArray[np.float64]
    begins: NDArray[np.int64]


def steps_of(runs: Iterable[tuple[ArrayLike, ArrayLike]]) -> Steps:
    """The evaluations and values of the improvements of each run, one after the other.

    >>> steps_of([([1, 5], [8, 0]), ([1], [6])]).begins.tolist()
    [0, 2]
    """
    evaluations, values = [], []
    for moments, found in runs:
        evaluations.append(np.asarray(moments, dtype=np.int64))
        values.append(np.asarray(found, dtype=np.float64))
    sizes = [own.size for own in evaluations]
    if sizes != [own.size for own in values] or 0 in sizes:
        raise ValueError("a trace has as many evaluations as values, at least one")
    begins = np.cumsum([0, *sizes[:-1]], dtype=np.int64)
    return Steps(np.concatenate(evaluations), np.concatenate(values), begins)


def instance_curves(steps: Mapping[Pair, Steps], count: int = TARGETS) -> dict[Pair, Curve]:
    """The curves of the pairs on one instance, whose targets are those of `ecdf`.

    Where the worst or the best value is infinite, targets go from the worst to the best of all
    finite values; without any, no target is reached.
    """
    for own in steps.values():
        within = np.ones(own.values.size, bool)
        within[own.begins] = False
        better = (own.values[1:] < own.values[:-1]) & (np.diff(own.evaluations) > 0)
        if (within[1:] & ~better).any() or np.isnan(own.values).any():
            raise ValueError("the values of a trace decrease and its evaluations increase")
    worst = max(own.values[own.begins].max() for own in steps.values())
    best = min(own.values.min() for own in steps.values())
    if not (np.isfinite(worst) and np.isfinite(best)):
        values = np.concatenate([own.values for own in steps.values()])
        finite = values[np.isfinite(values)]
        if not finite.size:
            nothing = np.zeros(0, np.int64)
            return {
                pair: Curve(nothing, nothing, count * own.begins.size)
                for pair, own in steps.items()
            }
        worst, best = finite.max(), finite.min()
    unit = 1.0 if max(worst, -best) < HUGEST / count else 0.5 / count  # so that nothing overflows
    worst, best = worst * unit, best * unit
    wanted = (worst - best) * np.arange(count)
    curves = {}
    for pair, own in steps.items():
        # value <= target i, multiplied by count - 1: exact if values are integers.
        gained = (worst - own.values * unit) * (count - 1)
        reached = np.searchsorted(wanted, gained, side="right")
        rises = np.diff(reached, prepend=0)
        rises[own.begins] = reached[own.begins]
        curves[pair] = _curve(own.evaluations, rises, count * own.begins.size)
    return curves


def joined(curves: Sequence[Curve]) -> Curve:
    """The curve of all triples of some curves together.

    >>> joined([Curve(np.array([1]), np.array([2]), 4), Curve(np.array([9]), np.array([4]), 4)])
    Curve(evaluations=array([1, 9]), reached=array([2, 6]), total=8)
    """
    return _curve(
        np.concatenate([own.evaluations for own in curves]),
        np.concatenate([np.diff(own.reached, prepend=0) for own in curves]),
        sum(own.total for own in curves),
    )


def _curve(evaluations: NDArray[np.int64], rises: NDArray[np.int64], total: int) -> Curve:
    """The curve that rises so much after so many evaluations."""
    risen = rises > 0
    moments, places = np.unique(evaluations[risen], return_inverse=True)
    heights = np.bincount(places, weights=rises[risen], minlength=moments.size)
    return Curve(moments, np.cumsum(heights.astype(np.int64)), total)


def log_grid(budget: int, per_decade: int = 100) -> NDArray[np.int64]:
    """Numbers of evaluations from 1 to `budget`, evenly on a logarithmic axis, each once.

    >>> log_grid(1000, per_decade=2).tolist()
    [1, 3, 10, 32, 100, 316, 1000]
    """
    count = int(np.ceil(np.log10(budget) * per_decade)) + 1
    return np.unique(np.rint(np.geomspace(1, budget, count)).astype(np.int64))
