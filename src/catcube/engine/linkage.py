"""Linkage trees: which bits belong together, learned from a population.

D. Thierens, "The linkage tree genetic algorithm", PPSN XI (2010). Bits are clustered by average
linkage (see `clusters.py`) of their distances (see `distances.py`).

Every cluster is a mask for crossover. The leaves are put in an order in which each cluster is an
interval, so that a mask is two numbers.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.clusters import agglomerate
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.distances import measure
from catcube.engine.rng import shuffle


class Tree(NamedTuple):
    """The bits in the order of the leaves, and the masks in the order of their use."""

    order: np.ndarray
    low: np.ndarray  # mask k is order[low[k]:high[k]]
    high: np.ndarray
    masks: np.ndarray  # [number of masks]
    version: np.ndarray  # [how often it was built]


def new_tree(n: int) -> Tree:
    """Allocate memory for a tree of n leaves."""
    return Tree(
        order=np.zeros(n, np.int64),
        low=np.zeros(2 * n, np.int64),
        high=np.zeros(2 * n, np.int64),
        masks=np.zeros(1, np.int64),
        version=np.zeros(1, np.int64),
    )


@part
def build(random, tree, shop, pairs, total, table, newcomer):
    """Build the tree of a population of `total`, given how often each pair of bits is 1 and 1.

    A newcomer is counted in `total` already, and in the pairs only now; it may have no bits.
    """
    measure(shop.distances, pairs, total, table, newcomer)
    agglomerate(random, shop)
    arrange(random, tree, shop)


@part
def arrange(random, tree, shop):
    """Order the leaves so that clusters are intervals; list the masks, the last merged first."""
    n = shop.cluster.size
    root = 2 * n - 2
    masks = 0
    shop.start[root] = 0
    for node in range(root, n - 1, -1):
        a, b = shop.left[node], shop.right[node]
        shop.start[a] = shop.start[node]
        shop.start[b] = shop.start[node] + shop.size[a]
        if node != root and not shop.dropped[node]:
            masks = add_mask(tree, masks, shop.start[node], shop.size[node])
    singles = masks
    for leaf in range(n):
        tree.order[shop.start[leaf]] = leaf
        if n > 1 and not shop.dropped[leaf]:
            masks = add_mask(tree, masks, shop.start[leaf], 1)
    shuffle(random, tree.low[singles:masks])
    for k in range(singles, masks):
        tree.high[k] = tree.low[k] + 1
    tree.masks[0] = masks
    tree.version[0] += 1


@inlined
def add_mask(tree, masks, start, size):
    """Add the interval of a cluster; how many masks there are now."""
    tree.low[unsigned(masks)] = start
    tree.high[unsigned(masks)] = start + size
    return masks + 1
