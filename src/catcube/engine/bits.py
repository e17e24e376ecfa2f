"""The search on bits: points have bits, words and categories, and a flip costs O(1)."""

import numpy as np

from catcube.engine.compiled.arrays import copy_into, row
from catcube.engine.compiled.entry import call_commit
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.decode import WORD, WORD_BITS, decode, pack, unpack
from catcube.engine.recorder import BEGUN, best_is_current, log_move, record, take_initial
from catcube.engine.rng import draw_flips, random_words
from catcube.engine.search import Point

ONE = np.uint8(1)


@inlined
def point_at(search, k):
    """Return point k of the search."""
    points, layout = search.points, search.layout
    variables = layout.modulus.size
    return Point(
        row(points.bits, k, layout.variable.size),
        row(points.words, k, variables),
        row(points.sums, k, variables),
        row(points.categories, k, variables),
        row(points.counts, k, points.counts.shape[1]),
        points.frame[unsigned(k)],
    )


@inlined
def flip(search, point, i):
    """Flip bit i of the point, without an evaluation."""
    variable, category, word, total = neighbour(search.layout, point, i)
    point.bits[i] ^= ONE
    point.words[variable] = word
    point.sums[variable] = total
    if category != point.categories[variable]:
        if search.functions.commit != 0:
            call_commit(search.functions.commit, point.frame, variable, category)
        point.categories[variable] = category
    log_move(search.recorder, i)


@inlined
def set_word(layout, point, i, variable, word, total):
    """Flip bit i of the point, given the word and sum that `neighbour` returns for it.

    Where words contain the bits, the bits themselves are restored when the point is recorded.
    """
    point.words[unsigned(variable)] = word
    if layout.equal_bits == 0:
        point.sums[unsigned(variable)] = total
        point.bits[unsigned(i)] ^= ONE


@inlined
def point_bytes(search):
    """Return the number of bytes that `copy_point` copies."""
    layout, size = search.layout, 4 * search.points.counts.shape[1]
    if layout.equal_bits > 0:
        return size + 8 * layout.modulus.size
    return size + 12 * layout.modulus.size + layout.variable.size


@inlined
def copy_point(layout, source, target):
    """Copy a point, except for its bits where the words contain them."""
    copy_into(target.words, source.words)
    if layout.equal_bits == 0:
        copy_into(target.bits, source.bits)
        copy_into(target.sums, source.sums)
    copy_into(target.categories, source.categories)
    copy_into(target.counts, source.counts)


@part
def restore_bits(layout, point):
    """Set the bits of a point from its words, where the words contain them."""
    for i in range(point.bits.size if layout.equal_bits > 0 else 0):
        variable = (i * layout.reciprocal) >> 32
        shift = WORD_BITS + i - variable * layout.equal_bits
        point.bits[i] = (np.int64(point.words[variable]) >> shift) & 1


@inlined
def record_genotype(search, point, value):
    """Record the bits of the point as the best so far, or as the point whose value is NaN."""
    record(search.recorder, point.bits, value)


@inlined
def load_best(search, point):
    """Set the bits of the point to those of the best point so far."""
    copy_into(point.bits, search.recorder.best)
    best_is_current(search.recorder, point.bits)


@inlined
def decode_point(search, point):
    """Set the words, sums and categories of the point from its bits."""
    pack(point.bits, search.packed)
    decode(search.layout, search.packed, point, True)


@inlined
def set_bits(search, point, packed):
    """Set the bits of the point, whose categories are already set, from packed bits."""
    unpack(packed, point.bits)


@inlined
def load(search, point, packed):
    """Set the bits, words, sums and categories of the point from packed bits."""
    unpack(packed, point.bits)
    decode(search.layout, packed, point, True)


@inlined
def set_categories(search, point, packed):
    """Set only the categories of the point, which must not be flipped afterwards."""
    decode(search.layout, packed, point, False)


@inlined
def random_solution(search, packed):
    """Fill packed bits with the next initial point, or with random bits."""
    if search.recorder.counters[BEGUN] < search.initial.shape[0]:
        pack(search.initial[search.recorder.counters[BEGUN]], packed)
        search.recorder.counters[BEGUN] += 1
    else:
        random_words(search.random, search.layout.variable.size, packed)


@inlined
def random_point(search, point):
    """Set the bits of the point to the next initial point, or to random bits."""
    if not take_initial(search, point.bits):
        random_words(search.random, point.bits.size, search.packed)
        unpack(search.packed, point.bits)


@inlined
def neighbour(layout, point, i):
    """Return the variable of bit i, and its category, word and sum after the flip."""
    if layout.equal_bits > 0:
        # No look-up by bit: with 10^5 variables such an array does not fit into the cache.
        variable = (i * layout.reciprocal) >> 32
        bit = i - variable * layout.equal_bits
        word, column = np.int64(point.words[unsigned(variable)]), layout.columns[unsigned(bit)]
        category = np.int64(layout.table[unsigned((word & WORD) ^ column)])
        return variable, category, word ^ column ^ (1 << (WORD_BITS + bit)), 0
    variable = layout.variable[i]
    word = point.words[variable] ^ layout.columns[i]
    modulus = layout.modulus[variable]
    if modulus == 1:
        index = layout.offset[variable] + word
        return variable, np.int64(layout.table[unsigned(index)]), word, 0
    weight = layout.weights[i]
    total = point.sums[variable] + (weight if point.bits[i] == 0 else modulus - weight)
    if total >= modulus:
        total -= modulus
    index = layout.offset[variable] + word * modulus + total
    return variable, np.int64(layout.table[unsigned(index)]), word, total


@inlined
def make_move(search, point, moves, k):
    """Flip bit moves[k]; flipping it again undoes the move."""
    flip(search, point, moves[k])


@part
def improve_by_move(search, point, i, value):
    """Record the point with bit i flipped as the best so far, or as the point with value NaN."""
    recorder = search.recorder
    if recorder.journal.size == 0:  # several points, some of them copies without bits
        restore_bits(search.layout, point)
    point.bits[i] ^= ONE
    log_move(recorder, i)
    record(recorder, point.bits, value)
    point.bits[i] ^= ONE
    log_move(recorder, i)


@inlined
def draw_mutation(search, thresholds, moves):
    """Write the bits that a standard bit mutation flips; return their number."""
    return draw_flips(search.random, search.layout.variable.size, thresholds, moves)
