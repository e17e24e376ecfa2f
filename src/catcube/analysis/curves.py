"""The curves of many instances: those of `instance_curves`, for all pairs of one at once."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.campaigns.store.trace import unpacked_traces
from catcube.statistics import TARGETS, Curve, Pair

_NO_STEPS = np.empty(0, np.int64)
BYTES = 4_000_000  # of packed traces that are unpacked together: that is quicker, and not too much


class CurveMaker:
    """Makes curves of the packed traces of runs, as they are read: instance after instance.

    >>> from catcube.campaigns.store.trace import packed_trace
    >>> maker = CurveMaker()
    >>> trace, pair = packed_trace(np.array([1, 5]), np.array([8.0, 0])), Pair("sa", "linear")
    >>> maker.add("easy", pair, [trace])
    >>> maker.curves()["easy"][pair].at([1, 5]).tolist()
    [0.02, 1.0]
    """

    def __init__(self) -> None:
        self._found: dict[str, dict[Pair, Curve]] = {}
        self._waiting: dict[str, dict[Pair, Sequence[bytes]]] = {}
        self._bytes = 0

    def add(self, instance: str, pair: Pair, traces: Sequence[bytes]) -> None:
        """All runs of a pair on an instance; its targets depend on all pairs that are there."""
        if self._bytes >= BYTES and instance not in self._waiting:
            self._make()
        if instance in self._found:
            raise ValueError(f"the pairs on {instance!r} do not follow each other")
        self._waiting.setdefault(instance, {})[pair] = traces
        self._bytes += sum(map(len, traces))

    def curves(self) -> dict[str, dict[Pair, Curve]]:
        """Of all that was added, by instance."""
        self._make()
        return self._found

    def _make(self) -> None:
        if self._waiting:
            self._found |= _curves(self._waiting)
        self._waiting, self._bytes = {}, 0


def _curves(given: Mapping[str, Mapping[Pair, Sequence[bytes]]]) -> dict[str, dict[Pair, Curve]]:
    packed = [trace for pairs in given.values() for traces in pairs.values() for trace in traces]
    evaluations, values, begins = unpacked_traces(packed)
    _check_steps(evaluations, values, begins)
    ends = np.append(begins, values.size)
    found = {}
    first = 0
    for instance, pairs in given.items():
        runs = [len(traces) for traces in pairs.values()]
        last = first + sum(runs)
        part = slice(ends[first], ends[last])
        own = ends[first : last + 1] - ends[first]
        curves = _instance_curves(evaluations[part], values[part], own, runs)
        found[instance] = dict(zip(pairs, curves, strict=True))
        first = last
    return found


def _check_steps(
    evaluations: NDArray[np.int64], values: NDArray[np.float64], begins: NDArray[np.int64]
) -> None:
    """Refuse what cannot be the improvements of runs."""
    within = np.ones(values.size, bool)
    within[begins] = False
    better = (values[1:] < values[:-1]) & (evaluations[1:] > evaluations[:-1])
    if (within[1:] & ~better).any() or np.isnan(values).any():
        raise ValueError("the values of a trace decrease and its evaluations increase")


def _instance_curves(
    evaluations: NDArray[np.int64],
    values: NDArray[np.float64],
    ends: NDArray[np.int64],
    runs: Sequence[int],
) -> list[Curve]:
    """Of the pairs that made so many runs each, one after the other; `ends` are those of runs."""
    begins = ends[:-1]
    worst, best = values[begins].max(), values.min()
    if not (np.isfinite(worst) and np.isfinite(best)):
        # Between infinite values there are no targets: they are between the finite ones, if any.
        finite = values[np.isfinite(values)]
        if not finite.size:
            return [Curve(_NO_STEPS, _NO_STEPS, TARGETS * count) for count in runs]
        worst, best = finite.max(), finite.min()
    # As `instance_curves` computes it: exact if values are integers.
    wanted = (worst - best) * np.arange(TARGETS)
    reached = np.searchsorted(wanted, (worst - values) * (TARGETS - 1), side="right")
    rises = np.diff(reached, prepend=0)
    rises[begins] = reached[begins]
    risen = rises > 0
    of_run = np.repeat(np.arange(len(runs)), runs)
    of_step = np.repeat(of_run, np.diff(ends))[risen]
    # Steps of one pair after the same number of evaluations are one step of its curve.
    span = int(evaluations.max()) + 1
    keys, places = np.unique(of_step * span + evaluations[risen], return_inverse=True)
    heights = np.bincount(places, weights=rises[risen], minlength=keys.size).astype(np.int64)
    owners, moments = np.divmod(keys, span)
    cuts = np.searchsorted(owners, np.arange(1, len(runs)))
    return [
        Curve(own, np.cumsum(height), TARGETS * count)
        for own, height, count in zip(
            np.split(moments, cuts), np.split(heights, cuts), runs, strict=True
        )
    ]
