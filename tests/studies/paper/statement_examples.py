"""Made-up sections at the paper's shape."""

import numpy as np

from catcube.statistics import Pair
from catcube.studies.analysis.model import Conditions
from catcube.studies.analysis.sections import FixedBudget, FixedTarget
from catcube.studies.paper.published import ALGORITHMS, paper_outline

PAIRS = [
    Pair(name, representation) for name in ALGORITHMS for representation in ("linear", "direct")
]
PUZZLES = [f"sudoku-{number}" for number in range(8)] + ["sudoku-easy-56", "sudoku-intermediate-54"]


def budget_section(samples):
    shared = Conditions("fixed-budget", tuple(samples), tuple(PAIRS), 1_000_000, None, 20, 1)
    return FixedBudget(shared, samples)


def target_section(samples):
    shared = Conditions("fixed-target", tuple(samples), tuple(PAIRS), 1_000_000, None, 100, 1)
    return FixedTarget(shared, samples, paper_outline("fixed-target", list(samples), 0.0))


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
