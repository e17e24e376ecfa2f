"""Enumeration of a small space: every point is evaluated once."""

import math
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.algorithm import Algorithm, Native
from catcube.base.seeds import derived_seed
from catcube.base.text import quoted
from catcube.engine.recorder import (
    BEST,
    BEST_EVALUATION,
    EVALUATIONS,
    Recorder,
    new_recorder,
)
from catcube.errors import BadValue
from catcube.problems.problem import Problem
from catcube.problems.python.batches import AnnouncedObjective
from catcube.problems.python.keys import Keys
from catcube.search.run import Outcome
from catcube.search.watch import Progress, Watch
from catcube.space import Space


class Parameters(NamedTuple):
    """There are none."""


ALGORITHM = Algorithm(
    name="enumeration",
    title="every point once",
    reference="",
    parameters=Parameters,
    kernel=lambda search, parameters, memory: None,  # it is done here
    native=Native(),
)

BATCH = 1024  # points that are requested at once


def orders(
    space: Space, seed: int, initial: NDArray[Any] | None = None
) -> Iterator[NDArray[np.int64]]:
    """Yield the categories of all points in batches: the initial ones, then all others.

    The order of the others depends on the seed.

    >>> space = Space({"base": "ATCG", "flag": "ft"})
    >>> rows = np.concatenate(list(orders(space, 1)))
    >>> len(set(map(tuple, rows.tolist())))
    8
    >>> next(orders(space, 1, np.array([[3, 0]])))[0]
    array([3, 0])
    """
    rows = [] if initial is None else list(dict.fromkeys(map(tuple, initial.tolist())))
    begun = set(rows)
    size = space.size
    first = derived_seed(seed, "first") % size
    step = derived_seed(seed, "step") % size
    while math.gcd(step, size) != 1:  # so that every point occurs once
        step = (step + 1) % size
    for begin in range(0, size, BATCH):
        numbers = [(first + k * step) % size for k in range(begin, min(begin + BATCH, size))]
        points = [_point(number, space) for number in numbers]
        rows += [point for point in points if point not in begun]
        yield np.array(rows, np.int64).reshape(-1, len(space))
        rows = []


def _point(number: int, space: Space) -> tuple[int, ...]:
    """Return the categories of the point with this number."""
    categories = []
    for cardinality in space.cardinalities.tolist():
        number, category = divmod(number, cardinality)
        categories.append(category)
    return tuple(categories)


class Enumeration:
    """Evaluates every point of a space once, until the target is reached or it is stopped."""

    def __init__(
        self,
        problem: Problem,
        seed: int,
        target: float | None,
        watch: Watch,
        initial: NDArray[Any] | None = None,
    ) -> None:
        self.space = problem.space
        self.keys = Keys(problem.space)
        self.seed = seed
        self.initial = initial
        self.target = -math.inf if target is None else target
        self.limited = target is not None
        self.watch = watch
        objective = problem.objective(watch.tick)
        assert isinstance(objective, AnnouncedObjective)
        self.objective = objective
        self.best = np.zeros(len(problem.space), np.int64)
        self.trace: list[tuple[int, float]] = []
        self.recorder: Recorder = new_recorder(0, 2**62, math.nan, walking=False, notify=0)

    def outcome(self) -> Outcome:
        """Evaluate all points."""
        self.watch.begin(self.recorder, self._look)
        began = time.perf_counter()
        failure: BaseException | None = None
        reason = "enumerated"
        try:
            reason = self._evaluate()
        except KeyboardInterrupt as exception:
            reason, failure = "interrupt", None if self.trace else exception
        except BaseException as exception:
            reason, failure = "failure", exception
        self.objective.finish()
        if reason in ("enumerated", "target", "time"):
            self.watch.finish()
        counters, levels = self.recorder.counters, self.recorder.levels
        evaluations, values = zip(*self.trace, strict=True) if self.trace else ((), ())
        return Outcome(
            solution=self.best,
            value=float(levels[BEST]),
            evaluations=int(counters[EVALUATIONS]),
            evaluations_to_best=int(counters[BEST_EVALUATION]),
            iterations=0,
            trace_evaluations=np.array(evaluations, np.int64),
            trace_values=np.array(values, np.float64),
            reason=reason,
            seconds=time.perf_counter() - began,
            calls=self.objective.calls,
            failure=failure or self.watch.failure,
            failed=self.objective.failures,
            history=self.objective.history,
        )

    def _evaluate(self) -> str:
        """Evaluate all batches; return the reason of the end."""
        counters, levels = self.recorder.counters, self.recorder.levels
        for rows in orders(self.space, self.seed, self.initial):
            self.objective.request([self.keys.key(row) for row in rows])
            for row in rows:
                counters[EVALUATIONS] += 1
                value = self.objective.next_value()
                if math.isnan(value):
                    point = self.space.decode(row)
                    raise BadValue(f"the objective returned NaN at {quoted(point)}")
                if value < levels[BEST] or not self.trace:
                    self.best = row
                    levels[BEST] = value
                    counters[BEST_EVALUATION] = counters[EVALUATIONS]
                    self.trace.append((int(counters[EVALUATIONS]), value))
                    if self.limited and value <= self.target:
                        return "target"
                self.watch.tick()
                if self.watch.reason is not None:
                    return self.watch.reason
        return "enumerated"

    def _look(self, seconds: float) -> Progress | None:
        """Return the progress for a callback; None before the first evaluation."""
        counters, value = self.recorder.counters, float(self.recorder.levels[BEST])
        if not self.trace:
            return None
        failed = self.objective.failures and value == math.inf
        x = {} if failed else self.space.decode(self.best)
        return Progress(int(counters[EVALUATIONS]), value, seconds, x)
