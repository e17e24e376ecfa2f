"""Optimizer: the ask-and-tell interface of a search."""

import math
import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

from catcube.base.text import quoted
from catcube.errors import BadType
from catcube.problems.python.batches import Handling
from catcube.problems.python.cache import ValueCache
from catcube.representations.layout import RepresentationChoice
from catcube.search import checkpoint
from catcube.search.arguments import (
    checked_cache,
    checked_count,
    checked_name,
    checked_values,
    is_word,
)
from catcube.search.asked_search import AskedSearch
from catcube.search.auto import AUTO, choose, effective_budget
from catcube.search.initial import initial_points, listed
from catcube.search.planning import Points, planned, result_of
from catcube.search.result import Result
from catcube.search.saved_search import continued, saved_content
from catcube.search.search_thread import AskedProblem
from catcube.space import Space


class Best(NamedTuple):
    """The best point, and its value."""

    x: dict[str, Any]
    fun: float


class Optimizer(AskedSearch):
    """A search with the ask-and-tell interface: the caller evaluates the points.

    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})
    >>> def cost(point):
    ...     return abs(point["digit"] - 7) + (point["base"] != "G") + point["flag"]
    >>> optimizer = catcube.Optimizer(space, algorithm="ga", target=0, seed=1, mu=20)
    >>> while not optimizer.done:
    ...     points = optimizer.ask()
    ...     optimizer.tell(points, [cost(point) for point in points])
    >>> optimizer.best
    Best(x={'base': 'G', 'digit': 7, 'flag': False}, fun=0.0)

    The arguments are those of `minimize`, and with the same ones and the same values the points
    are the same, in the same order; `result` is then what `minimize` returns.

    The search runs in a thread, which waits while values are missing. It ends when it is done,
    when the optimizer is closed (`close`, or a `with` block), and when the optimizer is deleted.

    Before the first `ask`, `tell` accepts the values of any points. They count for `best`, and
    when the algorithm evaluates one of these points, it uses this value: that is an evaluation of
    the budget, but `ask` does not return the point. The algorithm starts at `x0`, or at a point
    that depends on its seed.

    With `cache=True` the same holds for later points (at least the last 100,000; a number is the
    size of the cache): `ask` does not return a point again while it is cached.
    """

    def __init__(
        self,
        space: Space | Mapping[str, Iterable[Any]],
        *,
        algorithm: str = AUTO,
        representation: RepresentationChoice = AUTO,
        budget: int | None = None,
        target: float | None = None,
        seed: int | None = None,
        preset: str | None = None,
        x0: Points = None,
        restart: int | None = None,
        cache: bool | int | str = AUTO,
        **parameters: Any,
    ) -> None:
        checked_name("algorithm", algorithm)
        x0 = listed(x0)
        self.space = space if isinstance(space, Space) else Space(space)
        budget = checked_count("budget", effective_budget(budget, None))
        choice = choose(self.space, budget, True, algorithm, representation, preset, parameters)
        self._choice, self._representation = choice, choice.representation
        unique = is_word(cache, "unique") or (choice.unique and is_word(cache, AUTO))
        self._cache = ValueCache(checked_cache("unique" if unique else cache))
        problem = AskedProblem(self.space, self._cache, Handling(unique=unique))
        run = planned(
            problem,
            choice.algorithm,
            choice.representation,
            budget,
            target,
            seed,
            preset,
            restart,
            parameters or choice.parameters,
            type(self),
            x0,
        )
        super().__init__(run, problem)
        self._initial = initial_points(self.space, x0)

    @property
    def seed(self) -> int:
        """The seed of the search."""
        return self._run.seed

    @property
    def best(self) -> Best | None:
        """The best point with a value, the first of equal ones; None at first.

        >>> optimizer = Optimizer({"base": "ATCG"}, seed=1)
        >>> optimizer.best is None
        True
        """
        if self._best is None:
            return None
        value, _, key = self._best
        return Best(self._keys.point(key), value)

    @property
    def done(self) -> bool:
        """Whether the search is over and needs no more values."""
        with self._lock:
            self._listen()
            return self._closed or self._outcome is not None

    @property
    def result(self) -> Result:
        """The `Result` that `minimize` would have returned, after the search is done or closed."""
        with self._lock:
            self._listen()
            if self._outcome is None and self._closed:
                raise RuntimeError("no result: the optimizer was closed before the first ask")
            if self._outcome is None:
                raise RuntimeError("no result yet: the search is still running")
            outcome = replace(self._outcome, failed=self._failed)
            result = result_of(self._run, outcome, self._representation)
            return replace(result, choice=self._choice.reason)

    @property
    def pending(self) -> list[dict[str, Any]]:
        """The points that `ask` has returned and that have no value yet, in order.

        >>> optimizer = Optimizer({"base": "ATCG"}, algorithm="ga", seed=1, mu=4)
        >>> points = optimizer.ask(3)
        >>> optimizer.tell(points[:1], [2.5])
        >>> optimizer.pending == points[1:]
        True
        """
        with self._lock:
            self._listen()
            return [self._keys.point(self._present[index]) for index in self._pending()]

    def ask(self, n: int | None = None, again: bool = False) -> list[dict[str, Any]]:
        """Return the next points to evaluate: all that can be evaluated now, or at most n of them.

        They are the rest of a generation of ga, pbil, umda or mimic, of the initial population of
        ltga, of a neighbourhood (at most 1024) of hc, or of an enumeration (at most 1024), which
        is the default for small spaces; for other algorithms a single point. The
        list is empty when the search is over, and while values of returned points are missing:

        >>> optimizer = Optimizer({"base": "ATCG", "flag": "ft"}, algorithm="ga", seed=1, mu=4)
        >>> len(optimizer.ask(3)), len(optimizer.ask()), len(optimizer.ask())
        (3, 1, 0)

        With `again=True` the points without a value (see `pending`) are returned again. A thread
        that calls `ask` twice without a `tell` in between also gets its points again. A point
        that will never have a value can be given up.

        >>> optimizer.ask() == optimizer.pending
        True
        """
        count = None if n is None else checked_count("number of points", n)
        thread = threading.get_ident()
        with self._lock:
            if self._search is None and not self._closed:
                self._begin()
            self._listen()
            points: list[dict[str, Any]] = []
            while (
                self._outcome is None
                and self._handed < len(self._present)
                and (count is None or len(points) < count)
            ):
                if self._values[self._handed] is None:
                    points.append(self._keys.point(self._present[self._handed]))
                self._holders[self._handed] = thread
                self._handed += 1
            if not points and (again or thread in self._idle):
                held = [k for k in self._pending() if again or self._holders[k] == thread]
                self._again.update(self._present[k] for k in held[:count])
                points = [self._keys.point(self._present[k]) for k in held[:count]]
            if points:
                self._idle.discard(thread)
            else:
                self._idle.add(thread)
            return points

    def tell(self, points: Iterable[Mapping[str, Any]], values: Iterable[Any]) -> None:
        """Record the values of points, in any order, all at once or in parts.

        If one of them is invalid (the point does not await a value, the value is not a number),
        none is recorded. Values after the end of the search count for `best` only.
        """
        points, numbers = checked_values(points, values)
        keys = [self._keys.key(self.space.encode(point)) for point in points]
        with self._lock:
            if self._closed:
                raise RuntimeError("the optimizer is closed")
            if self._search is None:
                self._cache.known.update(zip(keys, numbers, strict=True))
                for key, value in zip(keys, numbers, strict=True):
                    self._note(value, -1, key)
                return
            self._listen()
            self._idle.clear()
            for index, value in zip(self._indices(keys), numbers, strict=True):
                if index is not None:
                    self._values[index] = value
                    self._note(value, len(self._past) + index, self._present[index])
            self._pass_on()

    def give_up(self, points: Iterable[Mapping[str, Any]]) -> None:
        """Declare that points of `ask` will have no value; the search continues.

        They count as infinitely bad, are never selected, and are counted in `result.failed`.

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
        if isinstance(points, Mapping) or not hasattr(points, "__iter__"):
            raise BadType(f"expected a list of points, got {quoted(points)}")
        keys = [self._keys.key(self.space.encode(point)) for point in points]
        with self._lock:
            if self._closed or self._search is None:
                raise RuntimeError("expected points that were asked for, but none awaits a value")
            self._listen()
            self._idle.clear()
            for index in self._indices(keys):
                if index is not None:
                    self._values[index] = math.inf
                    self._failed += 1
            self._pass_on()

    def close(self) -> None:
        """End the search, if it is not over; further values are an error."""
        with self._lock:
            self._closed = True
            self._listen()
            if self._search is not None and self._outcome is None:
                self._search.stop()
                self._steps = 1
                self._listen()

    def __enter__(self) -> "Optimizer":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        count = len(self._past) + sum(value is not None for value in self._values)
        best = "no best yet" if self._best is None else f"best {self._best[0]:g}"
        return f"Optimizer({self._run.algorithm.name!r}, seed={self.seed}, {count} values, {best})"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the search to a small JSON file, to continue it later or elsewhere.

        A search is a function of its seed and its values: the file holds the arguments of the
        optimizer and these values. It is written atomically: a program that is killed while saving
        does not damage the previous file.
        """
        checkpoint.write(path, saved_content(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str], space: Space | None = None) -> "Optimizer":
        """Load a saved optimizer; `ask` returns points without a value again.

        >>> import tempfile
        >>> optimizer = Optimizer({"base": "ATCG", "flag": "ft"}, algorithm="rls", seed=1)
        >>> optimizer.tell(optimizer.ask(), [3])
        >>> points = optimizer.ask()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     optimizer.save(f"{folder}/search.json")
        ...     again = Optimizer.load(f"{folder}/search.json")
        >>> again.ask() == points
        True

        The argument `space` is needed if labels are not strings, integers, floats, booleans or
        None (JSON does not restore the same objects).
        """
        saved = checkpoint.read(path)
        with checkpoint.naming(path):
            return continued(cls, saved, space, path)

    def __reduce__(self) -> NoReturn:
        raise BadType("an Optimizer cannot be copied or pickled; use save and load")
