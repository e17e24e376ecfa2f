"""Search until a target is reached: restarts with ever longer runs, alone or two in parallel."""

import math
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from catcube.base.seeds import derived_seed
from catcube.problems.problem import Problem
from catcube.representations.registry import NATIVE
from catcube.search.minimize import minimize
from catcube.search.result import Result
from catcube.search.watch import INTERVAL, UNLIMITED, Progress

FIRST = 150_000  # evaluations of the first run; each run has twice as many as the one before

# The parameter that grows instead, where an algorithm ends by itself, and its first value.
GROWING = {"ltga": ("population", 500)}
MOST_DOUBLED = 40  # so that no length exceeds the largest budget

FINAL = ("target", "time", "callback", "interrupt")
"""Endings of a run after which there is no restart."""


@dataclass
class SearchOutcome:
    """The outcome of a search; `best` is its best run, None before the first."""

    best: Result | None = None
    runs: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    ending: str = "budget"  # or target, time, callback, interrupt, as in `minimize`

    def add(self, result: Result) -> None:
        """Add a run, and keep it if it is the best."""
        if result.x and (self.best is None or result.fun < self.best.fun):
            self.best = result
        self.runs += 1
        self.evaluations += result.nfev
        self.seconds += result.seconds


def search(
    problem: Problem,
    *,
    seed: int,
    algorithm: str = "sa",
    representation: str = "linear",
    target: float | None = 0.0,
    budget: int | None = None,
    time_limit: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    callback: Callable[[Progress], Any] | None = None,
) -> SearchOutcome:
    """Restart the algorithm until it reaches the target or the search must end.

    `budget` (evaluations), `time_limit` (seconds of running) and `callback` are as in `minimize`,
    for all runs together; without the first two it may never end. Ctrl-C ends the search and
    returns the outcome so far.

    >>> from catcube.problems import Sudoku
    >>> found = search(Sudoku.instance("small-dimension-3-a"), seed=1)
    >>> found.ending, found.runs
    ('target', 1)
    """
    found = SearchOutcome()
    fixed = dict(parameters or {})

    def report(progress: Progress) -> Any:
        best = progress.fun if found.best is None else min(found.best.fun, progress.fun)
        evaluations = found.evaluations + progress.evaluations
        x = progress.x if found.best is None or best < found.best.fun else found.best.x
        seconds = found.seconds + progress.seconds
        return callback and callback(Progress(evaluations, best, seconds, x, best, x))

    while True:
        length = _length(found, budget, algorithm)
        if length == 0:
            return found
        try:
            result = minimize(
                problem,
                algorithm=algorithm,
                representation=representation,
                budget=length,
                target=target,
                seed=derived_seed(seed, "restart", found.runs),
                time_limit=None if time_limit is None else max(time_limit - found.seconds, 1e-9),
                callback=report,
                **(_grown(algorithm, found.runs) | fixed),
            )
        except KeyboardInterrupt:  # between two runs; a run itself returns a result
            found.ending = "interrupt"
            return found
        found.add(result)
        if result.ending in FINAL:
            found.ending = result.ending
            return found


def _grown(algorithm: str, runs: int) -> dict[str, Any]:
    """Return the parameter that grows from run to run, if there is one."""
    if algorithm not in GROWING:
        return {}
    name, first = GROWING[algorithm]
    return {name: first << min(runs, MOST_DOUBLED)}


def _length(found: SearchOutcome, budget: int | None, algorithm: str = "") -> int:
    """Return the evaluations of the next run: all that are left, if no full run can follow it."""
    if algorithm in GROWING:
        return UNLIMITED if budget is None else budget - found.evaluations
    length = FIRST << min(found.runs, MOST_DOUBLED)
    if budget is None:
        return length
    rest = budget - found.evaluations
    return length if 3 * length <= rest else rest


MEMBERS = ("ltga", "sa")
"""LTGA with growing populations, and annealing with growing runs, on categories."""


def solve(
    problem: Problem,
    *,
    seed: int,
    target: float | None = 0.0,
    budget: int | None = None,
    time_limit: float | None = None,
    callback: Callable[[Progress], Any] | None = None,
) -> SearchOutcome:
    """Search with LTGA and with annealing at the same time, until one reaches the target.

    >>> from catcube.problems import Sudoku
    >>> solve(Sudoku.instance("small-dimension-3-a"), seed=1).ending
    'target'

    A `budget` is shared. The first of them may differ from call to call, and so may the number of
    evaluations; each by itself depends on the seed only.
    """
    began, over, ending = time.perf_counter(), threading.Event(), None
    progress: dict[str, Progress] = {}
    found: list[SearchOutcome] = []

    def report(name: str, state: Progress) -> bool:
        progress[name] = state
        return over.is_set()

    pool = ThreadPoolExecutor(len(MEMBERS))  # compiled kernels run without the GIL
    running = {
        pool.submit(
            search,
            problem,
            algorithm=name,
            representation=NATIVE,
            seed=derived_seed(seed, name),
            target=target,
            budget=None if budget is None else (budget + k) // len(MEMBERS),
            time_limit=time_limit,
            callback=partial(report, name),
        ): name
        for k, name in enumerate(MEMBERS)
        if budget is None or budget + k >= len(MEMBERS)
    }
    pool.shutdown(wait=False)
    # Once all must end, one that is still being compiled is not waited for if another has a
    # result: it ends by itself as soon as it runs.
    while running and not (over.is_set() and found and not progress.keys() & running.values()):
        try:
            for future in wait(running, INTERVAL, FIRST_COMPLETED).done:
                del running[future]
                found.append(future.result())
                if found[-1].ending == "target":
                    over.set()
            seconds = time.perf_counter() - began
            if over.is_set():
                continue
            if seconds >= (time_limit or math.inf):
                ending = "time"
            elif callback is not None and progress:
                states = list(progress.values())
                best = min(states, key=lambda state: state.fun)
                total = sum(state.evaluations for state in states)
                if callback(replace(best, evaluations=total, seconds=seconds)) is True:
                    ending = "callback"
        except KeyboardInterrupt:
            ending = "interrupt"
        except BaseException:
            over.set()
            raise
        if ending is not None:
            over.set()
    return _merge(found, ending, time.perf_counter() - began)


def _merge(found: list[SearchOutcome], ending: str | None, seconds: float) -> SearchOutcome:
    """Return the outcome of several searches as one."""
    best = [outcome.best for outcome in found if outcome.best is not None]
    endings = [outcome.ending for outcome in found]
    others = [each for each in endings if each != "callback"]  # they were stopped
    return SearchOutcome(
        best=min(best, key=lambda result: result.fun, default=None),
        runs=sum(outcome.runs for outcome in found),
        evaluations=sum(outcome.evaluations for outcome in found),
        seconds=seconds,
        ending="target" if "target" in endings else ending or (others or endings)[0],
    )
