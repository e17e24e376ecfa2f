"""Encoding of categories: the canonical bit vector, or a uniformly random one."""

from bisect import bisect_right
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.representations.words import Elements, Split, Words, independent_bits, running_counts

Bits = NDArray[np.uint8]


def canonical(elements: Elements, table: Words, categories: int) -> Bits:
    """Return, for each category, the bit vector with the fewest ones, and the earliest of these.

    Of two vectors with equally many ones, the one with a one at the first difference is earlier.
    """
    n = elements.bits
    vectors = np.zeros((categories, n), dtype=np.uint8)
    singles = table[elements.columns * elements.modulus + elements.weights].tolist()
    light = {category: bit for bit, category in reversed(list(enumerate(singles)))}
    light.pop(int(table[0]), None)
    if len(light) == categories - 1:  # one flip from zero reaches all
        vectors[list(light), list(light.values())] = 1
        return vectors
    # The key of a vector is ones · 2^n − (its bits as a number, the first bit being the highest).
    # The least key of each word is computed bit by bit.
    keys = np.full(elements.order, (n + 1) << n, dtype=object)
    keys[0] = 0
    for bit in range(n):
        keys = np.minimum(keys, keys[elements.minus(bit)] + (1 << n) - (1 << n - 1 - bit))
    best = np.full(categories, (n + 1) << n, dtype=object)
    np.minimum.at(best, table[table >= 0], keys[table >= 0])
    for vector, key in zip(vectors, best.tolist(), strict=True):
        vector[:] = [-key >> n - 1 - bit & 1 for bit in range(n)]
    return vectors


def uniform_integer(below: int, rng: np.random.Generator) -> int:
    """Draw a uniform integer in 0..below − 1, of any size, by rejection.

    >>> 0 <= uniform_integer(3**200, np.random.default_rng(0)) < 3**200
    True
    """
    length = (below - 1).bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes((length + 7) // 8), "little") & ((1 << length) - 1)
        if drawn < below:
            return drawn


class Sampler:
    """A sampler of bit vectors, exactly uniform among those of a category.

    It draws a word of the category in proportion to the number of its bit vectors; then the tail
    bits (those with a weight) one by one, by exact counts; then the head bits, of which all but a
    basis are free, and the basis makes the XOR right.
    """

    def __init__(
        self, elements: Elements, table: Words, counts: NDArray[Any], categories: int
    ) -> None:
        self._elements = elements
        self._split = Split.of(elements)
        can_be = (counts != 0) & (table >= 0)
        self._words = [np.flatnonzero(can_be & (table == c)) for c in range(categories)]
        self._counts = [counts[words].tolist() for words in self._words]
        self._tail = self._split.tail_elements(elements)
        backwards = reversed(range(self._tail.bits))  # counts for the last bits
        self._suffixes = [counts.tolist() for counts in running_counts(self._tail, backwards)]
        head = elements.columns[self._split.head]
        self._basis = self._split.head[independent_bits(head)]
        self._free = np.setdiff1d(self._split.head, self._basis)
        self._solutions = _solutions(elements.columns[self._basis], elements.dimension)

    def draw(self, categories: Words, rng: np.random.Generator) -> Bits:
        """Draw a bit vector for each of the categories."""
        vectors = np.zeros((len(categories), self._elements.bits), dtype=np.uint8)
        words = np.array([self._draw_word(c, rng) for c in categories], dtype=np.int64)
        if self._tail.bits:
            for vector, word in zip(vectors, words, strict=True):
                vector[self._split.tail] = self._draw_tail(int(word), rng)
        if self._split.separable:
            shape = (len(categories), len(self._free))
            vectors[:, self._free] = rng.integers(0, 2, size=shape, dtype=np.uint8)
            made = np.where(vectors == 1, self._elements.columns, 0)
            missing = words // self._elements.modulus ^ np.bitwise_xor.reduce(made, axis=1)
            vectors[:, self._basis] = self._solutions[missing]
        return vectors

    def _draw_word(self, category: int, rng: np.random.Generator) -> int:
        """Draw a word of a category."""
        words, counts = self._words[category], self._counts[category]
        if not self._tail.bits:  # all words are equally frequent
            return int(rng.choice(words))
        rank = uniform_integer(sum(counts), rng)
        return int(words[bisect_right(list(accumulate(counts)), rank)])

    def _draw_tail(self, word: int, rng: np.random.Generator) -> list[int]:
        """Draw the tail bits of a vector with this word."""
        if self._split.separable:
            word %= self._elements.modulus
        rank = uniform_integer(self._suffixes[-1][word], rng)
        drawn = []
        for bit, after in enumerate(reversed(self._suffixes[:-1])):
            is_set = rank >= after[word]
            if is_set:
                rank -= after[word]
                word = int(self._tail.minus(bit, np.array(word)))
            drawn.append(int(is_set))
        return drawn


def _solutions(basis: Words, dimension: int) -> Bits:
    """Return, for each word in the span of independent columns, the columns whose XOR it is."""
    solutions = np.zeros((1 << dimension, len(basis)), dtype=np.uint8)
    made = np.zeros(1, dtype=np.int64)
    for rank, column in enumerate(basis.tolist()):
        solutions[made ^ column] = solutions[made]
        solutions[made ^ column, rank] = 1
        made = np.concatenate([made, made ^ column])
    return solutions
