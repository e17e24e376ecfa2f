"""The distances of bits that linkage trees are built from, D(i, j) = 2 - (H(i) + H(j)) / H(i, j).

They are integers in units of 2^-30: vector instructions find the least of them, and equal averages
are equal.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import words_for
from catcube.engine.compiled.vectors import SIDE, turn_block
from catcube.engine.information import entropy

ONE = 2.0**30
FAR = np.int32(2**31 - 1)
LINE = 16  # of such numbers that are fetched from memory at once


class Distances(NamedTuple):
    """The distances of all pairs of n bits, and memory to compute them."""

    matrix: np.ndarray
    ones: np.ndarray  # how many solutions have each bit
    marginal: np.ndarray  # the entropy of each bit
    joint: np.ndarray  # and of each with a given one
    inside: np.ndarray  # parts of it, by how many have both bits
    outside: np.ndarray  # and by how many have the other bit alone


def new_distances(n: int, most: int, columns: int) -> Distances:
    """Allocate the distances of n bits in up to `most` solutions, in a matrix of so many columns.

    There are rows to spare, for blocks at their end. They begin an odd number of lines apart: a
    power of two in it would put all of a column into a few places of the cache (measured: writing
    a column took twice as long). `columns` is a multiple of 64.
    """
    return Distances(
        matrix=np.zeros((64 * words_for(n), columns + LINE), np.int32),
        ones=np.zeros(n, np.int32),
        marginal=np.zeros(n, np.float64),
        joint=np.zeros(n, np.float64),
        inside=np.zeros(most + 1, np.float64),
        outside=np.zeros(most + 1, np.float64),
    )


def triangle_size(n: int) -> int:
    """Return how many pairs n bits have, each bit with itself included."""
    return n * (n + 1) // 2


@inlined
def row_start(i, n):
    """Return where the row of bit i begins in the triangle of pairs."""
    return i * n - i * (i - 1) // 2


@part
def measure(distances, pairs, total, table, newcomer):
    """Compute the distances of all pairs of bits in `total` solutions.

    `pairs` says how often both bits are 1: the upper triangle, row after row, each from the
    diagonal on. A newcomer is counted meanwhile, unless it has no bits: a row that has to be
    fetched from memory twice takes longer to fetch than to measure.
    """
    n = distances.marginal.size
    for i in range(n):
        if newcomer.size > 0:
            pairs[row_start(i, n)] += newcomer[i]
        distances.ones[i] = pairs[row_start(i, n)]
        distances.marginal[i] = table[total] + entropy(table, total, np.int64(distances.ones[i]))
    for i in range(n):
        # Loops from 0 become vector instructions.
        both, ones = pairs[row_start(i, n) + 1 : row_start(i + 1, n)], distances.ones[i + 1 :]
        marginal, joint = distances.marginal[i + 1 :], distances.joint[i + 1 :]
        row = distances.matrix[i][i + 1 : n]
        if newcomer.size > 0 and newcomer[i] != 0:
            bits = newcomer[i + 1 :]
            for j in range(both.size):
                both[j] = np.int32(both[j] + bits[j])
        tabulate(distances, both, ones, np.int64(distances.ones[i]), total, table)
        for j in range(ones.size):
            common = np.int64(both[j])
            alone = np.int64(ones[j]) - common
            joint[j] = distances.outside[unsigned(alone)] - distances.inside[unsigned(common)]
        single = distances.marginal[i]
        for j in range(marginal.size):
            shared = (single + marginal[j]) / joint[j] if joint[j] > 0.0 else 2.0
            row[j] = np.int32((2.0 - shared) * ONE + 0.5)
        distances.matrix[i, i] = FAR  # a cluster is not a neighbour of itself
    mirror(distances.matrix, n)


@inlined
def tabulate(distances, both, ones, first, total, table):
    """Tabulate the joint entropies of a bit of which `first` are 1, as differences of two terms.

    Of the four counts two sum up to the ones of this bit, and two to its zeros: one term each,
    computed for the counts that occur.
    """
    low, high = np.int32(total), np.int32(0)
    low_alone, high_alone = np.int32(total), np.int32(0)
    for j in range(ones.size):
        alone = np.int32(ones[j] - both[j])
        low, high = min(low, both[j]), max(high, both[j])
        low_alone, high_alone = min(low_alone, alone), max(high_alone, alone)
    for k in range(low, high + 1):
        distances.inside[unsigned(k)] = table[unsigned(k)] + table[unsigned(first - k)]
    zeros = total - first
    for k in range(low_alone, high_alone + 1):
        distances.outside[unsigned(k)] = (
            table[total] - table[unsigned(k)] - table[unsigned(zeros - k)]
        )


@part
def mirror(matrix, n):
    """Copy the upper triangle to the lower one: line by line in blocks that are turned over."""
    for first in range(0, n, LINE):
        for second in range(first, n, LINE):
            for i in range(first, first + LINE, SIDE):
                for j in range(second, second + LINE, SIDE):
                    if i < j:
                        turn_block(matrix, i, j)
                    elif i == j:
                        for k in range(i, i + SIDE):
                            for other in range(i, k):
                                matrix[k, other] = matrix[other, k]
