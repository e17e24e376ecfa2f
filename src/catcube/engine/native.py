"""A search on categories: the variable is the gene, without bits.

Its functions have the names and arguments of those in `bits.py`.
"""

import numpy as np

from catcube.engine.compiled.arrays import copy_into, row
from catcube.engine.compiled.entry import call_commit, call_prepare, call_value
from catcube.engine.compiled.jit import inlined, part, unsigned
from catcube.engine.recorder import (
    BEST,
    EVALUATIONS,
    assignment,
    best_is_current,
    commit_best,
    count,
    log_move,
    record,
    take_initial,
)
from catcube.engine.rng import below, draw_count, draw_flips, random_categories
from catcube.engine.search import NativePoint


@inlined
def point_at(search, k):
    """Return the k-th point of the search."""
    points = search.points
    return NativePoint(
        row(points.categories, k, search.layout.first_move.size),
        row(points.counts, k, points.counts.shape[1]),
        points.frames[unsigned(k)],
    )


@inlined
def genes(search):
    """Return how many variables have a choice."""
    return search.layout.variable.size


@inlined
def moves(search):
    """Return how many points differ from a point in one variable."""
    return search.layout.moves


@inlined
def neighbour(layout, point, i):
    """Return variable and category after move i; the zeros are where bits have word and sum."""
    variable, category = moved(layout, point.categories, i)
    return variable, category, 0, 0


@inlined
def moved(layout, categories, i):
    """Return the variable of move i, and its category after it."""
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
    """Make move i with the point: no evaluation."""
    variable, category, _, _ = neighbour(search.layout, point, i)
    assign(search, point, variable, category)


@inlined
def set_word(layout, point, i, variable, word, total):
    """Do nothing: there are no words."""


@inlined
def assign(search, point, variable, category):
    """Give a variable of the point another category: no evaluation."""
    if search.functions.commit != 0:
        call_commit(search.functions.commit, point.frame, variable, category)
    point.categories[unsigned(variable)] = category
    log_move(search.recorder, assignment(variable, category))


@inlined
def make_move(search, point, moves, k):
    """Make moves[k], which becomes the move that undoes it."""
    variable, category, _, _ = neighbour(search.layout, point, moves[k])
    before = np.int64(point.categories[unsigned(variable)])
    assign(search, point, variable, category)
    moves[k] = search.layout.first_move[unsigned(variable)] + before - (before > category)


@inlined
def point_bytes(search):
    """Return how many bytes `copy_point` copies."""
    return 4 * (search.layout.first_move.size + search.points.counts.shape[1])


@inlined
def copy_point(layout, source, target):
    """Make one point equal to another."""
    copy_into(target.categories, source.categories)
    copy_into(target.counts, source.counts)


@part
def evaluate(search, point):
    """Evaluate the point and prepare it for moves."""
    commit_best(search.recorder)
    value = call_value(search.functions.value, point.frame)
    if count(search.recorder, value) or search.recorder.counters[EVALUATIONS] == 1:
        record(search.recorder, point.categories, value)
    if search.functions.prepare != 0:
        call_prepare(search.functions.prepare, point.frame)
    return value


@inlined
def set_categories(search, point, row):
    """Set the categories of the point from a row; do not move it afterwards."""
    for variable in range(row.size):
        point.categories[variable] = row[variable]


@inlined
def evaluate_row(search, point, row):
    """Evaluate a row of categories. The point is scratch memory."""
    commit_best(search.recorder)
    set_categories(search, point, row)
    value = call_value(search.functions.value, point.frame)
    if count(search.recorder, value) or search.recorder.counters[EVALUATIONS] == 1:
        record(search.recorder, point.categories, value)
    return value


@inlined
def random_solution(search, row):
    """Fill a row with the next initial point, or with uniform categories."""
    if not take_initial(search, row):
        random_categories(search.random, search.layout.size, search.layout.variable, row)


@part
def start(search, point):
    """Move to the next initial point, or to a uniform one, and evaluate it."""
    random_solution(search, point.categories)
    return evaluate(search, point)


@part
def return_to_best(search, point):
    """Move to the best point so far: no evaluation, its value is known."""
    commit_best(search.recorder)
    copy_into(point.categories, search.recorder.best)
    if search.functions.prepare != 0:
        call_prepare(search.functions.prepare, point.frame)
    best_is_current(search.recorder, point.categories)
    return search.recorder.levels[BEST]


@part
def record_point(search, point, value):
    """Record the point as the best so far (or as one without a value)."""
    record(search.recorder, point.categories, value)


@part
def improve_by_move(search, point, i, value):
    """Record the point after move i as the best so far (or as one without a value)."""
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
    """Write the moves of distinct uniform variables to uniform other categories; how many.

    Where all variables have the same number of categories, a uniform move is both at once; it is
    drawn again if its variable has one already.
    """
    layout = search.layout
    if layout.equal_moves > 0:
        return draw_equal_moves(search.random, layout, thresholds, moves)
    changes = draw_flips(search.random, layout.variable.size, thresholds, moves)
    for k in range(changes):
        gene = unsigned(moves[k])
        first = layout.first_move[unsigned(layout.variable[gene])]
        moves[k] = first + below(search.random, layout.size[gene] - 1)
    return changes


@inlined
def draw_equal_moves(random, layout, thresholds, moves):
    """Write uniform moves of distinct variables, all of the same number of moves; how many."""
    changes = draw_count(random, layout.variable.size, thresholds, moves.size)
    for k in range(changes):
        fresh = False
        while not fresh:
            moves[k] = below(random, layout.moves)
            variable = (moves[k] * layout.reciprocal) >> 32
            fresh = True
            for earlier in range(k):
                if (moves[earlier] * layout.reciprocal) >> 32 == variable:
                    fresh = False
    return changes
