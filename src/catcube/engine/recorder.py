"""The recorder owns budget, target, best so far, trace and stop flag; kernels never count.

It is a few arrays, so another thread can watch a run and ask it to stop. The budget and the stop
flag are one number, `counters[LIMIT]`: whoever wants the run to end (the target reached, a value
that is no number, the watcher) lowers it.

The best point is kept as a base (`best_bits`) and a journal of the flips made since. Copying all
bits at each improvement would cost O(n) where a flip costs O(1); the journal costs one store a
flip. Invariants, while the journal is in use (`counters[LENGTH] >= 0`):

    best point    = best_bits with the first counters[MARK] flips of the journal
    current point = best_bits with all counters[LENGTH] flips of the journal

When n flips in a row bring no improvement the journal is given up (LENGTH = -1) until the next
one, which copies all bits: n flips have paid for it. An empty journal array means that the
algorithm has several points; then every improvement copies.
"""

from typing import NamedTuple

import numpy as np

from catcube.engine.compiled.entry import call_notify
from catcube.engine.compiled.jit import inlined, njit, part

# Places in `counters`.
EVALUATIONS, LIMIT, BEST_EVALUATION, ITERATIONS, TRACED, LENGTH, MARK, STATUS, NOTIFY = range(9)
COUNTERS = 9
# Places in `levels`.
BEST, TARGET = range(2)

# Values of counters[STATUS].
RUNNING, TARGET_REACHED, NOT_A_NUMBER = range(3)

TRACE_CHUNK = 4096


class Recorder(NamedTuple):
    """Everything a run counts and keeps."""

    counters: np.ndarray
    levels: np.ndarray
    trace_evaluations: np.ndarray
    trace_values: np.ndarray
    best_bits: np.ndarray
    journal: np.ndarray
    offender: np.ndarray


def new_recorder(n: int, budget: int, target: float, walking: bool, notify: int) -> Recorder:
    """A recorder for n bits; `notify` is the address called when the trace chunk is full."""
    counters = np.zeros(COUNTERS, np.int64)
    counters[LIMIT] = budget
    counters[LENGTH] = -1
    counters[NOTIFY] = notify
    return Recorder(
        counters=counters,
        levels=np.array([np.inf, target]),
        trace_evaluations=np.empty(TRACE_CHUNK, np.int64),
        trace_values=np.empty(TRACE_CHUNK, np.float64),
        best_bits=np.zeros(n, np.uint8),
        journal=np.empty(n if walking else 0, np.int64),
        offender=np.zeros(n, np.uint8),
    )


@inlined
def copy_into(target, source):
    """target[:] = source, which numba compiles only where it may allocate."""
    for k in range(target.size):
        target[k] = source[k]


@inlined
def running(recorder):
    """Whether another evaluation may be made."""
    return recorder.counters[EVALUATIONS] < recorder.counters[LIMIT]


@inlined
def allowed(recorder, wanted):
    """How many of the evaluations that are wanted may be made."""
    return min(wanted, recorder.counters[LIMIT] - recorder.counters[EVALUATIONS])


@inlined
def iterate(recorder):
    """Begin an iteration, and count it, if another evaluation may be made."""
    going_on = recorder.counters[EVALUATIONS] < recorder.counters[LIMIT]
    recorder.counters[ITERATIONS] += going_on
    return going_on


@inlined
def count(recorder, value):
    """Count an evaluation; whether its value is better than the best so far, or no number."""
    recorder.counters[EVALUATIONS] += 1
    return not value >= recorder.levels[BEST]


@part
def improve(recorder, value):
    """Write down a new best value and stop at the target."""
    counters = recorder.counters
    if counters[TRACED] == recorder.trace_values.size:
        call_notify(counters[NOTIFY])
        if counters[TRACED] == recorder.trace_values.size:  # cut off by an exception: stay inside
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
    """End the run at once, for the first reason given."""
    recorder.counters[LIMIT] = 0
    if recorder.counters[STATUS] == RUNNING:
        recorder.counters[STATUS] = status


@inlined
def log_flip(recorder, i):
    """Note in the journal that bit i of the current point was flipped."""
    counters, journal = recorder.counters, recorder.journal
    length = counters[LENGTH]
    if length < 0:
        return
    if length == journal.size:
        mark = counters[MARK]
        _apply(recorder)
        if mark == 0:
            counters[LENGTH] = -1
            return
        length -= mark
        for k in range(length):
            journal[k] = journal[k + mark]
    journal[length] = i
    counters[LENGTH] = length + 1


@part
def best_is_current(recorder, bits):
    """The current point is the best so far."""
    counters = recorder.counters
    if counters[LENGTH] >= 0:
        counters[MARK] = counters[LENGTH]
    else:
        copy_into(recorder.best_bits, bits)
        counters[LENGTH] = 0 if recorder.journal.size > 0 else -1
        counters[MARK] = 0


@njit
def leave(recorder):
    """The current point is about to be replaced as a whole: settle where the best one is."""
    _apply(recorder)
    recorder.counters[LENGTH] = -1


@part
def _apply(recorder):
    """Move the base of the journal to the best point."""
    for k in range(recorder.counters[MARK]):
        recorder.best_bits[recorder.journal[k]] ^= np.uint8(1)
    recorder.counters[MARK] = 0
