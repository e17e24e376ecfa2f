"""The runs of a store, by experiment, in one pass: a million of them take some 100 megabytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catcube.analysis.conditions import conditions_of
from catcube.analysis.curves import CurveMaker
from catcube.analysis.model import Conditions
from catcube.analysis.outline import Outline, Outliner
from catcube.campaigns.configuration import Configuration
from catcube.campaigns.store.store import Store
from catcube.statistics import Curve, Pair


@dataclass(frozen=True)
class Recorded:
    """An experiment: its conditions, and the pairs with all their runs done, by instance.

    Instances and pairs are in the order of the plan; an instance without any such pair is left
    out. The runs of a pair are rows of `Store.parts`, in the order of their numbers. There are
    curves if the course of the search is looked at.
    """

    conditions: Conditions
    outline: Outline
    runs: Mapping[str, Mapping[Pair, NDArray[np.void]]]
    curves: Mapping[str, Mapping[Pair, Curve]]

    def complete_instances(self) -> list[str]:
        """The instances on which every pair of the plan has all its runs."""
        wanted = len(self.conditions.pairs)
        return [instance for instance, pairs in self.runs.items() if len(pairs) == wanted]


def recorded(store: Store, outline: Outliner) -> list[Recorded]:
    """All experiments of a store, in the order of its plan."""
    configurations = store.configurations()
    instances: dict[str, dict[str, None]] = {}
    for own in configurations:
        instances.setdefault(own.experiment, {})[own.instance] = None
    readers: dict[str, _Reader] = {}
    for place, rows, traces in store.parts():
        own = configurations[place]
        name = own.experiment
        if name not in readers:
            readers[name] = _Reader(outline(name, tuple(instances[name]), own.target))
        readers[name].read(own, rows, traces)
    return [reader.recorded(store) for reader in readers.values()]


class _Reader:
    """What is read of one experiment."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.configurations: list[Configuration] = []
        self.rows: list[NDArray[np.void]] = []
        self.runs: dict[str, dict[Pair, NDArray[np.void]]] = {}
        self.missing: dict[tuple[str, Pair], int] = {}
        self.maker = CurveMaker()

    def read(self, own: Configuration, rows: NDArray[np.void], traces: Sequence[bytes]) -> None:
        """The runs of a configuration, the next of the plan."""
        self.configurations.append(own)
        self.rows.append(rows)
        pair = Pair(*own.pair)
        if rows.size < own.runs:
            self.missing[own.instance, pair] = own.runs - rows.size
            return
        self.runs.setdefault(own.instance, {})[pair] = rows
        if "course" in self.outline.views:
            self.maker.add(own.instance, pair, traces)

    def recorded(self, store: Store) -> Recorded:
        """When all is read."""
        conditions = conditions_of(store, self.configurations, self.rows, self.missing)
        return Recorded(conditions, self.outline, self.runs, self.maker.curves())
