"""Search for shorter codes than the known ones in which one flip leads to every category.

A code of N categories on n bits is a labelling of the n-cube such that every vertex sees all N
labels on itself and its n neighbours: a domatic partition. Whether 9 labels fit on 10 bits, or 11
on 11 to 13, is open. Two methods try to find a code, each within a time limit: catcube's simulated
annealing minimises the number of labels missing around vertices, and a SAT solver (Glucose, from
`pip install python-sat`) could also prove that no such code exists.

    python examples/short_codes.py            two known codes as a check, then the open cases
    python examples/short_codes.py 9,10 60    9 labels on 10 bits, 60 seconds for each method
"""

import sys
from threading import Timer

import numpy as np

import catcube
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import unsigned
from catcube.problems import Problem

KNOWN = [(5, 6), (10, 11)]
OPEN = [(9, 10), (11, 11), (11, 12), (11, 13)]


@entry("value")
def missing_value(problem):
    """Count the pairs of a vertex and a label that it does not see."""
    labels, bits = problem.integers[0], problem.integers[1]
    missing = 0
    for vertex in range(problem.categories.size):
        seen = 1 << problem.categories[vertex]
        for bit in range(bits):
            seen |= 1 << problem.categories[vertex ^ (1 << bit)]
        for label in range(labels):
            missing += 1 - ((seen >> label) & 1)
    return float(missing)


@entry("prepare")
def missing_prepare(problem):
    """Count how often each vertex sees each label."""
    labels, bits = problem.integers[0], problem.integers[1]
    for k in range(problem.counts.size):
        problem.counts[k] = 0
    for vertex in range(problem.categories.size):
        label = problem.categories[vertex]
        problem.counts[vertex * labels + label] += 1
        for bit in range(bits):
            problem.counts[(vertex ^ (1 << bit)) * labels + label] += 1


@entry("change")
def missing_change(problem, vertex, label):
    """Return the change: a label seen once would be lost, a label not seen yet would be gained."""
    labels, bits = problem.integers[0], problem.integers[1]
    before = problem.categories[vertex]
    change = 0
    for bit in range(bits + 1):
        around = (vertex ^ (1 << bit) if bit < bits else vertex) * labels
        change += 1 if problem.counts[unsigned(around + before)] == 1 else 0
        change -= 1 if problem.counts[unsigned(around + label)] == 0 else 0
    return float(change)


@entry("commit")
def missing_commit(problem, vertex, label):
    """Count the new label in place of the old one."""
    labels, bits = problem.integers[0], problem.integers[1]
    before = problem.categories[vertex]
    for bit in range(bits + 1):
        around = (vertex ^ (1 << bit) if bit < bits else vertex) * labels
        problem.counts[unsigned(around + before)] -= 1
        problem.counts[unsigned(around + label)] += 1


class DomaticPartition(Problem):
    """Label the vertices of a cube; the value is the number of labels missing around them."""

    name = "domatic"
    value = missing_value
    prepare = missing_prepare
    change = missing_change
    commit = missing_commit
    exact = True

    def __init__(self, labels: int, bits: int) -> None:
        self.space = catcube.Space.repeat("v", range(labels), 2**bits)
        self.integers = np.array([labels, bits])
        self.count_size = labels * 2**bits


def annealed(labels: int, bits: int, seconds: float) -> str:
    """Anneal until no label is missing or the time limit is reached."""
    result = catcube.minimize(
        DomaticPartition(labels, bits),
        algorithm="sa",
        representation="native",
        budget=int(2e7 * seconds),
        target=0,
        time_limit=seconds,
        seed=1,
    )
    if result.fun == 0:
        return f"found after {result.nfev:,} evaluations"
    return f"not found: {result.fun:.0f} of {labels << bits:,} labels missing at best"


def satisfiable(labels: int, bits: int, seconds: float) -> str:
    """Ask a SAT solver whether there is such a partition."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        return "not asked: python-sat is not installed"
    with Solver("glucose4") as solver:
        for vertex in range(2**bits):
            around = [vertex, *(vertex ^ (1 << bit) for bit in range(bits))]
            literals = [vertex * labels + label + 1 for label in range(labels)]
            solver.add_clause(literals)
            for label in range(labels):
                solver.add_clause([other * labels + label + 1 for other in around])
                for lower in range(label):
                    solver.add_clause([-literals[label], -literals[lower]])
        for label in range(labels):  # labels are interchangeable: those around 0 are in order
            if label <= bits:
                first = 0 if label == 0 else 1 << (label - 1)
                solver.add_clause([first * labels + k + 1 for k in range(label + 1)])
        timer = Timer(seconds, solver.interrupt)
        timer.start()
        answer = solver.solve_limited(expect_interrupt=True)
        timer.cancel()
    return {True: "exists", False: "proved impossible", None: "undecided"}[answer]


def main() -> None:
    """Search for the requested code, or for all of them."""
    cases, seconds = [*KNOWN, *OPEN], 20.0
    if len(sys.argv) > 1:
        labels, bits = map(int, sys.argv[1].split(","))
        cases = [(labels, bits)]
    if len(sys.argv) > 2:
        seconds = float(sys.argv[2])
    for labels, bits in cases:
        print(f"{labels} labels on {bits} bits, {seconds:g} s each")
        print(f"  annealing: {annealed(labels, bits, seconds)}")
        print(f"  SAT: {satisfiable(labels, bits, seconds)}")


if __name__ == "__main__":
    main()
