"""Fixed target: how many runs reach a given value, and after how many evaluations."""

import math
import re
from collections.abc import Iterable, Sequence

from catcube.statistics.results import Pair, Result, grouped, runtime_to
from catcube.statistics.summaries import NEVER, summary
from catcube.statistics.tables import Line, rank_summaries, table

GROUPS = {"all": range(1, 11), "low": range(1, 6), "medium": range(6, 11)}
"""How many cells are erased on the small boards of each group."""


def runtime_tables(results: Iterable[Result], target: float = 0.0) -> dict[str, list[Line]]:
    """By instance, the pairs by rate of success, then by the runtimes of their successful runs.

    Runtimes are compared by median, first and third quartile, min, max. With the same number of
    runs for all pairs, the order of rates is the order of the numbers of successes. Pairs without
    any success come last, together.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult("easy", "rls", name, run, value, 10 * run, 100)
    ...     for name, values in {"direct": [0, 2], "linear": [0, 0]}.items()
    ...     for run, value in enumerate(values, start=1)
    ... ]
    >>> for line in runtime_tables(results)["easy"]:
    ...     print(line.place, *line.pair, line.summary.median, line.success_percent)
    1 rls linear 15.0 100
    2 rls direct 10.0 50
    """
    tables = {}
    for instance, pairs in grouped(results).items():
        successful = {pair: _runtimes(runs, target) for pair, runs in pairs.items()}
        tables[instance] = table(
            {pair: summary(own) if own else NEVER for pair, own in successful.items()},
            {pair: (len(own), len(pairs[pair])) for pair, own in successful.items()},
        )
    return tables


def _runtimes(runs: Sequence[Result], target: float) -> list[float]:
    """The runtimes of the successful runs."""
    return [runtime for runtime in map(runtime_to(target), runs) if runtime < math.inf]


def fixed_target_ranks(results: Iterable[Result], target: float = 0.0) -> list[Line]:
    """Over all instances, the pairs by rate of success, then by the summary of their places.

    Every pair must have results on every instance; `complete` leaves out what is under way.

    >>> from catcube.statistics import PlainResult
    >>> results = [
    ...     PlainResult(instance, "rls", name, 1, 0, runtime, runtime)
    ...     for instance in ("1-a", "1-b")
    ...     for name, runtime in {"direct": 30, "linear": 20}.items()
    ... ]
    >>> [(line.place, line.representation) for line in fixed_target_ranks(results)]
    [(1, 'linear'), (2, 'direct')]
    """
    results = list(results)
    counts: dict[Pair, tuple[int, int]] = {}
    for result in results:
        pair = Pair(result.algorithm, result.representation)
        successes, runs = counts.get(pair, (0, 0))
        counts[pair] = successes + (result.value <= target), runs + 1
    return table(rank_summaries(runtime_tables(results, target).values()), counts)


def fixed_target_groups(results: Iterable[Result], target: float = 0.0) -> dict[str, list[Line]]:
    """The tables of ranks over all small boards, those of low and those of medium dimension.

    A board tells its number of erased cells by its name; one without is in no group, and a group
    without results has no table.

    >>> from catcube.statistics import PlainResult
    >>> result = PlainResult("small-dimension-6-b", "rls", "linear", 1, 0, 9, 9)
    >>> list(fixed_target_groups([result]))
    ['all', 'medium']
    """
    results = list(results)
    chosen = {
        group: [result for result in results if erased_cells(result.instance) in numbers]
        for group, numbers in GROUPS.items()
    }
    return {group: fixed_target_ranks(own, target) for group, own in chosen.items() if own}


def erased_cells(instance: str) -> int | None:
    """How many cells were erased, by the name of a small board.

    >>> erased_cells("small-dimension-10-d"), erased_cells("sudoku-easy-56")
    (10, None)
    """
    match = re.fullmatch(r"small-dimension-(\d+)-\w+", instance)
    return int(match[1]) if match else None


def expected_running_time(runs: Iterable[Result], target: float = 0.0) -> float:
    """All evaluations of all runs, by the number of successes; infinite without success.

    It estimates the evaluations needed if a run that fails is followed by another one until one
    succeeds. A successful run counts up to the evaluation that reached the target.

    >>> from catcube.statistics import PlainResult
    >>> found = PlainResult("easy", "rls", "linear", 1, 0, 120, 120)
    >>> missed = PlainResult("easy", "rls", "linear", 2, 2, 80, 1000)
    >>> expected_running_time([found, missed]), expected_running_time([missed])
    (1120.0, inf)
    """
    runs = list(runs)
    runtimes = _runtimes(runs, target)
    if not runtimes:
        return math.inf
    lost = sum(run.evaluations for run in runs if run.value > target)
    return (sum(runtimes) + lost) / len(runtimes)
