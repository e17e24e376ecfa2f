"""Our runs against reference runs of the paper's own framework.

`reference/*.csv` are raw results of the framework's 2021 release, one row per run. If our
algorithms are the same, all tests here together fail with probability at most 1 % over the
choice of the seed: each hypothesis is tested at 1 % divided by their number. The seed is fixed.
"""

import csv
from collections import defaultdict
from functools import cache

import pytest
from scipy.stats import fisher_exact, mannwhitneyu

from catcube.algorithms import names
from catcube.experiments import batch
from catcube.problems import Sudoku
from tests import ROOT

REFERENCE = ROOT / "tests" / "reference"
REPRESENTATIONS = ["linear", "direct"]
PAIRS = [(name, representation) for name in names() for representation in REPRESENTATIONS]
SMALL = [f"small-dimension-{erased}-a" for erased in (3, 5, 8)]
# Every usual run compares the shortest runs: while the golden trajectories are what they were, the
# longer ones cannot come out otherwise.
LONGER = [pytest.param(instance, marks=pytest.mark.long) for instance in SMALL[1:]]
SEED = 20210614
RUNS = [300, pytest.param(1000, marks=pytest.mark.long)]
"""With a thousand runs of ours small errors are noticed, too; that takes minutes."""
BESIDE_TWENTY = 100
"""Runs of ours where 20 of theirs are known: still more would hardly make a test more powerful."""
TESTS = 2 * len(RUNS) * len(PAIRS) * len(SMALL) + len(PAIRS) + len(REPRESENTATIONS)
LEVEL = 0.01 / TESTS
FAILED = 10**9  # a runtime worse than all: failures come last

pytestmark = pytest.mark.compiled  # a hundred million evaluations


@cache
def reference(file):
    """Value and evaluations of every run, by instance, algorithm and representation."""
    runs = defaultdict(list)
    with open(REFERENCE / file, newline="") as lines:
        for row in csv.DictReader(lines):
            key = row["instance"], row["algorithm"], row["representation"]
            runs[key].append((float(row["value"]), int(row["evaluations"])))
    return runs


def ours(instance, name, representation, runs, budget, target=None):
    problems = {instance: Sudoku.instance(instance)}
    settings = {"budget": budget, "runs": runs, "target": target, "seed": SEED, "preset": "paper"}
    results = batch.run_all(problems, [name], [representation], **settings)
    return [(result.value, result.evaluations) for result in results]


def runtimes(runs):
    return [evaluations if value == 0 else FAILED for value, evaluations in runs]


def same(sample, other):
    """Whether two samples may be of one distribution: two-sided Mann-Whitney."""
    return mannwhitneyu(sample, other).pvalue >= LEVEL


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("instance", [SMALL[0], *LONGER])
@pytest.mark.parametrize(("name", "representation"), PAIRS)
def test_runtimes_to_the_solution(name, representation, instance, runs):
    theirs = reference("fixed-target.csv")[instance, name, representation]
    assert len(theirs) == 100
    measured = ours(instance, name, representation, runs, 10**6, target=0)
    assert same(runtimes(measured), runtimes(theirs))
    solved = [sum(value == 0 for value, _ in made) for made in (measured, theirs)]
    table = [solved, [len(measured) - solved[0], len(theirs) - solved[1]]]
    assert fisher_exact(table).pvalue >= LEVEL


@pytest.mark.long
@pytest.mark.parametrize(("name", "representation"), PAIRS)
def test_values_after_100_000_evaluations(name, representation):
    theirs = reference("fixed-budget.csv")["sudoku-easy-56", name, representation]
    assert len(theirs) == 20
    measured = ours("sudoku-easy-56", name, representation, BESIDE_TWENTY, 10**5)
    assert same([value for value, _ in measured], [value for value, _ in theirs])


@pytest.mark.long
@pytest.mark.parametrize(("representation", "budget"), [("linear", 10**6), ("direct", 2 * 10**6)])
def test_ltga_beyond_its_first_generation(representation, budget):
    theirs = reference("ltga-long.csv")["sudoku-easy-56", "ltga", representation]
    assert len(theirs) == 20
    measured = ours("sudoku-easy-56", "ltga", representation, BESIDE_TWENTY, budget)
    assert same([value for value, _ in measured], [value for value, _ in theirs])
