"""The curves of packed traces, as they are read from a store."""

from collections.abc import Mapping, Sequence

import numpy as np

from catcube.errors import BadValue
from catcube.experiments.trace import unpack_traces
from catcube.statistics import Curve, Pair, instance_curves

BYTES = 4_000_000  # of packed traces that are unpacked together: that is quicker, and not too much


class CurveMaker:
    """Makes curves of the packed traces of runs, as they are read: instance after instance.

    >>> from catcube.experiments.trace import pack_trace
    >>> maker = CurveMaker()
    >>> trace, pair = pack_trace(np.array([1, 5]), np.array([8.0, 0])), Pair("sa", "linear")
    >>> maker.add("easy", pair, [trace])
    >>> maker.curves()["easy"][pair].at([1, 5]).tolist()
    [0.02, 1.0]
    """

    def __init__(self) -> None:
        self._curves: dict[str, dict[Pair, Curve]] = {}
        self._waiting: dict[str, dict[Pair, Sequence[bytes]]] = {}
        self._bytes = 0

    def add(self, instance: str, pair: Pair, traces: Sequence[bytes]) -> None:
        """Add all runs of a pair on an instance; its targets depend on all its pairs."""
        if self._bytes >= BYTES and instance not in self._waiting:
            self._make()
        if instance in self._curves:
            raise BadValue(f"the pairs on {instance!r} do not follow each other")
        self._waiting.setdefault(instance, {})[pair] = traces
        self._bytes += sum(map(len, traces))

    def curves(self) -> dict[str, dict[Pair, Curve]]:
        """Return the curves of all that was added, by instance."""
        self._make()
        return self._curves

    def _make(self) -> None:
        if self._waiting:
            self._curves |= _curves(self._waiting)
        self._waiting, self._bytes = {}, 0


def _curves(traces: Mapping[str, Mapping[Pair, Sequence[bytes]]]) -> dict[str, dict[Pair, Curve]]:
    packed = [trace for pairs in traces.values() for runs in pairs.values() for trace in runs]
    evaluations, values, begins = unpack_traces(packed)
    bounds = np.append(begins, values.size)
    curves = {}
    first = 0
    for instance, pairs in traces.items():
        runs = [len(pair_traces) for pair_traces in pairs.values()]
        last = first + sum(runs)
        part = slice(bounds[first], bounds[last])
        found = instance_curves(
            evaluations[part], values[part], bounds[first:last] - bounds[first], runs
        )
        curves[instance] = dict(zip(pairs, found, strict=True))
        first = last
    return curves
