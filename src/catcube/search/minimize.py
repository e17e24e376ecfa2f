"""minimize(): one run of one algorithm on a problem or a user's function."""

import contextlib
import math
import operator
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms import algorithm as algorithm_named
from catcube.base.text import quoted
from catcube.problems.conversion import as_problem
from catcube.problems.problem import Problem
from catcube.problems.python.compilation import Compiled
from catcube.representations.layout import Chosen, categories_of, layout_of, representations_of
from catcube.search.run import Outcome, Run, execute
from catcube.search.watch import Progress, Watch
from catcube.space import Space

# Why a run ended -> (status, message).
ENDINGS = {
    "target": (0, "the target was reached"),
    "budget": (1, "the budget is used up"),
    "converged": (2, "the algorithm has converged"),
    "time": (3, "the time limit was reached"),
    "callback": (4, "the callback asked to stop"),
    "interrupt": (5, "interrupted by the user"),
    "failure": (6, "the objective failed"),
    "closed": (7, "the optimizer was closed"),
}

REMEMBERED = 100_000  # points that `cache=True` remembers


class Trace(NamedTuple):
    """Every strict improvement: the evaluation (from 1) and the value it reached."""

    evaluations: NDArray[np.int64]
    values: NDArray[np.float64]


@dataclass(repr=False)
class Result:
    """What a run found; names follow scipy's OptimizeResult where it has them.

    `x` is the best point evaluated, as labels by name, `fun` its value, `nfev` the number of
    evaluations, `nfev_best` the evaluation that found x, `nit` the number of iterations. `calls`
    is how often the objective was really called: less than `nfev` with a cache, and more if the
    run ended in the midst of points evaluated ahead.
    """

    x: dict[str, Any]
    fun: float
    nfev: int
    nit: int
    success: bool
    status: int
    message: str
    bits: NDArray[np.uint8]
    nfev_best: int
    trace: Trace
    seconds: float
    seed: int
    algorithm: str
    representation: str
    parameters: dict[str, Any]
    calls: int

    def __repr__(self) -> str:
        shown = {
            "message": self.message,
            "success": self.success,
            "fun": f"{self.fun:g}",
            "x": quoted(self.x),
            "nfev": f"{self.nfev} (best found at {self.nfev_best}{self._calls()})",
            "seconds": f"{self.seconds:.3g}",
            "algorithm": ", ".join(
                [self.algorithm, *(f"{k}={v}" for k, v in self.parameters.items())]
            ),
            "representation": f"{self.representation} ({self.bits.size} bits)",
            "seed": self.seed,
        }
        return "\n".join(f"{name:>14}: {value}" for name, value in shown.items())

    def _calls(self) -> str:
        return "" if self.calls == self.nfev else f"; {self.calls} calls"


def minimize(
    fun_or_problem: Problem | Compiled | Callable[[Any], Any],
    space: Space | None = None,
    *,
    algorithm: str = "sa",
    representation: Chosen = "linear",
    budget: int = 100_000,
    target: float | None = None,
    seed: int | None = None,
    preset: str | None = None,
    callback: Callable[[Progress], Any] | None = None,
    time_limit: float | None = None,
    restart: int | None = None,
    vectorized: bool = False,
    executor: Executor | None = None,
    cache: bool | int = False,
    **parameters: Any,
) -> Result:
    """Search for the point of the space where the function is smallest.

    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})
    >>> def cost(point):
    ...     return abs(point["digit"] - 7) + (point["base"] != "G") + point["flag"]
    >>> result = catcube.minimize(cost, space, target=0, seed=1)
    >>> result.x, result.fun, result.message
    ({'base': 'G', 'digit': 7, 'flag': False}, 0.0, 'the target was reached')

    - `fun_or_problem`: a Python function of a dict of labels; with `vectorized=True` one of an
      array of category indices, a point a row, that returns a value a row (a whole generation
      where the algorithm has one, see `executor`, else one row); a function compiled by
      `catcube.compiled`; or a problem of `catcube.problems`, which brings its own space.
    - `algorithm`, `preset`, `**parameters`: see `catcube list` and `catcube list sa`.
    - `representation`: the name of a family, a Representation, or one by variable name.
    - `budget`: how many evaluations may be made; `target`: a value to stop at; `time_limit`: in
      seconds; `callback`: called some times a second with `evaluations`, `value` and `seconds`,
      stops the run by returning True.
    - `restart`: begin the algorithm anew after so many evaluations, and when it has converged.
    - `seed`: any integer >= 0; the same seed gives the same result on every machine.
    - `executor`: a `concurrent.futures.Executor` that evaluates points side by side where they are
      known in advance: the generations of ga, pbil, umda and mimic, the initial population of
      ltga, the neighbourhoods of hc. The result is that of a run without it. Processes need a
      function that can be pickled (defined by `def` at the top of a module).
    - `cache`: do not call a Python function again at a point whose value is remembered. True
      remembers at least the last 100,000 points (and at most twice as many), a number so many.
      The budget counts evaluations all the same; `Result.calls` counts calls.

    An exception of the function ends the run and is raised, with the result so far as its
    attribute `partial_result` (its `x` is empty if no point has a value yet). Ctrl-C ends the run
    too, and the result so far is returned.
    """
    remember = checked_cache(cache)
    problem = as_problem(fun_or_problem, space, vectorized, executor, remember)
    if time_limit is not None and not (_is_number(time_limit) and time_limit > 0):
        raise ValueError(
            f"the time limit must be a number of seconds > 0, not {quoted(time_limit)}"
        )
    if callback is not None and not callable(callback):
        raise TypeError(f"the callback must be a function, not {quoted(callback)}")
    run = planned(
        problem, algorithm, representation, budget, target, seed, preset, restart, parameters
    )
    outcome = execute(run, Watch(callback, time_limit))
    result = result_of(run, outcome, representation)
    failure = outcome.failure
    if failure is None and outcome.reason == "interrupt" and not result.x:
        failure = KeyboardInterrupt()
    if failure is not None:
        with contextlib.suppress(AttributeError):  # an exception with slots of its own
            failure.partial_result = result  # type: ignore[attr-defined]
        raise failure
    return result


def planned(
    problem: Problem,
    algorithm: str,
    representation: Chosen,
    budget: int,
    target: float | None,
    seed: int | None,
    preset: str | None,
    restart: int | None,
    parameters: Mapping[str, Any],
) -> Run:
    """The run with these arguments of `minimize`, if they are as they must be."""
    budget = checked_count("budget", budget)
    if target is not None:
        if not _is_number(target):
            raise ValueError(f"the target must be a finite number, not {quoted(target)}")
        target = float(target)
    seed = secrets.randbits(63) if seed is None else checked_seed(seed)
    for name, given in (("an algorithm", algorithm), ("a preset", preset)):
        if not isinstance(given, str | None):
            raise TypeError(f"{name} is given by its name, not {quoted(given)}")
    method = algorithm_named(algorithm)
    settings = method.resolve(preset, parameters)
    layout = layout_of(representations_of(problem.space, representation))
    if restart is not None:
        restart = checked_count("restart", restart)
    return Run(problem, layout, method, settings, budget, target, seed, restart)


def checked_count(name: str, count: Any) -> int:
    """A number of evaluations as an integer, if it is one of at least 1."""
    if not _is_number(count) or count != int(count) or not 1 <= count < 2**62:
        raise ValueError(f"the {name} must be an integer from 1 to 2^62, not {quoted(count)}")
    return int(count)


def checked_cache(cache: Any) -> int:
    """How many points to remember."""
    if isinstance(cache, bool | np.bool_):
        return REMEMBERED if cache else 0
    if not _is_number(cache) or cache != int(cache) or cache < 0:
        raise ValueError(f"cache must be True, False or a number of points, not {quoted(cache)}")
    return int(cache)


def checked_seed(seed: Any) -> int:
    """The seed as an integer, if it is one from 0 on."""
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"the seed must be an integer >= 0, not {quoted(seed)}")
    if number >= 2**4096:
        raise ValueError(f"the seed must be below 2^4096, and {quoted(seed)} is not")
    return number


def _is_number(value: Any) -> bool:
    """Whether it is a finite number, of whatever type."""
    try:
        return not isinstance(value, str | bytes | bool | np.bool_) and math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def result_of(run: Run, outcome: Outcome, representation: Chosen) -> Result:
    """What a run found, with labels."""
    status, message = ENDINGS[outcome.reason]
    found_something = outcome.evaluations_to_best > 0
    finished = ("target",) if run.target is not None else ("budget", "converged")
    if isinstance(representation, str):
        name = representation
    else:
        name = getattr(representation, "name", "by variable")
    return Result(
        x=run.problem.space.decode(categories_of(run.layout, outcome.bits))
        if found_something
        else {},
        fun=outcome.value,
        nfev=outcome.evaluations,
        nit=outcome.iterations,
        success=outcome.reason in finished,
        status=status,
        message=message,
        bits=outcome.bits,
        nfev_best=outcome.evaluations_to_best,
        trace=Trace(outcome.trace_evaluations, outcome.trace_values),
        seconds=outcome.seconds,
        seed=run.seed,
        algorithm=run.algorithm.name,
        representation=name,
        parameters=run.parameters._asdict(),
        calls=outcome.calls,
    )
