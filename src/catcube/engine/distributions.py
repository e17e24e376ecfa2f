"""Drawing many bits or categories with given probabilities.

A bit with probability p is drawn by a random byte r. With t = floor(256 p), or 255 for p = 1, it is
1 if r < t and 0 if r > t; if r = t (once in 256 times), a uniform number is compared with the
remainder 256 p - t. So vector instructions compare 64 bytes at a time, and probabilities are exact.

To draw a category, the unit interval is divided among the categories, and into 256 cells. A random
byte selects a cell. If the cell belongs to a single category, this is drawn; otherwise a uniform
number selects a place in the cell, so that probabilities are exact. This is a guide table (H.-C.
Chen, Y. Asau, "On generating random variates from an empirical distribution", AIIE Transactions 6
(1974) 163-166).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.dispatch import as_python
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import less_word, load_word, lowest_bit, padded_rows, same_word
from catcube.engine.rng import fill_words, uniform

ONE = np.uint64(1)


class BitProbabilities(NamedTuple):
    """The probabilities of n bits."""

    threshold: np.ndarray  # floor(256 p), at most 255
    remainder: np.ndarray  # 256 p minus the threshold


def new_probabilities(n: int) -> BitProbabilities:
    """Return probabilities of n bits, all 1/2."""
    threshold = padded_rows(1, n)[0]
    threshold[:n] = 128
    return BitProbabilities(threshold, np.zeros(n))


class Draws(NamedTuple):
    """Memory for drawing n bits or categories; `words` and `bytes` share memory."""

    words: np.ndarray
    bytes: np.ndarray
    picked: np.ndarray  # the entries of the selected cells; beyond n always 1


def new_draws(n: int) -> Draws:
    """Allocate memory for drawing n bits or categories."""
    thrown, picked = padded_rows(1, n)[0], padded_rows(1, n)[0]
    picked[:] = 1
    return Draws(thrown.view(np.uint64), thrown, picked)


@part
def set_probability(chances, i, probability):
    """Set the probability of bit i."""
    scaled = 256.0 * probability
    threshold = np.int64(min(scaled, 255.0))
    chances.threshold[i] = np.uint8(threshold)
    chances.remainder[i] = scaled - threshold


@part
def draw_bytes(random, draws, n):
    """Draw a random byte for each of n bits or categories."""
    fill_words(random, draws.words, (n + 7) // 8)


@part
def draw_bits(random, draws, chances, packed):
    """Convert the random bytes to packed bits; the bits beyond the last one are 0."""
    n = chances.remainder.size
    for w in range(draws.bytes.size // 64):
        word = less_word(draws.bytes, chances.threshold, 64 * w)
        ties = same_word(draws.bytes, chances.threshold, 64 * w)
        while ties != 0:
            i = 64 * w + lowest_bit(ties)
            if i >= n:
                break
            if uniform(random) < chances.remainder[i]:
                word |= ties & (~ties + ONE)
            ties &= ties - ONE
        packed[w] = word


CELLS = 256
LARGEST = 254  # category that fits into a cell; cells of larger ones are marked as divided


class Guide(NamedTuple):
    """Distributions of categories, one per row."""

    cells: np.ndarray  # 1 + the category of each cell, or 0 if it is divided
    ends: np.ndarray  # the end of the interval of each category, in cells; row after row
    first: np.ndarray  # where a row begins in `ends`
    size: np.ndarray  # the number of categories of a row


def new_guide(sizes: NDArray[np.int64]) -> Guide:
    """Return uniform distributions of the given numbers of categories."""
    guide = Guide(
        cells=np.zeros((sizes.size, CELLS), np.uint8),
        ends=np.zeros(int(sizes.sum())),
        first=(np.cumsum(sizes) - sizes).astype(np.int64),
        size=sizes.astype(np.int64),
    )
    for size in np.unique(sizes).tolist():
        alike = np.flatnonzero(sizes == size)
        cells, ends = _uniform_row(size)
        guide.cells[alike] = cells
        guide.ends[guide.first[alike][:, None] + np.arange(size)] = ends
    return guide


@lru_cache(maxsize=64)
def _uniform_row(size: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the cells and ends of the uniform distribution of `size` categories."""
    zero = np.zeros(1, np.int64)
    guide = Guide(np.zeros((1, CELLS), np.uint8), np.zeros(size), zero, zero + size)
    as_python(set_distribution)(guide, 0, np.full(size, 1 / size))
    return guide.cells[0], guide.ends


@part
def set_distribution(guide, row, probabilities):
    """Set the probabilities of a row; the last category gets the rest."""
    cells, ends = guide.cells[row], guide.ends[guide.first[row] :]
    last = guide.size[row] - 1
    for cell in range(CELLS):
        cells[cell] = 0
    total = 0.0
    begin = np.int64(0)
    for category in range(last + 1):
        total += probabilities[category]
        end = CELLS * total if category < last else float(CELLS)
        ends[category] = end
        whole = np.int64(min(end, float(CELLS)))
        if category <= LARGEST:
            for cell in range(begin, whole):
                cells[cell] = np.uint8(category + 1)
        begin = whole + (end > whole)


@inlined
def apply_margin(probabilities, bound):
    """Raise probabilities below a bound to the bound, and normalise all."""
    total = 0.0
    for category in range(probabilities.size):
        probabilities[category] = max(probabilities[category], bound)
        total += probabilities[category]
    for category in range(probabilities.size):
        probabilities[category] /= total


@part
def draw_row(random, guide, draws, row, positions):
    """Draw row[positions[k]] from distribution k for all k: first all bytes, then divided cells."""
    n = guide.size.size
    draw_bytes(random, draws, n)
    for k in range(n):
        draws.picked[k] = guide.cells[k, unsigned(draws.bytes[k])]
    if row.size == n:
        for k in range(n):
            row[k] = np.uint16(draws.picked[k]) - np.uint16(1)
    else:
        for k in range(n):
            row[unsigned(positions[k])] = np.uint16(draws.picked[k]) - np.uint16(1)
    for w in range((n + 63) // 64):
        divided = ~load_word(draws.picked, 64 * w)
        while divided != 0:
            k = 64 * w + lowest_bit(divided)
            category = category_at(guide, k, draws.bytes[k] + uniform(random))
            row[unsigned(positions[k])] = np.uint16(category)
            divided &= divided - ONE


@inlined
def category_at(guide, row, quantile):
    """Return the first category whose interval ends after a quantile (by bisection)."""
    first = guide.first[row]
    low, high = 0, guide.size[row] - 1
    while low < high:
        middle = (low + high) >> 1
        if guide.ends[unsigned(first + middle)] > quantile:
            high = middle
        else:
            low = middle + 1
    return low
