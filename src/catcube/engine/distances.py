"""The distances from which linkage trees are built, D(i, j) = 2 - (H(i) + H(j)) / H(i, j).

They are integers in units of 2^-30, so that vector instructions find the minimum, and averages that
are mathematically equal are equal.

Entropies of counts need no logarithm in an inner loop: a table contains k·log2(k) in fixed point,
as integers stored in floats, so that loops over them are vectorised and sums are exact in any
order. Only the logarithms of primes are rounded, and those of products are sums of them. So
entropies that are mathematically equal are equal (counts of 2, 2, 4, 12 and of 0, 6, 6, 8 have the
same entropy), and ties are the same on every machine.

On categories, `measure_variables` represents the solutions with a category as a bit set; those with
a pair of categories are the intersection of two sets. Where counting each solution is faster, as
with many categories, the solutions are sorted and counted.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import SIDE, popcount, transpose_block, words_for
from catcube.engine.search import Genes

POINT = 28  # bits after the binary point, as long as sums stay below 2^53


def entropy_table(most: int) -> NDArray[np.float64]:
    """Return k·log2(k) for k = 0..most, in units of 2^-28, or larger units for more than 10^6.

    The unit does not matter, because only ratios and comparisons of entropies are used.
    """
    point = POINT
    while most * most.bit_length() * 2**point >= 2**53:
        point -= 1
    logarithms = np.zeros(most + 1, np.int64)
    for k in range(2, most + 1):
        if logarithms[k] == 0:  # k is a prime
            power = k
            while power <= most:
                logarithms[power::power] += round(math.log2(k) * 2**point)
                power *= k
    return np.arange(most + 1.0) * logarithms


@inlined
def joint_entropy(table, total, first, second, both):
    """Return total · H(a, b) - total · log2(total) from the counts of a, b and both in `total`."""
    return -(
        table[unsigned(both)]
        + table[unsigned(first - both)]
        + table[unsigned(second - both)]
        + table[unsigned(total - first - second + both)]
    )


@inlined
def entropy(table, total, count):
    """Return total · H(a) - total · log2(total) from the count of a in `total`."""
    return -(table[unsigned(count)] + table[unsigned(total - count)])


ONE = 2.0**30
FAR = np.int32(2**31 - 1)
LINE = 16  # distances in a cache line


class Distances(NamedTuple):
    """The distances of all pairs of n bits or variables, and memory to compute them."""

    matrix: np.ndarray
    ones: np.ndarray  # the number of solutions with each bit
    marginal: np.ndarray  # the entropy of each bit
    joint: np.ndarray  # the joint entropy of each bit and a given one
    inside: np.ndarray  # terms of it, by the number of solutions with both bits
    outside: np.ndarray  # terms of it, by the number of solutions with the other bit only


def new_distances(n: int, most: int, columns: int) -> Distances:
    """Allocate the distances of n bits in up to `most` solutions.

    The matrix has `columns` columns, a multiple of 64, and spare rows to complete the last block.
    Rows are an odd number of cache lines apart: otherwise the elements of a column compete for
    few places in the cache (measured: writing a column took twice as long).
    """
    matrix = np.zeros((64 * words_for(n), columns + LINE), np.int32)
    return Distances(matrix, np.zeros(n, np.int32), *np.zeros((2, n)), *np.zeros((2, most + 1)))


def triangle_size(n: int) -> int:
    """Return the number of pairs of n bits, including each bit with itself."""
    return n * (n + 1) // 2


@inlined
def row_start(i, n):
    """Return the index at which the row of bit i begins in the triangle of pairs."""
    return i * n - i * (i - 1) // 2


@part
def measure(distances, pairs, total, table, newcomer):
    """Compute the distances of all pairs of bits in `total` solutions.

    `pairs` are the counts of solutions with both bits: the upper triangle, row by row, each from
    the diagonal on. The counts of a newcomer, if it is not empty, are added on the way, because
    fetching the rows from memory twice would take longer than the computation.
    """
    n = distances.marginal.size
    for i in range(n):
        if newcomer.size > 0:
            pairs[row_start(i, n)] += newcomer[i]
        distances.ones[i] = pairs[row_start(i, n)]
        distances.marginal[i] = table[total] + entropy(table, total, np.int64(distances.ones[i]))
    for i in range(n):
        # Slices, so that loops begin at 0 and are vectorised.
        both, ones = pairs[row_start(i, n) + 1 : row_start(i + 1, n)], distances.ones[i + 1 :]
        joint = distances.joint[i + 1 :]
        if newcomer.size > 0 and newcomer[i] != 0:
            bits = newcomer[i + 1 :]
            for j in range(both.size):
                both[j] = np.int32(both[j] + bits[j])
        tabulate(distances, both, ones, np.int64(distances.ones[i]), total, table)
        for j in range(ones.size):
            common = np.int64(both[j])
            alone = np.int64(ones[j]) - common
            joint[j] = distances.outside[unsigned(alone)] - distances.inside[unsigned(common)]
        set_row(distances, i, n)
    mirror(distances.matrix, n)


@inlined
def tabulate(distances, both, ones, first, total, table):
    """Tabulate the two terms of the joint entropies with a bit that `first` solutions have.

    Two of the four counts add up to the ones of this bit, and two to its zeros: each pair is a
    term, which is computed for the counts that occur.
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
    """Copy the upper triangle of a matrix to the lower one, in blocks of a cache line."""
    for first in range(0, n, LINE):
        for second in range(first, n, LINE):
            for i in range(first, first + LINE, SIDE):
                for j in range(second, second + LINE, SIDE):
                    if i < j:
                        transpose_block(matrix, i, j)
                    elif i == j:
                        for k in range(i, i + SIDE):
                            for other in range(i, k):
                                matrix[k, other] = matrix[other, k]


SET = np.uint64(1)
WORTH = 2  # words of bit sets that are intersected in the time of counting one solution


class Columns(NamedTuple):
    """The categories of a population by variable; those that occur are numbered from 0."""

    number: np.ndarray  # for each solution, the number of its category
    sets: np.ndarray  # for each number, the solutions with this category, as a bit set
    present: np.ndarray  # how many categories occur
    counted: np.ndarray  # scratch: 1 + number of each category, or counts by number
    sorted: np.ndarray  # the solutions, sorted by the category of one variable
    begins: np.ndarray  # where each category begins in `sorted`


def new_columns(genes: Genes, most: int) -> Columns:
    """Allocate memory for the categories of up to `most` solutions."""
    n = genes.size.size
    largest = int(genes.size.max()) if n else 1
    present = min(largest, most)
    return Columns(
        number=np.zeros((n, most), np.uint16),
        sets=np.zeros((n, present, words_for(most)), np.uint64),
        present=np.zeros(n, np.int64),
        counted=np.zeros(largest + 1, np.int64),
        sorted=np.zeros(most, np.int64),
        begins=np.zeros(present + 1, np.int64),
    )


@part
def measure_variables(distances, columns, solutions, chosen, variables, table):
    """Compute the distances of all pairs of variables in the chosen solutions."""
    n = variables.size
    total = chosen.size
    for i in range(n):
        fill_column(columns, solutions, chosen, variables[i], i)
        distances.marginal[i] = table[total] - single_sum(columns, i, total, table)
    for i in range(n):
        if columns.present[i] > 1:
            sort_column(columns, i, total)
        marginal, joint = distances.marginal, distances.joint
        for j in range(i + 1, n):
            if columns.present[i] == 1:
                joint[j] = marginal[j]
            elif columns.present[j] == 1:
                joint[j] = marginal[i]
            else:
                joint[j] = table[total] - joint_sum(columns, i, j, total, table)
        set_row(distances, i, n)
    mirror(distances.matrix, n)


@inlined
def set_row(distances, i, n):
    """Compute the distances of bit or variable i to those after it, from the joint entropies."""
    marginal, joint = distances.marginal[i + 1 :], distances.joint[i + 1 :]
    row = distances.matrix[i][i + 1 : n]
    single = distances.marginal[i]
    for j in range(marginal.size):
        shared = (single + marginal[j]) / joint[j] if joint[j] > 0.0 else 2.0
        row[j] = np.int32((2.0 - shared) * ONE + 0.5)
    distances.matrix[i, i] = FAR  # a cluster is not a neighbour of itself


@inlined
def fill_column(columns, solutions, chosen, variable, i):
    """Number the categories of a variable in the chosen solutions, in order of appearance."""
    number, sets, counted = columns.number[i], columns.sets[i], columns.counted
    present = 0
    for s in range(chosen.size):
        category = unsigned(solutions[unsigned(chosen[s]), unsigned(variable)])
        if counted[category] == 0:
            for w in range(sets.shape[1]):
                sets[unsigned(present), w] = 0
            present += 1
            counted[category] = present
        rank = counted[category] - 1
        number[s] = np.uint16(rank)
        sets[unsigned(rank), unsigned(s >> 6)] |= SET << np.uint64(s & 63)
    for s in range(chosen.size):
        counted[unsigned(solutions[unsigned(chosen[s]), unsigned(variable)])] = 0
    columns.present[i] = present


@inlined
def single_sum(columns, i, total, table):
    """Return the sum of k·log2(k) over the counts k of the categories of variable i."""
    found = 0.0
    for a in range(columns.present[i]):
        count = 0
        for w in range((total + 63) >> 6):
            count += popcount(columns.sets[i, a, w])
        found += table[unsigned(count)]
    return found


@inlined
def joint_sum(columns, i, j, total, table):
    """Return the sum of k·log2(k) over the counts k of pairs of categories of i and j."""
    words = (total + 63) >> 6
    first, second = columns.present[i], columns.present[j]
    if first * second * words > WORTH * total:
        return joint_sum_by_solution(columns, i, j, total, table)
    found = 0.0
    for a in range(first):
        for b in range(second):
            count = 0
            for w in range(words):
                count += popcount(
                    columns.sets[unsigned(i), unsigned(a), unsigned(w)]
                    & columns.sets[unsigned(j), unsigned(b), unsigned(w)]
                )
            found += table[unsigned(count)]
    return found


@part
def sort_column(columns, i, total):
    """Sort the solutions by their category of variable i."""
    number, begins = columns.number[i], columns.begins
    for a in range(columns.present[i] + 1):
        begins[a] = 0
    for s in range(total):
        begins[unsigned(number[s]) + SET] += 1
    for a in range(columns.present[i]):
        begins[a + 1] += begins[a]
    for s in range(total - 1, -1, -1):
        # Each category is filled from its end, so that in the end begins[a + 1] is its begin.
        end = unsigned(number[s]) + SET
        begins[end] -= 1
        columns.sorted[unsigned(begins[end])] = s
    for a in range(columns.present[i]):
        begins[a] = begins[a + 1]
    begins[columns.present[i]] = total


@part
def joint_sum_by_solution(columns, i, j, total, table):
    """Return the same as `joint_sum`, counting the categories of j within each category of i."""
    number, counted = columns.number[j], columns.counted
    found = 0.0
    for a in range(columns.present[i]):
        begin, end = columns.begins[a], columns.begins[a + 1]
        for k in range(begin, end):
            b = unsigned(number[unsigned(columns.sorted[unsigned(k)])])
            count = counted[b]
            counted[b] = count + 1
            found += table[unsigned(count + 1)] - table[unsigned(count)]
        for k in range(begin, end):
            counted[unsigned(number[unsigned(columns.sorted[unsigned(k)])])] = 0
    return found
