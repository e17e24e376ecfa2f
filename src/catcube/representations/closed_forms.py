"""Closed forms for the effects of flips, mutation, crossover and product models on categories.

The proofs are in `docs/theory.md`. The methods of `Representation` compute the same by enumeration,
and the tests compare both.
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
    """Raise an error unless N is a power of two, at least `least`."""
    expected = f"a power of two >= {least} as the number of categories"
    expect(least <= N and not N & (N - 1), expected, N)


def linear_spread(N: int, r: int) -> tuple[int, int]:
    """Count the r-bit mutations that keep the category, and those that lead to each other one.

    The counts hold at every point of every locally bijective representation, with N = 2^k and
    n = N − 1 bits: (C(n,r) + n·K_r)/N and (C(n,r) − K_r)/N, K_r = (−1)^⌈r/2⌉ · C(N/2 − 1, ⌊r/2⌋).

    Parameters
    ----------
    N
        The number of categories, a power of two.
    r
        The number of flipped bits.

    Returns
    -------
    tuple of int
        Both counts.

    Examples
    --------
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

    With λ = (1−2p)^(N/2), the category is kept with probability λ and otherwise drawn uniformly
    among all N, so the probabilities are λ + (1−λ)/N and (1−λ)/N.

    Parameters
    ----------
    N
        The number of categories, a power of two.
    p
        The mutation rate.

    Returns
    -------
    tuple of float
        Both probabilities.

    Examples
    --------
    >>> linear_mutation(4, 0.25)
    (0.4375, 0.1875)
    """
    _check_power_of_two(N)
    eigenvalue = (1 - 2 * p) ** (N // 2) if N > 1 else 1.0
    return eigenvalue + (1 - eigenvalue) / N, (1 - eigenvalue) / N


def mutation_rate(q: float, N: int) -> float:
    """Return the mutation rate p that changes the category with probability q (linear, N = 2^k).

    It is p = ½·(1 − (1 − qN/(N−1))^(2/N)).

    Parameters
    ----------
    q
        The probability of a change, at most (N−1)/N; for N = 2, any probability.
    N
        The number of categories, a power of two.

    Returns
    -------
    float
        The mutation rate.

    Examples
    --------
    >>> p = mutation_rate(0.3, 16)
    >>> round(1 - linear_mutation(16, p)[0], 12)
    0.3
    """
    _check_power_of_two(N, 2)
    highest = 1.0 if N == 2 else (N - 1) / N
    expect(0 <= q <= highest, f"a probability from 0 to {highest} for {N} categories", q)
    if N == 2:
        return q
    # For q = (N−1)/N, rounding could make the base negative.
    return float((1 - max(0.0, 1 - q * N / (N - 1)) ** (2 / N)) / 2)


def columns_are_isotropic(columns: ArrayLike, dimension: int) -> bool:
    """Return whether the linear map with these columns is isotropic, for N = 2^k categories.

    It is if and only if all non-zero columns occur equally often; zero columns do not matter.

    Parameters
    ----------
    columns
        The columns, as integers.
    dimension
        The number k of bits of a word.

    Returns
    -------
    bool
        Whether it is isotropic.

    Examples
    --------
    >>> columns_are_isotropic([1, 2, 3], 2), columns_are_isotropic([1, 2], 2)
    (True, False)
    >>> columns_are_isotropic([1, 1, 2, 2, 3, 3, 0], 2)
    True
    """
    occurrences = Counter(int(column) for column in np.asarray(columns))
    return len({occurrences[column] for column in range(1, 1 << dimension)}) <= 1


def uniform_crossover(N: int) -> tuple[float, float]:
    """Return the distribution after uniform crossover of two different categories (linear).

    Both probabilities differ by only 2^(−N/2): crossover of bits nearly draws a random category.

    Parameters
    ----------
    N
        The number of categories, a power of two.

    Returns
    -------
    tuple of float
        The probability that the child has the category of a given parent, and the probability of
        each third category, over all parents with these categories and all masks.

    Examples
    --------
    >>> parent, third = uniform_crossover(16)
    >>> parent - third == 1 / 256
    True
    """
    _check_power_of_two(N, 2)
    third = (1 - 2 * 2.0 ** (-N // 2)) / N
    return third + 2.0 ** (-N // 2), third


def category_distribution(representation: Representation, p: ArrayLike) -> NDArray[np.float64]:
    """Return the distribution of the category if bits are independent, as in PBIL and UMDA.

    Parameters
    ----------
    representation
        The representation.
    p
        For each bit, the probability that it is one.

    Returns
    -------
    array
        The probability of each category.

    Examples
    --------
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


MOST_BITS = 16  # of a cube that is enumerated
MOST_WORDS = 64  # of a variable whose triples of words are enumerated


def strength(representation: Representation) -> int:
    """Return how many bits of a variable are fair and independent, given any category.

    That is the strength of the classes as orthogonal arrays: the largest t such that, within each
    class, all patterns of any t bits are equally frequent. Statistics of t bits, in a population
    spread over the classes, then contain no information about categories. A class has strength t if
    and only if the Walsh transform of its indicator vanishes at all weights from 1 to t.

    Parameters
    ----------
    representation
        A representation with at most 16 bits.

    Returns
    -------
    int
        The strength.

    Examples
    --------
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

    The parents are uniform among the pairs of bit vectors with different categories, and each bit
    of the child comes from a random parent. Crossover of whole variables always keeps a category.

    Parameters
    ----------
    representation
        A representation with at most 64 words.

    Returns
    -------
    float
        The probability.

    Examples
    --------
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
