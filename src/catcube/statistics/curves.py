"""Empirical cumulative distribution of runtimes over many targets at once (ECDF)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.statistics.results import Pair

TARGETS = 50


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
    runs = [_checked(trace) for trace in traces]
    worst: dict[str, float] = {}
    best: dict[str, float] = {}
    for instance, _, _, values in runs:
        worst[instance] = max(worst.get(instance, -np.inf), values[0])
        best[instance] = min(best.get(instance, np.inf), values[-1])
    hits: dict[Pair, list[NDArray[np.int64]]] = {}
    totals: dict[Pair, int] = {}
    for instance, pair, evaluations, values in runs:
        # value <= target i, multiplied by count - 1: exact if values are integers.
        gained = (worst[instance] - values) * (count - 1)
        wanted = (worst[instance] - best[instance]) * np.arange(count)
        first = np.searchsorted(gained, wanted, side="left")
        hits.setdefault(pair, []).append(evaluations[first[first < values.size]])
        totals[pair] = totals.get(pair, 0) + count
    return {pair: _curve(np.concatenate(own), totals[pair]) for pair, own in hits.items()}


def _checked(trace: Trace) -> tuple[str, Pair, NDArray[np.int64], NDArray[np.float64]]:
    evaluations = np.asarray(trace.evaluations, dtype=np.int64)
    values = np.asarray(trace.values, dtype=np.float64)
    if evaluations.size != values.size or values.size == 0:
        raise ValueError("a trace has as many evaluations as values, at least one")
    if (np.diff(values) >= 0).any() or (np.diff(evaluations) <= 0).any():
        raise ValueError("the values of a trace decrease and its evaluations increase")
    return trace.instance, Pair(trace.algorithm, trace.representation), evaluations, values


def _curve(hits: NDArray[np.int64], total: int) -> Curve:
    """The curve that rises by one at each hit."""
    evaluations, rises = np.unique(hits, return_counts=True)
    return Curve(evaluations, np.cumsum(rises), total)


def log_grid(budget: int, per_decade: int = 100) -> NDArray[np.int64]:
    """Numbers of evaluations from 1 to `budget`, evenly on a logarithmic axis, each once.

    >>> log_grid(1000, per_decade=2).tolist()
    [1, 3, 10, 32, 100, 316, 1000]
    """
    count = int(np.ceil(np.log10(budget) * per_decade)) + 1
    return np.unique(np.rint(np.geomspace(1, budget, count)).astype(np.int64))
