"""Where flips lead, from category to category: exact counts over all bit vectors.

A count matrix has in row a and column b the number of pairs (x, S) where x is a bit vector of
category a and S a set of bits whose flipping leads to category b.
"""

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from catcube.representations.exact import spectrum
from catcube.representations.exact.pairs import pair_counts, pair_probabilities
from catcube.representations.exact.single_flips import one_flip
from catcube.representations.exact.words import Counts

if TYPE_CHECKING:
    from catcube.representations.representation import Representation


def rows(counts: Counts, redundancy: tuple[int, ...], bits: int, exact: bool) -> NDArray[Any]:
    """Return a count matrix divided by the size of each row's category (and by a number of bits).

    >>> rows(np.array([[2, 4], [1, 1]], dtype=object), (6, 2), 1, exact=False)
    array([[0.33333333, 0.66666667],
           [0.5       , 0.5       ]])
    """
    matrix = np.empty(counts.shape, dtype=object if exact else np.float64)
    for category, size in enumerate(redundancy):
        whole = size * bits
        row = counts[category].tolist()
        # Python divides integers of any size with one correct rounding.
        matrix[category] = [Fraction(count, whole) if exact else count / whole for count in row]
    return matrix


def flips(representation: "Representation", r: int) -> Counts:
    """Return the count matrix of r-bit mutations."""
    if r > representation.bits:
        return np.zeros((representation.categories,) * 2, dtype=object)
    if representation.is_xor_only:
        return _linear_counts(representation, r)
    if _counts_ones(representation):
        return _ones_counts(representation, r)
    if r == 1:
        return one_flip(representation)
    return pair_counts(representation, r)


def _linear_counts(representation: "Representation", r: int) -> Counts:
    n = representation.bits
    return _combined(
        representation,
        {w: spectrum.krawtchouk(n, r, w) for w in representation._pair_matrices},
    )


def _combined(representation: "Representation", eigenvalues: dict[int, Any]) -> Counts:
    """Return Σ_w eigenvalue(w)·matrix(w) / 2^k, times the number of bit vectors of one word."""
    total = np.zeros((representation.categories,) * 2, dtype=object)
    for w, matrix in representation._pair_matrices.items():
        total = total + matrix.astype(object) * eigenvalues[w]
    vectors = int(representation._word_counts[0])  # all words that occur occur equally often
    words = 1 << representation.elements.dimension
    if all(isinstance(value, int) for value in eigenvalues.values()):
        return np.asarray(total * vectors // words)  # a count: nothing is lost
    return np.asarray(total * Fraction(vectors, words))


def _counts_ones(representation: "Representation") -> bool:
    """Return whether the word is the number of ones, as in unary: then it all is hypergeometric."""
    return bool(
        not representation.columns.any()
        and (representation.weights == 1).all()
        and representation.modulus > representation.bits
    )


def _ones_counts(representation: "Representation", r: int) -> Counts:
    n, table = representation.bits, representation.table
    counts = np.zeros((representation.categories,) * 2, dtype=object)
    for ones in range(n + 1):
        for cleared in range(max(0, r - n + ones), min(r, ones) + 1):
            ways = comb(n, ones) * comb(ones, cleared) * comb(n - ones, r - cleared)
            counts[table[ones], table[ones - cleared + r - cleared]] += ways
    return counts


def mutation(representation: "Representation", p: Any, exact: bool) -> NDArray[Any]:
    """Return the transition matrix of standard bit mutation with rate p."""
    if exact:
        p = Fraction(p)
    if not representation.is_xor_only:
        return pair_probabilities(representation, p, exact)
    if exact:
        eigenvalues = {w: (1 - 2 * p) ** w for w in representation._pair_matrices}
        return rows(_combined(representation, eigenvalues), representation.redundancy(), 1, exact)
    matrices = representation._pair_matrices
    total = sum((1.0 - 2.0 * p) ** w * matrix for w, matrix in matrices.items())
    words = np.bincount(representation.table[representation._word_counts != 0])
    return np.asarray(total / (words[:, None] << representation.elements.dimension))
