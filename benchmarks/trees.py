"""The cost of a linkage tree: P3 builds one for every solution it adds to its pyramid."""

import time
from statistics import median

import numpy as np

from benchmarks.cost import Effort
from benchmarks.page import number, table
from catcube.engine.compiled.jit import njit
from catcube.engine.distances import entropy_table, measure
from catcube.engine.linkage import agglomerate, new_tree, new_workspace, order_leaves
from catcube.engine.rng import initial_state

SIZES = (224, 840, 3000)
SOLUTIONS = 200


@njit
def distances(random, tree, shop, pairs, total, table, newcomer):
    """Compute the distances of all pairs."""
    measure(shop.distances, pairs, total, table, newcomer)


@njit
def clusters(random, tree, shop, pairs, total, table, newcomer):
    """Merging nearest neighbours."""
    agglomerate(random, shop)


@njit
def masks(random, tree, shop, pairs, total, table, newcomer):
    """Write the clusters as intervals of leaves."""
    order_leaves(random, tree, shop)


PARTS = {"distances": distances, "clusters": clusters, "masks": masks}


def subsection(effort: Effort) -> str:
    """Return microseconds for some numbers of bits."""
    sizes = SIZES[:1] if effort.quick else SIZES
    rows = []
    for n in sizes:
        spent = _microseconds(n, effort)
        figures = [spent[name] for name in PARTS]
        whole = [sum(turn) for turn in zip(*figures, strict=True)]
        rows.append(
            [
                str(n),
                *(f"{number(min(times))} ({number(median(times))})" for times in (*figures, whole)),
            ]
        )
    heads = ["bits", *(f"{name}, µs" for name in (*PARTS, "a tree"))]
    return f"""\
### A linkage tree

Each tree is built from {SOLUTIONS} solutions of independent fair bits. The table has the minimum
and (in brackets) the median of {10 * effort.repeats} trees.

{table(heads, rows)}"""


def _microseconds(n: int, effort: Effort) -> dict[str, list[float]]:
    solutions = np.random.default_rng(effort.seed).integers(0, 2, (SOLUTIONS, n))
    pairs = (solutions.T @ solutions)[np.triu_indices(n)].astype(np.int32)
    nobody = np.zeros(0, np.uint8)
    shared = (new_tree(n), new_workspace(n, SOLUTIONS), pairs, SOLUTIONS)
    random, terms = initial_state(effort.seed), entropy_table(SOLUTIONS)
    spent: dict[str, list[float]] = {name: [] for name in PARTS}
    for turn in range(10 * effort.repeats + 1):
        for name, part in PARTS.items():
            began = time.perf_counter()  # as CPU time is too coarse for a single tree
            part(random, *shared, terms, nobody)
            if turn > 0:  # compiled in the first one
                spent[name].append(1e6 * (time.perf_counter() - began))
    return spent
