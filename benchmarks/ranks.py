"""Ranks of searches by their mean values, and tests between two of them."""

from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.page import table
from catcube.statistics import holm, mann_whitney

LEVEL = 0.05

Samples = Mapping[str, Sequence[float]]
"""The values of each search on one instance with one budget."""


def ranked(means: Mapping[str, float]) -> dict[str, float]:
    """Return ranks from 1 on; equal values share the mean of theirs.

    >>> ranked({"a": 2.0, "b": 1.0, "c": 2.0})
    {'a': 2.5, 'b': 1.0, 'c': 2.5}
    """
    return {
        name: 0.5 * (sum(other < mean for other in means.values()) + 1)
        + 0.5 * sum(other <= mean for other in means.values())
        for name, mean in means.items()
    }


def mean_ranks(cells: Mapping[str, Samples], families: Mapping[str, str]) -> dict[str, float]:
    """Return mean ranks over instances, then over families, of searches with all instances.

    >>> cells = {"a1": {"x": [1.0], "y": [2.0]}, "b1": {"x": [3.0], "y": [3.0], "z": [0.0]}}
    >>> mean_ranks(cells, {"a1": "a", "b1": "b"})
    {'x': 1.25, 'y': 1.75}
    """
    if not cells:
        return {}
    names = [
        name
        for name in dict.fromkeys(name for samples in cells.values() for name in samples)
        if all(samples.get(name) for samples in cells.values())
    ]
    ranks: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    for instance, samples in cells.items():
        means = {name: float(np.mean(samples[name])) for name in names}
        for name, rank in ranked(means).items():
            ranks[name].setdefault(families[instance], []).append(rank)
    return {
        name: float(np.mean([np.mean(sample) for sample in by_family.values()]))
        for name, by_family in ranks.items()
    }


def ranks_table(columns: dict[int, dict[str, float]], head: str) -> str:
    """Write ranks as a table, the best of each column bold, methods by their mean rank."""
    columns = {budget: ranks for budget, ranks in columns.items() if ranks}
    names = sorted(
        {name for ranks in columns.values() for name in ranks},
        key=lambda name: np.mean(
            [(ranks[name] - 1) / len(ranks) for ranks in columns.values() if name in ranks]
        ),
    )
    lines = []
    for name in names:
        cells = []
        for ranks in columns.values():
            text = f"{ranks[name]:.1f}" if name in ranks else ""
            cells.append(f"**{text}**" if text and ranks[name] == min(ranks.values()) else text)
        lines.append([name, *cells])
    return table([head, *(f"{budget:,}" for budget in columns)], lines)


def significantly_worse(
    cells: Sequence[tuple[Sequence[float], Sequence[float]]],
) -> list[bool]:
    """Return whether the first of two samples is larger: Mann–Whitney tests, corrected by Holm."""
    if not cells:
        return []
    chances = holm([mann_whitney(first, second) for first, second in cells])
    return [
        bool(np.mean(first) > np.mean(second) and chance < LEVEL)
        for (first, second), chance in zip(cells, chances, strict=True)
    ]
