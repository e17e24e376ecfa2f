"""One run: a pure function of problem, representation, algorithm, parameters, budget and seed."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms import lone_point
from catcube.algorithms.algorithm import Algorithm, Knowledge
from catcube.base.memory import ensure, size_of
from catcube.engine.compiled.entry import PythonEntry, evaluated
from catcube.engine.compiled.jit import JIT, compile_for, is_cached
from catcube.engine.decode import Layout
from catcube.engine.recorder import (
    BEST,
    BEST_EVALUATION,
    EVALUATIONS,
    ITERATIONS,
    LIMIT,
    NOT_A_NUMBER,
    RUNNING,
    STATUS,
    TARGET_REACHED,
    TRACED,
    Recorder,
    best_so_far,
    leave,
)
from catcube.engine.search import Genes, NativeSearch, Search
from catcube.problems.problem import Objective, Problem
from catcube.problems.python.lost_exceptions import received_by
from catcube.problems.python.objective import InPython
from catcube.representations.layout import categories_of
from catcube.search.interrupt import interruptible, postponed
from catcube.search.memory import new_memory, new_search
from catcube.search.watch import INTERVAL, Progress, Watch
from catcube.space import Space

# An algorithm that was begun anew so often and came to no point that is new has found them all.
FRUITLESS = 10


@dataclass(frozen=True)
class Run:
    """What to run."""

    problem: Problem
    layout: Layout | Genes
    algorithm: Algorithm
    parameters: Any
    budget: int
    target: float | None
    seed: int
    restart: int | None = None  # begin anew after so many evaluations, or when it has converged
    initial: NDArray[Any] | None = None  # the points to begin with, one per row, as in a solution

    def __post_init__(self) -> None:
        if self.native:
            self.algorithm.natively()  # refuses what works on bits alone
        elif not self.algorithm.compiled:
            raise ValueError(
                f"algorithm {self.algorithm.name!r} searches the categories themselves: expected "
                "representation 'native'"
            )

    @property
    def native(self) -> bool:
        """Whether the categories themselves are searched, without bits."""
        return isinstance(self.layout, Genes)


@dataclass
class Outcome:
    """What a run found."""

    solution: NDArray[Any]  # the best point: its bits or, in a native search, its categories
    value: float
    evaluations: int
    evaluations_to_best: int
    iterations: int
    trace_evaluations: NDArray[np.int64]
    trace_values: NDArray[np.float64]
    reason: str  # target, budget, converged, time, callback, interrupt or failure
    seconds: float
    calls: int  # of the user's function
    failure: BaseException | None = None
    failed: int = 0  # points without a value
    history: Sequence[tuple[bytes, float]] = ()  # keys and values of all points, if they are kept
    model: Callable[[Space], Any] | None = None  # what the algorithm has learnt, if it learns


@dataclass
class _Trace:
    """The improvements, drained from the recorder's chunk whenever it is full."""

    recorder: Recorder | None = None
    evaluations: list[NDArray[np.int64]] = field(default_factory=list)
    values: list[NDArray[np.float64]] = field(default_factory=list)

    def drain(self) -> None:
        assert self.recorder is not None
        length = self.recorder.counters[TRACED]
        self.evaluations.append(self.recorder.trace_evaluations[:length].copy())
        self.values.append(self.recorder.trace_values[:length].copy())
        self.recorder.counters[TRACED] = 0


def execute(run: Run, watch: Watch | None = None) -> Outcome:
    """Do the run; with a watch it can be seen and stopped meanwhile."""
    return Execution(run, watch).outcome()


class Execution:
    """A run that is ready to begin: its memory is there and its kernel compiled."""

    def __init__(self, run: Run, watch: Watch | None = None) -> None:
        self.run = run
        self.beside = watch is not None and watch.beside
        self.supervisor = watch or Watch()
        with postponed():  # it may compile
            self.objective = run.problem.objective(self.supervisor.tick)
        self._seen: tuple[float, NDArray[np.int64] | None] | None = None
        self._knowledge = Knowledge()
        self._trace = _Trace()
        self._drain = PythonEntry("notify", self._trace.drain)
        points = run.algorithm.points(run.parameters)
        target = np.nan if run.target is None else float(run.target)  # no value is <= NaN
        limit = run.budget if run.restart is None else min(run.budget, run.restart)
        self._search = new_search(
            run.layout,
            self.objective,
            points,
            limit,
            target,
            run.seed,
            self._drain.address,
            run.initial,
        )
        self.recorder = self._search.recorder
        self._trace.recorder = self.recorder
        compile_kernel(run, self._search)

    def outcome(self) -> Outcome:
        """Do the run, once."""
        run, recorder, supervisor = self.run, self.recorder, self.supervisor
        if isinstance(self.objective, InPython):
            self.objective.recorder = recorder
        supervisor.begin(recorder, self._look)
        # Not the time on the clock where other threads may keep this one waiting for the GIL.
        aside = self.objective.in_python or self.beside
        clock = time.perf_counter if aside else time.thread_time
        began = clock()
        try:
            self._call()
        except BaseException as exception:  # the objective's own are kept by the objective
            supervisor.fail(exception)
        seconds = clock() - began
        self.objective.finish()
        leave(recorder)
        self._trace.drain()
        # It is in a cycle with its callback: large arrays would wait for the garbage collector.
        self._trace.recorder = None
        counters = recorder.counters
        if counters[STATUS] != NOT_A_NUMBER:
            supervisor.finish()
        supervisor.look = None  # it is a method of this object: another cycle
        reason, failure = _ending(run, recorder, supervisor, self.objective)
        evaluations = int(counters[EVALUATIONS])
        calls = self.objective.calls
        return Outcome(
            solution=recorder.best,
            value=float(recorder.levels[BEST]),
            evaluations=evaluations,
            evaluations_to_best=int(counters[BEST_EVALUATION]),
            iterations=int(counters[ITERATIONS]),
            trace_evaluations=np.concatenate(self._trace.evaluations),
            trace_values=np.concatenate(self._trace.values),
            reason=reason,
            seconds=seconds,
            calls=evaluations if calls is None else calls,
            failure=failure,
            failed=getattr(self.objective, "failures", 0),
            history=getattr(self.objective, "history", []),
            model=self._knowledge.model,
        )

    def _look(self, seconds: float) -> Progress:
        """What a callback sees now."""
        counters, levels = self.recorder.counters, self.recorder.levels
        value = float(levels[BEST])
        categories: NDArray[np.int64] | None = categories_of(
            self.run.layout, best_so_far(self.recorder)
        )
        if self.beside and not self.objective.in_python:
            # The kernel goes on meanwhile: what was read may be half of one point and half of
            # another. It is a point of this value, or the last one that was.
            problem = self.run.problem
            assert categories is not None
            if evaluated(problem.value, problem.frame(categories)) != value:
                value, categories = self._seen if self._seen is not None else (value, None)
            self._seen = value, categories
        x = {} if categories is None else self.run.problem.space.decode(categories)
        return Progress(int(counters[EVALUATIONS]), value, seconds, x)

    def _call(self) -> None:
        """Call the kernel where it belongs."""
        supervisor, objective = self.supervisor, self.objective
        if isinstance(objective, InPython):
            with interruptible(lambda: supervisor.stop("interrupt"), lambda: objective.calling):
                self._kernel()
        elif self.beside:
            _call_beside(self._kernel, supervisor)
        else:
            self._kernel()

    def _kernel(self) -> None:
        with received_by(self.supervisor.fail):
            if self.run.algorithm.compiled:
                _call(self.run, self._search, self.supervisor, self.objective)
            else:
                self._call_python()

    def _call_python(self) -> None:
        """Call a kernel that is Python code, with the points whose values are known."""
        run = self.run
        known = getattr(self.objective, "known", None)
        self._knowledge = Knowledge() if known is None else Knowledge(*known())
        run.algorithm.kernel(self._search, run.parameters, (self._knowledge,))


def kernel_of(run: Run) -> tuple[Callable[..., bool | None], Any]:
    """Choose the algorithm's kernel with its parameters; a space of a single point needs none."""
    if _is_single_point(run):
        return lone_point.kernel, ()
    return run.algorithm.kernel_for(run.native), run.parameters


def memory_of(run: Run) -> tuple[Any, ...]:
    """Allocate what the kernel works in."""
    if _is_single_point(run):
        return ()
    return new_memory(run.algorithm, run.layout, run.parameters)


def _is_single_point(run: Run) -> bool:
    return run.layout.variable.size == 0


_COMPILED: set[tuple[Callable[..., bool | None], type, type]] = set()


def compile_kernel(run: Run, search: Search | NativeSearch) -> None:
    """Compile the kernel, or load it from the cache, so that no run's time includes it."""
    kernel, parameters = kernel_of(run)
    key = kernel, type(parameters), type(search)
    if JIT and run.algorithm.compiled and key not in _COMPILED:
        if sys.stderr.isatty() and not is_cached(kernel):
            sentence = f"compiling {run.algorithm.name} for its first use, some 5 to 10 seconds"
            print(f"catcube: {sentence} (catcube warm compiles all)", file=sys.stderr, flush=True)
        with postponed():
            compile_for(kernel, search, parameters, memory_of(run))
        _COMPILED.add(key)


def _call(run: Run, search: Search | NativeSearch, supervisor: Watch, objective: Objective) -> None:
    """Call the kernel until the run is over: again with more memory, or from the start."""
    algorithm, counters = run.algorithm, search.recorder.counters
    kernel, parameters = kernel_of(run)
    stalls = evaluations = fruitless = 0
    with np.errstate(over="ignore"):  # with the JIT off: random words wrap around
        while True:
            memory = memory_of(run)
            while kernel(search, parameters, memory):
                grow = algorithm.growth(run.native)
                assert grow is not None
                ensure(2 * size_of(memory), f"{algorithm.name}, which has come to need more,")
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


def _call_beside(kernel: Callable[[], None], supervisor: Watch) -> None:
    """Run the kernel, which does not hold the GIL, in a thread, and watch it from this one.

    Whatever is raised here meanwhile (by Ctrl-C or another signal), the run is ended and waited
    for: it must not go on behind the user's back.
    """

    def body() -> None:
        try:
            kernel()
        except BaseException as exception:
            supervisor.fail(exception)
        finally:
            over.set()

    # Not join and is_alive: an exception in `join` makes Python 3.11 take the thread for ended.
    over = threading.Event()
    thread = threading.Thread(target=body, daemon=True)
    try:
        with postponed():
            thread.start()
    except BaseException as exception:
        supervisor.fail(exception)
        if not over.wait(1) and thread.ident is None:
            return  # it could not be started
    ended = False
    while not ended:
        try:
            while not over.wait(INTERVAL):  # inside, so that nothing slips through
                supervisor.tick()
            ended = True
            thread.join(1)
        except BaseException as exception:
            supervisor.fail(exception)


def _ending(
    run: Run, recorder: Recorder, supervisor: Watch, objective: Objective
) -> tuple[str, BaseException | None]:
    """Why the run ended, and what was raised, if anything was."""
    counters, failure = recorder.counters, supervisor.failure
    reason = supervisor.reason or "converged"
    if counters[STATUS] == NOT_A_NUMBER:
        if failure is None:
            failure = objective.failure(categories_of(run.layout, recorder.offender))
        reason = "failure"
    elif counters[STATUS] == TARGET_REACHED:
        reason = "target"
    elif counters[EVALUATIONS] >= run.budget:
        reason = "budget"
    if isinstance(failure, KeyboardInterrupt) and counters[BEST_EVALUATION] > 0:
        return "interrupt", None
    return reason, failure
