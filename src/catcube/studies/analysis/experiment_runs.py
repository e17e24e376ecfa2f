"""The runs of a store by experiment, read in one pass: a million take about 100 megabytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from catcube.experiments.plan import Configuration
from catcube.experiments.store import DamageError, Store
from catcube.experiments.trace import TraceError
from catcube.statistics import Curve, Pair
from catcube.studies.analysis.conditions import conditions_of
from catcube.studies.analysis.curves import CurveMaker
from catcube.studies.analysis.model import Conditions
from catcube.studies.analysis.outline import Outline, Outliner


@dataclass(frozen=True)
class ExperimentRuns:
    """An experiment: its conditions, and the runs of complete pairs by instance.

    Instances and pairs are in the order of the plan; an instance without a complete pair is
    omitted. The runs of a pair are rows of `Store.parts`, in the order of their numbers. There are
    curves if the ECDF is among the views.
    """

    conditions: Conditions
    outline: Outline
    runs: Mapping[str, Mapping[Pair, NDArray[np.void]]]
    curves: Mapping[str, Mapping[Pair, Curve]]

    def complete_instances(self) -> list[str]:
        """List the instances on which every pair of the plan has all its runs."""
        wanted = len(self.conditions.pairs)
        return [instance for instance, pairs in self.runs.items() if len(pairs) == wanted]


def read_experiments(store: Store, outline: Outliner) -> list[ExperimentRuns]:
    """Read all experiments of a store, in the order of its plan."""
    configurations = store.configurations()
    instances: dict[str, dict[str, None]] = {}
    for configuration in configurations:
        instances.setdefault(configuration.experiment, {})[configuration.instance] = None
    readers: dict[str, _Reader] = {}
    try:
        for index, rows, traces in store.parts():
            configuration = configurations[index]
            name = configuration.experiment
            if name not in readers:
                readers[name] = _Reader(outline(name, tuple(instances[name]), configuration.target))
            readers[name].read(configuration, rows, traces)
        return [reader.experiment(store) for reader in readers.values()]
    except TraceError as error:
        raise DamageError(store.path, str(error)) from error


class _Reader:
    """Collects the runs of one experiment."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.configurations: list[Configuration] = []
        self.rows: list[NDArray[np.void]] = []
        self.runs: dict[str, dict[Pair, NDArray[np.void]]] = {}
        self.missing: dict[tuple[str, Pair], int] = {}
        self.maker = CurveMaker()

    def read(
        self, configuration: Configuration, rows: NDArray[np.void], traces: Sequence[bytes]
    ) -> None:
        """Read the runs of a configuration, the next of the plan."""
        self.configurations.append(configuration)
        self.rows.append(rows)
        instance, pair = configuration.instance, Pair(*configuration.pair)
        if rows.size < configuration.runs:
            self.missing[instance, pair] = configuration.runs - rows.size
            return
        self.runs.setdefault(instance, {})[pair] = rows
        if "ecdf" in self.outline.views:
            self.maker.add(instance, pair, traces)

    def experiment(self, store: Store) -> ExperimentRuns:
        """Return the experiment after all runs are read."""
        conditions = conditions_of(store, self.configurations, self.rows, self.missing)
        return ExperimentRuns(conditions, self.outline, self.runs, self.maker.curves())
