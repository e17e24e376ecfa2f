"""The recorder, which owns the budget, the target, the best point, the trace and the stop flag.

Kernels never count. The recorder consists of arrays, so that another thread can watch a run and
stop it. The budget and the stop flag are one number, `counters[LIMIT]`, which is lowered to end the
run: if the target is reached, if a value is NaN, or by another thread.

The best point is stored as a base (`best`) and a journal of the moves since then. Copying the point
at each improvement would cost O(n) where a move costs O(1); the journal costs one store per move.
Invariants while the journal is in use (`counters[LENGTH] >= 0`):

    best point    = best with the first counters[MARK] moves of the journal
    current point = best with all counters[LENGTH] moves of the journal

After n moves without an improvement the journal is unused (LENGTH = -1) until the next improvement,
which copies the point; that costs O(1) per move. If the algorithm has several points, the journal
is empty and every improvement copies the point.

On bits, a move is the index of the bit that is flipped. On categories (`NativeRecorder`), it is a
variable and its new category, in one number (`assignment`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.arrays import copy_into
from catcube.engine.compiled.dispatch import native, overload
from catcube.engine.compiled.entry import call_notify
from catcube.engine.compiled.jit import inlined, part

# Indices of `counters`.
EVALUATIONS, LIMIT, BEST_EVALUATION, ITERATIONS, TRACED, LENGTH, MARK, STATUS, NOTIFY = range(9)
BEGUN = 9  # number of initial points used
COUNTERS = 10
# Indices of `levels`.
BEST, TARGET = range(2)

# Values of counters[STATUS].
RUNNING, TARGET_REACHED, NOT_A_NUMBER = range(3)

TRACE_CHUNK = 4096

CATEGORY_BITS = 20  # of an assignment; the variable is in the bits above
LARGEST_CATEGORY = 2**CATEGORY_BITS - 1


class Recorder(NamedTuple):
    """The counters and the best point of a run."""

    counters: np.ndarray
    levels: np.ndarray
    trace_evaluations: np.ndarray
    trace_values: np.ndarray
    best: np.ndarray
    journal: np.ndarray
    nan_point: np.ndarray  # the point whose value is NaN


@native
class NativeRecorder(Recorder):
    """The recorder of a search on categories."""


def new_recorder(
    n: int, budget: int, target: float, walking: bool, notify: int, native: bool = False
) -> Recorder:
    """Return a recorder of a search on n bits, or on the categories of n variables.

    `walking` means that the algorithm moves a single point, so that the journal is used. `notify`
    is the address of the function that is called when the trace chunk is full.
    """
    counters = np.zeros(COUNTERS, np.int64)
    counters[LIMIT] = budget
    counters[LENGTH] = -1
    counters[NOTIFY] = notify
    kind: Any = np.int32 if native else np.uint8
    return (NativeRecorder if native else Recorder)(
        counters=counters,
        levels=np.array([np.inf, target]),
        trace_evaluations=np.empty(TRACE_CHUNK, np.int64),
        trace_values=np.empty(TRACE_CHUNK, np.float64),
        best=np.zeros(n, kind),
        journal=np.empty(n if walking else 0, np.int64),
        nan_point=np.zeros(n, kind),
    )


def best_so_far(recorder: Recorder) -> NDArray[Any]:
    """Return the best point so far: the base with the moves up to the best point."""
    best = recorder.best.copy()
    for move in recorder.journal[: recorder.counters[MARK]].tolist():
        if isinstance(recorder, NativeRecorder):
            best[move >> CATEGORY_BITS] = move & LARGEST_CATEGORY
        else:
            best[move] ^= 1
    return best


@part
def take_initial(search, row):
    """Copy the next initial point into a row; return whether there was one."""
    counters = search.recorder.counters
    if counters[BEGUN] >= search.initial.shape[0]:
        return False
    for k in range(search.initial.shape[1]):
        row[k] = search.initial[counters[BEGUN], k]
    counters[BEGUN] += 1
    return True


@inlined
def running(recorder):
    """Return whether another evaluation may be made."""
    return recorder.counters[EVALUATIONS] < recorder.counters[LIMIT]


@inlined
def allowed(recorder, wanted):
    """Return how many of the wanted evaluations the budget allows."""
    return min(wanted, recorder.counters[LIMIT] - recorder.counters[EVALUATIONS])


@inlined
def iterate(recorder):
    """Count an iteration if another evaluation may be made; return whether it may."""
    may_continue = running(recorder)
    recorder.counters[ITERATIONS] += may_continue
    return may_continue


@inlined
def count(recorder, value):
    """Count an evaluation; return whether its value is the best so far, or NaN."""
    recorder.counters[EVALUATIONS] += 1
    return not value >= recorder.levels[BEST]


@part
def improve(recorder, value):
    """Record a new best value, and end the run if it reaches the target."""
    counters = recorder.counters
    size = recorder.trace_values.size
    if counters[TRACED] == size:
        call_notify(counters[NOTIFY])
        if counters[TRACED] == size:  # an exception interrupted the call: overwrite the last entry
            counters[TRACED] -= 1
    recorder.levels[BEST] = value
    counters[BEST_EVALUATION] = counters[EVALUATIONS]
    recorder.trace_evaluations[counters[TRACED]] = counters[EVALUATIONS]
    recorder.trace_values[counters[TRACED]] = value
    counters[TRACED] += 1
    if value <= recorder.levels[TARGET]:
        stop(recorder, TARGET_REACHED)


@part
def stop(recorder, status):
    """End the run; the first status is kept."""
    recorder.counters[LIMIT] = 0
    if recorder.counters[STATUS] == RUNNING:
        recorder.counters[STATUS] = status


@part
def record(recorder, point, value):
    """Record a point as the best so far, or as the point whose value is NaN."""
    if value != value:
        copy_into(recorder.nan_point, point)
        stop(recorder, NOT_A_NUMBER)
    elif value < recorder.levels[BEST] or recorder.counters[EVALUATIONS] == 1:
        improve(recorder, value)
        best_is_current(recorder, point)


@inlined
def log_move(recorder, move):
    """Append a move to the journal, if it is in use."""
    counters, journal = recorder.counters, recorder.journal
    length = counters[LENGTH]
    if length < 0:
        return
    if length == journal.size:
        mark = counters[MARK]
        _apply_journal(recorder)
        if mark == 0:
            counters[LENGTH] = -1
            return
        length -= mark
        for k in range(length):
            journal[k] = journal[k + mark]
    journal[length] = move
    counters[LENGTH] = length + 1


@part
def best_is_current(recorder, point):
    """Make the current point the best point, without its value."""
    counters = recorder.counters
    if counters[LENGTH] >= 0:
        counters[MARK] = counters[LENGTH]
    else:
        copy_into(recorder.best, point)
        counters[LENGTH] = 0 if recorder.journal.size > 0 else -1
        counters[MARK] = 0


@part
def commit_best(recorder):
    """Apply the journal and stop using it, before the current point is replaced as a whole."""
    _apply_journal(recorder)
    recorder.counters[LENGTH] = -1


@part
def _apply_journal(recorder):
    """Apply the moves up to the best point to the base."""
    for k in range(recorder.counters[MARK]):
        move_best(recorder, recorder.journal[k])
    recorder.counters[MARK] = 0


@inlined
def assignment(variable, category):
    """Return the move that sets a variable to a category, as one number."""
    return (variable << CATEGORY_BITS) | category


@inlined
def _flip_best(recorder, move):
    recorder.best[move] ^= np.uint8(1)


@inlined
def _assign_best(recorder, move):
    recorder.best[move >> CATEGORY_BITS] = np.int32(move & LARGEST_CATEGORY)


move_best = overload(_flip_best, _assign_best)
"""Make a move with the base of the journal: `move_best(recorder, move)`."""
