"""Representations: how the bits of a categorical variable decode to its category."""

from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import expect
from catcube.errors import BadValue
from catcube.representations import encoding, walks
from catcube.representations.words import Counts, Elements, reachable, word_counts

Integers = NDArray[np.int64]


class Representation:
    """A representation of N categories by n bits, defined by columns, weights and a table.

    Bit i has a column (a word of k bits) and a weight modulo M. The word of a bit vector consists
    of the XOR of the columns of its set bits, and the sum modulo M of their weights; its category
    is `table[xor * M + sum]`. Most representations have no weights (M = 1).

    The parameters are attributes (arrays are read-only), as are `bits` (n) and `categories` (N).
    Two representations are equal if these data are equal, whatever their names.

    Parameters
    ----------
    columns
        One non-negative integer for each bit.
    table
        The category of each word, 2^k · M integers, where all columns are below 2^k; −1 is allowed
        for words that no bit vector has.
    weights, modulus
        An integer in [0, M) for each bit, and M; by default 0 and 1.
    categories
        N, by default the largest entry of the table plus 1. Some bit vector must decode to each
        category 0..N−1.
    name, description
        The name of the representation, and a description of one line.
    proved_radius
        The radius, if it is proved but would take too long to compute.

    Examples
    --------
    Three bits for the four bases of DNA, the example of the paper: from each of the eight vertices
    of the cube, one flip leads to each of the other bases.

    >>> dna = Representation(columns=[1, 2, 3], table=[0, 1, 2, 3])
    >>> dna
    Representation('custom', bits=3, categories=4)
    >>> dna.decode([1, 0, 1])
    array(2)
    >>> dna.neighbors([1, 0, 1])
    array([3, 0, 1])
    """

    def __init__(
        self,
        columns: ArrayLike,
        table: ArrayLike,
        weights: ArrayLike | None = None,
        modulus: int = 1,
        *,
        categories: int | None = None,
        name: str = "custom",
        description: str = "",
        proved_radius: int | None = None,
    ) -> None:
        self.name = name
        self.description = description
        self.columns = integers(columns, "columns")
        self.bits = len(self.columns)
        self.weights = integers([0] * self.bits if weights is None else weights, "weights")
        self.modulus = int(modulus)
        self.table = integers(table, "table")
        self.categories = int(self.table.max(initial=-1)) + 1 if categories is None else categories
        self._proved_radius = proved_radius
        check_data(self)

    @property
    def elements(self) -> Elements:
        """The columns and weights, as elements of the group of words."""
        dimension = (len(self.table) // self.modulus).bit_length() - 1
        return Elements(self.columns, self.weights, dimension, self.modulus)

    @property
    def is_xor_only(self) -> bool:
        """Whether all weights are 0, so that words are XORs of columns.

        The table may still give the same category to several words.
        """
        return not self.weights.any()

    @property
    def matrix(self) -> NDArray[np.uint8]:
        """The k × n matrix over F2 with these columns; row j contains their bits j.

        Representations with weights have no such matrix, which is a ValueError.

        >>> Representation([1, 2, 3], range(4)).matrix
        array([[1, 0, 1],
               [0, 1, 1]], dtype=uint8)
        """
        if not self.is_xor_only:
            raise BadValue(f"{self.name!r} has no matrix: it adds weights modulo {self.modulus}")
        rows = np.arange(self.elements.dimension)[:, None]
        return (self.columns[None, :] >> rows & 1).astype(np.uint8)

    def decode(self, bits: ArrayLike) -> Integers:
        """Return the categories of bit vectors.

        Parameters
        ----------
        bits
            An array of zeros and ones of shape (..., n).

        Returns
        -------
        array
            The categories, of shape (...).

        Examples
        --------
        >>> Representation([1, 2, 3], range(4)).decode([[0, 0, 0], [1, 1, 0]])
        array([0, 3])
        """
        xors, sums = self._words(as_bits(bits, self.bits))
        return np.asarray(self.table[xors * self.modulus + sums])

    def neighbors(self, bits: ArrayLike) -> Integers:
        """Return the categories after a flip of each bit.

        Parameters
        ----------
        bits
            An array of zeros and ones of shape (..., n).

        Returns
        -------
        array
            The categories, of shape (..., n).

        Examples
        --------
        >>> Representation([1, 2], range(4)).neighbors([[0, 0], [1, 1]])
        array([[1, 2],
               [2, 1]])
        """
        vectors = as_bits(bits, self.bits)
        xors, sums = self._words(vectors)
        after = (sums[..., None] + np.where(vectors, -self.weights, self.weights)) % self.modulus
        return np.asarray(self.table[(xors[..., None] ^ self.columns) * self.modulus + after])

    def encode(
        self, category: ArrayLike, rng: np.random.Generator | None = None
    ) -> NDArray[np.uint8]:
        """Return bit vectors that decode to categories.

        Parameters
        ----------
        category
            A category, or an array of categories.
        rng
            A generator, to draw uniformly among all bit vectors of a category. By default, return
            the one with the fewest ones, and the earliest of these.

        Returns
        -------
        array
            A bit vector for each category, along the last axis.

        Examples
        --------
        >>> dna = Representation([1, 2, 3], range(4))
        >>> dna.encode([0, 1, 2, 3]).tolist()
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> dna.decode(dna.encode([3, 1], np.random.default_rng(1)))
        array([3, 1])
        """
        wanted = np.asarray(category)
        last, is_integer = self.categories - 1, np.issubdtype(wanted.dtype, np.integer)
        fits = is_integer and ((wanted >= 0) & (wanted <= last)).all()
        expect(fits, f"integer categories from 0 to {last}", category)
        if rng is None:
            return np.asarray(self._canonical[wanted])
        flat = self._sampler.draw(wanted.ravel().astype(np.int64), rng)
        return flat.reshape(*wanted.shape, self.bits)

    @cached_property
    def _canonical(self) -> NDArray[np.uint8]:
        return encoding.canonical(self.elements, self.table, self.categories)

    @cached_property
    def _sampler(self) -> encoding.Sampler:
        return encoding.Sampler(self.elements, self.table, self._word_counts, self.categories)

    @cached_property
    def _word_counts(self) -> Counts:
        return word_counts(self.elements)

    @cached_property
    def _pair_matrices(self) -> dict[int, Integers]:
        return walks.pair_matrices(self)

    def redundancy(self) -> tuple[int, ...]:
        """Return the number of bit vectors that decode to each category.

        Returns
        -------
        tuple of int
            The exact numbers.

        Examples
        --------
        >>> Representation([1, 2, 3], range(4)).redundancy()
        (2, 2, 2, 2)
        """
        totals = np.zeros(self.categories, dtype=object)
        decoded = self.table >= 0
        np.add.at(totals, self.table[decoded], self._word_counts[decoded])
        return tuple(int(total) for total in totals)

    def reach(self, exact: bool = False) -> NDArray[Any]:
        """Return the N × N matrix of mean transition probabilities of one flip.

        Parameters
        ----------
        exact
            Whether to return Fractions instead of rounding exact values to float64.

        Returns
        -------
        array
            Entry (a, b) is the fraction of the n flips that lead to b, averaged over all bit
            vectors of category a; rows sum to 1. For N = 1, without bits, it is 1.

        Examples
        --------
        >>> Representation([1, 2], range(4)).reach()
        array([[0. , 0.5, 0.5, 0. ],
               [0.5, 0. , 0. , 0.5],
               [0.5, 0. , 0. , 0.5],
               [0. , 0.5, 0.5, 0. ]])
        """
        if self.bits == 0:
            return self.spread(0, exact)
        return walks.rows(walks.flips(self, 1), self.redundancy(), self.bits, exact)

    def spread(self, r: int, exact: bool = False) -> NDArray[Any]:
        """Return the N × N matrix of mean numbers of r-bit mutations.

        Parameters
        ----------
        r
            The number of flipped bits.
        exact
            Whether to return Fractions instead of rounding exact values to float64.

        Returns
        -------
        array
            Entry (a, b) is the number of ways to flip r distinct bits that lead to b, averaged over
            all bit vectors of category a; rows sum to C(n, r).

        Examples
        --------
        >>> Representation([1, 2, 3], range(4)).spread(2)[0]
        array([0., 1., 1., 1.])
        """
        expect(r >= 0, "a non-negative number of flipped bits", r)
        return walks.rows(walks.flips(self, r), self.redundancy(), 1, exact)

    def mutation_matrix(self, p: Any, exact: bool = False) -> NDArray[Any]:
        """Return the N × N matrix of transition probabilities of standard bit mutation.

        Parameters
        ----------
        p
            The probability of a flip of each bit; a Fraction or an integer to be exact.
        exact
            Whether to return Fractions.

        Returns
        -------
        array
            Entry (a, b) is the probability of b, averaged over all bit vectors of category a.

        Examples
        --------
        >>> Representation([1, 2, 3], range(4)).mutation_matrix(0.25)[0]
        array([0.4375, 0.1875, 0.1875, 0.1875])
        """
        expect(0 <= p <= 1, "a probability between 0 and 1", p)
        return walks.mutation(self, p, exact)

    def is_locally_surjective(self) -> bool:
        """Return whether every point and its n neighbours include all categories.

        >>> Representation([1, 2, 3], [0, 1, 2, 0]).is_locally_surjective()
        True
        """
        return self.radius() <= 1

    def is_locally_bijective(self) -> bool:
        """Return whether exactly one flip leads from every point to each other category.

        >>> Representation([1, 2, 3], [0, 1, 2, 0]).is_locally_bijective()
        False
        """
        # n neighbours and the point itself include n + 1 categories only without repetitions.
        return self.bits == self.categories - 1 and self.is_locally_surjective()

    def is_isotropic(self) -> bool:
        """Return whether, for every r, r flips lead to all other categories equally often.

        >>> Representation([1, 2, 3], range(4)).is_isotropic()
        True
        """
        return walks.is_isotropic(self)

    def radius(self) -> int:
        """Return the smallest R such that every category is within R flips of every point.

        >>> Representation([1, 2], range(4)).radius()
        2
        """
        return walks.radius(self) if self._proved_radius is None else self._proved_radius

    def _words(self, vectors: NDArray[np.bool_]) -> tuple[Integers, Integers]:
        """Return the XOR of columns and the sum of weights of bit vectors."""
        xors = np.bitwise_xor.reduce(np.where(vectors, self.columns, 0), axis=-1)
        sums = np.where(vectors, self.weights, 0).sum(axis=-1) % self.modulus
        return np.asarray(xors), np.asarray(sums)

    def __repr__(self) -> str:
        return f"Representation({self.name!r}, bits={self.bits}, categories={self.categories})"

    def _data(self) -> tuple[int | bytes, ...]:
        """Return the data by which representations are compared."""
        arrays = (self.columns, self.weights, self.table)
        return self.categories, self.modulus, *(array.tobytes() for array in arrays)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Representation):
            return NotImplemented
        return self._data() == other._data()

    def __hash__(self) -> int:
        return hash(self._data())

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor: pickled arrays are not read-only, and caches are omitted.
        made = partial(
            Representation,
            categories=self.categories,
            name=self.name,
            description=self.description,
            proved_radius=self._proved_radius,
        )
        return made, (self.columns, self.table, self.weights, self.modulus)


def as_bits(bits: ArrayLike, n: int) -> NDArray[np.bool_]:
    """Return vectors of n zeros and ones as booleans; raise an error for anything else.

    >>> as_bits([0, 1.0, True], 3)
    array([False,  True,  True])
    """
    vectors = np.asarray(bits)
    expect(vectors.shape[-1:] == (n,), f"vectors of {n} bits", vectors.shape)
    ones = vectors == 1
    expect((ones | (vectors == 0)).all(), "bits 0 or 1", vectors)
    return np.asarray(ones, dtype=bool)


def integers(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """Return a read-only copy of a sequence of integers; raise an error for anything else.

    >>> integers([1, 2.5], "columns")
    Traceback (most recent call last):
    catcube.errors.BadValue: columns: expected a sequence of integers, got [1, 2.5]
    """
    array = np.asarray(values)
    fits = array.ndim == 1 and (np.issubdtype(array.dtype, np.integer) or array.size == 0)
    expect(fits, "a sequence of integers", values, where=f"{what}: ")
    copy = array.astype(np.int64)
    copy.flags.writeable = False
    return copy


def check_data(representation: Representation) -> None:
    """Raise a ValueError unless every bit vector has a category, and every category some."""
    table, modulus, N = representation.table, representation.modulus, representation.categories
    expect(modulus >= 1, "a modulus of at least 1", modulus)
    expect(N >= 1, "at least one category", N)
    xors, rest = divmod(len(table), modulus)
    is_power = xors >= 1 and not xors & (xors - 1)
    entries = f"2^k · {modulus} entries of the table (2^k · modulus)"
    expect(is_power and not rest, entries, len(table))
    n, weights = representation.bits, len(representation.weights)
    expect(weights == n, f"{n} weights, as many as columns", weights)
    _check_range("column", representation.columns, 0, xors)
    _check_range("weight", representation.weights, 0, modulus)
    _check_range("table entry", table, -1, N)
    decoded = table[reachable(representation.elements)]
    if (decoded < 0).any():
        raise BadValue("the table has no category (−1) for the word of some bit vector")
    present = np.unique(decoded)
    if present.size < N:  # N may be huge
        first = int(np.argmin(np.append(present == np.arange(present.size), False)))
        raise BadValue(
            f"no bit vector decodes to category {first} "
            f"({N - present.size} of {N} categories are missing)"
        )


def _check_range(what: str, values: NDArray[np.int64], low: int, end: int) -> None:
    """Raise an error unless all values are in low..end − 1."""
    wrong = values[(values < low) | (values >= end)][:1].tolist()
    expect(not wrong, f"integers from {low} to {end - 1}", wrong, where=f"{what}: ")
