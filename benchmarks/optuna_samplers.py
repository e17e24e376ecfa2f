"""Compare samplers of Optuna on the held-out families: make what is missing, print ranks.

    python -m benchmarks.optuna_samplers --seeds 10 --write docs/coming-from/optuna.md

Every function is an Optuna objective with categorical parameters, none of them conditional: there
TPE with `multivariate=True, group=True` gives the same trials as the default of Optuna 5.0 (equal
in 165 of 165 cells), so it has no row of its own. The limit of CPU time is one that no run reaches.
Results are kept in benchmarks/data/optuna_samplers.csv; the same command makes only what is
missing there.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import optuna

from benchmarks.families.parts import one_per_family
from benchmarks.families.task import Task
from benchmarks.page import replaced, table
from benchmarks.peers import with_optuna
from benchmarks.peers.objective import BudgetError, Objective
from benchmarks.peers.results import Row, append, read
from benchmarks.ranks import mean_ranks, ranks_table
from catcube.base.seeds import derive_seed
from catcube.integrations.optuna import CatcubeSampler

BUDGETS = (50, 100, 200)


def _sampler(make: Callable[..., Any]) -> Callable[[Objective, int], None]:
    return lambda objective, seed: with_optuna._search(objective, make(seed))


def _catcma(objective: Objective, seed: int) -> None:
    """Run CMA-ES for categories, of the package that Optuna uses for its own CMA-ES."""
    from benchmarks.peers import with_cmaes

    with_cmaes.search(objective, BUDGETS[-1], seed)


SAMPLERS: dict[str, Callable[[Objective, int], None]] = {
    "CatcubeSampler": _sampler(lambda seed: CatcubeSampler(seed=seed)),
    "TPE": _sampler(lambda seed: optuna.samplers.TPESampler(seed=seed)),
    "NSGA-II": _sampler(lambda seed: optuna.samplers.NSGAIISampler(seed=seed)),
    "CatCMA (cmaes)": _catcma,
    "random search": _sampler(lambda seed: optuna.samplers.RandomSampler(seed=seed)),
    "Gaussian process": lambda objective, seed: with_optuna.gaussian_process(objective, 0, seed),
}


def make(name: str, task: Task, number: int, limit: float) -> list[Row]:
    """Make a run of at most `limit` CPU seconds; return the best value at each budget."""
    objective = Objective(task, BUDGETS[-1], limit)
    with suppress(BudgetError):
        SAMPLERS[name](objective, derive_seed(number, task.name) % 2**31)
    rows = []
    for calls in BUDGETS:
        value, seconds = objective.best_after(min(calls, len(objective.bests)))
        rows.append(Row(name, task.name, calls, number, value, 1000 * seconds, ""))
    return rows


def sections(rows: list[Row], tasks: tuple[Task, ...]) -> dict[str, str]:
    """Return the tables of mean ranks, and of milliseconds a trial."""
    families = {task.name: task.family for task in tasks}
    names = [name for name in SAMPLERS if any(row.method == name for row in rows)]
    ranks = {}
    for budget in BUDGETS:
        cells: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for row in rows:
            if row.budget == budget and row.value is not None:
                cells[row.task][row.method].append(row.value)
        ranks[budget] = mean_ranks(cells, families)
    cost = []
    for name in names:
        found = [r.milliseconds for r in rows if (r.method, r.budget) == (name, BUDGETS[-1])]
        seeds = {row.seed for row in rows if row.method == name}
        median = float(np.median([ms for ms in found if ms is not None]))
        cost.append([name, str(len(seeds)), f"{float(f'{median:.2g}'):g}"])
    return {
        "ranks": ranks_table(ranks, "sampler"),
        "cost": table(["sampler", "seeds", "CPU ms a trial"], cost),
    }


def main() -> None:
    """Make the runs that are missing, and write the page."""
    parser = argparse.ArgumentParser("python -m benchmarks.optuna_samplers", description=__doc__)
    parser.add_argument("--samplers", nargs="+", choices=SAMPLERS, default=list(SAMPLERS))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--limit", type=float, default=1_000, help="CPU seconds per run")
    parser.add_argument("--file", type=Path, default=Path("benchmarks/data/optuna_samplers.csv"))
    parser.add_argument("--write", type=Path, metavar="PAGE")
    arguments = parser.parse_args()
    tasks = one_per_family("validation")
    known = {(row.method, row.task, row.seed) for row in read(arguments.file)}
    for number in range(arguments.seeds):
        for task in tasks:
            for name in arguments.samplers:
                if (name, task.name, number) not in known:
                    append(arguments.file, make(name, task, number, arguments.limit))
                    print(name, task.name, number, flush=True)
    found = sections(list(read(arguments.file)), tasks)
    for name, text in found.items():
        print(f"## {name}\n\n{text}\n")
        if arguments.write is not None:
            page = arguments.write.read_text(encoding="utf-8")
            arguments.write.write_text(replaced(page, name, text), encoding="utf-8")


if __name__ == "__main__":
    main()
