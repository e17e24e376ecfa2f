"""Optimizer: a search that is asked for points and told their values."""

import hashlib
import math
import os
import threading
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

from catcube import __version__
from catcube.base.text import quoted
from catcube.problems.python.batches import Handling
from catcube.problems.python.cache import ValueCache
from catcube.problems.python.keys import Keys
from catcube.problems.python.values import number
from catcube.representations.layout import RepresentationChoice
from catcube.search import checkpoint
from catcube.search.arguments import checked_cache, checked_count, is_word
from catcube.search.auto import AUTO, chosen, chosen_budget
from catcube.search.exchange import AskedProblem, Closed, Exchange, SearchThread, Waiting
from catcube.search.initial import initial_points
from catcube.search.labels import labels_to_json, value_from_json, value_to_json
from catcube.search.minimize import Points, planned, result_of
from catcube.search.result import Result
from catcube.search.run import Outcome
from catcube.space import Space


class Best(NamedTuple):
    """The best point told, and its value."""

    x: dict[str, Any]
    fun: float


class Optimizer:
    """A search that is asked for points and told their values, whenever and wherever they are had.

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

    The search goes on in a thread of its own, which waits while values are missing. It ends when
    it is done, when the optimizer is closed (`close`, or a `with` block), and when nobody has it
    any more.

    Before the first `ask`, the values of any points may be told. They count for `best`, and
    whenever the algorithm comes to one of these points, its value is taken from here: that is an
    evaluation of the budget, but the point is not asked for. The algorithm begins at `x0`, or where
    its seed lets it begin.

    With `cache=True` the same holds for the points told later (at least the last 100,000; a number
    remembers so many): no point is asked for again while it is remembered.
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
        self.space = space if isinstance(space, Space) else Space(space)
        budget = checked_count("budget", chosen_budget(budget, None))
        choice = chosen(self.space, budget, True, algorithm, representation, preset, parameters)
        if choice.algorithm is None:  # points are asked for by an algorithm
            choice = choice._replace(algorithm="sa")
        self._choice = choice
        self._representation = representation = choice.representation
        unique = is_word(cache, "unique") or (choice.unique and is_word(cache, AUTO))
        self._remembered = ValueCache(checked_cache("unique" if unique else cache))
        handling = Handling(unique=unique)
        self._problem = AskedProblem(self.space, self._remembered, handling)
        self._run = planned(
            self._problem,
            choice.algorithm,
            representation,
            budget,
            target,
            seed,
            preset,
            restart,
            parameters,
            type(self),
            x0,
        )
        self._initial = initial_points(self.space, x0)
        self._keys = Keys(self.space)
        self._lock = threading.RLock()
        self._search: SearchThread | None = None
        self._outcome: Outcome | None = None
        self._failure: BaseException | None = None
        self._closed = False
        self._steps = 0  # of the search that it has not yet reported: one a value, one to begin
        self._saved: Sequence[float | None] = ()  # values told before it was loaded
        self._past: list[float | None] = []  # values of all points before the present ones
        self._present: Sequence[bytes] = ()  # the points the search needs, in its order,
        self._values: list[float | None] = []  # their values,
        self._handed = 0  # how many were handed out,
        self._passed = 0  # and how many values were passed on to the search
        self._digest = hashlib.sha256()  # of all points
        self._holders: list[int] = []  # the threads that the present points were handed to
        self._again: set[bytes] = set()  # present points handed out more than once
        self._idle: set[int] = set()  # threads that got nothing since a value was last told
        self._failed = 0  # points that were given up
        self._best: tuple[float, int, bytes] | None = None  # value, place in the order, point

    @property
    def seed(self) -> int:
        """The seed of the search."""
        return self._run.seed

    @property
    def best(self) -> Best | None:
        """The best of all points told, the first the search came to if several are; None at first.

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
        """Whether the search is over: it needs no more values."""
        with self._lock:
            self._listen()
            return self._closed or self._outcome is not None

    @property
    def result(self) -> Result:
        """What `minimize` would have returned, when the search is done or closed."""
        with self._lock:
            self._listen()
            if self._outcome is None:
                raise RuntimeError("no result yet: the search is still running")
            outcome = replace(self._outcome, failed=self._failed)
            result = result_of(self._run, outcome, self._representation)
            return replace(result, choice=self._choice.reason)

    @property
    def pending(self) -> list[dict[str, Any]]:
        """The points that were handed out and have no value yet, in the order of the search.

        >>> optimizer = Optimizer({"base": "ATCG"}, algorithm="ga", seed=1, mu=4)
        >>> points = optimizer.ask(3)
        >>> optimizer.tell(points[:1], [2.5])
        >>> optimizer.pending == points[1:]
        True
        """
        with self._lock:
            self._listen()
            return [self._keys.point(self._present[place]) for place in self._pending()]

    def _pending(self) -> list[int]:
        if self._outcome is not None:
            return []
        return [place for place in range(self._handed) if self._values[place] is None]

    def ask(self, n: int | None = None, again: bool = False) -> list[dict[str, Any]]:
        """Return the next points to evaluate: all that can be evaluated now, or at most n of them.

        They are the rest of a generation of ga, pbil, umda or mimic, of the initial population of
        ltga, of a neighbourhood (at most 1024) of hc; elsewhere a single point. The list is empty
        when the search is over, and while values of points handed out are missing:

        >>> optimizer = Optimizer({"base": "ATCG", "flag": "ft"}, algorithm="ga", seed=1, mu=4)
        >>> len(optimizer.ask(3)), len(optimizer.ask()), len(optimizer.ask())
        (3, 1, 0)

        It is not empty for ever. With `again=True` the points without a value (see `pending`) are
        handed out again; so are, to a thread that asks once more and has told nothing in between,
        those that were handed to it. One that will never have a value can be given up.

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
                held = [own for own in self._pending() if again or self._holders[own] == thread]
                self._again.update(self._present[own] for own in held[:count])
                points = [self._keys.point(self._present[own]) for own in held[:count]]
            if points:
                self._idle.discard(thread)
            else:
                self._idle.add(thread)
            return points

    def tell(self, points: Iterable[Mapping[str, Any]], values: Iterable[Any]) -> None:
        """The values of points, in any order; not all that were asked for need be told at once.

        If anything is wrong with one of them (it awaits no value, its value is no number), none is
        taken. Values that come when the search is over count for `best` alone.
        """
        if isinstance(points, Mapping) or not all(
            hasattr(own, "__iter__") for own in (points, values)
        ):
            raise TypeError("tell takes a list of points and a list of their values")
        points = list(points)
        numbers = [number(value, "expected a number as the value") for value in values]
        if len(points) != len(numbers):
            raise ValueError(f"{len(points)} points, but {len(numbers)} values")
        for point, value in zip(points, numbers, strict=True):
            if math.isnan(value):
                raise ValueError(f"the value told is NaN at {quoted(point)}")
        keys = [self._keys.key(self.space.encode(point)) for point in points]
        with self._lock:
            if self._closed:
                raise RuntimeError("the optimizer is closed: it takes no more values")
            if self._search is None:
                self._remembered.known.update(zip(keys, numbers, strict=True))
                for key, value in zip(keys, numbers, strict=True):
                    self._note(value, -1, key)
                return
            self._listen()
            self._idle.clear()
            for place, value in zip(self._places(keys), numbers, strict=True):
                if place is not None:
                    self._values[place] = value
                    self._note(value, len(self._past) + place, self._present[place])
            self._pass_on()

    def give_up(self, points: Iterable[Mapping[str, Any]]) -> None:
        """Declare that points which were asked for will have no value; the search goes on.

        They count as infinitely bad, are never chosen, and are counted in `result.failed`.

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
            raise TypeError(f"expected a list of points, got {quoted(points)}")
        keys = [self._keys.key(self.space.encode(point)) for point in points]
        with self._lock:
            if self._closed or self._search is None:
                raise RuntimeError("expected points that were asked for, and none is awaited")
            self._listen()
            self._idle.clear()
            for place in self._places(keys):
                if place is not None:
                    self._values[place] = math.inf
                    self._failed += 1
            self._pass_on()

    def close(self) -> None:
        """End the search, if it is not over; values may no longer be told."""
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
        told = len(self._past) + sum(value is not None for value in self._values)
        best = "nothing told yet" if self._best is None else f"best {self._best[0]:g}"
        return f"Optimizer({self._run.algorithm.name!r}, seed={self.seed}, {told} told, {best})"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all that is needed to go on later, or elsewhere, to a small file (JSON).

        A search is a function of its seed and the values told: the file holds the arguments of the
        optimizer and these values. It is replaced as a whole or not at all, so that a program that
        is killed while it saves leaves the last one.
        """
        run = self._run
        with self._lock:
            self._listen()
            known = self._keys.rows(list(self._remembered.known)).tolist()
            values = [*self._past, *self._values]
            content = {
                "catcube": __version__,
                "space": labels_to_json(self.space),
                "fingerprint": checkpoint.fingerprint(self.space),
                "algorithm": run.algorithm.name,
                "parameters": run.parameters._asdict(),
                "representation": checkpoint.representation_to_json(self._representation),
                "budget": run.budget,
                "target": run.target,
                "seed": run.seed,
                "restart": run.restart,
                "cache": "unique" if self._problem.unique else self._remembered.capacity,
                "x0": self._initial.tolist(),
                "known": [
                    [point, value_to_json(value)]
                    for point, value in zip(known, self._remembered.known.values(), strict=True)
                ],
                "begun": self._search is not None,
                "points": self._digest.hexdigest(),
                "values": [value_to_json(value) for value in values],
                "failed": self._failed,
            }
        checkpoint.write(path, content)

    @classmethod
    def load(cls, path: str | os.PathLike[str], space: Space | None = None) -> "Optimizer":
        """The optimizer as it was when it was saved; points without a value are asked for again.

        >>> import tempfile
        >>> optimizer = Optimizer({"base": "ATCG", "flag": "ft"}, algorithm="rls", seed=1)
        >>> optimizer.tell(optimizer.ask(), [3])
        >>> points = optimizer.ask()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     optimizer.save(f"{folder}/search.json")
        ...     again = Optimizer.load(f"{folder}/search.json")
        >>> again.ask() == points
        True

        The space must be given if its labels are not strings, integers, floats, booleans or None
        (JSON would not give back the same objects).
        """
        saved = checkpoint.read(path)
        with checkpoint.told(path):
            return cls._continued(saved, space, path)

    @classmethod
    def _continued(
        cls, saved: Mapping[str, Any], space: Space | None, path: str | os.PathLike[str]
    ) -> "Optimizer":
        space = checkpoint.space_from_json(saved, space, path)
        optimizer = cls(
            space,
            algorithm=saved["algorithm"],
            representation=checkpoint.representation_from_json(saved["representation"]),
            budget=saved["budget"],
            target=saved["target"],
            seed=saved["seed"],
            restart=saved["restart"],
            cache=saved["cache"],
            x0=[space.decode(point) for point in saved.get("x0", [])] or None,
            **saved["parameters"],
        )
        for categories, value in saved["known"]:
            optimizer.tell([space.decode(categories)], [value_from_json(value)])
        if saved["begun"]:
            values = [value_from_json(value) for value in saved["values"]]
            optimizer._saved = values
            optimizer._failed = checked_count("failures", saved.get("failed", 0) + 1) - 1
            optimizer._begin()
            optimizer._listen()
            if optimizer._digest.hexdigest() != saved["points"]:
                optimizer.close()
                raise ValueError(
                    f"{path} was saved by catcube {saved['catcube']}, whose search comes to other "
                    f"points than that of this version, {__version__}: it cannot be continued"
                )
        return optimizer

    def _begin(self) -> None:
        """Let the search begin; it takes the values of its first points from those saved."""
        self._problem.exchange = Exchange(self._saved)
        self._search = SearchThread(self._run, self._problem.exchange)
        self._steps = 1
        weakref.finalize(self, self._search.stop).atexit = False

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Optimizer cannot be copied or sent; save it, and load it there")

    def _listen(self) -> None:
        """Hear what the search has to say, until it waits for a value or is over."""
        if self._failure is not None:
            raise self._failure
        if self._search is not None and self._search.process != os.getpid():
            raise RuntimeError(
                "the search of this optimizer goes on in the process that this one was forked "
                "from; save it there and load it here"
            )
        while self._steps and self._outcome is None:
            message = self._problem.exchange.said.get()
            if isinstance(message, Waiting):
                self._steps -= 1
            elif isinstance(message, Outcome):
                self._end(message)
            elif isinstance(message, BaseException):
                self._failure = message
                raise message
            else:
                self._turn_to(message)

    def _turn_to(self, keys: Sequence[bytes]) -> None:
        """The search needs the values of these points next."""
        self._past += self._values
        self._present = keys
        begin = len(self._past)
        told = self._saved[begin : begin + len(keys)]
        self._values = [*told, *[None] * (len(keys) - len(told))]
        self._handed = 0
        self._holders = [0] * len(keys)
        self._again.clear()
        self._passed = self._values.index(None) if None in self._values else len(keys)
        for place, (key, value) in enumerate(zip(keys, self._values, strict=True), begin):
            self._digest.update(key)
            if value is not None:
                self._note(value, place, key)

    def _end(self, outcome: Outcome) -> None:
        """The search is over."""
        if isinstance(outcome.failure, Closed):  # with the evaluation it was waiting for
            outcome = replace(
                outcome, failure=None, reason="closed", evaluations=outcome.evaluations - 1
            )
        self._outcome = outcome

    def _places(self, keys: Sequence[bytes]) -> list[int | None]:
        """The indices of the points that await a value; None for the second value of one.

        A second value is accepted for points that were handed out again, and is ignored.
        """
        thread = threading.get_ident()
        awaiting: dict[bytes, list[int]] = {}
        for place in reversed(range(len(self._present))):
            if self._values[place] is None:
                awaiting.setdefault(self._present[place], []).append(place)
        places: list[int | None] = []
        for key in keys:
            if not awaiting.get(key):
                if key in self._again:
                    places.append(None)
                    continue
                raise ValueError(
                    "this point awaits no value, since it was not asked for or has been told: "
                    f"{quoted(self._keys.point(key))}"
                )
            held = (place for place in awaiting[key] if self._holders[place] == thread)
            place = next(held, awaiting[key][-1])  # of equal points, one that this thread holds
            awaiting[key].remove(place)
            places.append(place)
        return places

    def _pass_on(self) -> None:
        """Pass the values on to the search, in its order, as far as they are there."""
        while self._passed < len(self._values):
            value = self._values[self._passed]
            if value is None:
                return
            self._problem.exchange.told.put(value)
            self._passed += 1
            self._steps += 1

    def _note(self, value: float, place: int, key: bytes) -> None:
        if self._best is None or (value, place) < self._best[:2]:
            self._best = (value, place, key)
