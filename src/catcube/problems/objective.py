"""The evaluations of a user's function in one run.

An evaluation computes the key of the point (without inactive variables), looks for a known value,
checks the constraints, begins and ends the call (directly, in a batch, an executor or a process),
and records a value or a failure.
"""

import logging
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import quote
from catcube.engine.recorder import EVALUATIONS, LIMIT, TARGET, Recorder
from catcube.problems import calls
from catcube.problems.kernel_calls import SLOW, KernelCalls

if TYPE_CHECKING:
    from catcube.problems.functions import PythonProblem

logger = logging.getLogger("catcube")

MOST_KEPT = 100_000
"""Maximum number of calls of a Python function whose points and values are kept."""

STALLED = 500  # successive repeated points after which the algorithm has converged
BLOCKED = 5_000  # successive infeasible points after which it has, even if they do not repeat
HOPELESS = 20  # successive failed calls after which a run without any value ends
NOT_A_NUMBER = "NaN"  # the message of a call that returned NaN

INFEASIBLE = 1e250  # the lowest value of an infeasible point


class RunsElsewhere(Exception):  # noqa: N818 (a signal, not an error)
    """Another process is evaluating the point."""


class BudgetSpent(Exception):  # noqa: N818 (a signal, not an error)
    """No call is left: the runs of a study have used the budget, or reached the target."""


@dataclass(frozen=True)
class Evaluation:
    """Options for the evaluations of a run.

    Attributes
    ----------
    unique
        Whether no point is evaluated twice; repetitions do not count.
    catch, retries
        The exceptions that are failures, as is NaN, after some further attempts. A run continues
        after a failure. If `catch` is None, exceptions end the run.
    history
        Whether all points and values are kept.
    sign
        -1 to maximise the function.
    violation, nearby
        Functions that return by how much a point, a row of categories, violates the constraints,
        and feasible points near a point, given a seed.
    blocking
        Whether the values of infeasible points are infinite.
    executor, workers, timeout
        An executor, or the number of processes and the time limit of a call in seconds.
    ordered, in_flight
        Whether values are taken in the order of the points, and how many are evaluated in parallel.
    noisy
        Whether a point may have another value when it is evaluated again.
    patience
        Whether an algorithm that only repeats points is ended.
    journal
        A `catcube.search.session.Session` that stores all points and values.
    caller
        A caller that gets the values from elsewhere.
    """

    unique: bool = False
    catch: calls.Caught | None = None
    retries: int = 0
    history: bool = False
    sign: float = 1.0
    violation: Callable[[NDArray[Any]], float] | None = None
    nearby: Callable[[NDArray[Any], int], NDArray[np.int64]] | None = None
    blocking: bool = False
    executor: Executor | None = None
    workers: int | None = None
    timeout: float | None = None
    ordered: bool = True
    in_flight: int = 1
    noisy: bool = False
    patience: bool = True
    journal: Any = None
    caller: calls.Caller | None = None

    @property
    def parallel(self) -> bool:
        """Whether the function is called in other threads or processes."""
        return self.executor is not None or self.workers is not None

    @property
    def direct(self) -> bool:
        """Whether the function is called directly, once per evaluation."""
        kept = self.unique or self.history or self.journal is not None
        other = self.parallel or self.caller is not None
        return not (kept or other or self.catch is not None or self.violation is not None)


class PythonObjective(KernelCalls):
    """The evaluations of one run.

    `failures` is the number of failed points, `infeasible` that of infeasible points, `abandoned`
    that of points in flight when the run was stopped, `abandoned_calls` that of calls without a
    value at the end, and `stalls` counts how often the algorithm was stopped because it proposed no
    new points.
    """

    def __init__(self, problem: "PythonProblem", tick: Callable[..., Any]) -> None:
        super().__init__(problem, tick)
        self.keys = calls.Keys(self.space)
        self.caller = problem.caller(self.keys, self._tick)
        self.recorder: Recorder  # set when the run begins
        self.failures = self.infeasible = self.abandoned = self.abandoned_calls = self.stalls = 0
        self.history: list[tuple[bytes, float]] = []
        self.values: dict[bytes, float] = {}  # NaN: failed
        self.replay: dict[bytes, list[float]] = {}
        self.spent = False  # whether no further call may be made
        self.news: list[tuple[bytes, float]] = []  # the points evaluated before or elsewhere
        self.best_known: tuple[float, bytes] = math.inf, b""  # the best of `news`
        self.others = np.zeros((0, len(self.space)), np.int64)  # points pending elsewhere
        self.context: Any = None  # the context of a search in Python, which gets these points
        journal = self.options.journal
        if journal is not None:
            self.learn(self._with_keys(journal.known))
            for key, value in self._with_keys(journal.replay):
                self.replay.setdefault(key, []).append(value)
        self._begun: dict[bytes, int] = {}  # points in flight, in order
        self._early: dict[bytes, list[float]] = {}  # values that arrived before their turn
        self._deferred = isinstance(self.caller, calls.DirectCaller)  # points begin when called
        self._announced: list[bytes] = []
        self._repeated = self._lost = 0  # successive repetitions and failures
        self._refused: Counter[bytes] = Counter()  # infeasible points since the last feasible one
        self._best = math.inf
        self.debt = 0  # counted evaluations that should not count
        self.seconds = 0.0  # of all calls

    @property
    def calls(self) -> int | None:  # type: ignore[override] # counted by the caller
        """The number of calls of the function; None means one per evaluation."""
        direct = self.functions.announce == 0
        return None if direct else self.caller.calls

    @property
    def without_value(self) -> int:
        """The number of points without a value, which is infinite for the search."""
        return self.failures + self.infeasible + self.abandoned

    def announce(self) -> None:
        """Register the current point, which will be evaluated later."""
        self._announced.append(self.keys.key(self._categories))

    def evaluate(self, categories: NDArray[Any]) -> tuple[float, float]:
        """Return the value of a point for the search, and the duration of the call in seconds."""
        key = self.keys.key(categories)
        self.settle()
        if self._announced:
            announced, self._announced = self._announced, []
            self.cancel()
            self.begin(announced)
        if not self._begun.get(key):
            if not self.options.noisy and key in self.values:
                return self._take_known(key)
            violation = self.violation(key)
            if violation > 0:
                return self._refuse(key, violation), 0.0
        self._repeated = 0
        self._refused.clear()
        try:
            if not (self._begun.get(key) or self.replay.get(key)):
                self._begin(key)
            if self._deferred and self._begun.get(key):
                self._enter(key)
            if not (self._begun.get(key) or self.replay.get(key)):
                return self._take_known(key)  # another process has just evaluated it
            self.calling = True
            value, seconds = self._end(key)
        except BudgetSpent:
            return self._spend()
        except (calls.Abandoned, KeyboardInterrupt) as given_up:
            self.abandoned = sum(self._begun.values())
            self._uncount(stall=False)
            if isinstance(given_up, KeyboardInterrupt):
                raise
            return math.inf, 0.0
        finally:
            self.calling = False
        self._listen()
        return value, seconds

    def violation(self, key: bytes) -> float:
        """Return by how much a point violates the constraints."""
        if self.options.violation is None:
            return 0.0
        return self.options.violation(self.keys.row(key))

    def _refuse(self, key: bytes, violation: float) -> float:
        """Return the value of an infeasible point: above all others, increasing with violation."""
        if self.options.journal is not None:
            self.options.journal.record_infeasible(self.keys.row(key), f"violation {violation:g}")
        self.infeasible += 1
        self._refused[key] += 1
        repeated = self._refused.total() - len(self._refused)  # the algorithm cannot leave these
        self._uncount(stall=len(self._refused) >= BLOCKED or repeated >= STALLED)
        if self.options.blocking or self._best == math.inf:
            return math.inf
        return min(INFEASIBLE * (1.0 + violation), 1e300)

    def _uncount(self, stall: bool | None = None) -> None:
        """Do not count the current evaluation; stop the algorithm if it has stalled."""
        counters = self.recorder.counters
        if counters[EVALUATIONS] - self.debt >= 2:
            counters[EVALUATIONS] -= 1  # the kernel counts it
        else:  # the recorder always records its first evaluation
            self.debt += 1
            counters[LIMIT] += counters[LIMIT] > 0
        if stall is None:
            self._repeated += 1
            stall = self.options.patience and self._repeated >= STALLED
        if stall:
            self._repeated = 0
            self._refused.clear()
            self.stalls += 1
            counters[LIMIT] = counters[EVALUATIONS] + 1

    def settle(self) -> None:
        """Subtract the evaluations that should not count, if two others remain."""
        counters = self.recorder.counters
        if self.debt and counters[EVALUATIONS] - self.debt >= 2:
            counters[EVALUATIONS] -= self.debt
            counters[LIMIT] = max(0, counters[LIMIT] - self.debt)
            self.debt = 0

    def begin(self, keys: Iterable[bytes]) -> None:
        """Begin to evaluate the points whose values are needed."""
        unique = self.options.unique
        for key in keys:
            if key in self.values or self.replay.get(key) or (unique and self._begun.get(key)):
                continue
            if self.violation(key) <= 0 and not self.spent:
                with suppress(BudgetSpent, calls.Abandoned):
                    self._begin(key)

    def _begin(self, key: bytes) -> None:
        """Begin to evaluate a point; raise `BudgetSpent` if a known point reaches the target."""
        if self.best_known[1] and self.best_known[0] <= self.recorder.levels[TARGET]:
            self.spent = True
            raise BudgetSpent
        self._begun[key] = self._begun.get(key, 0) + 1
        if not self._deferred:
            self._enter(key)
        if self._begun.get(key):
            self.caller.begin([key])

    def _enter(self, key: bytes) -> None:
        """Enter a point into the journal; take its value if another process has evaluated it."""
        if self.options.journal is None:
            return
        row, pause = self.keys.row(key), 0.02
        while True:
            try:
                found = self.options.journal.begin(row)
                break
            except RunsElsewhere:
                self._collect(key)
                if self.tick():
                    self._leave(key)
                    raise calls.Abandoned from None
                time.sleep(pause)
                pause = min(1.5 * pause, 1.0)
            except BudgetSpent:
                self.spent = True
                self._leave(key)
                raise
        if found is not None:
            self._leave(key)
            self.learn([(key, self.options.sign * found)])

    def _collect(self, key: bytes) -> None:
        """Wait for the other points in flight, because other processes may be waiting for them."""
        for other in [other for other in self._begun if other != key]:
            self.replay.setdefault(other, []).append(self._call(other)[0])

    def _leave(self, key: bytes) -> None:
        """Remove a point from those in flight."""
        self._begun[key] -= 1
        if not self._begun[key]:
            del self._begun[key]

    def _take_known(self, key: bytes) -> tuple[float, float]:
        """Return a known value, which does not count."""
        self._refused.clear()
        self._uncount()
        known = self.values[key]
        return (math.inf if math.isnan(known) else known), 0.0

    def _spend(self) -> tuple[float, float]:
        """Wait for the points in flight, and end the run."""
        counters = self.recorder.counters
        while self._begun:
            key = next(iter(self._begun))
            self.learn([(key, self._end(key)[0])])
            counters[EVALUATIONS] += 1
        counters[LIMIT] = counters[EVALUATIONS]
        counters[EVALUATIONS] -= 1  # the kernel counts it
        return math.inf, 0.0

    def _end(self, key: bytes) -> tuple[float, float]:
        """Wait for the value of a point, and record it; return infinity for a failure."""
        if self.replay.get(key) and not self._begun.get(key):
            value, seconds = self.replay[key].pop(0), 0.0
            self.options.journal.mark_replayed(self.keys.row(key))
        else:
            value, seconds = self._call(key)
        if self.options.unique and len(self.values) < MOST_KEPT:
            self.values[key] = value
        if self.options.history and len(self.history) < MOST_KEPT:
            self.history.append((key, value))
        if math.isnan(value):
            self.failures += 1
            return math.inf, seconds
        if value < self._best:
            self._best = value
            if logger.isEnabledFor(logging.INFO):
                logger.info("%g at %s", self.options.sign * value, self.keys.point(key))
        return value, seconds

    def _call(self, key: bytes) -> tuple[float, float]:
        """Return the value of a point in flight (NaN for a failure), and the duration."""
        value, seconds, message = math.nan, 0.0, ""
        try:
            for attempt in range(self.options.retries + 1):
                if attempt:
                    self.caller.begin([key])
                value, seconds, message = self._attempt(key)
                if not math.isnan(value):
                    break
        except calls.Abandoned:
            raise
        except Exception as exception:
            self._note(key, math.nan, f"{type(exception).__name__}: {exception}", math.nan)
            exception.add_note(f"at {quote(self.keys.point(key))}")
            raise
        self._leave(key)
        if self._early.get(key):  # already noted
            self._early[key].pop(0)
        else:
            exact = message in ("", NOT_A_NUMBER)  # no exception
            self._note(key, value, message, seconds if exact else math.nan)
        self.seconds += seconds
        if message == NOT_A_NUMBER and self.options.catch is None:
            raise self.problem.failure(self.keys.row(key))
        return value, seconds

    def _attempt(self, key: bytes) -> tuple[float, float, str]:
        """Wait for one call; return value, duration, and the message of a failure."""
        caught: calls.Caught = (calls.CallFailed, calls.RemoteFailure)
        caught += self.options.catch or ()
        began = time.perf_counter()
        try:
            value, seconds = self.caller.end(key)
        except caught as exception:
            self._lost = self._lost + 1 if isinstance(exception, calls.CallFailed) else 0
            if self._lost >= HOPELESS and self._best == math.inf:
                raise
            message = str(exception)
            if not isinstance(exception, calls.RemoteFailure):
                message = f"{type(exception).__name__}: {message}"
            seconds = time.perf_counter() - began if self._deferred else SLOW
            return math.nan, seconds, message
        return self.options.sign * value, seconds, NOT_A_NUMBER if math.isnan(value) else ""

    def _tick(self) -> Any:
        """Check the run while it waits for a value, and note values that arrive early."""
        self._take_early()
        return self.tick()

    def _take_early(self) -> None:
        """Note the values that have arrived before their turn."""
        for key in list(self._begun):
            early = self._early.setdefault(key, [])
            for returned, seconds in self.caller.completed(key, len(early)):
                if math.isnan(returned):
                    break
                value = self.options.sign * returned
                self._note(key, value, "", seconds)
                early.append(value)

    def _note(self, key: bytes, value: float, message: str, seconds: float) -> None:
        """Note the value or the failure of a point in the journal."""
        if self.options.journal is not None:
            state = "failed" if math.isnan(value) else "value"
            signed = self.options.sign * value
            self.options.journal.end(self.keys.row(key), state, signed, message, seconds)

    def _listen(self) -> None:
        """Take the points that other processes have evaluated since the last call."""
        found = None if self.options.journal is None else self.options.journal.updates()
        if found is not None:
            news, pending = found
            self.others = np.array(pending, np.int64).reshape(-1, len(self.space))
            self.learn(self._with_keys(news))

    def learn(self, known: Iterable[tuple[bytes, float]]) -> None:
        """Take values of points evaluated elsewhere (NaN for failures), if they are feasible."""
        for key, value in known:
            if self.violation(key) > 0:
                continue
            if value < self.best_known[0]:
                self.best_known = value, key
            if key not in self.values:
                self.news.append((key, value))
                if not self.options.noisy:
                    self.values[key] = value
        if self.context is not None:
            self.context.points, self.context.values = self.known()
            self.context.pending = self.others

    def _with_keys(self, known: Iterable[tuple[list[int], float]]) -> list[tuple[bytes, float]]:
        return [(self.keys.key(np.array(row)), self.options.sign * value) for row, value in known]

    def known(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the points evaluated before or elsewhere, as categories, and their values."""
        rows = self.keys.rows([key for key, _ in self.news])
        return rows, np.array([value for _, value in self.news], np.float64)

    def wants(self, in_flight: int) -> bool:
        """Return whether another point should begin."""
        return not self.spent and self.caller.wants(in_flight)

    def submit(self, categories: NDArray[Any]) -> bool:
        """Begin to evaluate a point; return whether it needs a call."""
        key = self.keys.key(categories)
        before = self._begun.get(key, 0)
        self.begin([key])
        return self._begun.get(key, 0) > before

    def completed(self, points: Iterable[NDArray[Any]], more: bool) -> int | None:
        """Return the index of a submitted point that needs no call, or wait for one in flight.

        Return None if another point should be submitted first, which is possible if `more` is true.
        """
        keys = [self.keys.key(point) for point in points]
        known = (index for index, key in enumerate(keys) if not self._begun.get(key))
        if (index := next(known, None)) is not None:
            return index
        try:
            self.calling = True
            done = self.caller.first(keys, self.options.ordered, more)
        except calls.Abandoned:
            return 0
        except KeyboardInterrupt:
            self.abandoned = sum(self._begun.values())
            raise
        finally:
            self.calling = False
        return None if done is None else keys.index(done)

    def cancel(self) -> None:
        """Abandon the points in flight."""
        if self._begun:
            self.caller.cancel()
            self._begun.clear()
            self._early.clear()

    def finish(self, stopped: bool) -> None:
        """Abandon the points in flight and release resources.

        Values that arrived before their turn count if the time limit or Ctrl-C ended the run;
        otherwise the result would depend on the time.
        """
        self._listen()
        if stopped:
            self._take_early()
            early = [(key, value) for key, values in self._early.items() for value in values]
            self.learn(early)
            self.history += early if self.options.history else []
            self.recorder.counters[EVALUATIONS] += len(early)
            self.abandoned_calls = sum(self._begun.values()) - len(early)
        self.abandoned_calls = max(0, self.abandoned_calls - self.caller.cancel())
        self.caller.close()
        if self.options.journal is not None:
            self.options.journal.close()
