"""Run the comparison and print its tables: python -m benchmarks.surrogate --help."""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.surrogate import peers, plain, tables, tuning, validation
from benchmarks.surrogate.ours import setting
from benchmarks.surrogate.problem import Task

BUDGETS = (100, 200, 400, 1000)

METHODS: dict[str, Callable[[Task, int, int], list[float]]] = {
    "surrogate": setting("surrogate", "native"),
    "plain rls": plain.rls,
    "plain (1+1) EA": plain.ea,
    "plain sa": plain.sa,
    **{name: setting(name, "linear") for name in ("rls", "hc", "sa", "ea-1p1", "ea-10p1", "ga")},
    **{name: setting(name, "linear") for name in ("pbil", "mimic", "umda", "ltga", "p3")},
    "optuna tpe": peers.optuna_tpe,
    "nevergrad": peers.nevergrad,
    "catcma": peers.cat_cma,
}

# A search that is told the budget is run once for each; of the others, one run shows all.
TOLD_THE_BUDGET = ("plain sa", "nevergrad")


def main() -> None:
    """Run what is asked for and not yet there, and print the tables."""
    arguments = parser().parse_args()
    families = {"tuning": tuning, "validation": validation}
    tasks = families[arguments.families].tasks()
    chosen = [own for own in tasks if arguments.only is None or own.name in arguments.only]
    for name in arguments.methods:
        for task in chosen:
            path = arguments.folder / arguments.families / f"{name}-{task.name}.json"
            if not path.exists():
                run(name, task, arguments.seeds, arguments.most, path)
    print(tables.text(arguments.folder / arguments.families, BUDGETS))


def run(name: str, task: Task, seeds: int, most: int, path: Path) -> None:
    """Write the best values of a method on a task at all budgets."""
    budgets = [own for own in BUDGETS if own <= most]
    found: dict[int, list[float]] = {own: [] for own in budgets}
    began = time.thread_time()
    for seed in range(seeds):
        if name in TOLD_THE_BUDGET:
            for own in budgets:
                found[own].append(min(METHODS[name](task, own, seed)))
        else:
            best = np.minimum.accumulate(METHODS[name](task, max(budgets), seed))
            for own in budgets:
                found[own].append(float(best[own - 1]))
    seconds = (time.thread_time() - began) / seeds
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"method": name, "task": task.name, "seconds": seconds, "values": found}
    path.write_text(json.dumps(content), encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    made = argparse.ArgumentParser("python -m benchmarks.surrogate", description=__doc__)
    made.add_argument("families", choices=["tuning", "validation"])
    made.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS)
    made.add_argument("--only", nargs="*", metavar="TASK", help="only these tasks")
    made.add_argument("--seeds", type=int, default=15)
    made.add_argument("--most", type=int, default=1000, help="largest budget")
    made.add_argument("--folder", type=Path, default=Path("build/surrogate"))
    return made


if __name__ == "__main__":
    main()
