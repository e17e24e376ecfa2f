"""Made-up evidence at the paper's shape, for the tests of statements."""

from functools import cache

import numpy as np

from catcube.statistics import (
    Pair,
    fixed_target_ranks,
    log_grid,
    rank_summaries,
    runtime_tables,
    table,
    value_tables,
)
from catcube.studies.analysis.model import Conditions, FixedBudget, FixedTarget
from catcube.studies.paper.boards import outline
from catcube.studies.paper.levels import Levels
from catcube.studies.paper.statements import ALGORITHMS

PAIRS = [
    Pair(name, representation) for name in ALGORITHMS for representation in ("linear", "direct")
]
PUZZLES = [f"sudoku-{number}" for number in range(8)] + ["sudoku-easy-56", "sudoku-intermediate-54"]
BOARDS = [f"small-dimension-{r}-{letter}" for r in range(1, 11) for letter in "abcd"]


def conditions(name, instances, runs, budget=1_000_000):
    return Conditions(
        experiment=name,
        instances=tuple(instances),
        pairs=tuple(PAIRS),
        budget=budget,
        target=None,
        runs=runs,
        seed=1,
        done=0,
        total=0,
        failed=0,
        evaluations=0,
        seconds=0.0,
        began=None,
        finished=None,
        missing=(),
        sessions=(),
    )


def budget_section(samples):
    tables = value_tables(samples)
    over_all = table(rank_summaries(tables.values()))
    shared = conditions("fixed-budget", samples, 20)
    return FixedBudget(shared, tables, {"all": over_all}, {}, [], None, samples)


def target_section(samples):
    known = outline("fixed-target", list(samples), 0.0)
    groups = {"all": list(samples)} | {
        name: group.instances for name, group in known.groups.items()
    }
    over_groups = {
        name: fixed_target_ranks({one: samples[one] for one in instances})
        for name, instances in groups.items()
    }
    return FixedTarget(
        conditions("fixed-target", samples, 100),
        runtime_tables(samples),
        over_groups,
        {},
        {},
        [],
        None,
        samples,
        known.groups,
        known.sizes,
        known.size,
    )


def values(advantage=9, instances=PUZZLES, runs=20):
    """Algorithm by algorithm ten worse; linear is better by the advantage, MIMIC's is not."""
    draw = np.random.default_rng(3)
    return {
        instance: {
            pair: 10.0 * (1 + ["sa", *ALGORITHMS].index(pair.algorithm))
            + (advantage if (pair.representation == "direct") != (pair[0] == "mimic") else 0)
            + draw.poisson(6, runs)
            for pair in PAIRS
        }
        for instance in instances
    }


@cache
def runtimes(without=("ga",), advantage=3.0):
    """RLS first; linear is faster by the advantage, but not with the algorithms `without`."""
    draw = np.random.default_rng(5)
    samples = {}
    for instance in BOARDS:
        samples[instance] = {}
        for index, pair in enumerate(PAIRS):
            slow = (pair.representation == "direct") != (pair.algorithm in without)
            scale = 50 * (1 + index // 2) * (advantage if slow else 1)
            samples[instance][pair] = 1 + np.rint(draw.gamma(9, scale / 9, 100))
    return samples


def with_failures(samples, failures):
    """The first runs of some pairs fail, so many on each of the boards with such numbers."""
    found = {instance: dict(pairs) for instance, pairs in samples.items()}
    for (name, representation, erased), count in failures.items():
        for letter in "abcd":
            board = f"small-dimension-{erased}-{letter}"
            sample = found[board][Pair(name, representation)].copy()
            sample[:count] = np.inf
            found[board][Pair(name, representation)] = sample
    return found


def levels(curves, spread=0.03):
    """Levels of runs around given curves: by pair, corners as (evaluations, level)."""
    draw = np.random.default_rng(7)
    grid = log_grid(10**7, 60)
    found = {}
    for pair, corners in curves.items():
        at, level = zip(*corners, strict=True)
        curve = np.interp(np.log(grid), np.log(at), level)
        shifts = draw.normal(0, spread, (10, 20, 1))
        grown = np.minimum(1, np.log10(grid) / 3)  # runs begin alike
        found[pair] = np.maximum.accumulate(np.clip(curve + shifts * grown, 0, 1), axis=2)
    return Levels(grid, found)
