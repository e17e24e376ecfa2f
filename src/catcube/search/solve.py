"""Search until a target is reached: restarts with ever longer runs, alone or two in parallel."""

import math
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial, reduce
from typing import Any

from catcube.base.seeds import derived_seed
from catcube.problems.problem import Problem
from catcube.representations.registry import NATIVE
from catcube.search.minimize import minimize
from catcube.search.result import Result
from catcube.search.watch import INTERVAL, UNLIMITED, Progress

FIRST = 150_000  # evaluations of the first run; each run has twice as many as the one before
FIRST_POPULATION = 500  # of ltga, which ends by itself: it grows instead
MOST_DOUBLED = 40  # so that no length exceeds the largest budget

FINAL = ("target", "time", "callback", "interrupt")
"""Endings of a run after which there is no restart."""


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
    first: int = FIRST,
) -> Result | None:
    """Restart the algorithm until it reaches the target or the search must end.

    `budget` (evaluations), `time_limit` (seconds of running) and `callback` are as in `minimize`,
    for all runs together; without the first two it may never end. The first run has `first`
    evaluations. Ctrl-C ends the search and returns what was found so far.

    Returns the best run, with evaluations, seconds and ending of the whole search, whose number of
    runs is `run`; None if it was interrupted before the first one.

    >>> from catcube.problems import Match
    >>> found = search(Match(20, 9, seed=1), seed=1)
    >>> found.ending, found.fun, found.run
    ('target', 0.0, 1)
    """
    found: Result | None = None
    evaluations, seconds, runs = 0, 0.0, 0

    def report(progress: Progress) -> Any:
        best = progress
        if found is not None and found.fun <= progress.fun:
            best = replace(progress, x=found.x, fun=found.fun)
        total = evaluations + progress.evaluations
        best = replace(best, evaluations=total, seconds=seconds + progress.seconds)
        return callback and callback(replace(best, point=best.x, value=best.fun))

    while budget is None or evaluations < budget:
        length, settings = _next_run(algorithm, runs, first)
        rest = length if budget is None else budget - evaluations
        try:
            result = minimize(
                problem,
                algorithm=algorithm,
                representation=representation,
                budget=length if 3 * length <= rest else rest,  # all, if no full run can follow
                target=target,
                seed=derived_seed(seed, "restart", runs),
                time_limit=None if time_limit is None else max(time_limit - seconds, 1e-9),
                callback=report,
                **{**settings, **(parameters or {})},
            )
        except KeyboardInterrupt:  # between two runs; a run itself returns a result
            return found and replace(found, ending="interrupt")
        found = result if found is None else _joined(found, result)
        evaluations, seconds, runs = found.evaluations, found.seconds, found.run
        if result.ending in FINAL:
            return found
    return found and replace(found, ending="budget")


def _joined(found: Result, other: Result) -> Result:
    """Return the better of two results, with the evaluations, seconds and runs of both."""
    better = other if other.x and (not found.x or other.fun < found.fun) else found
    return replace(
        better,
        evaluations=found.evaluations + other.evaluations,
        seconds=found.seconds + other.seconds,
        run=found.run + other.run,
        ending=other.ending,
    )


def _next_run(algorithm: str, runs: int, first: int) -> tuple[int, dict[str, Any]]:
    """Return evaluations and parameters of the next run."""
    doubled = min(runs, MOST_DOUBLED)
    if algorithm == "ltga":
        return UNLIMITED, {"population": FIRST_POPULATION << doubled}
    return first << doubled, {}


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
) -> Result | None:
    """Search with LTGA and with annealing at the same time, until one reaches the target.

    >>> from catcube.problems import Match
    >>> solve(Match(20, 9, seed=1), seed=1).ending
    'target'

    A `budget` is shared. The first of them may differ from call to call, and so may the number of
    evaluations; each by itself depends on the seed only.
    """
    began, over, ending = time.perf_counter(), threading.Event(), None
    progress: dict[str, Progress] = {}
    found: list[Result] = []

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
                if (result := future.result()) is not None:
                    found.append(result)
                    if result.ending == "target":
                        ending = "target"
            seconds = time.perf_counter() - began
            if ending is None and seconds >= (time_limit or math.inf):
                ending = "time"
            elif ending is None and callback is not None and progress:
                states = list(progress.values())
                best = min(states, key=lambda state: state.fun)
                total = sum(state.evaluations for state in states)
                if callback(replace(best, evaluations=total, seconds=seconds)) is True:
                    ending = "callback"
        except KeyboardInterrupt:
            ending = ending or "interrupt"
        except BaseException:
            over.set()
            raise
        if ending is not None:
            over.set()
    if not found:
        return None
    if any(result.ending == "target" for result in found):
        ending = "target"
    others = [result.ending for result in found if result.ending != "callback"]  # not stopped
    ending = ending or (others or ["callback"])[0]
    seconds = time.perf_counter() - began
    return replace(reduce(_joined, found), seconds=seconds, ending=ending)
