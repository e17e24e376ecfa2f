"""From a category back to bits: the canonical representative, and a uniformly random one."""

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.representations.words import (
    Counts,
    Elements,
    Split,
    Words,
    independent_bits,
    reachable,
    word_counts,
)

Bits = NDArray[np.uint8]


def canonical(elements: Elements, table: Words, categories: int) -> Bits:
    """Return for every category the bit vector with the fewest ones, and the earliest of those.

    Among vectors with equally many ones, the one whose first differing one is earlier comes first.
    """
    vectors = np.zeros((categories, elements.bits), dtype=np.uint8)
    light = _at_most_one(elements, table)
    if len(light) == categories:  # one flip away from zero: nothing to search
        for category, bit in light.items():
            if bit is not None:
                vectors[category, bit] = 1
        return vectors
    words, takes = _fewest_ones(elements, table, categories)
    for bit in range(elements.bits):
        taken = takes[bit, words]
        vectors[:, bit] = taken
        words = np.where(taken, elements.minus(bit, words), words)
    return vectors


def _at_most_one(elements: Elements, table: Words) -> dict[int, int | None]:
    """Return the categories of the zero vector and of single ones, with the first such bit."""
    found: dict[int, int | None] = {int(table[0]): None}
    singles = table[elements.columns * elements.modulus + elements.weights]
    for bit, category in enumerate(singles.tolist()):
        found.setdefault(category, bit)
    return found


def _fewest_ones(
    elements: Elements, table: Words, categories: int
) -> tuple[Words, NDArray[np.bool_]]:
    """Return the target word of every category, and for every bit and word whether to set the bit.

    From the last bit to the first, `ones[word]` is the fewest ones among the bits from there on
    that make the word; a bit is set if that is no worse, which puts ones early.
    """
    far = elements.bits + 1
    ones = np.full(elements.order, far, dtype=np.int64)
    ones[0] = 0
    takes = np.zeros((elements.bits, elements.order), dtype=bool)
    for bit in reversed(range(elements.bits)):
        with_bit = ones[elements.minus(bit)] + 1
        takes[bit] = (with_bit <= ones) & (with_bit < far)
        ones = np.minimum(ones, with_bit)
    best = np.full(categories, far)
    decoded = table >= 0
    np.minimum.at(best, table[decoded], ones[decoded])
    candidates = np.flatnonzero(decoded & (ones == best[table]) & (ones < far))
    return _earliest(elements, table, candidates, takes, categories), takes


def _earliest(
    elements: Elements,
    table: Words,
    candidates: Words,
    takes: NDArray[np.bool_],
    categories: int,
) -> Words:
    """Select among the words of a category with equally few ones the one with the earliest ones."""
    words = candidates
    keys = np.zeros((elements.bits, len(words)), dtype=bool)
    for bit in range(elements.bits):
        keys[bit] = ~takes[bit, words]
        words = np.where(takes[bit, words], elements.minus(bit, words), words)
    # lexsort: the last key is the first to count, so the categories and then bit 0, bit 1, …
    order = np.lexsort([*keys[::-1], table[candidates]])
    sorted_categories = table[candidates][order]
    first: Words = candidates[order][np.searchsorted(sorted_categories, np.arange(categories))]
    return first


def uniform_integer(below: int, rng: np.random.Generator) -> int:
    """Draw a uniform integer from 0 to below − 1, of any size, by rejection.

    >>> 0 <= uniform_integer(3**200, np.random.default_rng(0)) < 3**200
    True
    """
    if below < 1:
        raise BadValue(f"expected a positive bound, got {below}")
    length = (below - 1).bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes((length + 7) // 8), "little") & ((1 << length) - 1)
        if drawn < below:
            return drawn


class Sampler:
    """Draws uniformly among all bit vectors of a category, exactly.

    First a word of the category, in proportion to its number of bit vectors; then the tail bits
    among those with the right sum, one by one by exact counts; then the head bits, which only have
    to make the right XOR: all but a basis of them are free.
    """

    def __init__(self, elements: Elements, table: Words, categories: int) -> None:
        self._elements = elements
        self._split = Split.of(elements)
        counts = word_counts(elements)
        can_be = (counts != 0) & (table >= 0)
        self._words = [np.flatnonzero(can_be & (table == c)) for c in range(categories)]
        self._counts = [counts[words].tolist() for words in self._words]
        self._tail = self._split.tail_elements(elements)
        self._suffixes = [counts.tolist() for counts in _suffix_counts(self._tail)]
        head = elements.columns[self._split.head]
        self._basis = self._split.head[independent_bits(head)]
        self._free = np.setdiff1d(self._split.head, self._basis)
        self._solutions = _solutions(elements.columns[self._basis], elements.dimension)

    def draw(self, categories: Words, rng: np.random.Generator) -> Bits:
        """Draw one bit vector for each of the categories."""
        if self._tail.bits == 0:
            words = np.array([rng.choice(self._words[c]) for c in categories], dtype=np.int64)
        else:
            words = np.array([self._draw_word(c, rng) for c in categories], dtype=np.int64)
        vectors = np.zeros((len(categories), self._elements.bits), dtype=np.uint8)
        if self._tail.bits:
            for vector, word in zip(vectors, words, strict=True):
                vector[self._split.tail] = self._draw_tail(int(word), rng)
        if self._split.separable:
            shape = (len(categories), len(self._free))
            vectors[:, self._free] = rng.integers(0, 2, size=shape, dtype=np.uint8)
            missing = words // self._elements.modulus
            made = np.where(vectors == 1, self._elements.columns, 0)
            missing = missing ^ np.bitwise_xor.reduce(made, axis=1)
            vectors[:, self._basis] = self._solutions[missing]
        return vectors

    def _draw_word(self, category: int, rng: np.random.Generator) -> int:
        counts = self._counts[category]
        rank = uniform_integer(sum(counts), rng)
        for word, count in zip(self._words[category], counts, strict=True):
            if rank < count:
                return int(word)
            rank -= count
        raise AssertionError("the rank is below the sum of the counts")

    def _draw_tail(self, word: int, rng: np.random.Generator) -> list[int]:
        if self._split.separable:
            word %= self._elements.modulus
        columns, weights = self._tail.columns.tolist(), self._tail.weights.tolist()
        modulus = self._tail.modulus
        rank = uniform_integer(self._suffixes[0][word], rng)
        drawn = []
        for bit, after in enumerate(self._suffixes[1:]):
            without = after[word]
            drawn.append(int(rank >= without))
            if rank >= without:
                rank -= without
                xor, total = divmod(word, modulus)
                word = (xor ^ columns[bit]) * modulus + (total - weights[bit]) % modulus
        return drawn


def _suffix_counts(elements: Elements) -> list[Counts]:
    """Count for every position the words of the bits from there on."""
    counts = np.zeros(elements.order, dtype=object)
    counts[0] = 1
    suffixes = [counts]
    for bit in reversed(range(elements.bits)):
        suffixes.append(suffixes[-1] + suffixes[-1][elements.minus(bit)])
    return suffixes[::-1]


def _solutions(basis: Words, dimension: int) -> Bits:
    """Find for every word in the span of independent columns which of them make it."""
    solutions = np.zeros((1 << dimension, len(basis)), dtype=np.uint8)
    for rank, column in enumerate(basis.tolist()):
        earlier = Elements(basis[:rank], np.zeros(rank, dtype=np.int64), dimension, 1)
        made = np.flatnonzero(reachable(earlier))
        solutions[made ^ column] = solutions[made]
        solutions[made ^ column, rank] = 1
    return solutions
