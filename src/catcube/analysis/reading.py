"""The runs of a store, by experiment, in arrays: a million of them take 64 megabytes."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catcube.analysis.conditions import conditions_of
from catcube.analysis.model import Conditions
from catcube.experiments.configuration import Configuration
from catcube.experiments.store import Store
from catcube.statistics import Pair


@dataclass(frozen=True)
class Recorded:
    """An experiment: its conditions, and the pairs with all their runs done, by instance.

    Instances and pairs are in the order of the plan; an instance without any such pair is left
    out. The runs of a pair are rows of `Store.table`, in the order of their numbers.
    """

    conditions: Conditions
    runs: Mapping[str, Mapping[Pair, NDArray[np.void]]]

    def complete_instances(self) -> list[str]:
        """The instances on which every pair of the plan has all its runs."""
        wanted = len(self.conditions.pairs)
        return [instance for instance, pairs in self.runs.items() if len(pairs) == wanted]


def recorded(store: Store) -> list[Recorded]:
    """All experiments of a store, in the order of its plan."""
    rows = store.table()
    places: dict[str, dict[int, Configuration]] = {}
    for place, configuration in enumerate(store.configurations()):
        places.setdefault(configuration.experiment, {})[place] = configuration
    return [_recorded(store, own, rows) for own in places.values()]


def _recorded(
    store: Store, configurations: Mapping[int, Configuration], rows: NDArray[np.void]
) -> Recorded:
    places = list(configurations)  # successive ones
    begins = np.searchsorted(rows["configuration"], [*places, places[-1] + 1])
    runs: dict[str, dict[Pair, NDArray[np.void]]] = {}
    missing: dict[tuple[str, Pair], int] = {}
    for own, begin, end in zip(configurations.values(), begins[:-1], begins[1:], strict=True):
        pair = Pair(*own.pair)
        if end - begin < own.runs:
            missing[own.instance, pair] = own.runs - int(end - begin)
        else:
            runs.setdefault(own.instance, {})[pair] = rows[begin:end]
    conditions = conditions_of(
        store, list(configurations.values()), rows[begins[0] : begins[-1]], missing
    )
    return Recorded(conditions, runs)
