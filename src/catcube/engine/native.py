"""The search on categories: the genes are the variables themselves.

The functions have the same names and arguments as those in `bits.py`.
"""

import numpy as np

from catcube.engine.compiled.arrays import copy_into, row
from catcube.engine.compiled.entry import call_commit
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.recorder import assignment, best_is_current, log_move, record, take_initial
from catcube.engine.rng import below, draw_flips, draw_moves, random_categories
from catcube.engine.search import NativePoint


@inlined
def point_at(search, k):
    """Return point k of the search."""
    points = search.points
    return NativePoint(
        row(points.categories, k, search.layout.first_move.size),
        row(points.counts, k, points.counts.shape[1]),
        points.frame[unsigned(k)],
    )


@inlined
def moves(search):
    """Return the number of points that differ from a point in one variable."""
    return search.layout.moves


@inlined
def neighbour(layout, point, i):
    """Return the variable of move i, its category after the move, and two zeros.

    On bits, the last two are the word and the sum.
    """
    variable, category = decode_move(layout, point.categories, i)
    return variable, category, 0, 0


@inlined
def decode_move(layout, categories, i):
    """Return the variable of move i, and its category after the move."""
    if layout.equal_moves > 0:
        variable = (i * layout.reciprocal) >> 32
        rank = i - variable * layout.equal_moves
    else:
        variable = np.int64(layout.move_variable[unsigned(i)])
        rank = i - layout.first_move[unsigned(variable)]
    before = np.int64(categories[unsigned(variable)])
    return variable, rank + (rank >= before)


@inlined
def flip(search, point, i):
    """Make move i, without an evaluation."""
    variable, category, _, _ = neighbour(search.layout, point, i)
    assign(search, point, variable, category)


@inlined
def assign(search, point, variable, category):
    """Change the category of a variable, without an evaluation."""
    if search.functions.commit != 0:
        call_commit(search.functions.commit, point.frame, variable, category)
    point.categories[unsigned(variable)] = category
    log_move(search.recorder, assignment(variable, category))


@inlined
def make_move(search, point, moves, k):
    """Make move moves[k], and replace it by the move that undoes it."""
    variable, category, _, _ = neighbour(search.layout, point, moves[k])
    before = np.int64(point.categories[unsigned(variable)])
    assign(search, point, variable, category)
    moves[k] = search.layout.first_move[unsigned(variable)] + before - (before > category)


@inlined
def point_bytes(search):
    """Return the number of bytes that `copy_point` copies."""
    return 4 * (search.layout.first_move.size + search.points.counts.shape[1])


@inlined
def copy_point(layout, source, target):
    """Copy a point."""
    copy_into(target.categories, source.categories)
    copy_into(target.counts, source.counts)


@inlined
def record_genotype(search, point, value):
    """Record the point as the best so far, or as the point whose value is NaN."""
    record(search.recorder, point.categories, value)


@inlined
def load_best(search, point):
    """Set the categories of the point to those of the best point so far."""
    copy_into(point.categories, search.recorder.best)
    best_is_current(search.recorder, point.categories)


@inlined
def do_nothing(search, *arguments):
    """Do nothing, because there are no bits and no words."""


@inlined
def set_categories(search, point, row):
    """Set only the categories of the point, which must not be moved afterwards."""
    for variable in range(row.size):
        point.categories[variable] = row[variable]


@inlined
def random_solution(search, row):
    """Fill a row with the next initial point, or with random categories."""
    if not take_initial(search, row):
        random_categories(search.random, search.layout.size, search.layout.variable, row)


@inlined
def random_point(search, point):
    """Set the categories of the point to the next initial point, or to random ones."""
    random_solution(search, point.categories)


@part
def improve_by_move(search, point, i, value):
    """Record the point after move i as the best so far, or as the point whose value is NaN."""
    recorder = search.recorder
    variable, category, _, _ = neighbour(search.layout, point, i)
    before = point.categories[variable]
    point.categories[variable] = category
    log_move(recorder, assignment(variable, category))
    record(recorder, point.categories, value)
    point.categories[variable] = before
    log_move(recorder, assignment(variable, np.int64(before)))


@inlined
def draw_mutation(search, thresholds, moves):
    """Write moves of random distinct variables to random other categories; return their number.

    Where all variables have the same number of categories, a uniform move determines both; it is
    drawn again if its variable has been drawn before.
    """
    layout = search.layout
    if layout.equal_moves > 0:
        n, bound, reciprocal = layout.variable.size, layout.moves, layout.reciprocal
        return draw_moves(search.random, n, bound, reciprocal, 32, thresholds, moves)
    changes = draw_flips(search.random, layout.variable.size, thresholds, moves)
    for k in range(changes):
        gene = unsigned(moves[k])
        first = layout.first_move[unsigned(layout.variable[gene])]
        moves[k] = first + below(search.random, layout.size[gene] - 1)
    return changes
