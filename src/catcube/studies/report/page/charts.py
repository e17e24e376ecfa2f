"""What the scripts of the page draw, as plain data: thinned to what a screen shows."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.statistics import (
    Curve,
    Friedman,
    Interval,
    Line,
    Pair,
    by_pair,
    log_grid,
)
from catcube.studies.analysis.model import Ecdf, FixedBudget, FixedTarget
from catcube.studies.report.tables.cells import cell_text
from catcube.studies.report.text import counted

Chart = dict[str, Any]
_FINEST = 10_000  # steps of a level
_MANY_CURVES = 5_000  # more are drawn with fewer points, so that the page stays small


def means(section: FixedBudget, follows: str) -> Chart:
    """Collect mean final values with their intervals, by instance."""
    pairs = section.conditions.pairs
    values = {}
    for index, found in enumerate(section.means.values()):
        values[str(index)] = [
            mean and _mark(mean.mean, mean.interval, [counted(mean.runs, "run")])
            for mean in map(found.get, pairs)
        ]
    return {
        "type": "bars",
        "title": "Mean final values",
        "label": "mean final value (lower is better)",
        "measure": "mean",
        "log": False,
        "follows": follows,
        "names": dict(zip(values, section.means, strict=True)),
        "pairs": pairs,
        "values": values,
    }


def runtimes(section: FixedTarget, follows: str) -> Chart:
    """Collect median runtimes of the successful runs with their intervals, by instance."""
    pairs = section.conditions.pairs
    values = {}
    for index, (instance, table) in enumerate(section.runtimes.items()):
        lines, intervals = by_pair(table), section.medians.get(instance, {})
        values[str(index)] = [_runtime(lines.get(pair), intervals.get(pair)) for pair in pairs]
    return {
        "type": "bars",
        "title": "Median runtimes",
        "label": "median evaluations of the successful runs",
        "measure": "median",
        "log": True,
        "follows": follows,
        "names": dict(zip(values, section.runtimes, strict=True)),
        "pairs": pairs,
        "values": values,
    }


def _runtime(line: Line | None, interval: Interval | None) -> Chart | None:
    if line is None:
        return None
    success = f"success {cell_text(line.success_percent, 'percent')}"
    return _mark(line.summary.median, interval, [success])


def _mark(value: float, interval: Interval | None, details: list[str]) -> Chart:
    """Describe a value, with its interval if there is one; infinite values are null."""
    low, high = interval or (math.inf, math.inf)
    if math.isfinite(low) and math.isfinite(high):
        between = f"{cell_text(low, 'number')} to {cell_text(high, 'number')}"
        details = [f"95 % interval {between}", *details]
    return {
        "value": _finite(value),
        "low": _finite(low),
        "high": _finite(high),
        "details": details,
    }


def _finite(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None


def mean_ranks(test: Friedman) -> Chart:
    """Collect the critical-difference diagram; groups have their first and last index."""
    pairs = list(test.mean_ranks)
    return {
        "type": "ranks",
        "title": "Mean ranks and critical difference",
        "pairs": pairs,
        "ranks": [_finite(rank) for rank in test.mean_ranks.values()],
        "difference": _finite(test.critical_difference),
        "groups": [[pairs.index(group[0]), pairs.index(group[-1])] for group in test.groups],
    }


def ecdf_curves(section: Ecdf, follows: str) -> Chart:
    """Collect the curves over all instances, over each group of them, and over each instance."""
    sets: dict[str, Mapping[Pair, Curve]] = {"all": section.curves} if section.curves else {}
    names = {"all": f"all {counted(len(section.instances), 'instance')} together"}
    for index, (group, curves) in enumerate(section.by_group.items()):
        sets[f"group-{index}"], names[f"group-{index}"] = curves, section.groups[group].described
    for index, (instance, curves) in enumerate(section.by_instance.items()):
        sets[str(index)], names[str(index)] = curves, instance
    pairs = section.conditions.pairs
    many = len(sets) * len(pairs) > _MANY_CURVES
    grid = log_grid(section.conditions.budget, per_decade=40 if many else 100)
    return {
        "type": "curves",
        "title": "Share of the targets reached",
        "xLabel": "evaluations",
        "yLabel": "share of the targets reached",
        "log": True,
        "step": True,
        "low": 0,
        "high": 1,
        "follows": follows,
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


def success(section: FixedTarget) -> Chart:
    """Collect success by the size of the instances, or by instance if sizes are not known."""
    sizes = {instance: section.sizes.get(instance) for instance in section.runtimes}
    known = [number for number in sizes.values() if number is not None]
    if len(known) == len(sizes):
        groups = {
            number: [name for name, size in sizes.items() if size == number]
            for number in sorted(set(known))
        }
        labels = [f"with {counted(number, section.size.removesuffix('s'))}" for number in groups]
        axis = section.size
    else:
        groups = {index: [name] for index, name in enumerate(sizes, start=1)}
        labels = [f"on {name}" for name in sizes]
        axis = "instance, in the order of the plan"
    percents = [
        [_success(section, pair, names) for names in groups.values()]
        for pair in section.conditions.pairs
    ]
    lowest = min((one for line in percents for one in line if one is not None), default=0.0)
    return {
        "type": "points",
        "title": "Success",
        "xLabel": axis,
        "yLabel": "runs that reach the target (%)",
        "log": False,
        "step": False,
        "low": min(lowest // 10 * 10, 90),
        "high": 100,
        "names": {"all": "all instances"},
        "labels": labels,
        "pairs": section.conditions.pairs,
        "xs": list(groups),
        "sets": {"all": percents},
    }


def _success(section: FixedTarget, pair: Pair, instances: Sequence[str]) -> float | None:
    """Average the percents on these instances; None if the pair lacks one of them."""
    lines = [by_pair(section.runtimes[instance]).get(pair) for instance in instances]
    percents = [line.success_percent for line in lines if line and line.success_percent is not None]
    return sum(percents) / len(percents) if len(percents) == len(instances) else None
