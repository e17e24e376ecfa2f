"""The distances of variables, D(i, j) = 2 - (H(i) + H(j)) / H(i, j), from entropies of categories.

Of a population that is learned from as a whole (`measure_variables`), the solutions with a category
are a set of bits, and those with a pair of categories the intersection of two. Where that would
be slower than to look at every solution, as with many categories, solutions are sorted and counted.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.compiled.packed import ones, words_for
from catcube.engine.distances import FAR, ONE, mirror
from catcube.engine.search import Genes

SET = np.uint64(1)
WORTH = 2  # words of sets that are intersected in the time that one solution takes to be counted


class Columns(NamedTuple):
    """The categories of a population by variable; those that occur are numbered from 0."""

    number: np.ndarray  # of the category that each solution has
    sets: np.ndarray  # for each such number, the solutions that have it, as bits
    present: np.ndarray  # how many categories occur
    counted: np.ndarray  # by category: 1 + its number, else 0; then by number: a count
    sorted: np.ndarray  # the solutions by category of one variable
    begins: np.ndarray  # and where those of each begin


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
        distances.marginal[i] = table[total] - lone_sum(columns, i, total, table)
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
    """Compute the distances of variable i to those after it, from the entropies of pairs."""
    marginal, joint = distances.marginal[i + 1 :], distances.joint[i + 1 :]
    row = distances.matrix[i][i + 1 : n]
    single = distances.marginal[i]
    for j in range(marginal.size):
        shared = (single + marginal[j]) / joint[j] if joint[j] > 0.0 else 2.0
        row[j] = np.int32((2.0 - shared) * ONE + 0.5)
    distances.matrix[i, i] = FAR  # a cluster is not a neighbour of itself


@inlined
def fill_column(columns, solutions, chosen, variable, i):
    """Number the categories that a variable has in the chosen solutions, in order of appearance."""
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
def lone_sum(columns, i, total, table):
    """Return the sum of k·log2(k) over the counts k of the categories of a variable."""
    found = 0.0
    for a in range(columns.present[i]):
        count = 0
        for w in range((total + 63) >> 6):
            count += ones(columns.sets[i, a, w])
        found += table[unsigned(count)]
    return found


@inlined
def joint_sum(columns, i, j, total, table):
    """Return the same over the counts of pairs of categories."""
    words = (total + 63) >> 6
    first, second = columns.present[i], columns.present[j]
    if first * second * words > WORTH * total:
        return joint_sum_by_solution(columns, i, j, total, table)
    found = 0.0
    for a in range(first):
        for b in range(second):
            count = 0
            for w in range(words):
                count += ones(
                    columns.sets[unsigned(i), unsigned(a), unsigned(w)]
                    & columns.sets[unsigned(j), unsigned(b), unsigned(w)]
                )
            found += table[unsigned(count)]
    return found


@part
def sort_column(columns, i, total):
    """Sort the solutions by their category of a variable."""
    number, begins = columns.number[i], columns.begins
    for a in range(columns.present[i] + 1):
        begins[a] = 0
    for s in range(total):
        begins[unsigned(number[s]) + SET] += 1
    for a in range(columns.present[i]):
        begins[a + 1] += begins[a]
    for s in range(total - 1, -1, -1):
        # From its end, a category is filled to where it begins; the ends become the begins.
        end = unsigned(number[s]) + SET
        begins[end] -= 1
        columns.sorted[unsigned(begins[end])] = s
    for a in range(columns.present[i]):
        begins[a] = begins[a + 1]
    begins[columns.present[i]] = total


@part
def joint_sum_by_solution(columns, i, j, total, table):
    """Return the same, counting the categories of j within each of i."""
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
