"""Calling the kernel of a run: compiled first, with memory that grows, restarted, in a thread."""

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from catcube.algorithms.algorithm import Context
from catcube.base.memory import ensure, size_of
from catcube.engine.compiled.jit import JIT, compile_for, is_cached
from catcube.engine.point import lone_point_kernel
from catcube.engine.recorder import EVALUATIONS, LIMIT, RUNNING, STATUS
from catcube.engine.search import NativeSearch, Search
from catcube.problems.problem import Objective
from catcube.search.interrupt import postponed
from catcube.search.memory import new_memory
from catcube.search.watch import INTERVAL, Watch

if TYPE_CHECKING:
    from catcube.search.run import Run

FRUITLESS = 10  # restarts without a new point after which all points are found


def kernel_of(run: "Run") -> tuple[Callable[..., bool | None], Any]:
    """Return the kernel and its parameters; a space of a single point has a kernel of its own."""
    if _is_single_point(run):
        return lone_point_kernel, ()
    return run.algorithm.kernel_for(run.native), run.parameters


def memory_of(run: "Run", context: Context | None = None) -> tuple[Any, ...]:
    """Allocate the memory of the kernel; that of one in Python is its context."""
    if _is_single_point(run):
        return ()
    if not run.algorithm.compiled:
        return (context,)
    return new_memory(run.algorithm, run.layout, run.parameters)


def _is_single_point(run: "Run") -> bool:
    return run.algorithm.compiled and run.layout.variable.size == 0


_COMPILED: set[tuple[Callable[..., bool | None], type, type]] = set()


def compile_kernel(run: "Run", search: Search | NativeSearch) -> None:
    """Compile the kernel, or load it from the cache, before time is measured."""
    kernel, parameters = kernel_of(run)
    key = kernel, type(parameters), type(search)
    if JIT and run.algorithm.compiled and key not in _COMPILED:
        if sys.stderr.isatty() and not is_cached(kernel):
            sentence = f"compiling {run.algorithm.name} for its first use, about 2 to 10 seconds"
            print(f"catcube: {sentence} (catcube warm compiles all)", file=sys.stderr, flush=True)
        with postponed():
            compile_for(kernel, search, parameters, memory_of(run))
        _COMPILED.add(key)


def call_kernel(
    run: "Run",
    search: Search | NativeSearch,
    supervisor: Watch,
    objective: Objective,
    context: Context,
) -> None:
    """Call the kernel until the run is over, with more memory or restarted as needed."""
    algorithm, counters = run.algorithm, search.recorder.counters
    kernel, parameters = kernel_of(run)
    stalls = evaluations = fruitless = 0
    with np.errstate(over="ignore"):  # interpreted, random words overflow
        while True:
            memory = memory_of(run, context)
            while kernel(search, parameters, memory):
                grow = algorithm.growth(run.native)
                assert grow is not None
                ensure(2 * size_of(memory), f"{algorithm.name}, which must grow,")
                memory = grow(memory)
            stalled = getattr(objective, "stalls", 0) > stalls
            if counters[STATUS] != RUNNING or (run.restart is None and not stalled):
                return
            stalls += stalled
            fruitless = 0 if counters[EVALUATIONS] > evaluations else fruitless + 1
            evaluations = int(counters[EVALUATIONS])
            if fruitless >= FRUITLESS:
                return
            counters[LIMIT] = min(run.budget, evaluations + (run.restart or run.budget))
            if supervisor.reason is not None or counters[EVALUATIONS] >= run.budget:
                return


def call_beside(kernel: Callable[[], None], supervisor: Watch) -> None:
    """Run the kernel, which does not hold the GIL, in a thread, and watch it from this one.

    After an exception in this thread (Ctrl-C or another signal), the run is stopped and waited
    for, so that it does not continue unnoticed.
    """

    def body() -> None:
        try:
            kernel()
        except BaseException as exception:
            supervisor.fail(exception)
        finally:
            over.set()

    # Not join and is_alive: after an exception in `join`, Python 3.11 treats the thread as ended.
    over = threading.Event()
    thread = threading.Thread(target=body, daemon=True)
    try:
        with postponed():
            thread.start()
    except BaseException as exception:
        supervisor.fail(exception)
        if not over.wait(1) and thread.ident is None:
            return  # it did not start
    ended = False
    while not ended:
        try:
            while not over.wait(INTERVAL):  # inside, so that no exception is missed
                supervisor.tick()
            ended = True
            thread.join(1)
        except BaseException as exception:
            supervisor.fail(exception)
