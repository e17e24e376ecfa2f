"""Linkage trees against their slow twin, against scipy, and against what is said about them."""

import math
from itertools import combinations, combinations_with_replacement, pairwise

import numpy as np
import pytest

from catcube.engine.compiled.jit import JIT, njit
from catcube.engine.distances import entropy_table
from catcube.engine.linkage import build_tree, new_tree, new_workspace
from catcube.engine.rng import initial_state
from tests.naive import linkage as naive
from tests.naive.stream import Stream

NOBODY = np.zeros(0, np.uint8)


@njit
def build_compiled(random, tree, shop, pairs, total, table, newcomer):
    build_tree(random, tree, shop, pairs, total, table, newcomer)


def tree_of(solutions, random):
    """The tree that the kernels build from rows of bits."""
    total, n = solutions.shape
    tree = new_tree(n)
    pairs = (solutions.T @ solutions)[np.triu_indices(n)].astype(np.int32)
    with np.errstate(over="ignore"):
        shop, table = new_workspace(n, total), entropy_table(total)
        build_compiled(random, tree, shop, pairs, total, table, NOBODY)
    return tree


def masks_of(solutions, random):
    """The masks of a tree as sets of bits, in the order of their use."""
    tree = tree_of(solutions, random)
    intervals = zip(tree.low.tolist(), tree.high.tolist(), strict=True)
    masks = [frozenset(tree.order[low:high].tolist()) for low, high in intervals]
    return masks[: tree.masks[0]]


def population(total, n, seed):
    """Random bits with random probabilities; every third one depends on the one before."""
    random = np.random.default_rng(seed)
    solutions = random.random((total, n)) < random.random(n)
    for i in range(2, n, 3):
        solutions[:, i] = solutions[:, i - 1] ^ (random.random(total) < random.random() / 2)
    return solutions.astype(np.int64)


def definition(first, second):
    """2 - (H(i) + H(j)) / H(i, j) of two columns, in floats."""

    def entropy(*columns):
        _, counts = np.unique(np.stack(columns), axis=1, return_counts=True)
        return math.log2(counts.sum()) - (counts @ np.log2(counts)) / counts.sum()

    joint = entropy(first, second)
    return 2 - (entropy(first) + entropy(second)) / joint if joint > 0 else 0.0


@pytest.mark.parametrize("total", [1, 2, 3, 5, 12, 60])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 9, 30, 70])
def test_the_same_tree_as_the_twin(n, total):
    for seed in range(2 if JIT else 1):
        solutions = population(total, n, seed)
        random, twin = initial_state(seed), Stream(seed)
        assert masks_of(solutions, random) == naive.masks(solutions.tolist(), n, twin)
        assert random.tolist() == twin.state  # the same draws


@pytest.mark.skipif(not JIT, reason="the interpreted kernels take a minute")
def test_the_same_tree_when_the_matrix_is_made_smaller():
    solutions = population(9, 141, 1)
    random, twin = initial_state(1), Stream(1)
    assert masks_of(solutions, random) == naive.masks(solutions.tolist(), 141, twin)
    assert random.tolist() == twin.state


@pytest.mark.parametrize("total", [1, 2, 3, 20, 50, 64] if JIT else [3, 20])
def test_entropies_compare_as_they_should(total):
    """The sum of k·log(k) is the logarithm of the product of k^k, an integer."""
    table = entropy_table(total)
    counts = [
        (a, b - a, c - b, total - c)
        for a, b, c in combinations_with_replacement(range(total + 1), 3)
        if a <= b - a <= c - b <= total - c
    ]
    products = {four: math.prod(k**k for k in four) for four in counts}
    sums = {four: sum(table[k] for k in four) for four in counts}
    ranked = sorted(counts, key=products.get)
    for lower, higher in pairwise(ranked):
        if products[lower] == products[higher]:
            assert sums[lower] == sums[higher]
        else:
            assert sums[lower] < sums[higher]


def test_against_scipy():
    """Where no two distances are nearly equal there is one tree; its masks and its heights."""
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    compared = 0
    for seed in range(40):
        n = 5 + seed % 5
        solutions = population(500, n, seed)
        columns = solutions.T
        distances = [definition(columns[i], columns[j]) for i, j in combinations(range(n), 2)]
        joined = hierarchy.linkage(distances, method="average")
        heights = np.sort(joined[:, 2])
        if min(np.diff(np.sort(distances)).min(), np.diff(heights).min()) < 1e-6:
            continue
        compared += 1
        clusters = [frozenset([i]) for i in range(n)]
        for a, b in joined[:, :2].astype(int):
            clusters.append(clusters[a] | clusters[b])
        masks = masks_of(solutions, initial_state(seed))
        assert len(masks) == 2 * n - 2
        assert set(masks) == set(clusters[:-1])
        start = naive.distances(solutions.tolist(), n)
        _, _, expected = naive.agglomerated(start, n, Stream(seed))
        np.testing.assert_allclose(np.sort(expected) / naive.UNIT, heights, atol=1e-7, rtol=0)
    assert compared >= 10


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_the_masks(seed):
    n = 3 + 9 * seed
    tree = tree_of(population(40, n, seed), initial_state(seed))
    assert sorted(tree.order.tolist()) == list(range(n))
    masks = masks_of(population(40, n, seed), initial_state(seed))
    assert len(set(masks)) == len(masks)
    assert max(map(len, masks)) < n  # not the root
    sizes = [len(mask) for mask in masks]
    singles = sizes.count(1)
    assert 1 not in sizes[: len(sizes) - singles]  # single bits come last
    for (k, first), (other, second) in combinations(enumerate(masks), 2):
        # Clusters are apart or one in the other; the larger one was merged later and comes first.
        assert not first & second or (k < other and first > second)


def test_equal_and_opposite_bits_stay_together():
    """The bits that say the same are a mask, and no mask takes only some of them."""
    for seed in range(20):
        half = population(30, 6, seed)
        solutions = np.concatenate([half, 1 - half], axis=1)
        masks = masks_of(solutions, initial_state(seed))
        said = (solutions ^ solutions[0]).T.tolist()
        groups = {frozenset(j for j in range(12) if said[j] == label) for label in said}
        assert groups <= set(masks)
        for mask in masks:
            assert all(group <= mask or not group & mask for group in groups)


def test_ties_are_broken_uniformly():
    """Four independent bits: the first two that merge, and the order of the single bits.

    Chi-square with a fixed seed; a uniform choice fails with probability 2 · 10^-6.
    """
    stats = pytest.importorskip("scipy.stats")
    solutions = np.array(np.unravel_index(np.arange(16), (2, 2, 2, 2))).T
    random = initial_state(1)
    first, order = {}, {}
    for _ in range(2400 if JIT else 480):
        masks = masks_of(solutions, random)
        merged = masks[-5]
        first[merged] = first.get(merged, 0) + 1
        singles = tuple(masks[-4:])
        order[singles] = order.get(singles, 0) + 1
    assert (len(first), len(order)) == (6, 24)
    assert stats.chisquare(list(first.values())).pvalue > 1e-6
    assert stats.chisquare(list(order.values())).pvalue > 1e-6
