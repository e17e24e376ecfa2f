"""Ranks and comparisons of the settings."""

from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.defaults.problems import family_of
from benchmarks.defaults.runs import Values
from benchmarks.defaults.settings import AUTO, PLAIN
from benchmarks.markdown import table
from catcube.statistics import holm, mann_whitney


def mean_ranks(values: Values, instances: Sequence[str], budget: int) -> dict[str, float]:
    """Return the mean rank of each setting: by mean value, over instances, then over families."""
    by_family: dict[str, dict[str, list[float]]] = {}
    for instance in instances:
        own = values.get((instance, budget), {})
        means = {setting: float(np.mean(sample)) for setting, sample in own.items()}
        for setting, rank in ranked(means).items():
            by_family.setdefault(setting, {}).setdefault(family_of(instance), []).append(rank)
    return {
        setting: float(np.mean([np.mean(ranks) for ranks in families.values()]))
        for setting, families in by_family.items()
    }


def ranked(means: dict[str, float]) -> dict[str, float]:
    """Return ranks from 1 on; equal values share the mean of theirs.

    >>> ranked({"a": 2.0, "b": 1.0, "c": 2.0})
    {'a': 2.5, 'b': 1.0, 'c': 2.5}
    """
    return {
        name: 0.5 * (sum(other < mean for other in means.values()) + 1)
        + 0.5 * sum(other <= mean for other in means.values())
        for name, mean in means.items()
    }


def worse_than_plain(
    values: Values, instances: Sequence[str], budgets: Iterable[int], level: float = 0.05
) -> list[tuple[str, int, str, float]]:
    """Return where the default is significantly worse than the best plain native search.

    Two-sided Mann–Whitney tests, corrected by Holm over all cells.
    """
    cells = []
    for budget in budgets:
        for instance in instances:
            own = values.get((instance, budget), {})
            plain = {name: own[name] for name in PLAIN if name in own}
            if AUTO in own and plain:
                best = min(plain, key=lambda name: float(np.mean(plain[name])))
                p = mann_whitney(own[AUTO], plain[best])
                worse = bool(np.mean(own[AUTO]) > np.mean(plain[best]))
                cells.append((instance, budget, best, worse, p))
    adjusted = holm([cell[-1] for cell in cells]) if cells else []
    return [
        (instance, budget, best, p)
        for (instance, budget, best, worse, _), p in zip(cells, adjusted, strict=True)
        if worse and p < level
    ]


def rank_table(values: Values, instances: Sequence[str], budgets: Sequence[int]) -> str:
    """Return a table of mean ranks, one row per setting, one column per budget."""
    columns = {budget: mean_ranks(values, instances, budget) for budget in budgets}
    columns = {budget: ranks for budget, ranks in columns.items() if ranks}
    names = sorted(
        {name for ranks in columns.values() for name in ranks},
        key=lambda name: float(np.mean([own[name] for own in columns.values() if name in own])),
    )
    rows = []
    for name in names:
        cells = []
        for ranks in columns.values():
            text = f"{ranks[name]:.1f}" if name in ranks else ""
            cells.append(f"**{text}**" if text and ranks[name] == min(ranks.values()) else text)
        rows.append([name, *cells])
    return table(["setting", *(f"{budget:,}" for budget in columns)], rows)
