"""What is systematic in the differences between a published table and ours, said in words."""

from collections.abc import Sequence

import numpy as np

from catcube.statistics import by_pair
from catcube.studies.analysis.reference import LEVEL, Beside
from catcube.studies.paper.published import published
from catcube.studies.paper.significance import rate_above

MOVED = 10
"""A pair is said to have moved if its rank in a table differs by at least so many."""


def remarks(name: str, rows: Sequence[Beside]) -> list[str]:
    """Say which medians lie to one side, which rates differ, and which pairs moved far.

    >>> remarks("fixed-budget-ranks", [])
    []
    """
    found = [*_medians(rows), *_success(rows), *_ranks(rows), *_contradictions(name)]
    return [f"{name}: {sentence}" for sentence in found]


def _medians(rows: Sequence[Beside]) -> list[str]:
    """Say so if more medians are above the published than chance allows, by the sign test."""
    both = [
        (row.ours.summary.median, row.published.summary.median)
        for row in rows
        if row.ours and row.published and row.adjusted
    ]
    above = sum(ours > theirs for ours, theirs in both)
    below = sum(ours < theirs for ours, theirs in both)
    most, side = max((above, "above"), (below, "below"))
    if not most or rate_above(most, above + below, 0.5) > LEVEL:
        return []
    number = f"all {most}" if most == len(both) else f"{most} of {len(both)}"
    ratio = float(np.median([ours / theirs for ours, theirs in both if theirs]))
    return [
        f"{number} medians are {side} the published ones, by a factor of {ratio:.2f} in the "
        "middle; our instances are not the paper’s."
    ]


def _success(rows: Sequence[Beside]) -> list[str]:
    return [
        f"{'-'.join(row.pair)} succeeds in {row.ours.success_percent} % of its runs, published "
        f"{row.published.success_percent} %."
        for row in rows
        if row.ours and row.published and "success" in row.different
    ]


def _ranks(rows: Sequence[Beside]) -> list[str]:
    return [
        f"{'-'.join(row.pair)} moves from rank {row.published.rank} to {row.ours.rank}."
        for row in rows
        if row.ours
        and row.published
        and row.adjusted
        and abs(row.ours.rank - row.published.rank) >= MOVED
    ]


def _contradictions(name: str) -> list[str]:
    """Say which published rate over all boards cannot be, given those of their halves."""
    if name != "fixed-target-ranks-all":
        return []
    low, medium = (by_pair(published(f"fixed-target-ranks-{group}")) for group in ("low", "medium"))
    return [
        f"the published success of {'-'.join(line.pair)} is {line.success_percent} % over all "
        "boards, though 100 % on the low and on the medium ones, which are all."
        for line in published(name)
        if line.success_percent != 100
        and low[line.pair].success_percent == medium[line.pair].success_percent == 100
    ]
