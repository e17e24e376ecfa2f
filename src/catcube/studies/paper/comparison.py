"""Compare our tables with the published ones: which values differ by more than chance?

Of the published experiments only summaries are known, and most of their instances are not ours. So
our experiment is repeated, in the bootstrap: two repetitions differ by chance alone. The
p-value of the difference between a published figure and ours is the share of all pairs of
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

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from catcube import statistics as stats
from catcube.base.optional import import_optional
from catcube.statistics import Pair, Summary, Table
from catcube.studies.analysis.model import LEVEL, PublishedRow
from catcube.studies.analysis.sections import FixedBudget, FixedTarget
from catcube.studies.paper.published import published_table

REPETITIONS = 2000

MOVED = 10
"""A pair is said to have moved if its rank in a table differs by at least this."""

CONTRADICTIONS = {
    "fixed-target-ranks-all": [
        "the published success of mimic-direct is 99 % over all boards, though 100 % on the low "
        "and on the medium ones, which are all."
    ]
}
"""Where published tables contradict each other."""

Sample = NDArray[np.float64]

Tests = dict[Pair, dict[str, float]]
"""Of each pair, the p-value of each figure that is tested."""

BOARDS = {
    "fixed-budget-values-easy-56": "sudoku-easy-56",
    "fixed-target-runtimes-3-a": "small-dimension-3-a",
    "fixed-target-runtimes-8-a": "small-dimension-8-a",
}
"""Our boards instead of those whose values and runtimes are published."""


def compare_tables(
    section: FixedBudget | FixedTarget,
    tested: bool,
    known: Callable[[str], Table] = published_table,
) -> dict[str, list[PublishedRow]]:
    """Compare the tables of ranks, and those of single boards, with the published ones.

    They are `tested` if the experiment was made at the paper's scale; `known` returns the published
    table of a name.
    """
    experiment, runs = section.conditions.experiment, section.conditions.runs
    samples, sizes = section.samples, section.outline.sizes
    target = isinstance(section, FixedTarget)
    if target and not sizes:
        return {}
    groups = section.outline.divide(samples)
    found = {}
    if tested and section.ranks:  # a repetition of all instances has those of each group
        kinds = [sizes.get(name, 0) for name in samples]
        draw = _draw(f"{experiment}-ranks")
        ranks = resample_ranks(list(samples.values()), kinds, runs, draw)
    for group, ours in section.ranks.items() if target else [*section.ranks.items()][:1]:
        name = f"{experiment}-ranks-{group}" if target else f"{experiment}-ranks"
        theirs, tests = known(name), {}
        if tested:
            chosen = ranks[:, np.isin(list(samples), groups[group])]
            figures = stats.quantiles(np.moveaxis(chosen, 1, -1), stats.QUARTERS)
            pairs = next(iter(samples.values()))
            repeated = dict(zip(pairs, np.moveaxis(figures, -1, 0), strict=True))
            tests = _tests(repeated, ours, theirs)
            _add_success(tests, section, groups[group], theirs)
        found[name] = align_tables(ours, theirs, tests)
    for name, board in BOARDS.items():
        if not name.startswith(experiment) or board not in section.tables:
            continue
        ours, theirs, tests = section.tables[board], known(name), {}
        if tested:
            size = sizes.get(board, board)
            alike = [found for one, found in samples.items() if sizes.get(one, one) == size]
            boards = {pair: [one[pair] for one in alike if pair in one] for pair in samples[board]}
            tests = board_tests(boards, ours, theirs, runs, _draw(name))
            _add_success(tests, section, [board], theirs)
        found[name] = align_tables(ours, theirs, tests)
    return found


def _tests(repeated: Mapping[Pair, Sample], ours: Table, theirs: Table) -> Tests:
    """Test the figures of tables, of which there are repetitions: by figure, then repetition."""
    both = stats.by_pair(ours), stats.by_pair(theirs)
    return {
        pair: {
            name: repetition_p_value(row, *(getattr(one[pair].summary, name) for one in both))
            for name, row in zip(Summary._fields, rows, strict=True)
        }
        for pair, rows in repeated.items()
    }


def board_tests(
    boards: Mapping[Pair, list[Sample]], ours: Table, theirs: Table, size: int, draw: Generator
) -> Tests:
    """Test the figures of values or runtimes; the boards are those that could be the published."""
    known = stats.by_pair(theirs)
    boards = {pair: samples for pair, samples in boards.items() if pair in known}
    repeated = {pair: resample_summaries(boards[pair], size, draw) for pair in boards}
    tests = _tests(repeated, ours, theirs)
    for pair, figures in tests.items():
        least, most = known[pair].summary.min, known[pair].summary.max
        figures["min"] = extreme_p_value(boards[pair], size, least)
        figures["max"] = extreme_p_value([-sample for sample in boards[pair]], size, -most)
    return tests


def _add_success(
    tests: Tests, section: FixedBudget | FixedTarget, instances: Sequence[str], theirs: Table
) -> None:
    """Add the tests of success; as many runs on each instance were made for the paper."""
    percents = {line.pair: line.success_percent for line in theirs}
    size = section.conditions.runs * len(instances)
    for pair, figures in tests.items() if isinstance(section, FixedTarget) else ():
        runs = np.concatenate([section.samples[instance][pair] for instance in instances])
        reached = int(np.isfinite(runs).sum())
        figures["success"] = success_p_value(reached, runs.size, percents[pair] or 0, size)


def align_tables(ours: Table, theirs: Table, tests: Tests) -> list[PublishedRow]:
    """Put two tables side by side: in our order, then the pairs that we lack."""
    our_lines, their_lines = stats.by_pair(ours), stats.by_pair(theirs)
    adjusted = iter(stats.holm([p for figures in tests.values() for p in figures.values()]))
    corrected = {pair: {name: next(adjusted) for name in tests[pair]} for pair in tests}
    return [
        PublishedRow(pair, our_lines.get(pair), their_lines.get(pair), corrected.get(pair, {}))
        for pair in our_lines | their_lines
    ]


def _draw(name: str) -> Generator:
    """Make a source of randomness for each table, so that one does not depend on another."""
    return np.random.default_rng(list(name.encode()))


def repetition_p_value(repeated: NDArray[np.float64], ours: float, published: float) -> float:
    """Return the fraction of pairs of repetitions that differ at least as much as these values.

    The pair that is tested counts, too, so that the share is never zero. An infinite figure
    (no run succeeds) differs infinitely from all finite ones, and not from another one.

    >>> repetition_p_value(np.array([1.0, 2, 2, 4]), ours=2, published=4)  # 3 of 6 pairs
    0.5714285714285714
    >>> repetition_p_value(np.array([1.0, 2, 2, 4]), ours=2, published=2)
    1.0
    """
    if ours == published:
        return 1.0
    difference = abs(ours - published)
    finite = np.sort(repeated[np.isfinite(repeated)])
    as_far = finite.size * (repeated.size - finite.size)  # of a finite and an infinite one
    if np.isfinite(difference):
        above = finite.size - np.searchsorted(finite, finite + difference, side="left")
        as_far += int(above.sum())
    return (as_far + 1) / (repeated.size * (repeated.size - 1) // 2 + 1)


def extreme_p_value(boards: list[NDArray[np.float64]], size: int, least: float) -> float:
    """Return the probability that all of `size` other runs are at or above `least`, two-sided.

    The bootstrap cannot tell how far extremes vary: it never goes beyond what was seen. So ranks
    are counted: if k of our n runs are below, those k are the smallest of all n + `size` runs.
    That the published minimum is below ours proves nothing: some run is the best of all. For a
    maximum, give the negative values.

    >>> round(extreme_p_value([np.arange(10.0)], 10, least=0), 3), extreme_p_value(
    ...     [np.arange(10.0)], 10, least=5) < 0.05
    (1.0, True)
    """
    chances = []
    for sample in boards:
        runs = sample[np.isfinite(sample)]
        below = np.arange(int((runs < least).sum()))
        chances.append(float(np.prod((runs.size - below) / (runs.size + size - below))))
    return min(1.0, 2 * float(np.mean(chances)))


def success_p_value(successes: int, runs: int, percent: int, published_runs: int) -> float:
    """Return the two-sided p-value of Fisher's test that both success rates are equal.

    Published percents are rounded down; of the numbers of successes that a percent can stand for,
    the one nearest to ours is taken.

    >>> success_p_value(2000, 2000, 100, 2000), success_p_value(1990, 2000, 99, 2000)
    (1.0, 1.0)
    >>> success_p_value(91, 100, 100, 100) < 0.01
    True
    """
    lowest = -(-percent * published_runs // 100)
    highest = min(published_runs, -(-(percent + 1) * published_runs // 100) - 1)
    theirs = min(max(round(successes * published_runs / runs), lowest), highest)
    _, p = stats.compare_success([(successes, runs, theirs, published_runs)])
    return p


def resample_summaries(boards: Sequence[Sample], size: int, draw: Generator) -> Sample:
    """Summarise the successful ones of `size` runs, each time on one of the boards.

    One row for each of minimum, quartiles and maximum, one column for each repetition.

    >>> resample_summaries([np.array([4.0, 4, 4])], 3, np.random.default_rng(1))[:, 0].tolist()
    [4.0, 4.0, 4.0, 4.0, 4.0]
    """
    chosen = draw.integers(len(boards), size=REPETITIONS)
    found, _ = _repeated(boards, chosen, size, draw)
    return found


def resample_ranks(
    instances: Sequence[Mapping[Pair, Sample]], kinds: Sequence[int], size: int, draw: Generator
) -> NDArray[np.int64]:
    """Rank the pairs in the tables of all instances, each time on other instances.

    Each instance is replaced by one of those of its kind, with `size` runs on it. All instances
    have the same pairs in the same order. What is returned has the dimensions repetition,
    instance, pair.
    """
    alike = [np.flatnonzero(np.asarray(kinds) == kind) for kind in kinds]
    drawn = [same[draw.integers(same.size, size=REPETITIONS)] for same in alike]
    chosen, keys = np.stack(drawn, axis=1), []
    for pair in instances[0]:
        boards = [samples[pair] for samples in instances]
        found, successes = _repeated(boards, chosen, size, draw)
        least, q1, median, q3, most = found
        keys.append(np.stack([-successes, median, q1, q3, least, most]))
    return ranks_by_keys(np.stack(keys, axis=-1))


def _repeated(
    boards: Sequence[Sample], chosen: NDArray[np.int64], size: int, draw: Generator
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Summarise the successful runs on each chosen board, and return how many there are."""
    rows = np.sort(np.stack(boards), axis=1)  # those without success come last
    available = np.isfinite(rows).sum(axis=1)
    successes = draw.binomial(size, available[chosen] / rows.shape[1])
    found = stats.resample_quantiles(rows, available, chosen, successes, stats.QUARTERS, draw)
    return found, successes


def ranks_by_keys(keys: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank by several keys: one more than the number of smaller ones, in the last dimension.

    The first dimension is that of the keys, the most important one first.

    >>> ranks_by_keys(np.array([[5, 3, 5, 5], [1, 9, 1, 2]])).tolist()
    [2, 1, 2, 4]
    """
    order = np.lexsort(keys[::-1], axis=-1)
    ordered = np.take_along_axis(keys, order[None], axis=-1)
    later = (ordered[..., 1:] != ordered[..., :-1]).any(axis=0)
    first = np.zeros(order.shape, np.int64)  # where the equal ones before it begin
    first[..., 1:] = np.where(later, np.arange(1, order.shape[-1]), 0)
    ranks = np.empty(order.shape, np.int64)
    np.put_along_axis(ranks, order, np.maximum.accumulate(first, axis=-1) + 1, axis=-1)
    return ranks


def remarks(name: str, rows: Sequence[PublishedRow]) -> list[str]:
    """Describe one-sided medians, different success rates, and pairs whose rank changed much.

    >>> remarks("fixed-budget-ranks", [])
    []
    """
    both = [
        ("-".join(row.pair), row.ours, row.published, row.different)
        for row in rows
        if row.ours and row.published and row.adjusted
    ]
    found = [
        *_medians([(ours.summary.median, theirs.summary.median) for _, ours, theirs, _ in both]),
        *(
            f"{pair} succeeds in {ours.success_percent} % of its runs, published "
            f"{theirs.success_percent} %."
            for pair, ours, theirs, different in both
            if "success" in different
        ),
        *(
            f"{pair} moves from rank {theirs.rank} to {ours.rank}."
            for pair, ours, theirs, _ in both
            if abs(ours.rank - theirs.rank) >= MOVED
        ),
        *CONTRADICTIONS.get(name, ()),
    ]
    return [f"{name}: {sentence}" for sentence in found]


def _medians(both: Sequence[tuple[float, float]]) -> list[str]:
    """Report if more medians are above the published ones than chance allows, by the sign test."""
    above = sum(ours > theirs for ours, theirs in both)
    below = sum(ours < theirs for ours, theirs in both)
    most, side = max((above, "above"), (below, "below"))
    if not most or import_optional("scipy.stats").binomtest(most, above + below).pvalue > LEVEL:
        return []
    number = f"all {most}" if most == len(both) else f"{most} of {len(both)}"
    ratio = float(np.median([ours / theirs for ours, theirs in both if theirs]))
    return [
        f"{number} medians are {side} the published ones, by a factor of {ratio:.2f} in the "
        "middle; our instances are not the paper’s."
    ]
