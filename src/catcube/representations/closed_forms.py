"""Closed forms of the effect of flips, mutation, crossover and product models on categories.

The proofs are in `docs/theory.md`. The methods of `Representation` compute the same and more by
enumeration; the tests compare the two.
"""

from collections import Counter
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.representations import Representation
from catcube.representations.walks import krawtchouk as krawtchouk
from catcube.representations.walks import walsh


def _check_power_of_two(N: int, least: int = 1) -> None:
    expected = f"a power of two >= {least} as the number of categories"
    expect(least <= N and not N & (N - 1), expected, N)


def linear_spread(N: int, r: int) -> tuple[int, int]:
    """Count the r-bit mutations that keep the category, and those that lead to each other one.

    From every point of every locally bijective representation, so N = 2^k and n = N − 1. There
    are (C(n,r) + n·K_r)/N and (C(n,r) − K_r)/N of them, K_r = (−1)^⌈r/2⌉ · C(N/2 − 1, ⌊r/2⌋).

    >>> linear_spread(16, 3)
    (35, 28)
    >>> linear_spread(16, 2)
    (0, 7)
    """
    _check_power_of_two(N)
    expect(r >= 0, "a non-negative number of flipped bits", r)
    n = N - 1
    if n == 0:
        return (1 if r == 0 else 0), 0
    K = (-1) ** ((r + 1) // 2) * comb(N // 2 - 1, r // 2)
    return (comb(n, r) + n * K) // N, (comb(n, r) - K) // N


def linear_mutation(N: int, p: float) -> tuple[float, float]:
    """Return the probabilities that mutation keeps the category, and leads to each other one.

    With rate p and λ = (1−2p)^(N/2), the category is kept with probability λ and else drawn
    uniformly among all N: λ + (1−λ)/N and (1−λ)/N.

    >>> linear_mutation(4, 0.25)
    (0.4375, 0.1875)
    """
    _check_power_of_two(N)
    eigenvalue = (1 - 2 * p) ** (N // 2) if N > 1 else 1.0
    return eigenvalue + (1 - eigenvalue) / N, (1 - eigenvalue) / N


def mutation_rate(q: float, N: int) -> float:
    """Return the mutation rate p that changes the category with probability q (linear, N = 2^k).

    p = ½·(1 − (1 − qN/(N−1))^(2/N)), for q up to (N−1)/N, the probability of a uniformly random
    category (for N = 2, one bit, any q).

    >>> p = mutation_rate(0.3, 16)
    >>> round(1 - linear_mutation(16, p)[0], 12)
    0.3
    """
    _check_power_of_two(N, 2)
    highest = 1.0 if N == 2 else (N - 1) / N
    expect(0 <= q <= highest, f"a probability from 0 to {highest} for {N} categories", q)
    if N == 2:
        return q
    # Rounding must not make a negative base of q = (N−1)/N.
    return float((1 - max(0.0, 1 - q * N / (N - 1)) ** (2 / N)) / 2)


def columns_are_isotropic(columns: ArrayLike, dimension: int) -> bool:
    """Return whether the linear map of these columns is isotropic, each word of k bits a category.

    It is if and only if all non-zero columns occur equally often (and zero columns at will).

    >>> columns_are_isotropic([1, 2, 3], 2), columns_are_isotropic([1, 2], 2)
    (True, False)
    >>> columns_are_isotropic([1, 1, 2, 2, 3, 3, 0], 2)
    True
    """
    occurrences = Counter(int(column) for column in np.asarray(columns))
    return len({occurrences[column] for column in range(1, 1 << dimension)}) <= 1


def uniform_crossover(N: int) -> tuple[float, float]:
    """Return the outcome of uniform crossover of parents with two different categories (linear).

    The probability that the child has the category of one parent, the same for both, and the
    probability of each third category, over all parents of these categories and all masks. They
    differ by 2^(−N/2) only: crossover bit by bit nearly draws a random category.

    >>> parent, third = uniform_crossover(16)
    >>> parent - third == 1 / 256
    True
    """
    _check_power_of_two(N, 2)
    third = (1 - 2 * 2.0 ** (-N // 2)) / N
    return third + 2.0 ** (-N // 2), third


def category_distribution(representation: Representation, p: ArrayLike) -> NDArray[np.float64]:
    """Return the distribution of the category if bit i is one with probability p_i, independently.

    That is what a product model (PBIL, UMDA) says about the category.

    >>> linear = Representation([1, 2, 3], range(4))
    >>> category_distribution(linear, [0.5, 0.0, 0.0])
    array([0.5, 0.5, 0. , 0. ])
    """
    probabilities = np.asarray(p, dtype=np.float64)
    shape = (representation.bits,)
    expect(probabilities.shape == shape, f"probabilities of shape {shape}", probabilities.shape)
    valid = (probabilities >= 0) & (probabilities <= 1)
    expect(valid.all(), "probabilities between 0 and 1", probabilities)
    elements = representation.elements
    words = np.zeros(elements.order)
    words[0] = 1
    for bit, one in enumerate(probabilities.tolist()):
        words = words * (1 - one) + words[elements.minus(bit)] * one
    decoded = representation.table >= 0
    distribution = np.zeros(representation.categories)
    np.add.at(distribution, representation.table[decoded], words[decoded])
    return distribution


MOST_BITS = 16  # of a cube that is gone through
MOST_WORDS = 64  # of a variable, whose triples are followed bit by bit


def strength(representation: Representation) -> int:
    """Return how many bits of a variable are fair and independent, given any category.

    That is the strength of the classes as orthogonal arrays: the largest t such that, within every
    class, all patterns of any t bits are equally frequent. Statistics over t bits of a population
    that is spread over the classes then carry no signal about categories. A class has strength t
    if and only if the Walsh transform of its indicator vanishes at all weights from 1 to t.

    >>> from catcube.representations import representation
    >>> [strength(representation("linear", N)) for N in (2, 4, 8, 16)]  # N/2 − 1
    [0, 1, 3, 7]
    >>> strength(representation("direct", 8))
    0
    """
    bits = representation.bits
    expect(bits <= MOST_BITS, f"at most {MOST_BITS} bits", bits)
    cube = np.arange(2**bits)
    decoded = representation.decode(cube[:, None] >> np.arange(bits) & 1)
    weights = np.bitwise_count(cube)
    coefficients = walsh((decoded[:, None] == np.arange(representation.categories)).astype(int))
    signals = weights[(coefficients != 0).any(axis=1) & (weights > 0)]
    return int(signals.min(initial=bits + 1)) - 1


def crossover_keeps(representation: Representation) -> float:
    """Return the probability that a child of uniform crossover has the category of a parent.

    The parents are uniform among the bit vectors with different categories; each bit of the child
    is that of either parent. Crossover by whole variables always keeps a category.

    >>> from catcube.representations import representation
    >>> [round(crossover_keeps(representation(name, 16)), 3) for name in ("direct", "linear")]
    [0.542, 0.132]
    """
    elements = representation.elements
    expect(elements.order <= MOST_WORDS, f"at most {MOST_WORDS} words", elements.order)
    # The probability of the words of one parent, the other, and the child; bit by bit.
    triples = np.zeros((elements.order,) * 3)
    triples[0, 0, 0] = 1.0
    for bit in range(elements.bits):
        before = elements.minus(bit)
        one, other = triples[before], triples[:, before]
        both = one[:, before][:, :, before]
        triples = (2 * (triples + both) + one + one[:, :, before] + other + other[:, :, before]) / 8
    categories = representation.table
    first, second = categories[:, None, None], categories[None, :, None]
    child = categories[None, None, :]
    differ = np.broadcast_to(first != second, triples.shape)
    kept = differ & ((child == first) | (child == second))
    return float(triples[kept].sum() / triples[differ].sum())
