"""The ECDF run by run: the share of the targets that each run has reached, and when.

The level of a curve is the mean of the levels of its runs. So whatever is a mean over a curve is a
mean over runs, and two curves can be compared as two samples of runs, instance by instance.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catcube.experiments.store import Store
from catcube.experiments.trace import unpack_traces
from catcube.statistics import Curve, Pair, instance_curves, log_grid

PER_DECADE = 60
"""Numbers of evaluations at which levels are taken: neighbours differ by 4 %."""

RunLevels = NDArray[np.float64]
"""A row for each instance, a column for each run."""


@dataclass(frozen=True)
class Levels:
    """The levels of every run of each pair: by instance, run and number of evaluations.

    >>> levels = Levels(np.array([1, 10, 100]), {Pair("sa", "linear"): np.array([[[0.2, 0.4, 1]]])})
    >>> levels.final(Pair("sa", "linear")), levels.mean(Pair("sa", "linear"), 1, 100).round(3)
    (array([[1.]]), array([[0.3]]))
    """

    grid: NDArray[np.int64]
    runs: Mapping[Pair, NDArray[np.float64]]

    @property
    def budget(self) -> int:
        """The last number of evaluations."""
        return int(self.grid[-1])

    def at(self, pair: Pair, evaluations: float) -> RunLevels:
        """Give the levels after so many evaluations."""
        index = int(np.searchsorted(self.grid, evaluations, side="right")) - 1
        return self.runs[pair][:, :, index]

    def final(self, pair: Pair) -> RunLevels:
        """Give the levels in the end."""
        return self.runs[pair][:, :, -1]

    def mean(self, pair: Pair, begin: float, end: float) -> RunLevels:
        """Give the mean levels over the logarithm of evaluations from `begin` to `end`."""
        ends = np.clip(self.grid, begin, end)
        widths = np.diff(np.log(ends))
        means: RunLevels = self.runs[pair][:, :, :-1] @ (widths / widths.sum())
        return means

    def curve(self, pair: Pair, weights: NDArray[np.float64] | None = None) -> Curve:
        """Make the curve of a pair; `weights` say how often each run counts, by instance."""
        runs = self.runs[pair]
        if weights is None:
            weights = np.ones(runs.shape[:2])
        reached = np.tensordot(weights, runs, axes=2) * 1000
        return Curve(self.grid, np.rint(reached).astype(np.int64), int(weights.sum()) * 1000)


def read_levels(path: str | os.PathLike[str], experiment: str) -> Levels:
    """Read the levels of all runs of a complete experiment in a store."""
    traces: dict[str, dict[Pair, Sequence[bytes]]] = {}
    budget = 1
    with Store(path) as store, store.snapshot():
        configurations = store.configurations()
        for index, _, packed in store.parts():
            configuration = configurations[index]
            if configuration.experiment == experiment:
                pairs = traces.setdefault(configuration.instance, {})
                pairs[Pair(*configuration.pair)] = packed
                budget = configuration.budget
    grid = log_grid(budget, PER_DECADE)
    found: dict[Pair, list[NDArray[np.float64]]] = {}
    for pairs in traces.values():
        for pair, levels in _instance_levels(pairs, grid).items():
            found.setdefault(pair, []).append(levels)
    return Levels(grid, {pair: np.stack(value) for pair, value in found.items()})


def _instance_levels(
    pairs: Mapping[Pair, Sequence[bytes]], grid: NDArray[np.int64]
) -> dict[Pair, NDArray[np.float64]]:
    """Give a row for each run; the targets of an instance depend on all pairs."""
    evaluations, values, begins = unpack_traces([run for runs in pairs.values() for run in runs])
    curves = instance_curves(evaluations, values, begins, [1] * begins.size)
    rows = np.stack([curve.at(grid) for curve in curves])
    cuts = np.cumsum([len(runs) for runs in pairs.values()])[:-1]
    return dict(zip(pairs, np.split(rows, cuts), strict=True))
