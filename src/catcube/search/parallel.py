"""Searches in threads of their own, whose points are evaluated by others: workers or a caller.

An algorithm that moves a single point needs each value before it can continue. To keep all workers
busy, several chains of it run concurrently, each with its own seed and its share of the budget.
They receive their values in turn, so the result depends on the seed and on the number of chains,
but not on the speed of the workers.
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
from catcube.base.seeds import derive_seed
from catcube.engine.recorder import EVALUATIONS, ITERATIONS, LIMIT
from catcube.problems.calls import Abandoned, Caller, Keys
from catcube.problems.functions import PythonProblem, with_evaluation
from catcube.problems.objective import Evaluation
from catcube.representations.layout import gene_layout
from catcube.search.result import Result
from catcube.search.run import Execution, Run
from catcube.search.watch import Watch

# These announce all points of a generation or neighbourhood, which can be evaluated in parallel.
GENERATIONAL = frozenset({"ga", "pbil", "umda", "mimic", "hc", "enumeration"})


@dataclass(eq=False)
class Request:
    """A point whose value the search needs."""

    key: bytes
    value: float | None = None
    handed_out: bool = False


class SearchThread(Caller):
    """A run in a thread that receives its values from another thread.

    It is the `Caller` of its problem, and ends when the run is over or when `stop` is called.
    `waiting` tells whether it cannot continue without a value; `demand` is the number of points
    that the other thread wants at once.
    """

    parallel = on_demand = True

    def __init__(self, run: Run) -> None:
        assert isinstance(run.problem, PythonProblem)
        self.process = os.getpid()  # the thread does not exist in a fork
        self.changed = threading.Condition(threading.RLock())
        self.requests: list[Request] = []  # until their values are used
        self.waiting = self.over = False
        self.demand = 1
        self.result: Result | BaseException | None = None
        self.watch = Watch(threaded=False)
        evaluation = replace(run.problem.evaluation, caller=self)
        problem = with_evaluation(run.problem, evaluation)
        self.execution = Execution(replace(run, problem=problem), self.watch)
        self.thread = threading.Thread(target=self._run, name="catcube search", daemon=True)

    def start(self) -> None:
        """Start the search and wait until it needs a value."""
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
        """Stop the search. Never block: the garbage collector may call this at any point."""
        self.watch.stop("closed")
        self.over = True
        if self.changed.acquire(blocking=False):
            self.changed.notify_all()
            self.changed.release()
        else:  # another thread holds the lock
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
        return request.value, math.inf  # like a slow call, so that a callback sees every point

    def wants(self, in_flight: int) -> bool:
        """Return whether the other thread wants more points than are waiting for it."""
        new = sum(not request.handed_out for request in self.requests)
        return in_flight == 0 or new < self.demand

    def first(self, keys: Sequence[bytes], ordered: bool, more: bool) -> bytes | None:
        """Wait until one of these points has a value; return None if another point is wanted."""
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

    def cancel(self) -> int:
        """Forget the requests."""
        with self.changed:
            self.requests.clear()
        return 0

    def tell(self, request: Request, value: float) -> None:
        """Pass a value to the search."""
        with self.changed:
            request.value = value
            self.waiting = False
            self.changed.notify_all()

    def settle(self) -> None:
        """Wait until the search needs a value or has ended; raise the exception that ended it."""
        with self.changed:
            self.changed.wait_for(lambda: self.waiting or self.result is not None)
            if isinstance(self.result, BaseException):
                raise self.result


def no_objective(point: Any) -> float:
    """Stand in for the objective of a search whose values come from another thread."""
    raise AssertionError("the values of this objective come from another thread")


_STARTED: weakref.WeakSet[SearchThread] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """Stop all searches at exit: a thread must not be killed in compiled code."""
    started = list(_STARTED)
    for search in started:
        search.stop()
    for search in started:
        search.thread.join(5)


class Chains:
    """A kernel that runs several searches in threads and evaluates their points in turn."""

    def __init__(self, run: Run, count: int) -> None:
        count = min(count, run.budget)
        share, rest = divmod(run.budget, count)
        assert isinstance(run.problem, PythonProblem)
        outer = run.problem.evaluation
        inner = Evaluation(outer.unique, (), violation=outer.violation, blocking=outer.blocking)
        problem = PythonProblem(no_objective, run.problem.space, evaluation=inner)
        self.started = False
        self.searches = [
            SearchThread(
                replace(
                    run,
                    problem=problem,
                    budget=share + (k < rest),
                    seed=derive_seed(run.seed, "chain", k),
                    initial=None if run.initial is None else run.initial[k::count],
                    target=None,
                )
            )
            for k in range(count)
        ]
        self.keys = Keys(run.problem.space)

    def __call__(self, search: Any, parameters: Any, memory: tuple[Context]) -> None:
        """Run all chains until they have converged or the budget is used up."""
        (context,) = memory
        counters = search.recorder.counters
        if self.started:  # all chains have converged
            return
        self.started = True
        try:
            for chain in self.searches:
                chain.start()
                self._submit(chain, context)
            active = self.searches.copy()
            while active and counters[EVALUATIONS] < counters[LIMIT]:
                chain = active.pop(context.wait_for_next(map(self._row, active), False) or 0)
                self._step(chain, search, context)
                if chain.result is None:
                    active.append(chain)
        finally:
            for chain in self.searches:
                chain.stop()
                counters[ITERATIONS] += chain.execution.recorder.counters[ITERATIONS]

    def _row(self, chain: SearchThread) -> NDArray[np.int64]:
        """Return the point whose value a chain needs next."""
        return self.keys.row(chain.requests[0].key)

    def _submit(self, chain: SearchThread, context: Context) -> None:
        """Submit the points whose values a chain needs."""
        for request in chain.requests:
            if not request.handed_out:
                request.handed_out = True
                if context.submit is not None:
                    context.submit(self.keys.row(request.key))

    def _step(self, chain: SearchThread, search: Any, context: Context) -> None:
        """Evaluate a point of a chain, pass on its value, and submit the next one."""
        row = self._row(chain)
        counters = search.recorder.counters
        left, values = counters[LIMIT] - counters[EVALUATIONS], np.empty(1)
        evaluate_rows(search, row[None], values, True)
        if counters[EVALUATIONS] >= counters[LIMIT]:
            return
        if counters[LIMIT] - counters[EVALUATIONS] == left:  # the value was known, which is free
            chain.execution.recorder.counters[EVALUATIONS] -= 1
        chain.tell(chain.requests[0], float(values[0]))
        chain.settle()
        self._submit(chain, context)


def make_parallel(run: Run, in_flight: int) -> Run:
    """Return the run with an algorithm that keeps `in_flight` evaluations in flight."""
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
    return replace(run, algorithm=chains, layout=gene_layout(problem.space), initial=None)
