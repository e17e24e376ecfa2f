"""What the scripts of the page draw, as plain data: thinned to what a screen shows."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import count
from catcube.statistics import Curve, Friedman, Interval, Pair, Table, log_grid
from catcube.studies.analysis.sections import Ecdf, FixedBudget, FixedTarget, Mean
from catcube.studies.report.text import cell_text

Chart = dict[str, Any]
_FINEST = 10_000  # steps of a level
_MANY_CURVES = 300  # more are drawn with fewer points, so that the page stays small

INSTANCES, TOGETHER = 40, 200
"""The most instances that are shown one by one: of an experiment, and of all together."""


def choose_evenly(names: Iterable[str], most: int | None = INSTANCES) -> list[str]:
    """Choose at most `most` names, evenly from all of them; None chooses all.

    >>> choose_evenly("abcdefgh", 3)
    ['a', 'd', 'g']
    """
    every = list(names)
    return every[:: -(-len(every) // (most or len(every) or 1)) or 1]


def bars(section: FixedBudget | FixedTarget, follows: str, instances: Sequence[str]) -> Chart:
    """Collect mean values, or median runtimes of successful runs, with intervals, by instance."""
    pairs = section.conditions.pairs
    if isinstance(section, FixedBudget):
        title, measure, label = "Mean final values", "mean", "mean final value (lower is better)"
        marks = [_means(section.means[one]) for one in instances]
    else:
        title, measure = "Median runtimes", "median"
        label = "median evaluations of the successful runs"
        marks = [_runtimes(section.tables[one], section.medians[one]) for one in instances]
    return {
        "type": "bars",
        "title": title,
        "label": label,
        "measure": measure,
        "log": measure == "median",
        "follows": follows,
        "names": {str(index): name for index, name in enumerate(instances)},
        "pairs": pairs,
        "values": {str(index): [*map(one.get, pairs)] for index, one in enumerate(marks)},
    }


def _means(means: Mapping[Pair, Mean]) -> dict[Pair, Chart]:
    known = means.items()
    return {pair: _mark(one.mean, one.interval, [count(one.runs, "run")]) for pair, one in known}


def _runtimes(lines: Table, medians: Mapping[Pair, Interval]) -> dict[Pair, Chart]:
    found = {}
    for line in lines:
        success = f"success {cell_text(line.success_percent, 'percent')}"
        found[line.pair] = _mark(line.summary.median, medians.get(line.pair), [success])
    return found


def _mark(value: float, interval: Interval | None, details: list[str]) -> Chart:
    """Describe a value, with its interval if there is one; infinite values are null."""
    low, high = interval or (math.inf, math.inf)
    if math.isfinite(low) and math.isfinite(high):
        between = f"{cell_text(low, 'number')} to {cell_text(high, 'number')}"
        details = [f"95 % interval {between}", *details]
    return {"value": _finite(value), "low": _finite(low), "high": _finite(high), "details": details}


def _finite(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None


def mean_ranks(test: Friedman, factor: str) -> Chart:
    """Collect the critical-difference diagram; groups have their first and last index."""
    names = list(test.mean_ranks)
    return {
        "type": "ranks",
        "title": f"Mean ranks of {factor}s and critical difference",
        "labels": names,
        "factor": factor,
        "ranks": [_finite(rank) for rank in test.mean_ranks.values()],
        "difference": _finite(test.critical_difference),
        "groups": [[names.index(group[0]), names.index(group[-1])] for group in test.groups],
    }


def _lines(title: str, axes: tuple[str, str], ends: tuple[float, float], follows: str) -> Chart:
    """Describe lines over evaluations."""
    return {
        "type": "curves",
        "title": title,
        "xLabel": axes[0],
        "yLabel": axes[1],
        "low": ends[0],
        "high": ends[1],
        "follows": follows,
    }


def ecdf_curves(section: Ecdf, follows: str, instances: Sequence[str]) -> Chart:
    """Collect the curves over all instances, over each group of them, and over some instances."""
    sets: dict[str, Mapping[Pair, Curve]] = {}
    names = {"all": f"all {count(len(section.instances), 'instance')} together"}
    for group, found in section.by_group.items():
        key = "all" if group == "all" else f"group-{len(sets) - 1}"
        sets[key] = found
        names.setdefault(key, getattr(section.outline.groups.get(group), "described", ""))
    for index, instance in enumerate(instances):
        sets[str(index)], names[str(index)] = section.by_instance[instance], instance
    pairs = section.conditions.pairs
    many = len(sets) * len(pairs) > _MANY_CURVES
    grid = log_grid(section.conditions.budget, per_decade=40 if many else 100)
    reached = "share of the targets reached"
    return _lines("Share of the targets reached", ("evaluations", reached), (0, 1), follows) | {
        "names": {key: names[key] for key in sets},
        "pairs": pairs,
        "grid": np.diff(grid, prepend=0).tolist(),
        "packed": {
            key: [_packed(curves.get(pair), grid) for pair in pairs] for key, curves in sets.items()
        },
    }


def _packed(curve: Curve | None, grid: NDArray[np.int64]) -> Chart | None:
    """Pack differences of levels on the grid, in whole steps: exact up to 10,000 triples."""
    if curve is None:
        return None
    steps = min(curve.total, _FINEST)
    levels = np.rint(curve.at(grid) * steps).astype(np.int64)
    return {"total": steps, "steps": np.diff(levels, prepend=0).tolist()}


def differences(section: Ecdf) -> Chart:
    """Collect how far the first representation is above each other one, over all instances."""
    conditions = section.conditions
    pairs = list(section.leads)
    grid = log_grid(conditions.budget, per_decade=40)
    first = conditions.representations[0]
    levels = {pair: curve.at(grid) for pair, curve in section.curves.items()}
    gaps = [(levels[Pair(one.algorithm, first)] - levels[one]).round(4) for one in pairs]
    high = max(0.02, *(float(np.abs(gap).max()) for gap in gaps))
    axes = ("evaluations", f"{first} − the other")
    return _lines("Differences of the shares reached", axes, (-high, high), "") | {
        "names": {"all": "all instances"},
        "pairs": pairs,
        "grid": np.diff(grid, prepend=0).tolist(),
        "sets": {"all": [gap.tolist() for gap in gaps]},
    }


def profiles(section: FixedTarget) -> Chart:
    """Collect the share of instances on which a pair is within a factor of the best."""
    finite = [ratio for one in section.profiles.values() for ratio in one if math.isfinite(ratio)]
    grid = np.geomspace(1, max([10.0, *finite]) * 1.01, 200)
    axes = ("factor above the best expected running time", "share of the instances")
    shares = [
        (np.searchsorted(ratios, grid, side="right") / ratios.size).round(4).tolist()
        for ratios in section.profiles.values()
    ]
    return _lines("Performance profiles", axes, (0, 1), "") | {
        "names": {"all": "all instances"},
        "pairs": list(section.profiles),
        "xs": [float(f"{factor:.5g}") for factor in grid],
        "sets": {"all": shares},
        "point": "factor",
    }


def success(section: FixedTarget) -> Chart:
    """Collect success by pair and instance: a heat map."""
    pairs = section.conditions.pairs
    tables = section.tables.values()
    percents = [{line.pair: line.success_percent for line in table} for table in tables]
    return {
        "type": "heat",
        "title": "Success by instance",
        "pairs": pairs,
        "instances": list(section.tables),
        "percents": [[known.get(pair) for known in percents] for pair in pairs],
    }
