"""Search until a target is reached: restarts with new seeds and ever longer runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from catcube.base.seeds import derived_seed
from catcube.problems.problem import Problem
from catcube.search.auto import UNLIMITED
from catcube.search.minimize import minimize
from catcube.search.result import ENDINGS, Result
from catcube.search.watch import Progress

FIRST = 150_000  # evaluations of the first run; each run has twice as many as the one before

# The parameter that grows instead, where an algorithm ends by itself, and its first value.
GROWING = {"ltga": ("population", 500)}
MOST_DOUBLED = 40  # so that no length exceeds the largest budget

# The endings of a run after which there is no restart.
_FINAL = [ENDINGS[reason][0] for reason in ("target", "time", "callback", "interrupt")]


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
        best = progress.value if found.best is None else min(found.best.fun, progress.value)
        evaluations = found.evaluations + progress.evaluations
        x = progress.x if found.best is None or best < found.best.fun else found.best.x
        seconds = found.seconds + progress.seconds
        return callback and callback(Progress(evaluations, best, seconds, x))

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
        if result.status in _FINAL:
            found.ending = next(name for name, end in ENDINGS.items() if end[0] == result.status)
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
