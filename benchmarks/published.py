"""Published results beside ours at the same number of calls: python -m benchmarks.published.

    python -m benchmarks.published --seeds 15 --write docs/surrogate.md

The figures of others are in `PUBLISHED`, with their sources. Values of ours are kept in
benchmarks/data/published.csv; the same command makes only what is missing there.
"""

import argparse
import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.families.judged import ackley
from benchmarks.families.task import Task, compiled_task
from benchmarks.page import replaced, table
from benchmarks.peers.objective import BudgetError, Objective
from benchmarks.peers.results import Row, append, read
from catcube import minimize
from catcube.problems import Ehrlich, Pest

SETTING, FIRST = "catcube surrogate", "points to begin with"

Points = NDArray[np.int64]


class Case(NamedTuple):
    """A problem: how to make it, points with values known before the first call, and calls."""

    name: str
    make: Callable[[int], tuple[Task, Points]]
    calls: tuple[int, ...]
    known: bool = False  # the initial points cost no call
    maximised: bool = False


def ehrlich(length: int, states: int, motifs: int, elements: int, count: int) -> Any:
    """Return the maker of a case: another function in each run, and points to begin with.

    They are drawn as by the package holo-bench of Stanton et al. (arXiv:2407.00236): from a Markov
    chain whose transition probabilities are a softmax of normal numbers of deviation 2, but for
    those outside a band that wraps around, its rows shuffled; repeats are always possible. Five
    letters are all within the band: nothing is banned.
    """

    def make(seed: int) -> tuple[Task, Points]:
        random = np.random.default_rng(seed)
        width = int(0.4 * states)
        chances = np.exp(2 * random.normal(size=(states, states)))
        apart = (np.arange(states)[:, None] - np.arange(states)) % states
        band = np.minimum(apart, states - apart) <= width
        allowed = random.permutation(band) | np.eye(states, dtype=bool)
        chances = np.where(allowed, chances, 0.0)
        chances /= chances.sum(axis=1, keepdims=True)
        stationary = np.linalg.matrix_power(chances, 1000)[0]

        def walk(steps: int) -> list[int]:
            found = [random.choice(states, p=stationary)]
            while len(found) < steps:
                found.append(random.choice(states, p=chances[found[-1]]))
            return found

        chain = np.reshape(walk(motifs * elements), (motifs, elements))
        slack = length // motifs - elements
        weights = random.random((motifs, elements - 1))
        gaps = 1 + np.floor(slack * weights / weights.sum(axis=1, keepdims=True)).astype(int)
        offsets = np.concatenate([np.zeros((motifs, 1), int), gaps.cumsum(axis=1)], axis=1)
        problem = Ehrlich.of(length, ~allowed, chain.tolist(), offsets.tolist())
        exact = compiled_task("", "", problem).function
        points = np.array([walk(length) for _ in range(count)])
        sizes = np.full(length, states)
        return Task("", "", sizes, lambda x: math.inf if exact(x) > 1 else exact(x)), points

    return make


def pest(seed: int) -> tuple[Task, Points]:
    """25 stages, as MCBO and Bounce have it."""
    return compiled_task("pest", "pest", Pest()), np.zeros((0, 25), np.int64)


def grid(seed: int) -> tuple[Task, Points]:
    """Return the function of Ackley on 20 variables of 11 values."""
    return ackley(20, 11), np.zeros((0, 20), np.int64)


def shuffled(seed: int) -> tuple[Task, Points]:
    """Return the same with the categories of each variable in random order, as names would be."""
    orders = np.random.default_rng(seed).permuted(np.tile(np.arange(11), (20, 1)), axis=1)
    task, rows = ackley(20, 11), np.arange(20)
    return Task("", "", task.cardinalities, lambda x: task(orders[rows, x])), np.zeros((0, 20), int)


PEST = "pest control, 25 stages of 5 choices"

CASES = (
    Case(PEST, pest, (80, 100, 200, 320)),
    Case("Ackley, 20 variables of 11 values", grid, (100, 200)),
    Case("Ackley, its values in random order", shuffled, (100, 200)),
    Case(
        "Ehrlich, 25 sites of 5 letters, a motif of 25",
        ehrlich(25, 5, 1, 25, 10),
        (310,),
        False,
        True,
    ),
    Case(
        "Ehrlich, 15 sites of 20 letters, 2 motifs of 5",
        ehrlich(15, 20, 2, 5, 10),
        (310,),
        False,
        True,
    ),
    Case(
        "Ehrlich, 64 sites of 20 letters, 4 motifs of 10",
        ehrlich(64, 20, 4, 10, 1000),
        (300,),
        True,
        True,
    ),
)


class Published(NamedTuple):
    """Figures of others, the best first: means, or medians."""

    values: dict[str, float]
    medians: bool = False


PUBLISHED = {
    (PEST, 80): Published(
        {
            "Optuna GP": 13.49,
            "SMAC": 14.93,
            "Optuna TPE": 15.47,
            "hyperopt TPE": 15.64,
            "scikit-optimize GP": 16.0,
            "random search": 16.25,
        },
        medians=True,
    ),
    ("Ehrlich, 25 sites of 5 letters, a motif of 25", 310): Published(
        {
            "Bounce": 1.0,
            "directed evolution": 0.968,
            "vanilla BO": 0.928,
            "Turbo": 0.896,
            "ProbRep": 0.896,
            "CMA-ES": 0.816,
            "SAASBO": 0.792,
            "genetic algorithm": 0.712,
        }
    ),
    ("Ehrlich, 15 sites of 20 letters, 2 motifs of 5", 310): Published(
        {
            "Turbo": 0.48,
            "RandomLineBO": 0.472,
            "directed evolution": 0.448,
            "Bounce": 0.416,
            "BAxUS": 0.4,
            "hill climbing": 0.392,
            "genetic algorithm": 0.336,
            "ProbRep": 0.328,
        }
    ),
    ("Ehrlich, 64 sites of 20 letters, 4 motifs of 10", 300): Published(
        {
            "Turbo": 0.124,
            "directed evolution": 0.114,
            "hill climbing": 0.089,
            "genetic algorithm": 0.083,
            "vanilla BO": 0.079,
            "Bounce": 0.076,
            "ProbRep": 0.076,
        }
    ),
}
"""Figures by problem and calls.

Ehrlich functions: the hdbo benchmark (González-Duque et al., arXiv:2406.04739), in
csv/table_ehrlich.csv of MachineLearningLifeScience/hdbo_benchmark on GitHub, commit 2bc0230.
Pest control: 25 runs each, not reviewed, in article_bo_machinery/research/headline_uplift/
exph1_matrix/h1_agg.md of AdrianTJ/BayesianOptim_BASS on GitHub, commit 01bc330. Its median of Ax,
14.08, is left out: it is the value of the point with the middle choice everywhere.
"""


def made(case: Case, seed: int) -> list[Row]:
    """Make a run."""
    task, points = case.make(seed + 1)
    objective = Objective(task, case.calls[-1])
    arguments: dict[str, Any] = {}
    budget = case.calls[-1]
    if len(points):
        arguments["x0"] = [task.space.decode(point) for point in points]
    if case.known:
        arguments["y0"] = [task(point) for point in points]
        budget += len(points)
    with suppress(BudgetError):
        minimize(
            lambda rows: [objective(row) for row in rows],
            task.space,
            algorithm="surrogate",
            budget=budget,
            seed=seed + 1,
            vectorized=True,
            target=0.0 if case.maximised else None,
            **arguments,
        )
    rows = []
    for calls in case.calls:
        within = min(calls, len(objective.bests))
        value, seconds = objective.best_after(within) if within else (None, 0.0)
        rows.append(Row(SETTING, case.name, calls, seed, value, 1000 * seconds, ""))
    first = [task(point) for point in points]
    if case.known:  # they cost no call
        rows = [
            row._replace(value=min([*first, *([] if row.value is None else [row.value])]))
            for row in rows
        ]
    if first:
        rows.append(Row(FIRST, case.name, len(first), seed, min(first), 0.0, ""))
    return rows


def make(path: Path, seeds: int, only: str) -> None:
    """Make the runs that the file lacks, a few of everything first."""
    known = {row.key for row in read(path)}
    for seed in range(seeds):
        for case in CASES:
            if only in case.name and (SETTING, case.name, case.calls[-1], seed) not in known:
                append(path, made(case, seed))


def tables(rows: Iterable[Row]) -> str:
    """Return one line per problem and number of calls: ours, then what is published."""
    values: dict[tuple[str, str, int], list[float]] = {}
    for row in rows:
        if row.value is not None:
            values.setdefault((row.method, row.task, row.budget), []).append(row.value)
    lines = []
    for case in CASES:
        for calls in case.calls:
            found = np.array(values.get((SETTING, case.name, calls), [np.nan]))
            first = [
                v for (method, task, _), v in values.items() if (method, task) == (FIRST, case.name)
            ]
            published = PUBLISHED.get((case.name, calls), Published({}))
            others = ", ".join(f"{name} {v:g}" for name, v in published.values.items())
            if case.maximised:
                found, first = 1 - found, [1 - value for run in first for value in run]
            ours = f"{found.mean():.3f} ± {found.std():.3f}"
            if published.medians:
                ours, others = f"median {np.median(found):.3f}", f"medians: {others}"
            begun = f"{np.mean(first):.3f}" if first else ""
            lines.append(
                [case.name, f"{calls}", ours, begun, f"{found.size}", others or "none found"]
            )
    heads = ["problem", "calls", "surrogate", "initial points", "runs", "published"]
    return table(heads, lines)


def main() -> None:
    """Make what is missing, and write the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.published", description=__doc__)
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--file", type=Path, default=Path("benchmarks/data/published.csv"))
    parser.add_argument("--only", default="", help="problems whose names have this text")
    parser.add_argument("--only-tables", action="store_true", help="make no runs")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    arguments = parser.parse_args()
    if not arguments.only_tables:
        make(arguments.file, arguments.seeds, arguments.only)
    text = tables(read(arguments.file))
    print(text)
    if arguments.write is not None:
        page = arguments.write.read_text(encoding="utf-8")
        arguments.write.write_text(replaced(page, "published", text), encoding="utf-8")


if __name__ == "__main__":
    main()
