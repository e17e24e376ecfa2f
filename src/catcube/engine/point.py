"""A point of the search: bits, words, categories, and their value changed in O(1) a flip."""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.entry import call_change, call_commit, call_prepare, call_value
from catcube.engine.compiled.jit import inlined, natural, part
from catcube.engine.decode import Layout, decode, pack, unpack
from catcube.engine.recorder import (
    BEST,
    EVALUATIONS,
    NOT_A_NUMBER,
    Recorder,
    best_is_current,
    copy_into,
    count,
    improve,
    leave,
    log_flip,
    stop,
)
from catcube.engine.rng import random_words

ONE = np.uint8(1)

# A sum so much smaller than what was added up to it has lost digits.
CANCELLED = 1 / 256


class Functions(NamedTuple):
    """Addresses of the problem's functions; 0 where it has none (all but `value` may be missing).

    `exact` says that sums of changes are exact, as those of integers are. Otherwise the value of
    every improvement is computed afresh, so that no reported value has drifted; and so is one that
    is much smaller than the value before, such as that of a point that leaves a large penalty: its
    digits were lost when the penalty was added.
    """

    value: int
    prepare: int
    change: int
    commit: int
    announce: int
    exact: bool


class Points(NamedTuple):
    """The points of a search, a row each."""

    bits: np.ndarray
    words: np.ndarray
    sums: np.ndarray
    categories: np.ndarray
    counts: np.ndarray
    frames: np.ndarray  # what the problem's functions see of each point


class Point(NamedTuple):
    """One row of Points."""

    bits: np.ndarray
    words: np.ndarray
    sums: np.ndarray
    categories: np.ndarray
    counts: np.ndarray
    frame: np.ndarray


class Search(NamedTuple):
    """All that a kernel works on."""

    layout: Layout
    functions: Functions
    points: Points
    recorder: Recorder
    random: np.ndarray
    packed: np.ndarray  # room for the bits of one point as words


@inlined
def point_at(search, k):
    """The k-th point of the search."""
    points = search.points
    return Point(
        points.bits[k][: search.layout.variable.size],
        points.words[k],
        points.sums[k],
        points.categories[k],
        points.counts[k],
        points.frames[k],
    )


@inlined
def flipped(search, point, i, value):
    """The value of the point with bit i flipped: one evaluation. `value` is the point's own."""
    return _flipped(search, point, i, value, abs(value))


@inlined
def _flipped(search, point, i, value, largest):
    """The same; `largest` is the largest magnitude on the way to `value`."""
    variable, category, _, _ = neighbour(search.layout, point, i)
    before = point.categories[variable]
    if search.functions.change == 0:
        point.categories[variable] = category
        candidate = call_value(search.functions.value, point.frame)
        point.categories[variable] = before
    else:
        candidate = value
        if category != before:
            candidate += call_change(search.functions.change, point.frame, variable, category)
        if not search.functions.exact and abs(candidate) < CANCELLED * largest:
            candidate = _afresh(search, point, variable, category)
    if count(search.recorder, candidate):
        if search.functions.change != 0 and not search.functions.exact:
            candidate = _afresh(search, point, variable, category)
        _improve_by_flip(search, point, i, candidate)
    return candidate


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
    log_flip(search.recorder, i)


@inlined
def flipped_all(search, point, positions, flips, value):
    """The value of the point with several bits flipped: one evaluation.

    All but the last one are then flipped: `take_flips` or `undo_flips` must follow.
    """
    largest = abs(value)
    for k in range(flips - 1):
        if search.functions.change != 0:
            variable, category, _, _ = neighbour(search.layout, point, positions[k])
            if category != point.categories[variable]:
                value += call_change(search.functions.change, point.frame, variable, category)
                largest = max(largest, abs(value))
        flip(search, point, positions[k])
    return _flipped(search, point, positions[flips - 1], value, largest)


@inlined
def take_flips(search, point, positions, flips):
    """Keep what `flipped_all` has evaluated."""
    flip(search, point, positions[flips - 1])


@inlined
def undo_flips(search, point, positions, flips):
    """Leave what `flipped_all` has evaluated."""
    for k in range(flips - 1):
        flip(search, point, positions[k])


@inlined
def copy_point(source, target):
    """Make one point equal to another."""
    copy_into(target.bits, source.bits)
    copy_into(target.words, source.words)
    copy_into(target.sums, source.sums)
    copy_into(target.categories, source.categories)
    copy_into(target.counts, source.counts)


@part
def evaluate(search, point):
    """The value of the point, decoded afresh from its bits, ready for flips: one evaluation."""
    pack(point.bits, search.packed)
    value = evaluate_packed(search, point, search.packed)
    if search.functions.prepare != 0:
        call_prepare(search.functions.prepare, point.frame)
    return value


@inlined
def evaluate_packed(search, point, packed):
    """The value of packed bits: one evaluation. The point is only room; do not flip it after."""
    leave(search.recorder)
    decode(search.layout, packed, point)
    value = call_value(search.functions.value, point.frame)
    if count(search.recorder, value) or search.recorder.counters[EVALUATIONS] == 1:
        unpack(packed, point.bits)
        _improve(search.recorder, point.bits, value)
    return value


@part
def start(search, point):
    """Move to a uniform point and evaluate it."""
    random_words(search.random, point.bits.size, search.packed)
    unpack(search.packed, point.bits)
    return evaluate(search, point)


@part
def return_to_best(search, point):
    """Move to the best point so far: no evaluation, its value is known."""
    leave(search.recorder)
    copy_into(point.bits, search.recorder.best_bits)
    pack(point.bits, search.packed)
    decode(search.layout, search.packed, point)
    if search.functions.prepare != 0:
        call_prepare(search.functions.prepare, point.frame)
    best_is_current(search.recorder, point.bits)
    return search.recorder.levels[BEST]


@inlined
def neighbour(layout, point, i):
    """Variable, category, word and sum after flipping bit i."""
    if layout.equal_bits > 0:
        # No look-up by bit: with 10^5 variables those arrays are far beyond the caches.
        variable = (i * layout.reciprocal) >> 32
        column = layout.columns[natural(i - variable * layout.equal_bits)]
        word = point.words[natural(variable)] ^ column
        return variable, np.int64(layout.table[natural(word)]), word, 0
    variable = layout.variable[i]
    word = point.words[variable] ^ layout.columns[i]
    modulus = layout.modulus[variable]
    if modulus == 1:
        place = layout.offset[variable] + word
        return variable, np.int64(layout.table[natural(place)]), word, 0
    weight = layout.weights[i]
    total = point.sums[variable] + (weight if point.bits[i] == 0 else modulus - weight)
    if total >= modulus:
        total -= modulus
    place = layout.offset[variable] + word * modulus + total
    return variable, np.int64(layout.table[natural(place)]), word, total


@part
def _afresh(search, point, variable, category):
    """The value of the point with one variable changed, without the rounding of added changes."""
    before = point.categories[variable]
    point.categories[variable] = category
    value = call_value(search.functions.value, point.frame)
    point.categories[variable] = before
    return value


@part
def _improve_by_flip(search, point, i, value):
    """The point with bit i flipped is the best so far (or has no value)."""
    recorder = search.recorder
    point.bits[i] ^= ONE
    log_flip(recorder, i)
    _improve(recorder, point.bits, value)
    point.bits[i] ^= ONE
    log_flip(recorder, i)


@part
def _improve(recorder, bits, value):
    """The point of these bits is the best so far, or has no value."""
    if value != value:
        copy_into(recorder.offender, bits)
        stop(recorder, NOT_A_NUMBER)
    elif value < recorder.levels[BEST] or recorder.counters[EVALUATIONS] == 1:
        improve(recorder, value)
        best_is_current(recorder, bits)
