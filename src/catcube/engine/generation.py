"""Generations: the evaluation of many points at once, and the selection of the best.

A problem with an `announce` function (a Python function that is vectorized or called in parallel)
gets all points of a generation, in the order of their evaluation, before the first is evaluated.
"""

import numpy as np

from catcube.engine.compiled.entry import call_announce
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.point import (
    evaluate,
    evaluate_solution,
    neighbour,
    point_at,
    random_solution,
    set_categories,
)
from catcube.engine.recorder import BEGUN, allowed, commit_best, running

NONE = np.uint64(0)
WINDOW = 1024  # neighbours announced at once; a point of 10^5 variables has 10^6


@part
def use_initial(search, solutions, size):
    """Replace the first solutions, at most `size`, by the remaining initial points."""
    k = 0
    while k < size and search.recorder.counters[BEGUN] < search.initial.shape[0]:
        random_solution(search, solutions[k])
        k += 1


@part
def evaluate_all(search, point, solutions, size, values):
    """Evaluate solutions of a population.

    Parameters
    ----------
    point
        A point used as scratch memory.
    solutions, size
        The population, and how many of its solutions are evaluated.
    values
        The array that receives the values.

    Returns
    -------
    bool
        Whether the run continues.
    """
    if search.functions.announce != 0:
        commit_best(search.recorder)
        for k in range(size):
            set_categories(search, point, solutions[k])
            call_announce(search.functions.announce, point.frame)
    for k in range(size):
        values[k] = evaluate_solution(search, point, solutions[k])
        if not running(search.recorder):
            return False
    return True


@part
def evaluate_genes(search, rows, values, announced):
    """Evaluate points given by the categories of their genes; return how many were evaluated."""
    point = point_at(search, 0)
    if search.functions.announce != 0 and not announced:
        for k in range(rows.shape[0]):
            _set_genes(search, point, rows[k])
            call_announce(search.functions.announce, point.frame)
    for k in range(rows.shape[0]):
        _set_genes(search, point, rows[k])
        values[k] = evaluate(search, point)
        if not running(search.recorder):
            return k + 1
    return rows.shape[0]


@part
def _set_genes(search, point, row):
    """Set the categories of the genes of a point."""
    for gene in range(row.size):
        point.categories[search.layout.variable[gene]] = row[gene]


@part
def announce_neighbours(search, point, first, last):
    """Announce the neighbours of a point that are evaluated next.

    Parameters
    ----------
    point
        The point.
    first, last
        The range of moves, `last` excluded. The budget may allow fewer.
    """
    if search.functions.announce == 0:
        return
    for i in range(first, first + allowed(search.recorder, last - first)):
        variable, category, _, _ = neighbour(search.layout, point, i)
        before = point.categories[variable]
        point.categories[variable] = category
        call_announce(search.functions.announce, point.frame)
        point.categories[variable] = before


@part
def select_best(values, count, chosen):
    """Select the lowest values; among equal values, the earlier one is better.

    Parameters
    ----------
    values, count
        The values, and how many of them are considered.
    chosen
        The array that receives the indices of the best, best first; its size is their number.
    """
    kept = 0
    for k in range(count):
        if kept == chosen.size and values[k] >= values[chosen[kept - 1]]:
            continue
        rank = kept if kept < chosen.size else kept - 1
        while rank > 0 and values[chosen[rank - 1]] > values[k]:
            chosen[rank] = chosen[rank - 1]
            rank -= 1
        chosen[rank] = k
        if kept < chosen.size:
            kept += 1


@part
def fill_columns(columns, solutions, chosen, block):
    """Write the bits of the chosen solutions as packed rows of `columns`, one row per bit.

    `block` is scratch memory of 64 words.
    """
    n = columns.shape[0]
    for first in range(0, chosen.size, 64):
        some = chosen[first : min(first + 64, chosen.size)]
        for w in range((n + 63) // 64):
            for s in range(block.size):
                block[s] = solutions[some[s], w] if s < some.size else NONE
            transpose(block)
            for k in range(64 * w, min(64 * w + 64, n)):
                columns[unsigned(k), unsigned(first >> 6)] = block[unsigned(k & 63)]


@part
def transpose(block):
    """Transpose a block of 64 words: bit j of word i becomes bit i of word j."""
    exchange_halves(block, 32, np.uint64(0x00000000FFFFFFFF))
    exchange_halves(block, 16, np.uint64(0x0000FFFF0000FFFF))
    exchange_halves(block, 8, np.uint64(0x00FF00FF00FF00FF))
    exchange_halves(block, 4, np.uint64(0x0F0F0F0F0F0F0F0F))
    exchange_halves(block, 2, np.uint64(0x3333333333333333))
    exchange_halves(block, 1, np.uint64(0x5555555555555555))


@inlined
def exchange_halves(block, apart, mask):
    """Exchange the upper bits of each word with the masked lower bits of the word `apart` on."""
    shift = np.uint64(apart)
    for first in range(0, 64, 2 * apart):
        low = block[first : first + apart]
        high = block[first + apart : first + 2 * apart]
        for k in range(apart):
            changed = ((low[k] >> shift) ^ high[k]) & mask
            low[k] ^= changed << shift
            high[k] ^= changed
