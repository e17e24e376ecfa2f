"""One run: a pure function of problem, representation, algorithm, parameters, budget and seed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Context
from catcube.engine.compiled.entry import PythonEntry, evaluated
from catcube.engine.decode import Layout
from catcube.engine.recorder import (
    BEST,
    BEST_EVALUATION,
    EVALUATIONS,
    ITERATIONS,
    NOT_A_NUMBER,
    STATUS,
    TARGET_REACHED,
    TRACED,
    Recorder,
    best_so_far,
)
from catcube.engine.search import Genes
from catcube.errors import BadValue
from catcube.problems.problem import Objective, Problem
from catcube.problems.python.batches import AnnouncedObjective
from catcube.problems.python.lost_exceptions import received_by
from catcube.problems.python.objective import InPython
from catcube.representations.layout import categories_of
from catcube.search.interrupt import interruptible, postponed
from catcube.search.kernel import call_beside, call_kernel, compile_kernel
from catcube.search.memory import new_search
from catcube.search.watch import Progress, Watch
from catcube.space import Space


@dataclass(frozen=True)
class Run:
    """The arguments of a run."""

    problem: Problem
    layout: Layout | Genes
    algorithm: Algorithm
    parameters: Any
    budget: int
    target: float | None
    seed: int
    restart: int | None = None  # restart after so many evaluations, or after convergence
    initial: NDArray[Any] | None = None  # the initial points, one per row, as in a solution

    def __post_init__(self) -> None:
        if self.native:
            self.algorithm.natively()  # raises an error if it has no native search
        elif not self.algorithm.compiled:
            raise BadValue(
                f"expected representation 'native' for {self.algorithm.name!r}, which searches "
                "the categories themselves"
            )

    @property
    def native(self) -> bool:
        """Whether the categories themselves are searched, without bits."""
        return isinstance(self.layout, Genes)


@dataclass
class Outcome:
    """The outcome of a run."""

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
    model: Callable[[Space], Any] | None = None  # the model of the algorithm, if it has one


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
    """Execute a run; a watch can observe and stop it."""
    return Execution(run, watch).outcome()


class Execution:
    """A run that is ready to start: its memory is allocated and its kernel compiled."""

    def __init__(self, run: Run, watch: Watch | None = None) -> None:
        self.run = run
        self.beside = watch is not None and watch.beside
        self.supervisor = watch or Watch()
        with postponed():  # it may compile
            self.objective = run.problem.objective(self.supervisor.tick)
        self._seen: tuple[float, NDArray[np.int64] | None] | None = None
        self._context = Context()
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
        """Execute the run, once."""
        run, recorder, supervisor = self.run, self.recorder, self.supervisor
        if isinstance(self.objective, InPython):
            self.objective.recorder = recorder
        supervisor.begin(recorder, self._look)
        # Not the wall-clock time where this thread may wait for the GIL.
        aside = self.objective.in_python or self.beside
        clock = time.perf_counter if aside else time.thread_time
        began = clock()
        try:
            self._call()
        except BaseException as exception:  # the objective keeps its own ones
            supervisor.fail(exception)
        seconds = clock() - began
        self.objective.finish()
        self._trace.drain()
        # A reference cycle with its callback would keep large arrays until garbage collection.
        self._trace.recorder = None
        counters = recorder.counters
        if counters[STATUS] != NOT_A_NUMBER:
            supervisor.finish()
        supervisor.look = None  # a method of this object: another cycle
        reason, failure = _ending(run, recorder, supervisor, self.objective)
        evaluations = int(counters[EVALUATIONS])
        calls = self.objective.calls
        return Outcome(
            solution=best_so_far(recorder),
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
            model=self._context.model,
        )

    def _look(self, seconds: float) -> Progress | None:
        """Return the progress for a callback; None before the first evaluation."""
        counters, levels = self.recorder.counters, self.recorder.levels
        evaluations, value = int(counters[EVALUATIONS]), float(levels[BEST])
        found = counters[BEST_EVALUATION] > 0
        categories: NDArray[np.int64] | None = categories_of(
            self.run.layout, best_so_far(self.recorder)
        )
        if isinstance(self.objective, InPython):
            fresh = self.objective.fresh
            if fresh is not None:
                evaluations += 1
                if fresh < value or (not found and fresh == value):
                    value, categories, found = fresh, self.objective.asked, True
            if self.objective.failures and value == np.inf:
                categories = None
        if not found:
            return None
        if self.beside and not self.objective.in_python:
            # The kernel runs meanwhile, so the bits may be a mixture of two points: then use the
            # last consistent one.
            problem = self.run.problem
            assert categories is not None
            if evaluated(problem.value, problem.frame(categories)) != value:
                value, categories = self._seen if self._seen is not None else (value, None)
            self._seen = value, categories
        x = {} if categories is None else self.run.problem.space.decode(categories)
        return Progress(evaluations, value, seconds, x)

    def _call(self) -> None:
        """Call the kernel in the right thread."""
        supervisor, objective = self.supervisor, self.objective
        if isinstance(objective, InPython):
            with interruptible(lambda: supervisor.stop("interrupt"), lambda: objective.calling):
                self._kernel()
        elif self.beside:
            call_beside(self._kernel, supervisor)
        else:
            self._kernel()

    def _kernel(self) -> None:
        with received_by(self.supervisor.fail):
            objective = self.objective
            if isinstance(objective, AnnouncedObjective) and not self.run.algorithm.compiled:
                submit = objective.submit if objective.parallel else None
                self._context = Context(*objective.known(), submit)
            call_kernel(self.run, self._search, self.supervisor, objective, self._context)


def _ending(
    run: Run, recorder: Recorder, supervisor: Watch, objective: Objective
) -> tuple[str, BaseException | None]:
    """Return the reason of the end, and the exception if there is one."""
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
