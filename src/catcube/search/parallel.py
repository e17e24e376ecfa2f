"""Searches whose points are evaluated elsewhere: in other threads, or by the caller of `ask`.

An algorithm that moves one point at a time needs each value before it can continue. To keep all
workers of an executor busy, it is run several times at once, in several chains, each with its seed
and its share of the budget. The chains get their values in turn and each continues at once. Hence
the result depends on the seed and on the number of chains, but not on the speed of the workers.
"""

import atexit
import math
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Context
from catcube.algorithms.enumeration import evaluate_rows
from catcube.algorithms.sa import in_parallel
from catcube.base.seeds import derived_seed
from catcube.engine.recorder import EVALUATIONS, ITERATIONS, LIMIT
from catcube.problems.calls import Abandoned, Caller, Keys
from catcube.problems.functions import PythonProblem, with_evaluation
from catcube.problems.objective import Evaluation
from catcube.representations.layout import genes_of
from catcube.search.result import Result
from catcube.search.run import Execution, Run
from catcube.search.watch import Watch

# These announce all points of a generation or neighbourhood, which are then evaluated in parallel.
GENERATIONAL = frozenset({"ga", "pbil", "umda", "mimic", "hc", "enumeration"})


@dataclass(eq=False)
class Request:
    """A point whose value the search needs."""

    key: bytes
    value: float | None = None
    handed: bool = False


class SearchThread(Caller):
    """A run in a thread, whose values another thread gives: the `Caller` of its problem.

    It ends when it is done, or when `stop` is called. `waiting` says that it cannot continue
    without a value. `demand` is the number of points that the other thread wants at once.
    """

    parallel = on_demand = True

    def __init__(self, run: Run) -> None:
        assert isinstance(run.problem, PythonProblem)
        self.process = os.getpid()  # a forked one has no such thread
        self.changed = threading.Condition(threading.RLock())
        self.requests: list[Request] = []  # without a value, or with one that was not taken
        self.waiting = self.over = False
        self.demand = 1
        self.result: Result | BaseException | None = None
        self.watch = Watch(threaded=False)
        evaluation = replace(run.problem.evaluation, caller=self)
        problem = with_evaluation(run.problem, evaluation)
        self.execution = Execution(replace(run, problem=problem), self.watch)
        self.thread = threading.Thread(target=self._run, name="catcube search", daemon=True)

    def start(self) -> None:
        """Start the search, and wait until it needs a value."""
        _STARTED.add(self)
        self.thread.start()
        self.settle()

    def _run(self) -> None:
        found: Result | BaseException
        try:
            found = self.execution.result()
        except BaseException as exception:
            found = exception
        with self.changed:
            self.result = found
            self.changed.notify_all()

    def stop(self) -> None:
        """End the search; the garbage collector may call it anywhere."""
        self.watch.stop("closed")
        self.over = True
        if self.changed.acquire(blocking=False):
            self.changed.notify_all()
            self.changed.release()
        else:  # held by a thread that will not be notified by this one
            threading.Thread(target=self._notify, daemon=True).start()

    def _notify(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def begin(self, keys: Sequence[bytes]) -> None:
        """Request the values of points."""
        with self.changed:
            self.requests.extend(map(Request, keys))

    def end(self, key: bytes) -> tuple[float, float]:
        """Wait for the value of a point."""
        request = next(request for request in self.requests if request.key == key)
        self._wait(lambda: request.value is not None)
        self.requests.remove(request)
        self.calls += 1
        assert request.value is not None
        return request.value, math.inf  # always shown to a callback

    def wants(self, in_flight: int) -> bool:
        """Return whether the other thread wants more points than there are."""
        new = sum(not request.handed for request in self.requests)
        return in_flight == 0 or new < self.demand

    def first(self, keys: Sequence[bytes], ordered: bool, more: bool) -> bytes | None:
        """Wait until one of these points has its value; None if another point is wanted."""
        wanted = set(keys[:1] if ordered else keys)

        def found() -> bytes | None:
            told = (r.key for r in self.requests if r.value is not None and r.key in wanted)
            return next(told, None)

        self._wait(lambda: found() is not None or (more and self.wants(1)))
        return found()

    def _wait(self, ready: Callable[[], bool]) -> None:
        with self.changed:
            while not (self.over or ready()):
                self.waiting = True
                self.changed.notify_all()
                self.changed.wait()
            self.waiting = False
            if not ready():
                raise Abandoned

    def cancel(self) -> None:
        """Forget the requests."""
        with self.changed:
            self.requests.clear()

    def tell(self, request: Request, value: float) -> None:
        """Give the search a value."""
        with self.changed:
            request.value = value
            self.waiting = False  # until it says so again
            self.changed.notify_all()

    def settle(self) -> None:
        """Wait until the search needs a value or has ended; raise what ended it."""
        with self.changed:
            self.changed.wait_for(lambda: self.waiting or self.result is not None)
            if isinstance(self.result, BaseException):
                raise self.result


def elsewhere(point: Any) -> float:
    """Stand for a function whose values come from another thread."""
    raise AssertionError("its values come from another thread")


_STARTED: weakref.WeakSet[SearchThread] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """End all searches before the interpreter: a thread must not be killed in compiled code."""
    started = list(_STARTED)
    for search in started:
        search.stop()
    for search in started:
        search.thread.join(5)


class Chains:
    """The kernel: several searches in threads, whose points are evaluated in turn."""

    def __init__(self, run: Run, count: int) -> None:
        count = min(count, run.budget)
        share, rest = divmod(run.budget, count)
        assert isinstance(run.problem, PythonProblem)
        outer = run.problem.evaluation
        inner = Evaluation(outer.unique, (), violation=outer.violation, blocking=outer.blocking)
        problem = PythonProblem(elsewhere, run.problem.space, evaluation=inner)
        self.started = False
        self.searches = [
            SearchThread(
                replace(
                    run,
                    problem=problem,
                    budget=share + (k < rest),
                    seed=derived_seed(run.seed, "chain", k),
                    initial=None if run.initial is None else run.initial[k::count],  # in turns
                    target=None,
                )
            )
            for k in range(count)
        ]
        self.keys = Keys(run.problem.space)

    def __call__(self, search: Any, parameters: Any, memory: tuple[Context]) -> None:
        """Run all chains until they or the budget are used up."""
        (context,) = memory
        counters = search.recorder.counters
        if self.started:  # all have converged
            return
        self.started = True
        try:
            for chain in self.searches:
                chain.start()
                self._submit(chain, context)
            turn = self.searches.copy()
            while turn and counters[EVALUATIONS] < counters[LIMIT]:
                chain = turn.pop(context.next_of(map(self._row, turn), False) or 0)
                self._step(chain, search, context)
                if chain.result is None:
                    turn.append(chain)
        finally:
            for chain in self.searches:
                chain.stop()
                counters[ITERATIONS] += chain.execution.recorder.counters[ITERATIONS]

    def _row(self, chain: SearchThread) -> NDArray[np.int64]:
        """Return the point whose value a chain needs first."""
        return self.keys.row(chain.requests[0].key)

    def _submit(self, chain: SearchThread, context: Context) -> None:
        """Begin to evaluate the points that a chain needs."""
        for request in chain.requests:
            if not request.handed:
                request.handed = True
                if context.submit is not None:
                    context.submit(self.keys.row(request.key))

    def _step(self, chain: SearchThread, search: Any, context: Context) -> None:
        """Give a chain one value; it requests its next point at once."""
        row = self._row(chain)
        counters = search.recorder.counters
        before, values = counters[EVALUATIONS], np.empty(1)
        evaluate_rows(search, row[None], values, True)
        if counters[EVALUATIONS] >= counters[LIMIT]:
            return
        if counters[EVALUATIONS] == before:  # evaluated by another chain meanwhile
            chain.execution.recorder.counters[EVALUATIONS] -= 1
        chain.tell(chain.requests[0], float(values[0]))
        chain.settle()
        self._submit(chain, context)


def parallel_run(run: Run, in_flight: int) -> Run:
    """Return the run with an algorithm that keeps points in flight."""
    if run.algorithm.name in GENERATIONAL | {"surrogate"} or in_flight == 1:
        return run
    if run.algorithm.name == "sa" and run.native and run.layout.variable.size > 0:
        annealing = in_parallel(run.parameters, in_flight)
        if annealing is not None:
            return replace(run, algorithm=annealing)
    if run.layout.variable.size == 0:
        return run
    problem = run.problem
    assert isinstance(problem, PythonProblem)
    problem.evaluation = replace(problem.evaluation, patience=False)  # each chain has its own
    chains = replace(run.algorithm, kernel=Chains(run, in_flight), native=True, compiled=False)
    return replace(run, algorithm=chains, layout=genes_of(problem.space), initial=None)
