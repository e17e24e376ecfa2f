"""Our tables beside the published ones: which medians differ by more than chance?

Of the published experiments only summaries are known, and most of their instances are not ours. So
our own experiment is repeated, in the bootstrap: two repetitions differ by chance alone. The
p-value of the difference between the published and our median is the share of all couples of
repetitions whose medians differ at least as much; Holm's correction is over the pairs of a table.

A repetition has as many runs as the smaller one of the two experiments. It draws again

- for a table of ranks, the instances (small boards among those with as many erased cells), then
  the runs on each of them; then it ranks as the tables do;
- for the values on one puzzle, which is of the published one's difficulty and size, the runs;
- for the runtimes on one small board, which is not the published one, on which of our boards with
  as many erased cells it is, then the runs; the successful ones count.

Nothing is tested, and the tables are side by side only, where the budget or the target is not the
paper's, and where ranks are among other pairs or leave out a number of erased cells.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.analysis.model import Conditions, Judged
from catcube.analysis.repetition import Sample, repeated_medians, repeated_places
from catcube.paper.published import published
from catcube.statistics import GROUPS, Pair, Table, by_pair, erased_cells, holm

Samples = Mapping[str, Mapping[Pair, Sample]]
Repeated = Mapping[Pair, NDArray[np.float64]]

PAPER = {"fixed-budget": (300_000, None, 20), "fixed-target": (1_000_000, 0.0, 100)}
"""Budget, target and runs of the published experiments."""
SHOWN = "sudoku-easy-56"
"""The instance whose values are published."""
BOARDS = {
    "fixed-target-runtimes-3-a": ("small-dimension-3-a", 3),
    "fixed-target-runtimes-8-a": ("small-dimension-8-a", 8),
}
"""Our boards in the place of those whose runtimes are published, and how many cells are erased."""


def judged_values(
    conditions: Conditions,
    values: Samples,
    tables: Mapping[str, Table],
    ranks: Table,
    complete: Sequence[str],
) -> dict[str, Sequence[Judged]]:
    """Our tables of values and ranks beside the published ones, for the paper's experiment.

    `values` are of pairs with all their runs; `ranks` are those over the `complete` instances.
    """
    if conditions.experiment != "fixed-budget":
        return {}
    size = _size(conditions)
    found: dict[str, Sequence[Judged]] = {}
    if ranks:
        name = "fixed-budget-ranks"
        theirs, repeated = published(name), {}
        if size and _same_pairs(ranks, theirs):
            instances = [values[instance] for instance in complete]
            places = repeated_places(instances, [""] * len(instances), size, _draw(name))
            repeated = _median_places(places, instances)
        found[name] = judged(ranks, theirs, repeated)
    if SHOWN in tables:
        name = "fixed-budget-values-easy-56"
        draw = _draw(name)
        repeated = {}
        if size:
            for pair, sample in values[SHOWN].items():
                repeated[pair] = repeated_medians([sample], size, draw)
        found[name] = judged(tables[SHOWN], published(name), repeated)
    return found


def judged_runtimes(
    conditions: Conditions,
    runtimes: Samples,
    tables: Mapping[str, Table],
    ranks: Mapping[str, Table],
    complete: Sequence[str],
) -> dict[str, Sequence[Judged]]:
    """Our tables of runtimes and ranks beside the published ones, for the paper's experiment.

    `runtimes` are of pairs with all their runs; `ranks` are those over the `complete` instances.
    """
    erased = {instance: erased_cells(instance) for instance in conditions.instances}
    if conditions.experiment != "fixed-target" or None in erased.values():
        return {}
    size = _size(conditions)
    found: dict[str, Sequence[Judged]] = {}
    if ranks:
        cells = [erased[instance] or 0 for instance in complete]
        instances = [runtimes[instance] for instance in complete]
        places = None
        for group, numbers in GROUPS.items():
            name = f"fixed-target-ranks-{group}"
            if group not in ranks:
                continue
            theirs, repeated = published(name), {}
            if size and _same_pairs(ranks[group], theirs) and set(numbers) <= set(cells):
                if places is None:  # a repetition of all instances has those of each group
                    places = repeated_places(instances, cells, size, _draw("fixed-target-ranks"))
                own = np.isin(cells, list(numbers))
                repeated = _median_places(places[:, own], instances)
            found[name] = judged(ranks[group], theirs, repeated)
    for name, (instance, number) in BOARDS.items():
        if instance in tables:
            draw = _draw(name)
            repeated = {}
            if size:
                for pair in runtimes[instance]:
                    boards = [
                        pairs[pair]
                        for other, pairs in runtimes.items()
                        if erased[other] == number and pair in pairs
                    ]
                    repeated[pair] = repeated_medians(boards, size, draw)
            found[name] = judged(tables[instance], published(name), repeated)
    return found


def judged(ours: Table, theirs: Table, repeated: Repeated) -> list[Judged]:
    """Two tables side by side: in our order, then the pairs that we lack.

    The pairs that have `repeated` medians are tested.
    """
    own, other = by_pair(ours), by_pair(theirs)
    tested = [pair for pair in own if pair in other and pair in repeated]
    p_values = [
        chance(repeated[pair], own[pair].summary.median, other[pair].summary.median)
        for pair in tested
    ]
    adjusted = dict(zip(tested, holm(p_values), strict=True))
    return [
        Judged(pair, own.get(pair), other.get(pair), adjusted.get(pair)) for pair in own | other
    ]


def chance(repeated: NDArray[np.float64], ours: float, published: float) -> float:
    """The share of couples of repetitions that differ at least as much as these two medians.

    The couple that is tested counts, too, so that the share is never zero. An infinite median
    (no run succeeds) differs infinitely from all finite ones, and not from another one.

    >>> chance(np.array([1.0, 2, 2, 4]), ours=2, published=4)  # 3 of 6 couples
    0.5714285714285714
    >>> chance(np.array([1.0, 2, 2, 4]), ours=2, published=2)
    1.0
    """
    if ours == published:
        return 1.0
    difference = abs(ours - published)
    finite = np.sort(repeated[np.isfinite(repeated)])
    couples = finite.size * (repeated.size - finite.size)  # of a finite and an infinite one
    if np.isfinite(difference):
        above = finite.size - np.searchsorted(finite, finite + difference, side="left")
        couples += int(above.sum())
    return (couples + 1) / (repeated.size * (repeated.size - 1) // 2 + 1)


def _size(conditions: Conditions) -> int:
    """The runs of a repetition; none if budget or target are others than the paper's."""
    budget, target, runs = PAPER[conditions.experiment]
    same = (conditions.budget, conditions.target) == (budget, target)
    return min(conditions.runs, runs) if same else 0


def _same_pairs(ours: Table, theirs: Table) -> bool:
    return {line.pair for line in ours} == {line.pair for line in theirs}


def _median_places(
    places: NDArray[np.int64], instances: Sequence[Mapping[Pair, Sample]]
) -> dict[Pair, NDArray[np.float64]]:
    return dict(zip(instances[0], np.median(places, axis=1).T, strict=True))


def _draw(name: str) -> np.random.Generator:
    """A source of randomness for each table, so that one does not depend on another."""
    return np.random.default_rng(list(name.encode()))
