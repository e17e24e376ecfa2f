"""Make the runs that a file of results lacks."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from benchmarks.families.parts import task_named
from benchmarks.families.task import Task
from benchmarks.peers.methods import METHODS
from benchmarks.peers.objective import BudgetError, Objective
from benchmarks.peers.results import Row, append, read
from catcube.base.seeds import derive_seed

WARM = 60  # calls after which everything is compiled
compiled: set[tuple[str, int]] = set()


class Work(NamedTuple):
    """A run, and the budgets at which its best value is kept."""

    method: str
    task: str
    seed: int
    budgets: tuple[int, ...]


def planned(
    methods: Iterable[str], tasks: Sequence[Task], budgets: Sequence[int], seeds: int
) -> list[Work]:
    """Return all runs, with the same seeds for every search, one seed after the other."""
    found = []
    for seed in range(seeds):
        for name in methods:
            method = METHODS[name]
            for task in tasks:
                most = min(method.most, task.most)
                within = tuple(budget for budget in sorted(budgets) if budget <= most)
                parts = [tuple(budget for budget in within if budget <= method.shared)]
                parts += [(budget,) for budget in within if budget > method.shared]
                found += [Work(name, task.name, seed, part) for part in parts if part]
    return found


def missing(works: Iterable[Work], path: Path) -> Iterator[Work]:
    """Yield the runs of which the file has not all rows."""
    known = {row.key for row in read(path)}
    for work in works:
        if any((work.method, work.task, k, work.seed) not in known for k in work.budgets):
            yield work


def made(work: Work, limit: float) -> list[Row]:
    """Make a run of at most `limit` CPU seconds; one that needs more counts with what it had."""
    method, budget = METHODS[work.method], work.budgets[-1]
    search = method.search()
    task = task_named(work.task)
    if method.package == "catcube" and (work.method, budget) not in compiled:
        with suppress(BudgetError):
            search(Objective(task, WARM), budget, 0)
        compiled.add((work.method, budget))
    objective = Objective(task, budget, limit)
    seed = derive_seed(work.seed, work.task) % 2**31  # the same for all methods
    with suppress(BudgetError):
        search(objective, budget, seed)
    rows = []
    for calls in work.budgets:
        value, seconds = objective.best_after(min(calls, len(objective.bests)))
        rows.append(
            Row(work.method, work.task, calls, work.seed, value, 1000 * seconds, method.release())
        )
    return rows


def make(works: Iterable[Work], path: Path, limit: float) -> None:
    """Make all missing runs, each written as soon as it is done."""
    for work in list(missing(works, path)):
        rows = made(work, limit)
        append(path, rows)
        print(work.method, work.task, work.seed, rows[-1].value, flush=True)
