"""Make the runs of the study, and keep their values in a file that later runs add to."""

import csv
import time
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks.defaults.settings import MOST, SETTINGS
from benchmarks.families.parts import task_named
from benchmarks.families.task import Task
from catcube import minimize
from catcube.base.seeds import derive_seed


class Cell(NamedTuple):
    """Runs of one setting on one instance with one budget, one for each seed."""

    setting: str
    instance: str
    budget: int
    seeds: tuple[int, ...]


HEAD = ("setting", "instance", "budget", "seed", "value", "seconds")
Values = dict[tuple[str, int], dict[str, list[float]]]
"""By instance and budget, then by setting: the value of each seed, in their order."""


def run_cell(cell: Cell) -> list[tuple[int, float, float]]:
    """Return seed, value and seconds of each run."""
    found = []
    task = task_named(cell.instance)
    arguments = SETTINGS[cell.setting]
    for seed in cell.seeds:
        same = derive_seed(seed, cell.instance, cell.budget)  # for all settings
        began = time.perf_counter()
        result = minimize(**task.arguments(same), budget=cell.budget, seed=same, **arguments)
        found.append((seed, task.judge(result), time.perf_counter() - began))
    return found


def missing(
    path: Path, settings: Iterable[str], tasks: Iterable[Task], budget: int, seeds: int
) -> list[Cell]:
    """Return the cells that the file lacks."""
    known = read(path)
    cells = []
    for task in tasks:
        for setting in settings:
            had = len(known.get((task.name, budget), {}).get(setting, []))
            most = min(task.most, MOST.get(setting, budget))
            if had < seeds and task.least <= budget <= most:
                cells.append(Cell(setting, task.name, budget, tuple(range(had, seeds))))
    return cells


def make(path: Path, cells: list[Cell], jobs: int) -> None:
    """Make the runs of these cells; each is written as soon as it is done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    with (
        path.open("a", newline="") as file,
        ProcessPoolExecutor(jobs, get_context("spawn")) as pool,
    ):
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(HEAD)
        futures = {pool.submit(run_cell, cell): cell for cell in cells}
        for future in as_completed(futures):
            cell = futures[future]
            for seed, value, seconds in future.result():
                row = cell.setting, cell.instance, cell.budget, seed, repr(value), f"{seconds:.4f}"
                writer.writerow(row)
            file.flush()


def read(path: Path) -> Values:
    """Return the values that a file holds."""
    found: Values = defaultdict(lambda: defaultdict(list))
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                found[row["instance"], int(row["budget"])][row["setting"]].append(
                    float(row["value"])
                )
    return found
