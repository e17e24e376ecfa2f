"""Ranks and comparisons of the settings."""

from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.defaults.runs import Values
from benchmarks.defaults.settings import AUTO, PLAIN
from benchmarks.families.task import Task
from benchmarks.ranks import mean_ranks, ranks_table, significantly_worse


def rank_table(values: Values, tasks: Sequence[Task], budgets: Sequence[int]) -> str:
    """Return a table of mean ranks, one row per setting, one column per budget."""
    families = {task.name: task.family for task in tasks}
    columns = {}
    for budget in budgets:
        cells = {task.name: values.get((task.name, budget), {}) for task in tasks}
        columns[budget] = mean_ranks({name: cell for name, cell in cells.items() if cell}, families)
    return ranks_table(columns, "setting")


def worse_than_plain(
    values: Values, tasks: Sequence[Task], budgets: Iterable[int]
) -> list[tuple[str, int, str]]:
    """Return where the default is significantly worse than the best plain native search."""
    cells, pairs = [], []
    for budget in budgets:
        for task in tasks:
            samples = values.get((task.name, budget), {})
            plain = {name: samples[name] for name in PLAIN if name in samples}
            if AUTO in samples and plain:
                best = min(plain, key=lambda name: float(np.mean(plain[name])))
                cells.append((task.name, budget, best))
                pairs.append((samples[AUTO], plain[best]))
    return [cell for cell, worse in zip(cells, significantly_worse(pairs), strict=True) if worse]


def counts(values: Values, tasks: Sequence[Task]) -> str:
    """Return how many runs there are for each budget."""
    names = {task.name for task in tasks}
    runs: dict[int, set[int]] = {}
    for (instance, budget), samples in values.items():
        if instance in names:
            runs.setdefault(budget, set()).update(len(sample) for sample in samples.values())
    return "; ".join(
        f"{min(found)} to {max(found)} with {budget:,}"
        if len(found) > 1
        else f"{min(found)} with {budget:,}"
        for budget, found in sorted(runs.items())
    )
