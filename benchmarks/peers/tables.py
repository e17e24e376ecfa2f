"""The sections of the page: ranks, values beside the default's, where another is better, time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from benchmarks.families.task import Task
from benchmarks.page import number, table
from benchmarks.peers.methods import METHODS, PLAIN
from benchmarks.peers.results import Row
from benchmarks.ranks import LEVEL, mean_ranks, ranks_table, significantly_worse
from catcube.statistics import mann_whitney

AUTO = "catcube auto"
OURS = [name for name in METHODS if name.startswith("catcube")]
OTHERS = [name for name in METHODS if name not in OURS]
OUR_OWN = ("", "catcube")  # packages: baselines and our searches have none but these

FEW = 1_000
"""Calls for which the surrogate is made."""

Values: TypeAlias = dict[tuple[str, int], dict[str, list[float]]]
"""By instance and budget, then by method: the value of each run."""


def values_of(rows: Iterable[Row]) -> Values:
    """Return all values."""
    found: Values = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.value is not None:
            found[row.task, row.budget][row.method].append(row.value)
    return found


def sections(rows: Sequence[Row], tasks: Sequence[Task], budgets: Sequence[int]) -> dict[str, str]:
    """Return all sections by name."""
    values = values_of(rows)
    return {
        "result": result(values, tasks, budgets),
        "ranks": ranks(values, tasks, budgets),
        "runs": counts(values, tasks, budgets),
        "values": best_values(values, tasks, budgets),
        "worse": where_worse(values, tasks, budgets),
        "time": seconds(rows, budgets),
        "surrogate": surrogate(values, tasks, budgets),
        "releases": releases(rows),
    }


def _cells(values: Values, tasks: Sequence[Task], budget: int) -> dict[str, dict[str, list[float]]]:
    return {task.name: values.get((task.name, budget), {}) for task in tasks if task.most >= budget}


def result(values: Values, tasks: Sequence[Task], budgets: Sequence[int]) -> str:
    """Say which search is first, and how the best plain search compares with the packages."""
    families = {task.name: task.family for task in tasks}
    texts, plain, ranked = [], [], []
    for budget in budgets:
        found = mean_ranks(_cells(values, tasks, budget), families)
        packages = {name: found[name] for name in found if METHODS[name].package not in OUR_OWN}
        plains = {name: found[name] for name in PLAIN if name in found}
        if AUTO not in found or not packages:
            continue
        best = min(packages, key=packages.__getitem__)
        texts.append(f"{found[AUTO]:.1f} with {budget:,} calls ({best} {packages[best]:.1f})")
        if plains:
            ranked.append(budget)
            plain += [budget] if min(plains.values()) < packages[best] else []
    if not texts:
        return "There are no results yet."
    return (
        f"The mean rank of `catcube auto` over {len(set(families.values()))} held-out families is "
        f"(in brackets that of the best other package): {'; '.join(texts)}. The best of the plain "
        f"searches, each a few lines of Python, has a better mean rank than every other package at "
        f"{len(plain)} of {len(ranked)} budgets."
    )


def ranks(values: Values, tasks: Sequence[Task], budgets: Sequence[int]) -> str:
    """Mean ranks, one row per method, one column per budget that the default has all runs of."""
    families = {task.name: task.family for task in tasks}
    columns = {budget: mean_ranks(_cells(values, tasks, budget), families) for budget in budgets}
    return ranks_table({k: found for k, found in columns.items() if AUTO in found}, "method")


def counts(values: Values, tasks: Sequence[Task], budgets: Sequence[int]) -> str:
    """Return how many runs a cell has."""
    lines = []
    for name in METHODS:
        cells = []
        for budget in budgets:
            runs = [
                len(samples.get(name, [])) for samples in _cells(values, tasks, budget).values()
            ]
            low, high = (min(runs), max(runs)) if runs else (0, 0)
            cells.append("" if high == 0 else f"{low}" if low == high else f"{low}–{high}")
        lines.append([name, *cells])
    return table(["runs per instance", *(f"{budget:,}" for budget in budgets)], lines)


def best_values(values: Values, tasks: Sequence[Task], budgets: Sequence[int]) -> str:
    """Return the default's mean value beside the best mean of plain searches and other packages."""
    lines = []
    for task in tasks:
        cells = [task.name]
        for budget in budgets:
            samples = values.get((task.name, budget), {})
            means = {name: float(np.mean(samples[name])) for name in OTHERS if samples.get(name)}
            if AUTO not in samples or not means:
                cells.append("")
                continue
            best = min(means, key=means.__getitem__)
            cells.append(f"{np.mean(samples[AUTO]):.4g} / {means[best]:.4g} {best}")
        lines.append(cells)
    return table(["instance", *(f"{budget:,}" for budget in budgets)], lines)


def where_worse(values: Values, tasks: Sequence[Task], budgets: Sequence[int]) -> str:
    """Where the default is significantly worse than the best other search, and where better."""
    pairs, names = [], []
    for budget in budgets:
        for task in tasks:
            samples = values.get((task.name, budget), {})
            others = {name: samples[name] for name in OTHERS if len(samples.get(name, [])) > 1}
            if AUTO in samples and others:
                best = min(others, key=lambda name: float(np.mean(others[name])))
                pairs.append((samples[AUTO], others[best]))
                names.append(f"`{task.name}` with {budget:,} ({best})")
    behind = significantly_worse(pairs)
    ahead = significantly_worse([(second, first) for first, second in pairs])
    found = [name for name, sure in zip(names, behind, strict=True) if sure]
    return (
        f"In {len(pairs)} cells `auto` is significantly better than the best of all plain searches "
        f"and other packages in {sum(ahead)}, significantly worse in {sum(behind)}"
        + (f": {', '.join(found)}." if found else ".")
    )


def surrogate(values: Values, tasks: Sequence[Task], budgets: Sequence[int]) -> str:
    """Return the surrogate's mean value beside that of the best plain search, and the winner."""
    budgets = [budget for budget in budgets if budget <= FEW]
    texts, pairs = {}, {}
    for task in tasks:
        for budget in budgets:
            samples = values.get((task.name, budget), {})
            means = {name: float(np.mean(samples[name])) for name in PLAIN if samples.get(name)}
            if AUTO in samples and means:
                best = min(means, key=means.__getitem__)
                texts[task.name, budget] = f"{np.mean(samples[AUTO]):.4g} / {means[best]:.4g}"
                pairs[task.name, budget] = samples[AUTO], samples[best]
    behind = significantly_worse(list(pairs.values()))
    ahead = significantly_worse([(second, first) for first, second in pairs.values()])
    for cell, worse, better in zip(pairs, behind, ahead, strict=True):
        texts[cell] += " worse" if worse else " better" if better else ""
    shown = [budget for budget in budgets if any(k == budget for _, k in texts)]
    lines = [[task.name, *(texts.get((task.name, k), "") for k in shown)] for task in tasks]
    text = table(["surrogate / best plain search", *(f"{budget:,}" for budget in shown)], lines)
    sizes = sorted({len(sample) for pair in pairs.values() for sample in pair})
    runs = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}" if sizes else "0"
    alone = [
        np.mean(first) < np.mean(second)
        for first, second in pairs.values()
        if mann_whitney(first, second) < LEVEL
    ]
    smaller = sum(np.mean(first) < np.mean(second) for first, second in pairs.values())
    return (
        f"{text}\n\nOf {len(pairs)} cells, with {runs} runs in each, the surrogate has the better "
        f"mean in {smaller}; it is significantly better in {sum(ahead)} and significantly worse in "
        f"{sum(behind)}. Without the correction for {len(pairs)} tests it is better in "
        f"{sum(alone)}, worse in {len(alone) - sum(alone)}."
    )


def seconds(rows: Iterable[Row], budgets: Sequence[int]) -> str:
    """Return milliseconds that a search spends on a call: the median over instances and runs."""
    times: dict[tuple[str, int], list[float]] = defaultdict(list)
    for row in rows:
        if row.milliseconds is not None:
            times[row.method, row.budget].append(row.milliseconds)
    lines = []
    for name in METHODS:
        medians = [times.get((name, budget)) for budget in budgets]
        if any(medians):
            lines.append(
                [name, *(number(float(np.median(values))) if values else "" for values in medians)]
            )
    return table(["milliseconds per call", *(f"{budget:,}" for budget in budgets)], lines)


def releases(rows: Iterable[Row]) -> str:
    """Return the packages with their versions."""
    return ", ".join(sorted({row.release for row in rows if row.release}, key=str.lower)) + "."
