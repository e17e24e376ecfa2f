"""Search until a target is reached: restarts with ever longer runs, alone or two in parallel."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
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


class Portfolio:
    """Searches in threads; compiled kernels run without the GIL, on one core each."""

    def __init__(
        self, callback: Callable[[Progress], Any] | None, time_limit: float | None = None
    ) -> None:
        self.callback = callback
        self.time_limit = time_limit
        self.over = threading.Event()
        self.ending: str | None = None
        self.found: dict[str, SearchOutcome] = {}
        self.failures: list[BaseException] = []
        self.progress: dict[str, Progress] = {}
        self.began = time.perf_counter()

    def work(self, problem: Problem, name: str, seed: int, **arguments: Any) -> None:
        """Run one member; if it reaches the target, all end."""

        def report(progress: Progress) -> bool:
            self.progress[name] = progress
            return self.over.is_set()

        try:
            found = search(
                problem,
                algorithm=name,
                representation=NATIVE,
                seed=derived_seed(seed, name),
                callback=report,
                **arguments,
            )
            self.found[name] = found
            if found.ending == "target":
                self.over.set()
        except BaseException as exception:
            self.failures.append(exception)
            self.over.set()

    def wait(self, threads: list[threading.Thread]) -> None:
        """Wait for all members, and call the callback meanwhile.

        When all must end, one that is still being compiled is not waited for if another has a
        result; it ends by itself as soon as it runs.
        """
        while running := [thread for thread in threads if thread.is_alive()]:
            started = any(thread.name in self.progress for thread in running)
            if self.over.is_set() and self.found and not started:
                return
            try:
                seconds = time.perf_counter() - self.began
                if not self.over.is_set() and seconds >= (self.time_limit or math.inf):
                    self.end("time")
                for thread in threads:
                    thread.join(INTERVAL)
                states = list(self.progress.values())
                if self.callback is not None and states and not self.over.is_set():
                    best = min(states, key=lambda state: state.fun)
                    evaluations = sum(state.evaluations for state in states)
                    seconds = time.perf_counter() - self.began
                    merged = replace(best, evaluations=evaluations, seconds=seconds)
                    if self.callback(merged) is True:
                        self.end("callback")
            except KeyboardInterrupt:
                self.end("interrupt")

    def end(self, reason: str) -> None:
        """Stop all members."""
        self.ending = self.ending or reason
        self.over.set()

    def merged(self) -> SearchOutcome:
        """Merge the outcomes of all members."""
        if self.failures:
            raise self.failures[0]
        total = SearchOutcome()
        for found in list(self.found.values()):
            if found.best is not None and (total.best is None or found.best.fun < total.best.fun):
                total.best = found.best
            total.runs += found.runs
            total.evaluations += found.evaluations
        total.seconds = time.perf_counter() - self.began
        endings = [found.ending for found in self.found.values()]
        others = [ending for ending in endings if ending != "callback"]  # they were stopped
        total.ending = "target" if "target" in endings else self.ending or (others or endings)[0]
        return total


def _shares(budget: int | None) -> Iterator[tuple[str, int | None]]:
    """Yield the members and their shares of the budget, without those that have none."""
    for k, name in enumerate(MEMBERS):
        share = None if budget is None else (budget + k) // len(MEMBERS)
        if share != 0:
            yield name, share


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
    portfolio = Portfolio(callback, time_limit)
    limits = {"target": target, "time_limit": time_limit}
    threads = [
        threading.Thread(
            target=portfolio.work,
            args=(problem, name, seed),
            kwargs={"budget": share, **limits},
            name=name,
        )
        for name, share in _shares(budget)
    ]
    for thread in threads:
        thread.start()
    portfolio.wait(threads)
    return portfolio.merged()
