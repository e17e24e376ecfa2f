"""Two different searches in parallel: the first to reach the target ends both."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from catcube.base.seeds import derived_seed
from catcube.problems.problem import Problem
from catcube.representations.registry import NATIVE
from catcube.search.restarts import SearchOutcome, search
from catcube.search.watch import INTERVAL, Progress

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
                    best = min(states, key=lambda state: state.value)
                    evaluations = sum(state.evaluations for state in states)
                    seconds = time.perf_counter() - self.began
                    if self.callback(Progress(evaluations, best.value, seconds, best.x)) is True:
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
