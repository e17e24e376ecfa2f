"""The runs of the study beyond the paper, without their courses: packed, and read again.

A store of a million runs with all improvements would be hundreds of megabytes. What the page needs
is the first and the best value of each run and when that was found: NAME.npz has these of all runs,
configuration after configuration, and the names and sizes of each configuration.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from catcube.experiments.store import Store
from catcube.experiments.trace import unpack_traces
from catcube.problems.instances import build_problem
from catcube.statistics import Pair, Sample

ByPair = dict[str, dict[Pair, Sample]]
NAMES = ("experiment", "instance", "algorithm", "representation")
SIZES = ("budget", "target", "categories", "variables", "optimum", "planned", "runs", "seconds")
RUNS = ("value", "first", "to_best")


@dataclass(frozen=True)
class Facts:
    """What is known of an instance without a search; the optimum is NaN if it is not."""

    categories: int  # of the variable that has the most
    variables: int
    optimum: float


@dataclass
class Measured:
    """An experiment: one number per run of each pair with all its runs, by instance.

    `values` are the best values found, `first` those of the first point, `runtimes` the evaluations
    to the known optimum or to the target, infinite where it is missed.
    """

    experiment: str
    budget: int
    runs: int
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    facts: dict[str, Facts] = field(default_factory=dict)
    values: ByPair = field(default_factory=dict)
    first: ByPair = field(default_factory=dict)
    runtimes: ByPair = field(default_factory=dict)

    @property
    def pairs(self) -> list[Pair]:
        """The pairs, in the order of the plan."""
        return list(dict.fromkeys(pair for found in self.values.values() for pair in found))

    @property
    def algorithms(self) -> list[str]:
        """The algorithms, in the order of the plan."""
        return list(dict.fromkeys(pair.algorithm for pair in self.pairs))

    @property
    def representations(self) -> list[str]:
        """The representations, in the order of the plan."""
        return list(dict.fromkeys(pair.representation for pair in self.pairs))

    def losses(self) -> ByPair:
        """Return values as parts of the range: 0 is the best found, 1 the worst first point."""
        found = {}
        for instance, pairs in self.values.items():
            best = min(float(sample.min()) for sample in pairs.values())
            worst = max(float(sample.max()) for sample in self.first[instance].values())
            unit = worst - best or 1.0
            found[instance] = {pair: (sample - best) / unit for pair, sample in pairs.items()}
        return found

    def runtimes_or_values(self) -> ByPair:
        """Return evaluations to the target, and beyond the budget, by value, where it is missed."""
        return {
            instance: {
                pair: np.where(
                    np.isfinite(sample), sample, self.budget + self.values[instance][pair]
                )
                for pair, sample in pairs.items()
            }
            for instance, pairs in self.runtimes.items()
        }


def columns_of(path: Path) -> dict[str, np.ndarray]:
    """Return what is packed of a store; runs of a configuration follow each other."""
    columns: dict[str, list] = {name: [] for name in (*NAMES, *SIZES, *RUNS)}
    facts: dict[str, tuple[int, int, float]] = {}
    with Store(path) as store, store.snapshot():
        configurations = store.configurations()
        for index, rows, traces in store.run_arrays():
            one = configurations[index]
            if one.instance not in facts:
                problem = build_problem(one.content, one.instance)
                optimum = np.nan if problem.optimum is None else problem.optimum
                space = problem.space
                facts[one.instance] = int(space.cardinalities.max()), len(space), float(optimum)
            for name in NAMES:
                columns[name].append(getattr(one, name))
            target = np.nan if one.target is None else one.target
            numbers = one.budget, target, *facts[one.instance], one.runs, rows.size
            for name, number in zip(SIZES, (*numbers, rows["seconds"].sum()), strict=True):
                columns[name].append(number)
            columns["value"].append(rows["value"])
            columns["to_best"].append(rows["evaluations_to_best"])
            if rows.size:
                _, values, begins = unpack_traces(traces)
                columns["first"].append(values[begins])
    packed = {name: np.array(columns[name]) for name in (*NAMES, *SIZES)}
    return packed | {name: np.concatenate([np.empty(0), *columns[name]]) for name in RUNS}


def pack(store: Path, folder: Path) -> None:
    """Write NAME.npz of a store."""
    np.savez_compressed(folder / f"{store.stem}.npz", **columns_of(store))


def read(columns: Iterable[dict[str, np.ndarray]]) -> dict[str, Measured]:
    """Return the experiments by name, also unfinished ones; of pairs with all their runs."""
    found: dict[str, Measured] = {}
    for packed in columns:
        part = dict(packed)  # unpacked once
        begins = np.concatenate([[0], np.cumsum(part["runs"])])
        lists = {key: part[key].tolist() for key in (*NAMES, *SIZES)}
        for index, name in enumerate(lists["experiment"]):
            row = {key: lists[key][index] for key in lists}
            one = found.setdefault(name, Measured(name, row["budget"], int(row["planned"])))
            one.total += int(row["planned"])
            one.done += int(row["runs"])
            one.seconds += row["seconds"]
            if row["runs"] < row["planned"]:
                continue
            instance, pair = row["instance"], Pair(row["algorithm"], row["representation"])
            value, first, to_best = (part[key][begins[index] : begins[index + 1]] for key in RUNS)
            facts = Facts(int(row["categories"]), int(row["variables"]), row["optimum"])
            one.facts[instance] = facts
            one.values.setdefault(instance, {})[pair] = value
            one.first.setdefault(instance, {})[pair] = first
            target = row["target"] if np.isnan(facts.optimum) else facts.optimum
            if not np.isnan(target):
                reached = np.where(value <= target, to_best, np.inf)
                one.runtimes.setdefault(instance, {})[pair] = reached
    return found
