"""Make the runs of the study, and keep their values in a file that later runs add to."""

import csv
import time
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks.defaults.problems import made
from benchmarks.defaults.settings import MOST, SETTINGS
from catcube import minimize
from catcube.base.seeds import derived_seed


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
    problem = made(cell.instance)
    for seed in cell.seeds:
        own = derived_seed(seed, cell.instance, cell.budget)  # the same for all settings
        began = time.perf_counter()
        result = minimize(problem, budget=cell.budget, seed=own, **SETTINGS[cell.setting])
        found.append((seed, result.fun, time.perf_counter() - began))
    return found


def missing(
    path: Path, settings: Iterable[str], instances: Iterable[str], budget: int, seeds: int
) -> list[Cell]:
    """Return the cells that the file lacks."""
    known = read(path)
    cells = []
    for instance in instances:
        for setting in settings:
            had = len(known.get((instance, budget), {}).get(setting, []))
            if had < seeds and budget <= MOST.get(setting, budget):
                cells.append(Cell(setting, instance, budget, tuple(range(had, seeds))))
    return cells


def make(path: Path, cells: list[Cell], jobs: int) -> None:
    """Make the runs of these cells; each is written as soon as it is done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    with path.open("a", newline="") as file, ProcessPoolExecutor(jobs, get_context("spawn")) as own:
        writer = csv.writer(file)
        if new:
            writer.writerow(HEAD)
        futures = {own.submit(run_cell, cell): cell for cell in cells}
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
