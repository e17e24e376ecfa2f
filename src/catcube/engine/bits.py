"""A search on bits: points with bits, words and categories; a flip costs O(1)."""

import numpy as np

from catcube.engine.compiled.arrays import copy_into, row
from catcube.engine.compiled.entry import call_commit, call_prepare, call_value
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.decode import WORD, WORD_BITS, decode, decode_categories, pack, unpack
from catcube.engine.recorder import (
    BEGUN,
    BEST,
    EVALUATIONS,
    best_is_current,
    commit_best,
    count,
    log_move,
    record,
    take_initial,
)
from catcube.engine.rng import draw_flips, random_words
from catcube.engine.search import Point

ONE = np.uint8(1)


@inlined
def point_at(search, k):
    """Return the k-th point of the search."""
    points, layout = search.points, search.layout
    variables = layout.modulus.size
    return Point(
        row(points.bits, k, layout.variable.size),
        row(points.words, k, variables),
        row(points.sums, k, variables),
        row(points.categories, k, variables),
        row(points.counts, k, points.counts.shape[1]),
        points.frames[unsigned(k)],
    )


@inlined
def flip(search, point, i):
    """Flip bit i of the point: no evaluation."""
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
    """Flip bit i in the word of its variable, given what `neighbour` returns for it.

    Where words contain the bits, these are restored when the point is recorded.
    """
    point.words[unsigned(variable)] = word
    if layout.equal_bits == 0:
        point.sums[unsigned(variable)] = total
        point.bits[unsigned(i)] ^= ONE


@inlined
def point_bytes(search):
    """Return how many bytes `copy_point` copies."""
    layout, size = search.layout, 4 * search.points.counts.shape[1]
    if layout.equal_bits > 0:
        return size + 8 * layout.modulus.size
    return size + 12 * layout.modulus.size + layout.variable.size


@inlined
def copy_point(layout, source, target):
    """Make one point equal to another, for moves: bits stay behind where words contain them."""
    copy_into(target.words, source.words)
    if layout.equal_bits == 0:
        copy_into(target.bits, source.bits)
        copy_into(target.sums, source.sums)
    copy_into(target.categories, source.categories)
    copy_into(target.counts, source.counts)


@part
def restore_bits(layout, point):
    """Set the bits of a point from its words, where these contain them."""
    for i in range(point.bits.size if layout.equal_bits > 0 else 0):
        variable = (i * layout.reciprocal) >> 32
        shift = WORD_BITS + i - variable * layout.equal_bits
        point.bits[i] = (np.int64(point.words[variable]) >> shift) & 1


@part
def evaluate(search, point):
    """Evaluate the point, decoded from its bits, and prepare it for flips."""
    pack(point.bits, search.packed)
    commit_best(search.recorder)
    decode(search.layout, search.packed, point)
    value = _evaluate_decoded(search, point, search.packed)
    if search.functions.prepare != 0:
        call_prepare(search.functions.prepare, point.frame)
    return value


@inlined
def evaluate_packed(search, point, packed):
    """Evaluate packed bits. The point is scratch memory; do not flip it afterwards."""
    commit_best(search.recorder)
    decode_categories(search.layout, packed, point)
    return _evaluate_decoded(search, point, packed)


@inlined
def _evaluate_decoded(search, point, packed):
    """Evaluate the categories of the point, which are those of the packed bits."""
    value = call_value(search.functions.value, point.frame)
    if count(search.recorder, value) or search.recorder.counters[EVALUATIONS] == 1:
        unpack(packed, point.bits)
        record(search.recorder, point.bits, value)
    return value


@inlined
def set_categories(search, point, packed):
    """Set the categories of the point from packed bits; do not flip it afterwards."""
    decode_categories(search.layout, packed, point)


@inlined
def random_solution(search, packed):
    """Fill packed bits with the next initial point, or with fair coins."""
    if search.recorder.counters[BEGUN] < search.initial.shape[0]:
        pack(search.initial[search.recorder.counters[BEGUN]], packed)
        search.recorder.counters[BEGUN] += 1
    else:
        random_words(search.random, search.layout.variable.size, packed)


@part
def start(search, point):
    """Move to the next initial point, or to a uniform one, and evaluate it."""
    if not take_initial(search, point.bits):
        random_words(search.random, point.bits.size, search.packed)
        unpack(search.packed, point.bits)
    return evaluate(search, point)


@part
def return_to_best(search, point):
    """Move to the best point so far, without an evaluation."""
    commit_best(search.recorder)
    copy_into(point.bits, search.recorder.best)
    pack(point.bits, search.packed)
    decode(search.layout, search.packed, point)
    if search.functions.prepare != 0:
        call_prepare(search.functions.prepare, point.frame)
    best_is_current(search.recorder, point.bits)
    return search.recorder.levels[BEST]


@inlined
def neighbour(layout, point, i):
    """Return variable, category, word and sum after flipping bit i."""
    if layout.equal_bits > 0:
        # No look-up by bit: with 10^5 variables those arrays are far beyond the caches.
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
    """Flip the bit moves[k]; the same flip undoes it."""
    flip(search, point, moves[k])


@part
def record_point(search, point, value):
    """Record the point as the best so far (or as one without a value)."""
    restore_bits(search.layout, point)
    record(search.recorder, point.bits, value)


@part
def improve_by_move(search, point, i, value):
    """Record the point with bit i flipped as the best so far (or as one without a value)."""
    recorder = search.recorder
    if recorder.journal.size == 0:  # one of several points, which may be a copy
        restore_bits(search.layout, point)
    point.bits[i] ^= ONE
    log_move(recorder, i)
    record(recorder, point.bits, value)
    point.bits[i] ^= ONE
    log_move(recorder, i)


@inlined
def draw_mutation(search, thresholds, moves):
    """Write the bits that a standard bit mutation flips; return how many there are."""
    return draw_flips(search.random, search.layout.variable.size, thresholds, moves)


@inlined
def genes(search):
    """Return how many bits there are."""
    return search.layout.variable.size
