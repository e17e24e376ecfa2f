"""Code design: words over an alphabet that differ in many positions, such as strands of DNA.

m words of length n, any two of which differ in at least d positions. Options for DNA (A. Marathe,
A. E. Condon, R. M. Corn, "On combinatorial DNA word design", 2001): no word is closer than d to the
reverse complement of a word, itself included, and half of the letters of each word, rounded down,
are G or C. The value is the sum of all shortfalls from d, and of all deviations from that half.
"""

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np

from catcube.engine.compiled.entry import entry
from catcube.engine.compiled.jit import inlined, unsigned
from catcube.errors import BadValue
from catcube.problems.problem import Problem, bounded, joined
from catcube.problems.registry import kind
from catcube.space import Space

COMPLEMENTS = {"A": "T", "T": "A", "C": "G", "G": "C"}
MOST_LETTERS = 1_000_000

# integers: the number of words, their length, the distance, the wanted number of G and C (or -1),
# whether reverse complements count; for each letter its complement; for each whether it is G or C.
# counts: for each pair of words in how many positions they differ; the same for each word and the
# reverse complement of each; for each word its number of G and C.
WORDS, LENGTH, DISTANCE, WANTED, REVERSE, COMPLEMENT, IS_GC = range(7)


@inlined
def facing(problem, j, k, reverse):
    """Return letter k of word j, or of its reverse complement."""
    integers, letters, length = problem.integers, problem.categories, problem.integers[LENGTH]
    if reverse:
        letter = letters[unsigned(j * length + length - 1 - k)]
        return integers[unsigned(integers[COMPLEMENT] + letter)]
    return np.int64(letters[unsigned(j * length + k)])


@inlined
def different(problem, i, j, reverse):
    """Count the positions in which word i differs from word j, or from its reverse complement."""
    first, found = i * problem.integers[LENGTH], 0
    for k in range(problem.integers[LENGTH]):
        letter = problem.categories[unsigned(first + k)]
        found += 1 if letter != facing(problem, j, k, reverse) else 0
    return found


@inlined
def shift(problem, i, j, k, letter, reverse):
    """Return the change of that number if letter k of word i changes."""
    length, other = problem.integers[LENGTH], facing(problem, j, k, reverse)
    before = problem.categories[unsigned(i * length + k)]
    moved = (1 if letter != other else 0) - (1 if before != other else 0)
    if reverse and j == i:  # the word and its reverse complement change
        moved = 0 if 2 * k == length - 1 else 2 * moved
    return moved


@inlined
def is_gc(problem, letter):
    """Return 1 if a letter is G or C, else 0."""
    return problem.integers[unsigned(problem.integers[IS_GC] + letter)]


@inlined
def gc_of(problem, i):
    """Count the letters G and C of word i."""
    first, found = i * problem.integers[LENGTH], 0
    for k in range(problem.integers[LENGTH]):
        found += is_gc(problem, problem.categories[unsigned(first + k)])
    return found


@entry("value")
def words_value(problem):
    """Sum the shortfalls from the distance and the deviations of G and C."""
    integers = problem.integers
    distance, wanted = integers[DISTANCE], integers[WANTED]
    total = 0
    for i in range(integers[WORDS]):
        for j in range(i):
            total += max(0, distance - different(problem, i, j, False))
        if integers[REVERSE]:
            for j in range(i + 1):
                total += max(0, distance - different(problem, i, j, True))
        if wanted >= 0:
            total += abs(gc_of(problem, i) - wanted)
    return float(total)


@entry("prepare")
def words_prepare(problem):
    """Compare all words."""
    counts, words = problem.counts, problem.integers[WORDS]
    square = words * words
    for i in range(words):
        for j in range(words):
            counts[i * words + j] = different(problem, i, j, False)
            if problem.integers[REVERSE]:
                counts[square + i * words + j] = different(problem, i, j, True)
        counts[2 * square + i] = gc_of(problem, i)


@entry("change")
def words_change(problem, variable, letter):
    """Sum the changes of the differences of one word from all others, in one position."""
    integers, counts = problem.integers, problem.counts
    words, distance, wanted = integers[WORDS], integers[DISTANCE], integers[WANTED]
    i, k = variable // integers[LENGTH], variable % integers[LENGTH]
    total = 0
    for reverse in range(1 + integers[REVERSE]):
        row = (reverse * words + i) * words
        for j in range(words):
            if j != i or reverse:
                found = counts[unsigned(row + j)]
                new = found + shift(problem, i, j, k, letter, reverse)
                total += max(0, distance - new) - max(0, distance - found)
    if wanted >= 0:
        found = counts[unsigned(2 * words * words + i)]
        new = found + is_gc(problem, letter) - is_gc(problem, problem.categories[variable])
        total += abs(new - wanted) - abs(found - wanted)
    return float(total)


@entry("commit")
def words_commit(problem, variable, letter):
    """Note the differences of one word from all others."""
    integers, counts, words = problem.integers, problem.counts, problem.integers[WORDS]
    i, k = variable // integers[LENGTH], variable % integers[LENGTH]
    for reverse in range(1 + integers[REVERSE]):
        first = reverse * words * words
        for j in range(words):
            if j != i or reverse:
                moved = shift(problem, i, j, k, letter, reverse)
                counts[unsigned(first + i * words + j)] += moved
                if j != i:
                    counts[unsigned(first + j * words + i)] += moved
    added = is_gc(problem, letter) - is_gc(problem, problem.categories[variable])
    counts[unsigned(2 * words * words + i)] += added


@kind(
    "words",
    "words that differ in many positions, such as strands of DNA: shortfalls from a distance",
    instances=["16,5,4", "8,6,4,01", "20,8,4,reverse=true,gc=true", "27,4,3,ABC"],
)
class Words(Problem):
    """Words of equal length, any two of which differ in at least `distance` positions.

    >>> problem = Words(4, 3, 3)
    >>> problem.evaluate(dict(zip(problem.space.names, "AAATTTCCCGGT", strict=True)))
    1.0
    >>> problem.optimum
    0.0

    `reverse` and `gc` are the conditions on DNA. `optimum` is 0 if a code of that size is
    known.
    """

    value = words_value
    prepare = words_prepare
    change = words_change
    commit = words_commit
    exact = True

    def __init__(
        self,
        words: int,
        length: int,
        distance: int,
        alphabet: str = "ATCG",
        reverse: bool = False,
        gc: bool = False,
    ) -> None:
        bounded("words", words, 1, 5000)
        bounded("length", length, 1, MOST_LETTERS // words)
        bounded("distance", distance, 0, length)
        if not 1 <= len(alphabet) <= 100 or len(set(alphabet)) != len(alphabet):
            raise BadValue(f"expected 1 to 100 different letters, got {alphabet!r}")
        if (reverse or gc) and set(alphabet) != set(COMPLEMENTS):
            raise BadValue(f"expected the letters ATCG for reverse and gc, got {alphabet!r}")
        self.length = length
        self.space = Space(
            {f"w{i + 1}l{k + 1}": alphabet for i in range(words) for k in range(length)}
        )
        complements = [alphabet.index(COMPLEMENTS[letter]) if reverse else 0 for letter in alphabet]
        self.integers = joined(
            [words, length, distance, length // 2 if gc else -1, int(reverse)],
            [complements, [int(letter in "GC") for letter in alphabet]],
        )
        self.count_size = 2 * words * words + words
        if words <= known_size(len(alphabet), length, distance, reverse, gc):
            self.optimum = 0.0

    def solution(self, point: Mapping[str, Any]) -> str:
        """Return the words, one per line."""
        letters = "".join(point[name] for name in self.space.names)
        return "\n".join(
            letters[begin : begin + self.length] for begin in range(0, len(letters), self.length)
        )


def known_size(q: int, n: int, d: int, reverse: bool = False, gc: bool = False) -> int:
    """Return a lower bound on the number of words of length n over q letters at distance d.

    The largest of: all words (d = 1), those of equal sum (d = 2), repetitions (d = n), Reed-Solomon
    codes and their extension (q a power of a prime, n <= q + 1), shortened Hamming codes (d = 3),
    and Gilbert's bound: as long as the balls around the words do not cover all candidates,
    another word can be added.

    >>> known_size(4, 5, 4), known_size(2, 7, 3), known_size(3, 4, 3)
    (16, 16, 9)

    With `reverse` and `gc`, conditions on DNA, only Gilbert's bound applies: the candidates are
    the words that satisfy them, and a word has a second ball, around its reverse complement.

    >>> known_size(4, 8, 4, reverse=True, gc=True)
    5
    """
    if d <= 0:
        return 10**9
    ball = sum(comb(n, i) * (q - 1) ** i for i in range(min(d, n + 1)))
    if reverse or gc:
        return -(-_candidates(n, d, reverse, gc) // (ball * (2 if reverse else 1)))
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
    """Return whether there is a field of q elements."""
    prime = next((p for p in range(2, q + 1) if q % p == 0), 0)
    while prime and q % prime == 0:
        q //= prime
    return bool(prime) and q == 1


def _candidates(n: int, d: int, reverse: bool, gc: bool) -> int:
    """Count the words over ATCG that satisfy the conditions on one word.

    A word is n // 2 pairs of letters that face each other in the reverse complement, and one letter
    more if n is odd, which always differs there. A pair agrees in 4 of 16 cases (2 of them with two
    G or C, 2 with none), and differs in 12 (2 with two, 2 with none, 8 with one).
    """
    words = {(n % 2, 0): 1} if n % 2 == 0 else {(1, 0): 2, (1, 1): 2}  # by differences, G and C
    for _ in range(n // 2):
        longer: dict[tuple[int, int], int] = {}
        for (differences, gcs), count in words.items():
            for more, added, cases in ((0, 0, 2), (0, 2, 2), (2, 0, 2), (2, 1, 8), (2, 2, 2)):
                key = differences + more, gcs + added
                longer[key] = longer.get(key, 0) + cases * count
        words = longer
    return sum(
        count
        for (differences, gcs), count in words.items()
        if (not reverse or differences >= d) and (not gc or gcs == n // 2)
    )
