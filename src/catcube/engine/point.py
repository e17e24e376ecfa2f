"""A point of the search, with O(1) change of its value per move.

A move is a number: on bits, of the bit to flip; on categories, of a variable and another category
of it (see `Genes`). What is written here serves both searches; where they differ, `either` chooses
between `bits.py` and `native.py` when a kernel is compiled.
"""

from catcube.engine import bits, native
from catcube.engine.compiled.dispatch import either
from catcube.engine.compiled.entry import call_change, call_commit, call_value
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.recorder import BEGUN, count, iterate, running

# A sum so much smaller than what was added up to it has lost digits.
CANCELLED = 1 / 256

point_at = either(bits.point_at, native.point_at)
"""point_at(search, k): the k-th point of the search."""

genes = either(bits.genes, native.genes)
"""genes(search): how many bits, or variables with a choice, there are."""

moves = either(bits.genes, native.moves)
"""moves(search): how many neighbours a point has, those that one move leads to."""

neighbour = either(bits.neighbour, native.neighbour)
"""neighbour(layout, point, i): variable and category after move i (on bits also word and sum)."""

evaluate = either(bits.evaluate, native.evaluate)
"""evaluate(search, point): the value of the point, ready for moves: one evaluation."""

start = either(bits.start, native.start)
"""start(search, point): move to an initial point that is left, or a uniform one; evaluate it."""

flip = either(bits.flip, native.flip)
"""flip(search, point, i): make move i with the point, which is to flip a bit: no evaluation."""

return_to_best = either(bits.return_to_best, native.return_to_best)
"""return_to_best(search, point): move to the best point so far; its value, no evaluation."""

copy_point = either(bits.copy_point, native.copy_point)
"""copy_point(layout, source, target): make one point equal to another, for moves."""

draw_mutation = either(bits.draw_mutation, native.draw_mutation)
"""draw_mutation(search, thresholds, moves): write the moves of a mutation; how many they are."""

point_bytes = either(bits.point_bytes, native.point_bytes)
"""point_bytes(search): how many bytes `copy_point` copies."""

_set_word = either(bits.set_word, native.set_word)
_record_point = either(bits.record_point, native.record_point)
_make_move = either(bits.make_move, native.make_move)
_improve_by_move = either(bits.improve_by_move, native.improve_by_move)


@part
def begin(search, point):
    """Move to a first point, which is the best one if several are given, and evaluate all."""
    value = start(search, point)
    if search.recorder.counters[BEGUN] < search.initial.shape[0]:
        while running(search.recorder) and (
            search.recorder.counters[BEGUN] < search.initial.shape[0]
        ):
            start(search, point)
        value = return_to_best(search, point)
    return value


@inlined
def flipped(search, point, i, value):
    """Evaluate the point after move i; `value` is that of the point."""
    return _flipped(search, point, i, value, abs(value))


@inlined
def _flipped(search, point, i, value, largest):
    """Return the same; `largest` is the largest magnitude on the way to `value`."""
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
        _improve_by_move(search, point, i, candidate)
    return candidate


@inlined
def flipped_all(search, point, positions, flips, value):
    """Return the value of the point after several moves: one evaluation.

    All but the last one are then made, and `positions` has what undoes them: `take_flips` or
    `undo_flips` must follow.
    """
    largest = abs(value)
    for k in range(flips - 1):
        if search.functions.change != 0:
            variable, category, _, _ = neighbour(search.layout, point, positions[k])
            if category != point.categories[variable]:
                value += call_change(search.functions.change, point.frame, variable, category)
                largest = max(largest, abs(value))
        _make_move(search, point, positions, k)
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


@part
def _afresh(search, point, variable, category):
    """Evaluate the point with one variable changed, without the rounding of added changes."""
    before = point.categories[variable]
    point.categories[variable] = category
    value = call_value(search.functions.value, point.frame)
    point.categories[variable] = before
    return value


@inlined
def moved_all(search, point, positions, flips, value):
    """Make several moves and return the value of the point: one evaluation.

    It is for searches of several points, whose recorder keeps no journal of moves.
    """
    functions = search.functions
    largest = abs(value)
    for k in range(flips):
        variable, category, word, total = neighbour(search.layout, point, positions[k])
        if category != point.categories[unsigned(variable)]:
            if functions.change != 0:
                value += call_change(functions.change, point.frame, variable, category)
                largest = max(largest, abs(value))
            if functions.commit != 0:
                call_commit(functions.commit, point.frame, variable, category)
            point.categories[unsigned(variable)] = category
        _set_word(search.layout, point, positions[k], variable, word, total)
    if functions.change == 0 or (not functions.exact and abs(value) < CANCELLED * largest):
        value = call_value(functions.value, point.frame)
    if count(search.recorder, value):
        if functions.change != 0 and not functions.exact:
            value = call_value(functions.value, point.frame)
        _record_point(search, point, value)
    return value


@njit
def lone_point_kernel(search, parameters, memory):
    """Evaluate the only point of a space again and again: what every algorithm does there.

    No bit can be flipped and no variable changed, so that kernels need not look for that case.
    """
    point = point_at(search, 0)
    begin(search, point)
    while iterate(search.recorder):
        start(search, point)
