"""A run: a pure function of problem, representation, algorithm, parameters, budget and seed."""

import math
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms import algorithm as algorithm_named
from catcube.algorithms.algorithm import Algorithm, Context
from catcube.algorithms.surrogate.model import SurrogateModel
from catcube.base.memory import check_memory, nbytes
from catcube.base.text import count, expect
from catcube.engine.compiled.entry import PythonEntry
from catcube.engine.compiled.jit import JIT, compile_for, is_cached
from catcube.engine.point import lone_point_kernel
from catcube.engine.recorder import (
    BEGUN,
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
    best_so_far,
)
from catcube.engine.search import Genes, Layout
from catcube.problems.functions import PythonProblem
from catcube.problems.objective import Evaluation, PythonObjective
from catcube.problems.problem import Problem
from catcube.representations.layout import (
    RepresentationChoice,
    decode_points,
    gene_layout,
    is_native,
    resolve_representations,
)
from catcube.representations.registry import NATIVE
from catcube.search.interrupt import forward_lost_exceptions, postpone_interrupt, stop_on_interrupt
from catcube.search.memory import new_memory, new_search
from catcube.search.result import History, Result, Trace
from catcube.search.watch import INTERVAL, Progress, Watch
from catcube.space import Space

MAX_FRUITLESS_RESTARTS = 10  # restarts without a new point after which a run is over


@dataclass(frozen=True)
class Prelude:
    """A search in Python that makes the first evaluations of a run."""

    algorithm: Algorithm
    parameters: Any
    evaluations: int
    # Takes the evaluations, the seconds of the run, and the seconds spent in calls.
    may_continue: Callable[[int, float, float], bool] | None = None


def model_prelude(
    evaluations: int, may_continue: Callable[[int, float, float], bool] | None = None
) -> Prelude:
    """Return the search by a model that precedes another one."""
    surrogate = algorithm_named("surrogate")
    return Prelude(surrogate, surrogate.resolve(None, {}), evaluations, may_continue)


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
    restart: int | None = None  # restart every `restart` evaluations, and after convergence
    initial: NDArray[Any] | None = None  # initial points, one per row, as bits or categories
    representation: RepresentationChoice = NATIVE
    prelude: Prelude | None = None
    # Returns initial points; takes the number of the restart and, after a stall, the best point.
    restart_points: Callable[[int, NDArray[Any] | None], NDArray[Any]] | None = None

    def __post_init__(self) -> None:
        method, where = self.algorithm, f"{self.name}: "
        bits = "a representation with bits, since it has no native search"
        expect(method.native or not self.native, bits, NATIVE, where=where)
        native = "representation 'native', since it searches the categories themselves"
        on_bits = method.compiled and self.prelude is None
        expect(self.native or on_bits, native, self.representation, where=where)

    @property
    def native(self) -> bool:
        """Whether the categories themselves are searched, without bits."""
        return isinstance(self.layout, Genes)

    @property
    def name(self) -> str:
        """The name of the algorithm, with that of the prelude."""
        first = "" if self.prelude is None else f"{self.prelude.algorithm.name}+"
        return first + self.algorithm.name

    def new_result(self, ending: str, **found: Any) -> Result:
        """Return a result with the settings of the run and the given fields."""
        representation = self.representation
        if not isinstance(representation, str):
            representation = getattr(representation, "name", "by variable")
        return Result(
            ending=ending,
            seed=self.seed,
            algorithm=self.name,
            representation=representation,
            parameters=self.parameters._asdict(),
            budget=self.budget,
            target=self.target,
            instance=self.problem.name,
            **found,
        )


def execute(run: Run, watch: Watch | None = None) -> Result:
    """Execute a run, observed by a watch, and return its result.

    An exception that ended the run is the attribute `failure` of the result.
    """
    return Execution(run, watch).result()


class Execution:
    """A run that is ready to start: its memory is allocated and its kernels are compiled.

    At a terminal, unless it is `quiet`, it says that a kernel is compiled first.
    """

    def __init__(self, run: Run, watch: Watch | None = None, quiet: bool = False) -> None:
        self.run = run
        self.threaded = watch is not None and watch.threaded
        self.watch = watch or Watch()
        with postpone_interrupt():  # may compile
            self.objective = run.problem.objective(self.watch.tick)
        self.context = Context()
        self._last_consistent: tuple[float, NDArray[np.int64] | None] | None = None
        self._improvements: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        take = weakref.WeakMethod(self._take_improvements)  # a C callback is freed by gc alone
        self._drain = PythonEntry("notify", lambda: take()())  # type: ignore[misc]
        self._search = new_search(run, self.objective, self._drain.address)
        self.recorder = self._search.recorder
        self._kernel, self._parameters = run.algorithm.kernel, run.parameters
        self._is_single_point = run.algorithm.compiled and run.layout.variable.size == 0
        if self._is_single_point:
            self._kernel, self._parameters = lone_point_kernel, ()
        self._memory: tuple[Any, ...] | None = self._allocate_memory()
        self._compile(quiet)

    def _allocate_memory(self) -> tuple[Any, ...]:
        """Allocate the memory of the kernel; a search in Python gets the context instead."""
        if self._is_single_point:
            return ()
        if not self.run.algorithm.compiled:
            return (self.context,)
        return new_memory(self.run.algorithm, self.run.layout, self.run.parameters)

    def _compile(self, quiet: bool) -> None:
        """Compile the kernels, or load them from the cache, before time is measured."""
        run = self.run
        if not JIT:
            return
        searches: list[Run | Prelude] = [run, *filter(None, [run.prelude])]
        for part in searches:
            if part.algorithm.warming:
                with postpone_interrupt():
                    short = partial(_warm_up, part.algorithm, part.parameters)
                    compile_for(part.algorithm.kernel, part.parameters, by=short)
        if not run.algorithm.compiled:
            return
        if not quiet and sys.stderr.isatty() and not is_cached(self._kernel):
            sentence = f"compiling {run.algorithm.name} for its first use (2 to 10 seconds)"
            hint = "'catcube warm' compiles all algorithms"
            print(f"catcube: {sentence}; {hint}", file=sys.stderr, flush=True)
        with postpone_interrupt():
            compile_for(self._kernel, self._search, self._parameters, self._memory)

    def _take_improvements(self) -> None:
        """Move the improvements out of the recorder, whose trace is full or final."""
        recorder = self.recorder
        length, recorder.counters[TRACED] = recorder.counters[TRACED], 0
        evaluations, values = recorder.trace_evaluations, recorder.trace_values
        self._improvements.append((evaluations[:length].copy(), values[:length].copy()))

    def result(self) -> Result:
        """Execute the run, once."""
        recorder, watch = self.recorder, self.watch
        if isinstance(self.objective, PythonObjective):
            self.objective.recorder = recorder
        watch.begin(recorder, self._progress)
        # A compiled run in this thread is measured in CPU seconds, as it may wait for the GIL.
        wall_clock = self.objective.in_python or self.threaded
        clock = time.perf_counter if wall_clock else time.thread_time
        began = clock()
        try:
            self._call()
        except BaseException as exception:  # those of the objective are kept by the objective
            watch.fail(exception)
        seconds = clock() - began
        self.objective.finish(watch.reason in ("time", "interrupt"))
        if recorder.counters[STATUS] != NOT_A_NUMBER:
            watch.finish()
        result = self.snapshot(seconds, *self._find_ending())
        # Reference cycles would keep large arrays until garbage collection.
        watch.get_progress = watch.check = None
        return result

    def snapshot(
        self, seconds: float, ending: str = "running", failure: BaseException | None = None
    ) -> Result:
        """Return the result of the run so far."""
        run, counters, objective = self.run, self.recorder.counters, self.objective
        self._take_improvements()
        numbers, values = map(np.concatenate, zip(*self._improvements, strict=True))
        trace = Trace(np.minimum(numbers, max(self._counted_evaluations(), 1)), values)
        solution = best_so_far(self.recorder)
        categories = decode_points(run.layout, solution).astype(np.int64)
        value = float(self.recorder.levels[BEST])
        evaluations, failed, history, note = int(counters[EVALUATIONS]), 0, None, ""
        found = len(trace.values) > 0
        bits = None if run.native else solution
        space = run.problem.space
        if isinstance(objective, PythonObjective):
            failed = objective.failures
            evaluations -= objective.debt
            found = found and not (value == math.inf and objective.without_value)
            categories = space.canonical(categories)
            known = objective.best_known
            has_mean = found and objective.options.noisy  # its value will be a posterior mean
            if known[0] < (value if found else math.inf) and not has_mean:
                value, found, bits = known[0], True, None
                categories = objective.keys.row(known[1])
            if objective.options.history:
                rows = objective.keys.rows([key for key, _ in objective.history])
                values = np.array([value for _, value in objective.history], np.float64)
                history = History(space, rows, values)
            if objective.abandoned_calls and objective.caller.parallel:
                note = f"{count(objective.abandoned_calls, 'call')} in flight abandoned"
        if bits is None and not is_native(run.representation):  # a known point, or one of chains
            bits = encode_points(space, run.representation, categories[None])[0]
        model = None if self.context.model is None else self.context.model(space)
        if isinstance(objective, PythonObjective) and objective.options.noisy and history:
            active = space.active if space.conditions else None
            model = model or SurrogateModel(
                space, history.categories, history.values, active=active, noisy=True
            )
            if found:
                best, value, _ = model.best()
                categories = space.encode(best)
        finished = ending in ("target", "budget", "time", "converged", "enumerated")
        if run.target is not None:
            finished = ending == "target" or value <= run.target
        calls_made = objective.calls
        return run.new_result(
            ending,
            x=space.decode(categories) if found else {},
            value=value,
            evaluations=evaluations,
            evaluations_to_best=min(int(counters[BEST_EVALUATION]), evaluations),
            iterations=int(counters[ITERATIONS]),
            trace=trace,
            seconds=seconds,
            categories=categories,
            calls=evaluations if calls_made is None else calls_made,
            success=finished and found and value < math.inf,
            failed=failed,
            note=note,
            history=history,
            _bits=bits,
            model=model,
            failure=failure,
        )

    def _progress(self, seconds: float) -> Progress | None:
        """Return the progress of the run; None before the first evaluation."""
        counters, levels, objective = self.recorder.counters, self.recorder.levels, self.objective
        evaluations, value = int(counters[EVALUATIONS]), float(levels[BEST])
        found = counters[BEST_EVALUATION] > 0 or value < math.inf
        categories: NDArray[np.int64] | None = decode_points(
            self.run.layout, best_so_far(self.recorder)
        )
        space = self.run.problem.space
        point, last = None, math.nan
        if isinstance(objective, PythonObjective):
            if objective.fresh is not None:
                evaluations += 1
                last, point = objective.fresh, objective.current_point
                if last < value or (not found and last == value):
                    value, categories, found = last, point, True
                last = math.nan if last == math.inf and objective.without_value else last
            if objective.without_value and value == math.inf:
                categories = None
        if not found:
            return None
        if self.threaded and not objective.in_python:
            # The kernel is running, so the bits may mix two points: then use the last
            # consistent one.
            problem = self.run.problem
            assert categories is not None
            if problem.value_at(categories) != value:
                value, categories = (
                    self._last_consistent if self._last_consistent is not None else (value, None)
                )
            self._last_consistent = value, categories
        x = {} if categories is None else space.decode(categories)
        if point is None:
            return Progress(evaluations, value, seconds, x, value, dict(x))
        return Progress(evaluations, last, seconds, x, value, space.decode(point))

    def _call(self) -> None:
        """Call the kernels, in another thread if the watch must check them from this one."""
        watch, objective = self.watch, self.objective
        if isinstance(objective, PythonObjective):
            with stop_on_interrupt(lambda: watch.stop("interrupt"), lambda: objective.calling):
                self._call_kernels()
        elif self.threaded:
            call_in_thread(self._call_kernels, watch)
        else:
            self._call_kernels()

    def _call_kernels(self) -> None:
        """Call the kernel of the prelude, if there is one, and that of the run."""
        with forward_lost_exceptions(self.watch.fail):
            if isinstance(self.objective, PythonObjective):
                fill_context(self.context, self.objective)
            if self.run.prelude is None or self._call_prelude(self.run.prelude):
                self._call_kernel()

    def _call_prelude(self, prelude: Prelude) -> bool:
        """Run the prelude; return whether the run continues."""
        counters = self.recorder.counters
        counters[LIMIT] = min(self.run.budget, prelude.evaluations)
        may_continue, objective = prelude.may_continue, self.objective
        if may_continue is not None and isinstance(objective, PythonObjective):

            def check(seconds: float) -> None:
                calls = objective.seconds / max(objective.options.in_flight - 1, 1)
                if not may_continue(int(counters[EVALUATIONS]), seconds, calls):
                    counters[LIMIT] = 0

            self.watch.check = check
        with np.errstate(over="ignore"):
            prelude.algorithm.kernel(self._search, prelude.parameters, (self.context,))
        self.watch.check = None
        if counters[STATUS] != RUNNING or self.watch.reason is not None:
            return False
        if self._counted_evaluations() >= self.run.budget:
            return False
        counters[LIMIT], counters[BEGUN] = self.run.budget, 0
        if isinstance(objective, PythonObjective) and objective.options.noisy:
            self.context.model = None  # it knows only the first points
        # A search that starts from the best point seldom leaves its basin. Annealing returns to
        # that point when it quenches, unless it has found a better one. Only with constraints,
        # where few random points are feasible, the next search starts there.
        best = best_so_far(self.recorder)[None]
        initial = best[:0] if self.run.restart_points is None else best
        self._search = self._search._replace(initial=np.ascontiguousarray(initial, np.int32))
        return True

    def _call_kernel(self) -> None:
        """Call the kernel until the run is over; restart it or enlarge its memory as needed."""
        run, search, objective = self.run, self._search, self.objective
        algorithm, counters = run.algorithm, search.recorder.counters
        stalls = counted = fruitless = restarts = 0
        with np.errstate(over="ignore"):  # interpreted, random words overflow
            while True:
                memory, self._memory = self._memory, None
                if memory is None:
                    memory = self._allocate_memory()
                while self._kernel(search, self._parameters, memory):
                    assert algorithm.grow is not None
                    check_memory(2 * nbytes(memory), f"{algorithm.name}, which must grow,")
                    memory = algorithm.grow(run.layout, memory)
                stalled = getattr(objective, "stalls", 0) > stalls
                if counters[STATUS] != RUNNING or (run.restart is None and not stalled):
                    return
                stalls += stalled
                if isinstance(objective, PythonObjective):
                    objective.settle()
                fruitless = 0 if self._counted_evaluations() > counted else fruitless + 1
                counted, evaluations = self._counted_evaluations(), int(counters[EVALUATIONS])
                if fruitless >= MAX_FRUITLESS_RESTARTS:
                    return
                limit = run.budget + evaluations - counted  # some evaluations do not count
                counters[LIMIT] = min(limit, evaluations + (run.restart or run.budget))
                restarts += 1
                if run.restart_points is not None:
                    best = decode_points(run.layout, best_so_far(self.recorder))
                    initial = run.restart_points(restarts, best if stalled else None)
                    search = search._replace(initial=initial)
                    counters[BEGUN] = 0
                if self.watch.reason is not None or counted >= run.budget:
                    return

    def _counted_evaluations(self) -> int:
        """Return the number of evaluations that count towards the budget."""
        return int(self.recorder.counters[EVALUATIONS]) - getattr(self.objective, "debt", 0)

    def _find_ending(self) -> tuple[str, BaseException | None]:
        """Return how the run ended, and the exception that ended it, if any."""
        run, counters, failure = self.run, self.recorder.counters, self.watch.failure
        ending = self.watch.reason
        known = getattr(self.objective, "best_known", (math.inf,))[0]
        if ending is None:
            ending = "enumerated" if run.algorithm.name == "enumeration" else "converged"
        if counters[STATUS] == NOT_A_NUMBER:
            if failure is None:
                failure = self.objective.failure(decode_points(run.layout, self.recorder.nan_point))
            ending = "failure"
        elif counters[STATUS] == TARGET_REACHED or (
            self.watch.reason is None and run.target is not None and known <= run.target
        ):
            ending = "target"
        elif (self._counted_evaluations() >= run.budget and ending != "enumerated") or (
            ending == "converged" and getattr(self.objective, "spent", False)
        ):
            ending = "budget"
        best = min(self.recorder.levels[BEST], known)
        if isinstance(failure, KeyboardInterrupt) and best < math.inf:
            return "interrupt", None
        return ending, failure


def fill_context(context: Context, objective: PythonObjective) -> None:
    """Give a search in Python access to the known points and options of its objective."""
    options, space = objective.options, objective.space
    context.points, context.values = objective.known()
    context.noisy = options.noisy
    violation = options.violation
    if options.in_flight > 1 or objective.caller.parallel:
        context.submit, context.wants = objective.submit, objective.wants
        if not options.ordered or objective.caller.on_demand:
            context.completed = objective.completed
    if violation is not None:
        context.feasible = lambda rows: np.array([violation(row) <= 0 for row in rows], bool)
        context.nearby = options.nearby
    if space.conditions:
        context.active = space.active
    objective.context = context


def encode_points(
    space: Space, representation: RepresentationChoice, points: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Encode points as bits, one point per row."""
    columns = [
        code.encode(categories).astype(np.uint8).reshape(len(points), code.bits)
        for code, categories in zip(
            resolve_representations(space, representation), points.T, strict=True
        )
    ]
    return np.concatenate(columns, axis=1)


def _warm_up(algorithm: Algorithm, parameters: Any) -> None:
    """Call all compiled parts of a search in Python, in a short run."""
    space = Space.repeat("x", range(3), 4)
    evaluation = Evaluation(unique=True, in_flight=2)
    problem = PythonProblem(_weighted_sum, space, evaluation=evaluation)
    short = replace(algorithm, warming=0)
    run = Run(problem, gene_layout(space), short, parameters, algorithm.warming, None, seed=1)
    execute(run, Watch(threaded=False))


def _weighted_sum(point: Mapping[str, int]) -> float:
    return float(sum(k * value for k, value in enumerate(point.values())))


def call_in_thread(kernel: Callable[[], None], watch: Watch) -> None:
    """Run the kernel, which releases the GIL, in a thread, and watch it from this one.

    After an exception in this thread (Ctrl-C or another signal), stop the run and wait for its
    end, so that it does not continue unnoticed.
    """

    def body() -> None:
        try:
            kernel()
        except BaseException as exception:
            watch.fail(exception)
        finally:
            over.set()

    # An event, because Python 3.11 treats a thread as ended after an exception in `join`.
    over = threading.Event()
    thread = threading.Thread(target=body, daemon=True)
    try:
        with postpone_interrupt():
            thread.start()
    except BaseException as exception:
        watch.fail(exception)
        if not over.wait(1) and thread.ident is None:
            return  # the thread did not start
    ended = False
    while not ended:
        try:
            while not over.wait(INTERVAL):  # inside, so that no exception is missed
                watch.tick()
            ended = True
            thread.join(1)
        except BaseException as exception:
            watch.fail(exception)
