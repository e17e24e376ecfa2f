"""Enumeration of a small space: evaluate every point once."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Context
from catcube.engine.compiled.dispatch import as_python
from catcube.engine.generation import evaluate_genes
from catcube.engine.recorder import EVALUATIONS, LIMIT
from catcube.engine.rng import below

BATCH = 1024  # points announced at once


class Parameters(NamedTuple):
    """Enumeration has no parameters."""


evaluate_rows = as_python(evaluate_genes)
draw_below = as_python(below)


def point_batches(
    sizes: NDArray[np.int64], random: NDArray[np.uint64], initial: NDArray[Any]
) -> Iterator[NDArray[np.int32]]:
    """Yield all points once, in batches of rows of categories.

    The initial points come first, then all others in a random order.

    >>> from catcube.engine.rng import initial_state
    >>> batches = point_batches(np.array([4, 2]), initial_state(1), np.array([[3, 0]]))
    >>> rows = np.concatenate(list(batches))
    >>> len(set(map(tuple, rows.tolist()))), rows[0].tolist()
    (8, [3, 0])
    """
    begun = list(dict.fromkeys(map(tuple, initial.tolist())))
    size = math.prod(sizes.tolist())
    with np.errstate(over="ignore"):
        first, step = (int(draw_below(random, min(size, 2**31))) for _ in range(2))
    while math.gcd(step, size) != 1:  # coprime, so that every point occurs once
        step = (step + 1) % size
    rows = begun.copy()
    for begin in range(0, size, BATCH):
        numbers = ((first + k * step) % size for k in range(begin, min(begin + BATCH, size)))
        points = (tuple(map(int, np.unravel_index(k, sizes.tolist()))) for k in numbers)
        rows += [point for point in points if point not in begun]
        yield np.array(rows, np.int32).reshape(len(rows), sizes.size)
        rows = []


def kernel(search: Any, parameters: Parameters, memory: tuple[Context]) -> None:
    """Evaluate every feasible point once."""
    (context,) = memory
    layout, counters = search.layout, search.recorder.counters
    initial = search.initial[:, layout.variable] if len(search.initial) else search.initial
    for rows in point_batches(layout.size, search.random, initial):
        rows = rows[_is_admissible(search, context, rows)]
        evaluate_rows(search, rows, np.empty(len(rows)), False)
        if counters[EVALUATIONS] >= counters[LIMIT]:
            return


def _is_admissible(search: Any, context: Context, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which points are feasible and have category 0 in inactive variables."""
    admissible = np.ones(len(rows), bool)
    whole = np.zeros((len(rows), search.layout.first_move.size), np.int32)
    whole[:, search.layout.variable] = rows
    if context.active is not None:
        admissible &= ((whole == 0) | context.active(whole)).all(axis=1)
    if context.feasible is not None:
        admissible[admissible] = context.feasible(whole[admissible])
    return admissible


ALGORITHM = Algorithm(
    name="enumeration",
    title="every point once",
    reference="",
    parameters=Parameters,
    kernel=kernel,
    native=True,
    compiled=False,
)
