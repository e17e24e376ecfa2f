"""Several searches in parallel: an algorithm without generations in an executor.

An algorithm that moves one point at a time needs each value before it can continue. To keep all
workers of an executor busy, it is run several times at once, in several chains, each with its seed
and its share of the budget. The chains get their values in turn, whichever comes first, and each
continues at once. Hence the result depends on the seed and on the number of chains, but not on the
speed of the workers.
"""

import math
import time
from collections import deque
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from catcube.base.seeds import derived_seed
from catcube.engine.recorder import (
    BEST,
    BEST_EVALUATION,
    EVALUATIONS,
    LIMIT,
    Recorder,
    best_so_far,
    new_recorder,
)
from catcube.problems.python.batches import Handling
from catcube.problems.python.cache import ValueCache
from catcube.problems.python.callback import PythonProblem
from catcube.problems.python.keys import Keys
from catcube.problems.python.sources import INTERVAL
from catcube.problems.python.values import number
from catcube.representations.layout import categories_of
from catcube.search.run import Outcome, Run
from catcube.search.search_thread import AskedProblem, Closed, SearchThread, Waiting
from catcube.search.watch import Progress, Watch


@dataclass
class Chain:
    """One of the searches: the points it waits for, and its outcome."""

    run: Run
    problem: AskedProblem
    search: SearchThread | None = None
    requested: deque[bytes] = field(default_factory=deque)
    outcome: Outcome | None = None


class Chains:
    """Searches in parallel whose values come from an executor."""

    def __init__(self, run: Run, count: int, watch: Watch) -> None:
        assert isinstance(run.problem, PythonProblem)
        assert run.problem.executor is not None
        self.run = run
        self.problem = run.problem
        self.executor = run.problem.executor
        self.watch = watch
        self.keys = Keys(run.problem.space)
        self.futures: dict[bytes, Future[Any]] = {}
        self.cache = ValueCache(run.problem.remember)  # of all chains
        self.cache.known.update(run.problem.known)
        self.calls = self.failed = 0
        self.history: list[tuple[bytes, float]] = []
        self.trace: list[tuple[int, float]] = []
        self.best: Chain | None = None  # the one with the best point
        # Only its counters are used, so that the chains are watched as one run.
        self.recorder: Recorder = new_recorder(0, run.budget, math.nan, walking=False, notify=0)
        self.count = min(count, run.budget)
        share, rest = divmod(run.budget, self.count)
        shares = [share + (k < rest) for k in range(self.count)]
        self.chains = [self._chain(k, share) for k, share in enumerate(shares)]

    def _chain(self, k: int, budget: int) -> Chain:
        handling = Handling(unique=self.problem.handling.unique)
        problem = AskedProblem(self.run.problem.space, self.cache, handling)
        seed = derived_seed(self.run.seed, "chain", k)
        initial = self.run.initial
        if initial is not None:  # in turns
            initial = initial[k :: self.count]
        run = replace(self.run, problem=problem, budget=budget, seed=seed, initial=initial)
        return Chain(run, problem)

    def outcome(self) -> Outcome:
        """Run all chains to the end."""
        began = time.perf_counter()
        self.watch.begin(self.recorder, self._look)
        failure: BaseException | None = None
        try:
            for chain in self.chains:
                chain.search = SearchThread(chain.run, chain.problem.channel)
                self._listen(chain)
            while self._under_way() and self.watch.reason is None:
                self._step()
        except BaseException as exception:
            failure = exception
        finally:
            self._end()
        return self._merged(time.perf_counter() - began, failure)

    def _under_way(self) -> bool:
        """Return whether some chain is running, and none has reached the target."""
        ended = [chain.outcome for chain in self.chains if chain.outcome is not None]
        reached = any(outcome.reason in ("target", "failure") for outcome in ended)
        return len(ended) < len(self.chains) and not reached

    def _step(self) -> None:
        """Give every chain one value in turn; each requests its next point at once."""
        for chain in self.chains:
            if chain.outcome is not None:
                continue
            value = self._value(chain, chain.requested.popleft())
            if self.watch.reason is not None:
                return
            chain.problem.channel.values.put(value)  # the chain raises the error of NaN
            self._listen(chain)
            if chain.outcome is not None and not self._under_way():
                return
        self.watch.tick()

    def _listen(self, chain: Chain) -> None:
        """Submit the points that a chain needs, until it waits or is over."""
        while True:
            message = chain.problem.channel.messages.get()
            if isinstance(message, Waiting):
                break
            if isinstance(message, Outcome):
                chain.outcome = message
                break
            if isinstance(message, BaseException):
                raise message
            chain.requested = deque(message)
            for key in message:
                if key not in self.futures:
                    function, point = self.problem.function, self.keys.point(key)
                    self.futures[key] = self.executor.submit(function, point)
                    self.calls += 1
        self._note(chain)

    def _note(self, chain: Chain) -> None:
        """Count the evaluations of all chains, and keep the chain if it has the best point."""
        assert chain.search is not None
        counters, levels = self.recorder.counters, self.recorder.levels
        made, others = chain.search.recorder, 0
        for other in self.chains:
            if other is not chain and other.search is not None:
                others += int(other.search.recorder.counters[EVALUATIONS])
        counters[EVALUATIONS] = others + made.counters[EVALUATIONS]
        if made.counters[BEST_EVALUATION] == 0:
            return
        if self.best is None or made.levels[BEST] < levels[BEST]:
            self.best = chain
            levels[BEST] = made.levels[BEST]
            counters[BEST_EVALUATION] = others + made.counters[BEST_EVALUATION]
            self.trace.append((int(counters[BEST_EVALUATION]), float(levels[BEST])))

    def _value(self, chain: Chain, key: bytes) -> float:
        """Wait for the value of a point."""
        cached = self.cache.get(key)
        if cached is not None:  # another chain has evaluated it meanwhile
            assert chain.search is not None
            counters = chain.search.recorder.counters
            if self.problem.handling.unique and counters[EVALUATIONS] > 0:
                counters[EVALUATIONS] -= 1  # the kernel counts it
            return cached
        if key not in self.futures:  # evaluated for another chain meanwhile, and not cached
            self.futures[key] = self.executor.submit(self.problem.function, self.keys.point(key))
            self.calls += 1
        future = self.futures[key]
        while not future.done():
            wait([future], INTERVAL)
            self.watch.tick()
            if self.watch.reason is not None:
                return math.nan
        catch = self.problem.handling.catch
        try:
            value = number(future.result())
        except catch or ():  # noqa: B030
            value = math.nan
        if self.problem.handling.history:
            self.history.append((key, value))
        if catch is not None and math.isnan(value):
            self.failed += 1
            value = math.inf
        del self.futures[key]
        return value

    def _end(self) -> None:
        """Cancel evaluations that have not started, and end all chains."""
        for future in self.futures.values():
            self.calls -= future.cancel()
        for chain in self.chains:
            if chain.search is not None and chain.outcome is None:
                chain.search.stop()
        for chain in self.chains:
            while chain.search is not None and chain.outcome is None:
                message = chain.problem.channel.messages.get()
                if isinstance(message, BaseException):
                    break
                if isinstance(message, Outcome):
                    chain.outcome = message

    def _look(self, seconds: float) -> Progress | None:
        """Return the progress for a callback; None before the first evaluation."""
        counters, value = self.recorder.counters, float(self.recorder.levels[BEST])
        if self.best is None or self.best.search is None:
            return None
        x: dict[str, Any] = {}
        if not self.failed or value < math.inf:
            best = best_so_far(self.best.search.recorder)
            x = self.problem.space.decode(categories_of(self.run.layout, best))
        return Progress(int(counters[EVALUATIONS]), value, seconds, x)

    def _merged(self, seconds: float, failure: BaseException | None) -> Outcome:
        """Merge the outcomes of all chains to that of one run."""
        outcomes = [chain.outcome for chain in self.chains if chain.outcome is not None]
        if not outcomes:  # none has started
            assert failure is not None
            raise failure
        best = outcomes[0]
        if self.best is not None and self.best.outcome is not None:
            best = self.best.outcome
        counters = self.recorder.counters
        reason = self._reason(outcomes, failure)
        counters[EVALUATIONS] = sum(map(_evaluations, outcomes))
        if failure is not None and reason == "failure":
            counters[EVALUATIONS] += 1  # that of the point that failed
        if reason not in ("failure", "interrupt", "callback"):
            counters[LIMIT] = self.run.budget
            self.watch.finish()
        failure = failure or self.watch.failure or next(filter(None, map(_failure, outcomes)), None)
        if reason == "interrupt" and self.best is not None:
            failure = None
        evaluations, values = zip(*self.trace, strict=True) if self.trace else ((), ())
        return replace(
            best,
            value=float(self.recorder.levels[BEST]),
            evaluations=int(counters[EVALUATIONS]),
            evaluations_to_best=int(counters[BEST_EVALUATION]),
            iterations=sum(outcome.iterations for outcome in outcomes),
            trace_evaluations=np.array(evaluations, np.int64),
            trace_values=np.array(values, np.float64),
            reason=reason,
            seconds=seconds,
            calls=self.calls,
            failure=failure,
            failed=self.failed,
            history=self.history,
        )

    def _reason(self, outcomes: list[Outcome], failure: BaseException | None) -> str:
        if isinstance(failure, KeyboardInterrupt):
            return "interrupt"
        reasons = [outcome.reason for outcome in outcomes]
        if failure is not None or any(map(_failure, outcomes)):
            return "failure"
        if "target" in reasons:
            return "target"
        if self.watch.reason is not None:
            return self.watch.reason
        used_up = self.recorder.counters[EVALUATIONS] >= self.run.budget
        return "budget" if used_up else "converged"


def _failure(outcome: Outcome) -> BaseException | None:
    """Return the exception of a chain, if it was not closed."""
    return None if isinstance(outcome.failure, Closed) else outcome.failure


def _evaluations(outcome: Outcome) -> int:
    """Return the evaluations of a chain; one that was closed has counted one it waited for."""
    return outcome.evaluations - isinstance(outcome.failure, Closed)


def execute_chains(run: Run, count: int, watch: Watch) -> Outcome:
    """Execute a run as so many chains in the executor of its problem."""
    return Chains(run, count, watch).outcome()
