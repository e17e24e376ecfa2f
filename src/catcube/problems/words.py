"""Code design: words over an alphabet that differ in many positions, such as strands of DNA.

m words of length n, any two of which differ in at least d positions. Options for DNA (A. Marathe,
A. E. Condon, R. M. Corn, "On combinatorial DNA word design", 2001): every word differs from the
reverse complements of all words, including itself, in at least d positions; and half of its
letters, rounded down, are G or C. The value is the sum of all shortfalls from d, and of all
deviations from that half.
"""

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np

from catcube.base.text import expect
from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined, unsigned
from catcube.problems.problem import Problem, check_integer, join_constants
from catcube.problems.registry import kind
from catcube.space import Space

COMPLEMENTS = {"A": "T", "T": "A", "C": "G", "G": "C"}
MOST_LETTERS = 1_000_000

# integers: the number of words, the distance, the wanted number of G and C (or -1), whether reverse
# complements count; the complement of each letter; whether each letter is G or C.
# counts: the number of positions in which two words differ, for each pair of words; the same for
# each word and the reverse complement of each; the number of G and C of each word.
WORDS, DISTANCE, WANTED, REVERSE, COMPLEMENT, IS_GC = range(6)


@inlined
def complement(problem, letter):
    """Return the complement of a letter."""
    return problem.integers[unsigned(problem.integers[COMPLEMENT] + letter)]


@inlined
def is_gc(problem, letter):
    """Return 1 if a letter is G or C, else 0."""
    return problem.integers[unsigned(problem.integers[IS_GC] + letter)]


@inlined
def count_differences(problem, first, second, length):
    """Count the positions in which the words that begin at `first` and `second` differ."""
    letters, found = problem.categories, 0
    for k in range(length):
        found += 1 if letters[unsigned(first + k)] != letters[unsigned(second + k)] else 0
    return found


@inlined
def count_differences_reversed(problem, first, second, length):
    """Count the positions in which a word differs from the reverse complement of another."""
    letters, found = problem.categories, 0
    for k in range(length):
        other = complement(problem, letters[unsigned(second + length - 1 - k)])
        found += 1 if letters[unsigned(first + k)] != other else 0
    return found


@inlined
def count_gc(problem, first, length):
    """Count the letters G and C of a word."""
    found = 0
    for k in range(length):
        found += is_gc(problem, problem.categories[unsigned(first + k)])
    return found


@inlined
def difference_change(before, after, other):
    """Return the change of the number of differences from another letter."""
    return (1 if after != other else 0) - (1 if before != other else 0)


@inlined
def difference_change_reversed(problem, i, j, k, before, letter):
    """Return the same for word i and the reverse complement of word j, which may be i."""
    length = problem.categories.size // problem.integers[WORDS]
    other = problem.categories[unsigned(j * length + length - 1 - k)]
    moved = difference_change(before, letter, complement(problem, other))
    if j == i:
        moved = 0 if 2 * k == length - 1 else 2 * moved
    return moved


@kind(
    "words",
    "words that differ in many positions, such as strands of DNA: shortfalls from a distance",
    instances=["16,5,4", "8,6,4,01", "20,8,4,reverse=true,gc=true", "27,4,3,ABC"],
)
class Words(Problem):
    """The shortfall of a set of words from a required distance.

    Parameters
    ----------
    words, length
        The number of words, and their length.
    distance
        The number of positions in which any two words should differ.
    alphabet
        The letters.
    reverse, gc
        Whether words should also differ from reverse complements, and contain half G and C, for
        the alphabet of DNA.

    Attributes
    ----------
    optimum
        0 if a code of this size is known, without `reverse` and `gc`; else None.

    Examples
    --------
    >>> problem = Words(4, 3, 3)
    >>> problem.evaluate(dict(zip(problem.space.names, "AAATTTCCCGGT", strict=True)))
    1.0
    >>> problem.optimum
    0.0
    """

    exact = True

    @entry("value")
    def value(problem):
        """Return the sum of shortfalls from the distance, and of deviations of G and C."""
        words, distance = problem.integers[WORDS], problem.integers[DISTANCE]
        wanted, reverse = problem.integers[WANTED], problem.integers[REVERSE]
        length = problem.categories.size // words
        total = 0
        for i in range(words):
            for j in range(i):
                total += max(
                    0, distance - count_differences(problem, i * length, j * length, length)
                )
            if reverse:
                for j in range(i + 1):
                    found = count_differences_reversed(problem, i * length, j * length, length)
                    total += max(0, distance - found)
            if wanted >= 0:
                total += abs(count_gc(problem, i * length, length) - wanted)
        return float(total)

    @entry("prepare")
    def prepare(problem):
        """Count the differences of all pairs of words."""
        counts = problem.counts
        words, reverse = problem.integers[WORDS], problem.integers[REVERSE]
        length, square = problem.categories.size // words, words * words
        for i in range(words):
            for j in range(words):
                counts[i * words + j] = count_differences(problem, i * length, j * length, length)
                if reverse:
                    found = count_differences_reversed(problem, i * length, j * length, length)
                    counts[square + i * words + j] = found
            counts[2 * square + i] = count_gc(problem, i * length, length)

    @entry("change")
    def change(problem, variable, letter):
        """Return the change of the value, from the differences between one word and the others."""
        letters, counts = problem.categories, problem.counts
        words, distance = problem.integers[WORDS], problem.integers[DISTANCE]
        wanted, reverse = problem.integers[WANTED], problem.integers[REVERSE]
        length, square = letters.size // words, words * words
        i, k = variable // length, variable % length
        before = np.int64(letters[variable])
        total = 0
        for j in range(words):
            if j != i:
                found = counts[unsigned(i * words + j)]
                new = found + difference_change(before, letter, letters[unsigned(j * length + k)])
                total += max(0, distance - new) - max(0, distance - found)
        if reverse:
            for j in range(words):
                found = counts[unsigned(square + i * words + j)]
                new = found + difference_change_reversed(problem, i, j, k, before, letter)
                total += max(0, distance - new) - max(0, distance - found)
        if wanted >= 0:
            found = counts[unsigned(2 * square + i)]
            new = found + is_gc(problem, letter) - is_gc(problem, before)
            total += abs(new - wanted) - abs(found - wanted)
        return float(total)

    @entry("commit")
    def commit(problem, variable, letter):
        """Update the differences between one word and the others."""
        letters, counts = problem.categories, problem.counts
        words, reverse = problem.integers[WORDS], problem.integers[REVERSE]
        length, square = letters.size // words, words * words
        i, k = variable // length, variable % length
        before = np.int64(letters[variable])
        for j in range(words):
            if j != i:
                moved = difference_change(before, letter, letters[unsigned(j * length + k)])
                counts[unsigned(i * words + j)] += moved
                counts[unsigned(j * words + i)] += moved
        if reverse:
            for j in range(words):
                moved = difference_change_reversed(problem, i, j, k, before, letter)
                counts[unsigned(square + i * words + j)] += moved
                if j != i:
                    counts[unsigned(square + j * words + i)] += moved
        counts[unsigned(2 * square + i)] += is_gc(problem, letter) - is_gc(problem, before)

    def __init__(
        self,
        words: int,
        length: int,
        distance: int,
        alphabet: str = "ATCG",
        reverse: bool = False,
        gc: bool = False,
    ) -> None:
        check_integer("words", words, 1, 5000)
        check_integer("length", length, 1, MOST_LETTERS // words)
        check_integer("distance", distance, 0, length)
        fits = 1 <= len(alphabet) <= 100 and len(set(alphabet)) == len(alphabet)
        expect(fits, "1 to 100 different letters", alphabet)
        is_dna = set(alphabet) == set(COMPLEMENTS)
        expect(is_dna or not (reverse or gc), "the letters ATCG for reverse and gc", alphabet)
        self.length = length
        names = (f"w{i + 1}l{k + 1}" for i in range(words) for k in range(length))
        self.space = Space(dict.fromkeys(names, alphabet))
        complements = [alphabet.index(COMPLEMENTS[letter]) if reverse else 0 for letter in alphabet]
        gc_letters = [int(letter in "GC") for letter in alphabet]
        scalars = [words, distance, length // 2 if gc else -1, int(reverse)]
        self.integers = join_constants(scalars, [complements, gc_letters])
        self.count_size = 2 * words * words + words
        if not (reverse or gc) and words <= known_size(len(alphabet), length, distance):
            self.optimum = 0.0

    def solution(self, point: Mapping[str, Any]) -> str:
        """Format the words, one per line."""
        letters = "".join(point[name] for name in self.space.names)
        begins = range(0, len(letters), self.length)
        return "\n".join(letters[begin : begin + self.length] for begin in begins)


def known_size(q: int, n: int, d: int) -> int:
    """Return a lower bound on the number of words of length n over q letters at distance d.

    It is the largest of: all words (d = 1), words of equal sum (d = 2), repetitions (d = n),
    extended Reed-Solomon codes (q a power of a prime, n <= q + 1), shortened Hamming codes (d = 3),
    and Gilbert's bound: words can be added until the balls around them cover all words.

    >>> known_size(4, 5, 4), known_size(2, 7, 3), known_size(3, 4, 3)
    (16, 16, 9)
    """
    if d <= 0:
        return 10**9
    ball = sum(comb(n, i) * (q - 1) ** i for i in range(min(d, n + 1)))
    sizes = [-(-(q**n) // ball)]
    if d <= 2:
        sizes.append(q ** (n - d + 1))
    if d == n:
        sizes.append(q)
    if _is_prime_power(q):
        if n <= q + 1:
            sizes.append(q ** (n - d + 1))
        if d == 3:
            check = next(r for r in range(1, n + 2) if (q**r - 1) // (q - 1) >= n)
            sizes.append(q ** max(0, n - check))
    return max(sizes)


def _is_prime_power(q: int) -> bool:
    """Return whether q is a power of a prime, so that there is a field of q elements."""
    prime = next((p for p in range(2, q + 1) if q % p == 0), 0)
    while prime and q % prime == 0:
        q //= prime
    return bool(prime) and q == 1
