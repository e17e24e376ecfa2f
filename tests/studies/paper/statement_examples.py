"""Made-up sections at the paper's shape."""

import numpy as np

from catcube.statistics import (
    Pair,
    fixed_target_ranks,
    rank_summaries,
    runtime_tables,
    table,
    value_tables,
)
from catcube.studies.analysis.model import Conditions, FixedBudget, FixedTarget
from catcube.studies.paper.published import ALGORITHMS, outline

PAIRS = [
    Pair(name, representation) for name in ALGORITHMS for representation in ("linear", "direct")
]
PUZZLES = [f"sudoku-{number}" for number in range(8)] + ["sudoku-easy-56", "sudoku-intermediate-54"]


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
    return FixedBudget(shared, tables, {"all": over_all}, {}, [], {}, samples=samples)


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
        *(conditions("fixed-target", samples, 100), runtime_tables(samples), over_groups),
        *({}, {}, [], {}),
        samples=samples,
        groups=known.groups,
        sizes=known.sizes,
        size=known.size,
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
