"""Allocation of the memory of a run: points, recorder, and the arrays of the algorithm."""

from typing import TYPE_CHECKING, Any

import numpy as np

from catcube.algorithms.algorithm import Algorithm
from catcube.base.memory import check_memory, nbytes
from catcube.engine.compiled.arrays import aligned_rows
from catcube.engine.compiled.entry import Frame, frames_for_kernels
from catcube.engine.compiled.packed import padded_rows, words_for
from catcube.engine.recorder import new_recorder
from catcube.engine.rng import initial_state
from catcube.engine.search import Genes, Layout, NativePoint, NativeSearch, Point, Search
from catcube.errors import BadValue
from catcube.problems.problem import Objective

if TYPE_CHECKING:
    from catcube.search.run import Run


def new_search(run: "Run", objective: Objective, notify: int) -> Search | NativeSearch:
    """Allocate the search of a run; kernels call the address `notify` when the trace is full."""
    layout, count = run.layout, run.algorithm.points(run.parameters)
    native = isinstance(layout, Genes)
    n = layout.first_move.size if isinstance(layout, Genes) else int(layout.first_bit[-1])
    points: Any = new_native_points if native else new_points
    kind: Any = np.int32 if native else np.uint8
    initial = np.zeros((0, 0)) if run.initial is None else run.initial
    target = np.nan if run.target is None else float(run.target)  # no value is <= NaN
    limit = run.budget if run.restart is None else min(run.budget, run.restart)
    parts: dict[str, Any] = {
        "layout": layout,
        "functions": objective.functions,
        "points": points(layout, objective, count),
        "recorder": new_recorder(n, limit, target, count == 1, notify, native),
        "random": initial_state(run.seed),
        "initial": np.ascontiguousarray(initial, kind),
    }
    if native:
        return NativeSearch(**parts)
    return Search(packed=np.zeros(words_for(n) + 1, np.uint64), **parts)


def new_points(layout: Layout, objective: Objective, count: int) -> Point:
    """Allocate points of bits."""
    n, variables = int(layout.first_bit[-1]), layout.modulus.size
    size = n + 12 * variables + 4 * objective.count_size + 1000
    # The best point, NaN point and journal of the recorder take as much memory as ten points.
    check_memory((count + 10) * size, f"a search on {n} bits with {count} points")
    categories = aligned_rows(count, variables, np.int32)
    counts = aligned_rows(count, objective.count_size, np.int32)
    return Point(
        bits=padded_rows(count, n),
        words=aligned_rows(count, variables, np.uint32),
        sums=aligned_rows(count, variables, np.int32),
        categories=categories,
        counts=counts,
        frame=_frames(categories[:, :variables], counts[:, : objective.count_size], objective),
    )


def new_native_points(layout: Genes, objective: Objective, count: int) -> NativePoint:
    """Allocate points of categories."""
    variables = layout.first_move.size
    size = 4 * variables + 4 * objective.count_size + 1000
    check_memory((count + 5) * size, f"a search on {variables} variables with {count} points")
    categories = np.zeros((count, variables), np.int32)
    counts = np.zeros((count, objective.count_size), np.int32)
    return NativePoint(categories, counts, _frames(categories, counts, objective))


def _frames(categories: Any, counts: Any, objective: Objective) -> Any:
    """Return the frames through which the functions of the problem read the points."""
    frames = [
        Frame(row, objective.integers, objective.reals, row_counts)
        for row, row_counts in zip(categories, counts, strict=True)
    ]
    return frames_for_kernels(frames)


def new_memory(algorithm: Algorithm, layout: Layout | Genes, parameters: Any) -> tuple[Any, ...]:
    """Allocate the memory of the algorithm; raise a BadValue if there is not enough."""
    kind = "variables" if isinstance(layout, Genes) else "bits"
    what = f"{algorithm.name} on {layout.variable.size} {kind}"
    if parameters:
        what += f" with {', '.join(f'{k}={v}' for k, v in parameters._asdict().items())}"
    try:
        memory = algorithm.memory(layout, parameters)
    except (MemoryError, OverflowError, ValueError) as error:  # of numpy, for impossible shapes
        raise BadValue(f"{what} does not fit into memory ({error})") from None
    check_memory(nbytes(memory), what)
    return memory
