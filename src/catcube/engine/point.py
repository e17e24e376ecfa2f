"""Points of a search and their moves, each of which changes the value in O(1).

A move is an integer: on bits, the index of the bit to flip; on categories, the number of a variable
and another category of it (see `Genes`). This module serves both searches; where they differ,
`overload` selects a function of `bits.py` or of `native.py` when a kernel is compiled.
"""

from catcube.engine import bits, native
from catcube.engine.compiled.dispatch import overload
from catcube.engine.compiled.entry import call_change, call_commit, call_prepare, call_value
from catcube.engine.compiled.jit import inlined, njit, part, unsigned
from catcube.engine.recorder import BEGUN, BEST, EVALUATIONS, commit_best, count, iterate, running

# Smallest ratio of a sum to its largest term or partial sum at which enough digits remain.
CANCELLED = 1 / 256

point_at = overload(bits.point_at, native.point_at)
"""Return a point of the search: `point_at(search, k)`.

Parameters
----------
search
    The first argument of the kernel.
k
    The index of the point, from 0 to `points - 1` of the `Algorithm`.
"""


@inlined
def genes(search):
    """Return the number of bits, or of variables with several categories."""
    return search.layout.variable.size


moves = overload(genes, native.moves)
"""Return the number of neighbours of a point, which is the number of moves: `moves(search)`."""

neighbour = overload(bits.neighbour, native.neighbour)
"""Return the result of a move without making it: `neighbour(search.layout, point, i)`.

Returns
-------
tuple
    The variable of move i, its category after the move, and its word and sum (zeros if there are
    no bits).
"""

flip = overload(bits.flip, native.flip)
"""Make a move, without an evaluation: `flip(search, point, i)`.

Parameters
----------
i
    The move, from 0 to `moves(search) - 1`.
"""

copy_point = overload(bits.copy_point, native.copy_point)
"""Copy a point: `copy_point(search.layout, source, target)`."""

draw_mutation = overload(bits.draw_mutation, native.draw_mutation)
"""Draw a standard mutation: `draw_mutation(search, thresholds, positions)`.

Parameters
----------
thresholds
    The distribution of the number of moves: `catcube.engine.rng.flip_thresholds(n)`.
positions
    The array that receives the moves: `catcube.engine.rng.MOST` integers.

Returns
-------
int
    The number of moves, at least one.
"""

point_bytes = overload(bits.point_bytes, native.point_bytes)
"""Return the number of bytes that `copy_point` copies: `point_bytes(search)`."""

random_solution = overload(bits.random_solution, native.random_solution)
"""Set a solution to an initial or a random point: `random_solution(search, solution)`.

A solution is packed bits or a row of categories. It becomes the next initial point, if there is
one left, else a uniform random one.
"""

set_categories = overload(bits.set_categories, native.set_categories)
"""Set the categories of a point from a solution: `set_categories(search, point, solution)`.

The point must not be moved afterwards.
"""

_record_genotype = overload(bits.record_genotype, native.record_genotype)
_load_best = overload(bits.load_best, native.load_best)
_decode_point = overload(bits.decode_point, native.do_nothing)
_restore_bits = overload(bits.restore_bits, native.do_nothing)
_random_point = overload(bits.random_point, native.random_point)
_set_bits = overload(bits.set_bits, native.do_nothing)
_load = overload(bits.load, native.set_categories)
_set_word = overload(bits.set_word, native.do_nothing)
_make_move = overload(bits.make_move, native.make_move)
_improve_by_move = overload(bits.improve_by_move, native.improve_by_move)


@inlined
def _prepare(search, point):
    """Prepare a point for moves: let the problem fill its counts."""
    if search.functions.prepare != 0:
        call_prepare(search.functions.prepare, point.frame)


@part
def evaluate(search, point):
    """Evaluate a point and prepare it for moves.

    Returns
    -------
    float
        The value of the point: one evaluation.
    """
    commit_best(search.recorder)
    _decode_point(search, point)
    value = call_value(search.functions.value, point.frame)
    if count(search.recorder, value) or search.recorder.counters[EVALUATIONS] == 1:
        _record_genotype(search, point, value)
    _prepare(search, point)
    return value


@inlined
def evaluate_solution(search, point, solution):
    """Evaluate a solution: packed bits, or a row of categories.

    Parameters
    ----------
    point
        A point used as scratch memory, which must not be moved afterwards.
    solution
        The solution.

    Returns
    -------
    float
        The value of the solution: one evaluation.
    """
    commit_best(search.recorder)
    set_categories(search, point, solution)
    value = call_value(search.functions.value, point.frame)
    if count(search.recorder, value) or search.recorder.counters[EVALUATIONS] == 1:
        _set_bits(search, point, solution)
        _record_genotype(search, point, value)
    return value


@part
def place_point(search, point, solution):
    """Set a point to a solution whose value is known, without an evaluation."""
    commit_best(search.recorder)
    _load(search, point, solution)
    _prepare(search, point)


@part
def start(search, point):
    """Set a point to the next initial point, or to a random one.

    Returns
    -------
    float
        The value of the point: one evaluation.
    """
    _random_point(search, point)
    return evaluate(search, point)


@part
def return_to_best(search, point):
    """Set a point to the best point so far, without an evaluation.

    Returns
    -------
    float
        The value of the best point.
    """
    commit_best(search.recorder)
    _load_best(search, point)
    _decode_point(search, point)
    _prepare(search, point)
    return search.recorder.levels[BEST]


@part
def begin(search, point):
    """Set a point to the first one of a run: the best of the initial points, or a random one.

    Returns
    -------
    float
        The value of the point: one evaluation for each initial point, at least one.
    """
    value = start(search, point)
    recorder, points = search.recorder, search.initial.shape[0]
    if recorder.counters[BEGUN] < points:
        while running(recorder) and recorder.counters[BEGUN] < points:
            start(search, point)
        value = return_to_best(search, point)
    return value


@inlined
def flipped(search, point, i, value):
    """Evaluate the neighbour that a move leads to, without making the move.

    Parameters
    ----------
    i
        The move, as in `flip`.
    value
        The value of the point.

    Returns
    -------
    float
        The value of the neighbour: one evaluation.
    """
    return _flipped(search, point, i, value, abs(value))


@inlined
def _flipped(search, point, i, value, largest):
    """Do the same; `largest` is the largest magnitude among the partial sums of `value`."""
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
            candidate = _evaluate_changed(search, point, variable, category)
    if count(search.recorder, candidate):
        if search.functions.change != 0 and not search.functions.exact:
            candidate = _evaluate_changed(search, point, variable, category)
        _improve_by_move(search, point, i, candidate)
    return candidate


@inlined
def flipped_all(search, point, positions, flips, value):
    """Evaluate the point after several moves of different bits or variables.

    All moves but the last are made, and replaced by those that undo them. Call `take_flips` or
    `undo_flips` next, with the same arguments.

    Parameters
    ----------
    positions, flips
        The moves, and their number, at least one.
    value
        The value of the point.

    Returns
    -------
    float
        The value after all moves: one evaluation.
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
    """Complete the moves that `flipped_all` has evaluated, without an evaluation."""
    flip(search, point, positions[flips - 1])


@inlined
def undo_flips(search, point, positions, flips):
    """Undo the moves that `flipped_all` has evaluated, without an evaluation."""
    for k in range(flips - 1):
        flip(search, point, positions[k])


@part
def _evaluate_changed(search, point, variable, category):
    """Return the value with one variable changed, evaluated as a whole to avoid rounding."""
    before = point.categories[variable]
    point.categories[variable] = category
    value = call_value(search.functions.value, point.frame)
    point.categories[variable] = before
    return value


@inlined
def moved_all(search, point, positions, flips, value):
    """Make several moves and evaluate the point, in an algorithm with several points.

    Parameters
    ----------
    positions, flips
        The moves, and their number.
    value
        The value of the point before the moves.

    Returns
    -------
    float
        The value after all moves: one evaluation.
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
        _restore_bits(search.layout, point)
        _record_genotype(search, point, value)
    return value


@njit
def lone_point_kernel(search, parameters, memory):
    """Evaluate the only point of a space repeatedly, in place of the kernel of an algorithm.

    So other kernels need not check whether there is a move at all.
    """
    point = point_at(search, 0)
    begin(search, point)
    while iterate(search.recorder):
        start(search, point)
