"""Local properties: the categories around every single point, decided exactly.

Without additive part all points with the same word see the same. With one they do not, and the
questions are about the existence of a point, answered by following the words that can be made.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.representations.exact import spectrum
from catcube.representations.exact.words import Elements, Words, reachable

if TYPE_CHECKING:
    from catcube.representations.representation import Representation

Seen = NDArray[np.bool_]

_LARGEST_CUBE = 16  # bits; whole cubes up to here take about a second


def is_locally_surjective(representation: "Representation") -> bool:
    """Return whether every point sees all categories in itself and its neighbours."""
    elements, table = representation.elements, representation.table
    words = np.flatnonzero(reachable(elements))
    seen = _surely_seen(representation, words)
    return not any(
        _misses(elements, table, int(words[row]), int(category))
        for row, category in np.argwhere(~seen)
    )


def _surely_seen(representation: "Representation", words: Words) -> Seen:
    """Return the categories that a point with that word sees whatever its bits are."""
    elements, table = representation.elements, representation.table
    rows = np.arange(len(words))
    seen = np.zeros((len(words), representation.categories), dtype=bool)
    seen[rows, table[words]] = True
    for bit in range(elements.bits):
        if_clear, if_set = table[elements.plus(bit, words)], table[elements.minus(bit, words)]
        same = (if_clear == if_set) & (if_clear >= 0)
        seen[rows[same], if_clear[same]] = True
    return seen


def _misses(elements: Elements, table: Words, word: int, category: int) -> bool:
    """Return whether some point with that word has no neighbour of that category.

    Each bit may have the values whose flip does not lead to the category, at least one as the
    category is not surely seen; the question is whether such values make the word.
    """
    here = np.array([word])
    made = np.zeros(elements.order, dtype=bool)
    made[0] = True
    for bit in range(elements.bits):
        may_be_clear = table[elements.plus(bit, here)[0]] != category
        may_be_set = table[elements.minus(bit, here)[0]] != category
        if not may_be_clear:
            made = made[elements.minus(bit)]
        elif may_be_set:
            made = made | made[elements.minus(bit)]
    return bool(made[word])


def radius(representation: "Representation") -> int:
    """Return the smallest R such that every point has all categories within R flips."""
    if representation.categories == 1:
        return 0
    if representation.is_xor_only:
        elements = representation.elements
        words = np.flatnonzero(reachable(elements))
        index_of = np.zeros(elements.order, dtype=np.int64)
        index_of[words] = np.arange(len(words))
        steps = [index_of[elements.plus(bit, words)] for bit in range(elements.bits)]
        return _rounds(representation.table[words], steps, representation.categories)
    if is_locally_surjective(representation):
        return 1
    points, decoded = _cube(representation, "the radius")
    flipped = [points ^ (1 << bit) for bit in range(representation.bits)]
    return _rounds(decoded, flipped, representation.categories)


def _rounds(decoded: Words, steps: list[Words], categories: int) -> int:
    """Count the steps until every point has seen all categories."""
    seen = np.zeros((len(decoded), categories), dtype=bool)
    seen[np.arange(len(decoded)), decoded] = True
    rounds = 0
    while not seen.all():
        wider = seen.copy()
        for step in steps:
            wider |= seen[step]
        seen = wider
        rounds += 1
    return rounds


def _cube(representation: "Representation", what: str) -> tuple[Words, Words]:
    """Return all points of the cube as integers (bit i is bit i), and their categories."""
    n = representation.bits
    if n > _LARGEST_CUBE:
        raise BadValue(
            f"{what} of {representation.name!r} is not feasible here: it would take all 2^{n} "
            f"points (at most 2^{_LARGEST_CUBE})"
        )
    points = np.arange(1 << n)
    return points, representation.decode(points[:, None] >> np.arange(n) & 1)


def is_isotropic(representation: "Representation") -> bool:
    """Return whether every point reaches all other categories equally, for every r."""
    if representation.categories <= 2:
        return True  # there is at most one other category
    # One point with unequal neighbours proves that it is not; any points will do to look for one.
    tries = np.random.default_rng(0).integers(0, 2, size=(64, representation.bits))
    if not _equal_neighbors(representation, np.vstack([tries * 0, tries])):
        return False
    if representation.is_xor_only:
        return spectrum.is_isotropic(representation)
    points, decoded = _cube(representation, "isotropy")
    return _is_isotropic_cube(decoded, np.bitwise_count(points).astype(np.int64))


def _equal_neighbors(representation: "Representation", vectors: NDArray[np.int64]) -> bool:
    """Return whether each of these points has equally many neighbours of every other category."""
    centre = representation.decode(vectors)
    neighbors = representation.neighbors(vectors)
    for category, around in zip(centre, neighbors, strict=True):
        counts = np.delete(np.bincount(around, minlength=representation.categories), category)
        if len(set(counts.tolist())) > 1:
            return False
    return True


def _is_isotropic_cube(decoded: Words, weights: Words) -> bool:
    """Decide as for words in `spectrum`, with the points of the cube as words and unit columns."""
    marks = np.zeros((len(decoded), int(decoded.max()) + 1))
    marks[np.arange(len(decoded)), decoded] = 1
    return spectrum.all_parts_equal(marks, weights)
