"""Arguments: what `minimize`, `maximize` and `Optimizer` take, checked and converted to a run."""

import difflib
import json
import math
import operator
import secrets
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms import algorithm as algorithm_named
from catcube.algorithms import registered
from catcube.algorithms.algorithm import Algorithm
from catcube.algorithms.enumeration import ALGORITHM as ENUMERATION
from catcube.base.seeds import derive_seed
from catcube.base.text import expect
from catcube.errors import BadType, BadValue
from catcube.problems.calls import Caught
from catcube.problems.functions import PythonProblem, as_problem, with_evaluation
from catcube.problems.objective import Evaluation
from catcube.representations.layout import RepresentationChoice, build_layout
from catcube.search.auto import AUTO, BUDGET, choose, is_unique, model_may_continue
from catcube.search.constraints import RANDOM_POINTS, Constraints
from catcube.search.parallel import GENERATIONAL, make_parallel, no_objective
from catcube.search.result import Result
from catcube.search.run import Prelude, Run, encode_points, model_prelude
from catcube.search.session import Session
from catcube.search.study import Study
from catcube.search.watch import UNLIMITED, Progress
from catcube.space import Space

Points: TypeAlias = Mapping[str, Any] | Iterable[Mapping[str, Any]] | None

MIN_FEASIBLE_STARTS = 10  # initial points of a search with constraints; more with a population


@dataclass(kw_only=True)
class Arguments:
    """The arguments of a search as given by the user; `run` checks them.

    `objective` is None for an `Optimizer`, whose caller evaluates the points.
    """

    function: str  # minimize, maximize or Optimizer
    objective: Any
    space: Any
    algorithm: str = AUTO
    representation: RepresentationChoice = AUTO
    constraints: Any = None
    budget: int | None = None
    target: float | None = None
    time_limit: float | None = None
    seed: int | None = None
    x0: Points = None
    noisy: bool = False
    catch: Any = None
    retries: int = 0
    timeout: float | None = None
    workers: int | None = None
    ordered: bool = True
    study: Any = None
    callback: Callable[[Progress], Any] | None = None
    parameters: dict[str, Any]
    maximize: bool = False

    def __post_init__(self) -> None:
        self.parameters = others = dict(self.parameters)
        self.preset = others.pop("preset", None)
        self.restart = others.pop("restart", None)
        self.executor: Executor | None = None
        self.progress = self.vectorized = False
        if self.function != "Optimizer":
            self.executor = others.pop("executor", None)
            self.progress = bool(others.pop("progress", False))
            self.vectorized = bool(others.pop("vectorized", False))
        self.choice = ""
        self.infeasible: Result | None = None
        self.session: Session | None = None

    def check(self) -> None:
        """Check and convert the arguments that do not depend on the space."""
        expect(isinstance(self.algorithm, str), "the name of an algorithm", self.algorithm, BadType)
        preset, callback = self.preset, self.callback
        expect(isinstance(preset, str | None), "the name of a preset", preset, BadType)
        expect(callback is None or callable(callback), "a function as callback", callback, BadType)
        self.time_limit = as_seconds("time limit", self.time_limit)
        self.timeout = as_seconds("timeout", self.timeout)
        if self.budget is None:
            self.budget = BUDGET if self.time_limit is None else UNLIMITED
        self.budget = as_count("budget", self.budget)
        if self.target is not None:
            expect(is_number(self.target), "a finite number as target", self.target)
            self.target = float(self.target)
        self.seed = None if self.seed is None else as_seed(self.seed)
        self.catch = as_exceptions(self.catch)
        self.retries = as_count("retries", self.retries, 0)
        self.restart = as_count("restart", self.restart)
        self.workers = as_count("number of workers", self.workers)
        if self.executor is not None:
            wanted = "no executor with timeout=... (use workers=... instead)"
            expect(self.timeout is None, wanted, self.executor)
            if self.workers is None:
                self.workers = getattr(self.executor, "_max_workers", None)
        elif self.timeout is not None and self.workers is None:
            self.workers = 1

    def run(self) -> Run:
        """Return the run with these arguments."""
        asked = self.function == "Optimizer"
        open_ended = asked and self.budget is None  # the caller may stop after any point
        self.check()
        assert self.budget is not None
        if asked:
            given = as_problem(no_objective, self.space)
        else:
            given = as_problem(self.objective, self.space, self.vectorized)
        space, in_python = given.space, isinstance(given, PythonProblem)
        automatic = self.algorithm == AUTO and not (self.preset or self.parameters)
        named = self.algorithm, self.representation, self.preset, self.parameters
        exchange = given.exchanges or self.constraints is not None
        noisy = bool(self.noisy)
        choice = choose(space, self.budget, in_python, *named, exchange, noisy, open_ended)
        self.choice = choice.reason
        method = ENUMERATION if choice.algorithm is None else algorithm_named(choice.algorithm)
        settings = self._resolve_parameters(method, choice.parameters)
        constraints = None
        if self.constraints not in (None, [], ()):
            constraints = Constraints(self.constraints, space)
        starts = initial_points(space, self.x0)
        budget = self.budget
        if self.study is not None:
            self.session = session = self._open_session(space, starts)
            self.seed = session.seed
            budget = max(1, min(budget, budget if session.limit is None else session.limit))
            if not len(starts) and method.name != "surrogate" and not choice.model_budget:
                starts = _best_points(session, method.points(settings), self.maximize)
        elif self.seed is None:
            self.seed = secrets.randbits(63)
        automatic = automatic or choice.model_budget > 0
        evaluation = self._evaluation_options(in_python, automatic, method, constraints)
        problem = with_evaluation(given, evaluation)
        run = Run(
            problem,
            build_layout(problem.space, choice.representation),
            method,
            settings,
            budget,
            -self.target if self.maximize and self.target is not None else self.target,
            self.seed,
            self.restart,
            None,
            choice.representation,
            self._prelude(choice.model_budget) if choice.model_budget else None,
        )
        if constraints is not None:
            starts = self._find_feasible(run, constraints, starts)
        if len(starts):
            run = replace(run, initial=encode_for_run(run, starts))
        if constraints is not None and self.infeasible is None:
            run = replace(run, restart_points=partial(_feasible_restart_points, run, constraints))
        if isinstance(problem, PythonProblem):
            run = make_parallel(run, problem.evaluation.in_flight)
        return run

    def _open_session(self, space: Space, starts: NDArray[np.int64]) -> Session:
        """Open the study and begin a run on it, or continue an interrupted one."""
        given = self.study
        study = Study(
            given.path if isinstance(given, Study) else given, space, maximize=self.maximize
        )
        settings = {name: getattr(self, name) for name in SETTINGS} | {
            "representation": getattr(self.representation, "name", self.representation),
            "constraints": self.constraints is not None,
            "x0": starts.tolist(),
        }
        return Session(
            study,
            json.loads(json.dumps(settings, default=repr)),
            None if self.budget == UNLIMITED else self.budget,
            failures=self.catch is not None,
            repeat=bool(self.noisy),
            in_flight=(self.workers or 1) + 1,
            waits=self.objective is not None,
        )

    def _prelude(self, evaluations: int) -> Prelude:
        """Return the search by a model that precedes the algorithm."""
        if self.time_limit is None:
            return model_prelude(evaluations)
        return model_prelude(evaluations, partial(model_may_continue, self.time_limit))

    def _resolve_parameters(self, method: Algorithm, chosen: Mapping[str, Any]) -> Any:
        """Return the parameters of the algorithm: those chosen, overridden by those given."""
        known = list(method.accepted_names())
        for name in self.parameters:
            if name not in known:
                raise BadType(_unknown_argument(name, method, self.function))
        changes = {**chosen, **self.parameters}
        if self.noisy and "noisy" in known:
            changes["noisy"] = True
        return method.resolve(self.preset, changes)

    def _evaluation_options(
        self, in_python: bool, automatic: bool, method: Algorithm, constraints: Constraints | None
    ) -> Evaluation:
        """Return the options of the evaluations."""
        assert self.budget is not None
        kept = in_python and is_unique(self.budget, True, True)
        unique = is_unique(self.budget, in_python, automatic) or method is ENUMERATION
        unique = (unique or constraints is not None) and not self.noisy
        parallel = self.executor is not None or self.workers is not None
        workers = self.workers
        if workers is None and parallel and method.name not in GENERATIONAL:
            raise BadValue("the number of workers of this executor is unknown: pass workers=...")
        workers = workers or 1
        return Evaluation(
            unique=unique,
            catch=self.catch,
            retries=self.retries,
            history=kept or self.noisy,
            sign=-1.0 if self.maximize else 1.0,
            violation=None if constraints is None else constraints.violation,
            nearby=None if constraints is None else constraints.nearby,
            blocking=method.name == "sa",
            executor=self.executor,
            workers=self.workers if self.executor is None else None,
            timeout=self.timeout,
            ordered=bool(self.ordered),
            in_flight=workers + 1 if parallel and workers > 1 else 1,
            noisy=bool(self.noisy),
            patience=method is not ENUMERATION,
            journal=self.session,
        )

    def _find_feasible(
        self, run: Run, constraints: Constraints, points: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return feasible initial points; if there are none, set `infeasible` to the result."""
        count = 1
        if run.algorithm.name != "sa" or run.prelude is not None:
            count = min(max(run.algorithm.points(run.parameters), MIN_FEASIBLE_STARTS), 50)
        found, least, violation = constraints.feasible_points(
            count, derive_seed(run.seed, "feasible"), points
        )
        if not len(found):
            x = run.problem.space.decode(least)
            self.infeasible = run.new_result(
                "infeasible", x=x, categories=least, violation=violation
            )
        return found


def _best_points(session: Session, count: int, maximize: bool) -> NDArray[np.int64]:
    """Return the best known points, one per row, as initial points."""
    known = [pair for pair in session.known if math.isfinite(pair[1])]
    known.sort(key=lambda pair: -pair[1] if maximize else pair[1])
    rows = [point for point, _ in known[: max(1, count)]]
    return np.array(rows, np.int64).reshape(-1, len(session.study.space))


def _feasible_restart_points(
    run: Run, constraints: Constraints, number: int, best: NDArray[Any] | None
) -> NDArray[Any]:
    """Return a feasible initial point for a restart, near `best` if it is given."""
    seed = derive_seed(run.seed, "feasible", number)
    found = none = initial_points(run.problem.space, None)
    if best is not None:
        found = constraints.nearby(best, seed, 1)
    if not len(found):
        found, _, _ = constraints.feasible_points(1, seed, none, RANDOM_POINTS // 10)
    return encode_for_run(run, found)


def encode_for_run(run: Run, points: NDArray[np.int64]) -> NDArray[Any]:
    """Return points in the form that the run searches: bits, or categories."""
    if run.native:
        return points.astype(np.int32)
    return encode_points(run.problem.space, run.representation, points)


def initial_points(space: Space, x0: Any) -> NDArray[np.int64]:
    """Return the categories of one point or several, one per row.

    >>> space = Space({"base": "ATCG", "flag": [True, False]})
    >>> initial_points(space, {"base": "C", "flag": False})
    array([[2, 1]])
    """
    if x0 is None:
        return np.zeros((0, len(space)), np.int64)
    if isinstance(x0, Mapping):
        x0 = [x0]
    wanted = "points as dicts of labels"
    expect(isinstance(x0, Iterable), wanted, x0, BadType, where="x0: ")
    points = list(x0)
    for point in points:
        expect(isinstance(point, Mapping), wanted, point, BadType, where="x0: ")
    rows = [space.encode(point) for point in points]
    return np.array(rows, np.int64).reshape(len(rows), len(space))


SETTINGS = (
    *("algorithm", "budget", "target", "seed", "preset", "restart"),
    *("noisy", "workers", "ordered", "parameters"),
)
"""The arguments that identify a run on a study, besides those that `_open_session` adds."""


def _unknown_argument(name: str, method: Algorithm, function: str) -> str:
    """Return the error message for an argument that neither function nor algorithm accepts."""
    own = Arguments.__dataclass_fields__.keys() - {"function", "objective", "parameters"}
    accepted = [*own, "preset", "restart", "executor", "vectorized", "progress"]
    described = method.describe()
    similar = difflib.get_close_matches(
        name.casefold(), accepted + [parameter.name for parameter in described], n=1
    )
    others = [
        repr(other)
        for other in registered.builtin()
        if any(parameter.name == name for parameter in algorithm_named(other).describe())
    ]
    hint = f", did you mean {similar[0]!r}?" if similar else ""
    if name == "maximize":
        hint = "; call catcube.maximize"
    elif others:
        hint = f"; it is a parameter of algorithm={' and of '.join(others)}"
    return (
        f"{function} has no argument {name!r}{hint}; {method.name} takes, with their "
        f"defaults: {', '.join(map(str, described)) or 'none'}"
    )


def as_count(name: str, count: Any, least: int = 1) -> Any:
    """Convert a count to an integer; raise an error if it is less than `least`. None stays None."""
    if count is None:
        return None
    whole = is_number(count) and count == int(count) and least <= count < 2**62
    expect(whole, f"an integer from {least} to 2^62 as {name}", count)
    return int(count)


def as_seed(seed: Any) -> int:
    """Convert a seed to an integer; raise an error if it is negative."""
    whole = hasattr(seed, "__index__") and not isinstance(seed, bool)
    expect(whole and 0 <= seed < 2**4096, "an integer from 0 to 2^4096 as seed", seed)
    return operator.index(seed)


def as_seconds(name: str, seconds: Any) -> float | None:
    """Convert a time limit to a float; raise an error if it is not positive. None stays None."""
    if seconds is None:
        return None
    expect(is_number(seconds) and seconds > 0, f"a number of seconds > 0 as {name}", seconds)
    return float(seconds)


def as_exceptions(catch: Any) -> Caught | None:
    """Return the exception classes to catch as a tuple; None if failures end the run."""
    if catch is None:
        return None
    kinds = tuple(catch) if isinstance(catch, tuple | list | set) else (catch,)
    for kind in kinds:
        exception = isinstance(kind, type) and issubclass(kind, BaseException)
        expect(exception, "an exception class or a tuple of them", kind, BadType, where="catch: ")
    return kinds


def is_number(value: Any) -> bool:
    """Return whether an object of any type is a finite number."""
    try:
        return not isinstance(value, str | bytes | bool | np.bool_) and math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False
