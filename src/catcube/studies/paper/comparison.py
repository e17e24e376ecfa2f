"""Our tables beside the published ones: which figures differ by more than chance?

Of the published experiments only summaries are known, and most of their instances are not ours. So
our experiment is repeated, in the bootstrap: two repetitions differ by chance alone. The
p-value of the difference between a published figure and ours is the share of all couples of
repetitions whose figures differ at least as much; Holm's correction is over all figures of a table.

A repetition has as many runs as the experiment. It draws again

- for a table of ranks, the instances (small boards among those with as many erased cells), then
  the runs on each of them; then it ranks as the tables do;
- for the values on one puzzle, which is of the published one's difficulty and size, the runs;
- for the runtimes on one small board, which is not the published one, on which of our boards with
  as many erased cells it is, then the runs; the successful ones count.

The smallest and the largest of values and runtimes are compared by counting runs beyond the
published one, since no repetition goes beyond what was seen. Success rates are compared by
Fisher's test.

Nothing is tested, and the tables are side by side only, unless the experiment was made at the
paper's scale.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.statistics import QUARTERS, Pair, Summary, Table, by_pair, holm, quantiles
from catcube.studies.analysis.model import FixedBudget, FixedTarget, Samples
from catcube.studies.analysis.reference import Beside
from catcube.studies.paper.chance import extreme_chance, repetition_chance, success_chance
from catcube.studies.paper.published import published
from catcube.studies.paper.repetition import repeated_ranks, repeated_summaries

Tests = Mapping[Pair, Mapping[str, float]]
"""Of each pair, the p-value of each figure that is tested."""

SHOWN = "sudoku-easy-56"
"""The instance whose values are published."""
BOARDS = {
    "fixed-target-runtimes-3-a": "small-dimension-3-a",
    "fixed-target-runtimes-8-a": "small-dimension-8-a",
}
"""Our boards instead of those whose runtimes are published."""


def compared_values(section: FixedBudget, tested: bool) -> dict[str, list[Beside]]:
    """Put the tables of values and ranks beside the published ones.

    They are `tested` if the experiment was made at the paper's scale.
    """
    size = section.conditions.runs
    found = {}
    tests: Tests = {}
    if section.ranks:
        name = "fixed-budget-ranks"
        theirs = published(name)
        if tested:
            instances = list(section.samples.values())
            ranks = repeated_ranks(instances, [""] * len(instances), size, _draw(name))
            tests = _rank_tests(ranks, list(instances[0]), section.ranks["all"], theirs)
        found[name] = beside(section.ranks["all"], theirs, tests)
    if SHOWN in section.values:
        name = "fixed-budget-values-easy-56"
        ours, theirs = section.values[SHOWN], published(name)
        if tested:
            boards = {pair: [sample] for pair, sample in section.samples[SHOWN].items()}
            tests = _sample_tests(boards, ours, theirs, size, _draw(name))
        found[name] = beside(ours, theirs, tests)
    return found


def compared_runtimes(section: FixedTarget, tested: bool) -> dict[str, list[Beside]]:
    """Put the tables of runtimes and ranks beside the published ones.

    They are `tested` if the experiment was made at the paper's scale.
    """
    if not section.sizes:
        return {}
    size, samples = section.conditions.runs, section.samples
    found = {}
    cells = [section.sizes[instance] for instance in samples]
    if tested:  # a repetition of all instances has those of each group
        ranks = repeated_ranks(list(samples.values()), cells, size, _draw("fixed-target-ranks"))
    for group, ours in section.ranks.items():
        name = f"fixed-target-ranks-{group}"
        theirs = published(name)
        tests: Tests = {}
        if tested:
            instances = (
                section.groups[group].instances if group in section.groups else list(samples)
            )
            selected = np.isin(list(samples), instances)
            pairs = list(samples[instances[0]])
            tests = _rank_tests(ranks[:, selected], pairs, ours, theirs)
            tests = _with_success(tests, samples, instances, theirs, size)
        found[name] = beside(ours, theirs, tests)
    for name, instance in BOARDS.items():
        if instance in section.runtimes:
            ours, theirs = section.runtimes[instance], published(name)
            tests = {}
            if tested:
                tests = _board_tests(section, instance, ours, theirs, size, _draw(name))
            found[name] = beside(ours, theirs, tests)
    return found


def _board_tests(
    section: FixedTarget,
    instance: str,
    ours: Table,
    theirs: Table,
    size: int,
    draw: np.random.Generator,
) -> Tests:
    boards = {
        pair: [
            pairs[pair]
            for other, pairs in section.samples.items()
            if section.sizes[other] == section.sizes[instance] and pair in pairs
        ]
        for pair in section.samples[instance]
    }
    tests = _sample_tests(boards, ours, theirs, size, draw)
    return _with_success(tests, section.samples, [instance], theirs, size)


def beside(ours: Table, theirs: Table, tests: Tests) -> list[Beside]:
    """Put two tables side by side: in our order, then the pairs that we lack."""
    our_lines, their_lines = by_pair(ours), by_pair(theirs)
    names = [(pair, figure) for pair, figures in tests.items() for figure in figures]
    adjusted: dict[Pair, dict[str, float]] = {}
    for (pair, figure), p in zip(
        names, holm([tests[pair][figure] for pair, figure in names]), strict=True
    ):
        adjusted.setdefault(pair, {})[figure] = p
    return [
        Beside(pair, our_lines.get(pair), their_lines.get(pair), adjusted.get(pair, {}))
        for pair in our_lines | their_lines
    ]


def _sample_tests(
    boards: Mapping[Pair, list[NDArray[np.float64]]],
    ours: Table,
    theirs: Table,
    size: int,
    draw: np.random.Generator,
) -> Tests:
    """Test the figures of values or runtimes; the boards are those that could be the published."""
    our_lines, their_lines = by_pair(ours), by_pair(theirs)
    tests = {}
    for pair, samples in boards.items():
        if pair not in their_lines:
            continue
        repeated = dict(zip(Summary._fields, repeated_summaries(samples, size, draw), strict=True))
        found, known = our_lines[pair].summary._asdict(), their_lines[pair].summary
        tests[pair] = {
            "min": extreme_chance(samples, size, known.min),
            **{
                name: repetition_chance(repeated[name], found[name], getattr(known, name))
                for name in ("q1", "median", "q3")
            },
            "max": extreme_chance([-sample for sample in samples], size, -known.max),
        }
    return tests


def _rank_tests(
    ranks: NDArray[np.int64], pairs: Sequence[Pair], ours: Table, theirs: Table
) -> Tests:
    """Test the figures of ranks; those repeated have dimensions repetition, instance, pair."""
    our_lines, their_lines = by_pair(ours), by_pair(theirs)
    repeated = quantiles(np.moveaxis(ranks, 1, -1), QUARTERS)  # figure, repetition, pair
    return {
        pair: {
            name: repetition_chance(
                repeated[figure, :, index],
                getattr(our_lines[pair].summary, name),
                getattr(their_lines[pair].summary, name),
            )
            for figure, name in enumerate(Summary._fields)
        }
        for index, pair in enumerate(pairs)
    }


def _with_success(
    tests: Tests, samples: Samples, instances: Sequence[str], theirs: Table, size: int
) -> Tests:
    """Add the tests of success; `size` runs on each instance were made for the paper."""
    percents = {line.pair: line.success_percent for line in theirs}
    found = {}
    for pair, figures in tests.items():
        runs = np.concatenate([samples[instance][pair] for instance in instances])
        reached = int(np.isfinite(runs).sum())
        p = success_chance(reached, runs.size, percents[pair] or 0, size * len(instances))
        found[pair] = {**figures, "success": p}
    return found


def _draw(name: str) -> np.random.Generator:
    """Make a source of randomness for each table, so that one does not depend on another."""
    return np.random.default_rng(list(name.encode()))
