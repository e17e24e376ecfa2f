"""Optimizer: the ask-and-tell interface of a search."""

import math
import os
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

import numpy as np

from catcube.base.text import count, expect
from catcube.errors import BadType
from catcube.problems.calls import Keys, as_number
from catcube.problems.objective import PythonObjective
from catcube.representations.layout import RepresentationChoice
from catcube.search.arguments import Arguments, Points, as_count
from catcube.search.auto import AUTO
from catcube.search.parallel import Request, SearchThread
from catcube.search.result import Result
from catcube.search.study import as_list
from catcube.space import Space


class Best(NamedTuple):
    """The best point, and its value."""

    x: dict[str, Any]
    fun: float


class Optimizer:
    """A search with the ask-and-tell interface: the caller evaluates the points.

    With the same arguments and values, the points are those of `minimize`, in the same order, and
    `result` is what `minimize` returns. Without a budget, the caller may stop at any time; all
    points of a small space are then proposed, the most promising ones first.

    The search runs in a thread, which waits while values are missing. It ends when it is done,
    when the optimizer is closed (`close`, or a `with` block), and when the optimizer is deleted.

    Parameters
    ----------
    space
        The space, or its labels by name.
    maximize
        Whether values are to be maximised.
    algorithm, representation, constraints, budget, target, seed, x0, noisy, study, **parameters
        As for `minimize`.

    Examples
    --------
    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})
    >>> def cost(point):
    ...     return abs(point["digit"] - 7) + (point["base"] != "G") + point["flag"]
    >>> optimizer = catcube.Optimizer(space, target=0, seed=1)
    >>> while not optimizer.done:
    ...     points = optimizer.ask(4)
    ...     optimizer.tell(points, [cost(point) for point in points])
    >>> optimizer.best
    Best(x={'base': 'G', 'digit': 7, 'flag': False}, fun=0.0)
    """

    def __init__(
        self,
        space: Space | Mapping[str, Iterable[Any]],
        *,
        maximize: bool = False,
        algorithm: str = AUTO,
        representation: RepresentationChoice = AUTO,
        constraints: Any = None,
        budget: int | None = None,
        target: float | None = None,
        seed: int | None = None,
        x0: Points = None,
        noisy: bool = False,
        study: Any = None,
        **parameters: Any,
    ) -> None:
        given = dict(locals())  # a copy: debuggers change the original
        del given["self"]
        arguments = Arguments(function="Optimizer", objective=None, catch=(), **given)
        self._run = run = arguments.run()
        self.space = run.problem.space
        self._sign = -1.0 if maximize else 1.0
        self._choice = arguments.choice
        self._infeasible = arguments.infeasible
        self._session = session = arguments.session
        self._keys = Keys(self.space)
        self._search = SearchThread(run)
        self._begun = self._closed = False
        self._noisy = arguments.noisy
        self._best: tuple[float, bytes] | None = None
        for row, value in [] if session is None else session.known + session.replay:
            self._update_best(self._keys.key(np.array(row)), self._sign * value)
        self._count = 0
        weakref.finalize(self, self._search.stop).atexit = False

    @property
    def seed(self) -> int:
        """The seed of the search."""
        return self._run.seed

    @property
    def best(self) -> Best | None:
        """The best feasible point with a value, the first of equal ones; None at first.

        With `noisy=True` it is that of `result`.

        >>> optimizer = Optimizer({"base": "ATCG"}, seed=1)
        >>> optimizer.best is None
        True
        """
        if self._best is None:
            return None
        if self._noisy and (result := self.result).x:
            return Best(result.x, result.fun)
        value, key = self._best
        return Best(self._keys.point(key), self._sign * value)

    @property
    def done(self) -> bool:
        """Whether the search is over and needs no more values."""
        if self._closed or self._infeasible is not None:
            return True
        with self._search.changed:
            self._settle()
            return self._search.result is not None

    @property
    def result(self) -> Result:
        """The record of the search so far; when it is done, what `minimize` would have returned."""
        if self._infeasible is not None:
            result = self._infeasible
        else:
            with self._search.changed:
                self._settle()
                found = self._search.result
                result = found if isinstance(found, Result) else self._search.execution.snapshot(0)
        has_mean = self._noisy and result.x  # its value is a posterior mean
        if self._best is not None and not (has_mean or result.value <= self._best[0]):
            row = self._keys.row(self._best[1])
            x = self.space.decode(row)
            result = replace(result, x=x, value=self._best[0], categories=row, _bits=None)
        ending = "closed" if self._closed and result.ending == "running" else result.ending
        result = replace(result, choice=self._choice, ending=ending)
        return result.negated() if self._sign < 0 else result

    @property
    def pending(self) -> list[dict[str, Any]]:
        """The points that `ask` has returned and that have no value yet, in order.

        >>> optimizer = Optimizer({"base": "ATCG", "digit": range(9)}, budget=20, seed=1)
        >>> points = optimizer.ask(3)
        >>> optimizer.tell(points[:1], [2.5])
        >>> optimizer.pending == points[1:]
        True
        """
        with self._search.changed:
            return [
                self._keys.point(request.key)
                for request in self._unanswered()
                if request.handed_out
            ]

    def _unanswered(self) -> list[Request]:
        return [request for request in self._search.requests if request.value is None]

    def ask(self, n: int | None = None, again: bool = False) -> list[dict[str, Any]]:
        """Return the next points to evaluate.

        Parameters
        ----------
        n
            The number of points, by default as many as the algorithm can propose now. The default
            algorithm proposes any number. Other algorithms return at most the rest of a generation
            (ga, pbil, umda, mimic), of the first population (ltga) or of a neighbourhood (hc), and
            otherwise a single point.
        again
            Whether to return the points without a value (see `pending`) again.

        Returns
        -------
        list of dict
            The points. The list is empty when the search is over, and while it needs values of
            points that were returned before.

        Examples
        --------
        >>> space = Space({"base": "ATCG", "digit": range(1, 10)})
        >>> optimizer = Optimizer(space, algorithm="ga", seed=1, population=4)
        >>> len(optimizer.ask(3)), len(optimizer.ask()), len(optimizer.ask())
        (3, 1, 0)
        """
        wanted = as_count("number of points", n)
        if again:
            return self.pending[:wanted]
        if self.done and self._begun:
            return []
        with self._search.changed:
            self._begin()
            self._search.demand = wanted or 1
            self._search.waiting = False
            self._search.changed.notify_all()
            self._settle()
            self._search.demand = 0
            new = [request for request in self._unanswered() if not request.handed_out][:wanted]
            for request in new:
                request.handed_out = True
            return [self._keys.point(request.key) for request in new]

    def _begin(self) -> None:
        """Start the search, unless it was started or is over."""
        if not self._begun and not self._closed and self._infeasible is None:
            self._begun = True
            self._search.start()

    def _settle(self) -> None:
        """Wait until the search needs values or is over."""
        if self._search.process != os.getpid():
            raise RuntimeError("the search of this optimizer runs in the parent process of a fork")
        if self._begun:
            self._search.settle()

    def tell(self, points: Iterable[Mapping[str, Any]], values: Iterable[Any]) -> None:
        """Record the values of points, in any order, all at once or in parts.

        Parameters
        ----------
        points
            Points returned by `ask`, or any others. The search also learns from others, which do
            not count towards the budget.
        values
            Their values; NaN for a point that has failed.
        """
        points = as_list(points, "points", Mapping)
        wanted = "expected a number as the value"
        numbers = [as_number(value, wanted) for value in as_list(values, "values", str)]
        same = len(points) == len(numbers)
        expect(same, f"a value for each of {len(points)} points", len(numbers))
        keys = [self._keys.key(self.space.encode(point)) for point in points]
        with self._search.changed:
            if self._closed:
                raise RuntimeError("the optimizer is closed")
            self._settle()
            for key, value in zip(keys, numbers, strict=True):
                self._count += 1
                self._record(key, value)
                signed = self._sign * value
                self._update_best(key, signed)
                request = self._request(key)
                if request is not None:
                    self._search.tell(request, value)
                else:
                    self._objective.learn([(key, signed)])
            self._settle()

    @property
    def _objective(self) -> PythonObjective:
        objective = self._search.execution.objective
        assert isinstance(objective, PythonObjective)
        return objective

    def _update_best(self, key: bytes, value: float) -> None:
        """Update the best point if this one is better and feasible."""
        best = math.inf if self._best is None else self._best[0]
        if value < best and self._objective.violation(key) <= 0:
            self._best = value, key

    def _record(self, key: bytes, value: float) -> None:
        """Record a value in the study, if there is one."""
        if self._session is None:
            return
        row = self._keys.row(key)
        if self._request(key) is None:
            self._session.study.add([self._keys.point(key)], [value])
        else:
            self._session.end(row, "failed" if math.isnan(value) else "value", value)

    def _request(self, key: bytes) -> Request | None:
        """Return an unanswered request for this point, preferably one that was handed out."""
        found = [request for request in self._unanswered() if request.key == key]
        found.sort(key=lambda request: not request.handed_out)
        return found[0] if found else None

    def give_up(self, points: Iterable[Mapping[str, Any]]) -> None:
        """Report that points have failed; the same as `tell` with NaN as their values.

        Parameters
        ----------
        points
            Points returned by `ask`, or any others.

        Examples
        --------
        >>> optimizer = Optimizer({"base": "ATCG", "flag": "ft"}, algorithm="rls", seed=1, budget=9)
        >>> while not optimizer.done:
        ...     for point in optimizer.ask():
        ...         if point["base"] == "T":
        ...             optimizer.give_up([point])
        ...         else:
        ...             optimizer.tell([point], ["GCA".index(point["base"])])
        >>> optimizer.best.x["base"], optimizer.result.failed > 0
        ('G', True)
        """
        points = as_list(points, "points", Mapping)
        self.tell(points, [math.nan] * len(points))

    def close(self) -> None:
        """End the search; further values are an error."""
        if self._closed:
            return
        self._closed = True
        self._search.stop()
        if self._begun:
            self._search.thread.join()
        if self._session is not None:
            self._session.close()

    def __enter__(self) -> "Optimizer":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        best = "no best point yet" if self.best is None else f"best {self.best.fun:g}"
        name = self._run.algorithm.name
        return f"Optimizer({name!r}, seed={self.seed}, {count(self._count, 'value')}, {best})"

    def __reduce__(self) -> NoReturn:
        raise BadType("an Optimizer cannot be copied or pickled; keep its values in a study")
