"""Ways to call a user's function: here, in batches, in an executor, in processes of our own."""

import inspect
import math
import numbers
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from operator import getitem
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect, quote
from catcube.errors import BadType, CatcubeError
from catcube.space import Space

Caught: TypeAlias = tuple[type[BaseException], ...]

INTERVAL = 0.05  # seconds between two checks of a run while it waits for a value


class CallFailed(CatcubeError):  # noqa: N818 (an outcome, not an error of ours)
    """A call of the objective had no result: it took too long, or its process died."""


class RemoteFailure(CatcubeError):  # noqa: N818 (an outcome, not an error of ours)
    """A caught exception of another process that cannot be sent to this one."""


class Abandoned(Exception):  # noqa: N818 (a signal, not an error)
    """The run has ended while it waited for a value."""


class Keys:
    """Conversion of the points of a space to keys of a dict and back.

    A key holds the categories of all variables, as narrow as they fit. Points that differ in
    inactive variables only have the same key.

    >>> keys = Keys(Space({"base": "ATCG", "flag": [True, False]}))
    >>> keys.key(np.array([2, 1]))
    b'\\x02\\x01'
    >>> keys.point(b"\\x02\\x01")
    {'base': 'C', 'flag': False}
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self._type = np.min_scalar_type(int(space.cardinalities.max()) - 1)

    def key(self, categories: NDArray[Any]) -> bytes:
        """Return the key of a point."""
        if self.space.conditions:
            categories = self.space.canonical(categories)
        return categories.astype(self._type).tobytes()

    def rows(self, keys: Sequence[bytes]) -> NDArray[np.int64]:
        """Return the categories of points, one per row."""
        flat = np.frombuffer(b"".join(keys), self._type)
        return flat.reshape(len(keys), len(self.space)).astype(np.int64)

    def row(self, key: bytes) -> NDArray[np.int64]:
        """Return the categories of a point."""
        return np.frombuffer(key, self._type).astype(np.int64)

    def point(self, key: bytes) -> dict[str, Any]:
        """Return a point as labels by name."""
        space = self.space
        categories = np.frombuffer(key, self._type)
        if space.conditions:
            return space.decode(categories)
        return dict(zip(space.names, map(getitem, space.labels, categories.tolist()), strict=True))


class Caller:
    """Calls the function at points, and returns what it returned.

    `calls` counts the calls; `parallel` says that points that have begun are evaluated meanwhile,
    `on_demand` that somebody else decides how many.
    """

    calls = 0
    parallel = on_demand = False

    def begin(self, keys: Sequence[bytes]) -> None:
        """Begin to evaluate points; by default a call is made when its value is needed."""

    def end(self, key: bytes) -> tuple[float, float]:
        """Return the value of a point that has begun, and the seconds that it took."""
        raise NotImplementedError

    def wants(self, in_flight: int) -> bool:
        """Return whether another point should begin."""
        return in_flight == 0

    def first(self, keys: Sequence[bytes], ordered: bool, more: bool) -> bytes | None:
        """Wait for one of these points, the first one if `ordered`, and return it.

        None if another one should begin before, if there are `more`.
        """
        return keys[0]

    def returned(self, key: bytes, known: int) -> Iterable[tuple[float, float]]:
        """Return what calls at a point have returned before `end`, after the first `known`."""
        return ()

    def cancel(self) -> None:
        """Give up all points that have begun and have no value."""

    def close(self) -> None:
        """Release what the run has used."""


@dataclass
class DirectCaller(Caller):
    """A function called point by point; `argument` makes its argument of the key of a point."""

    function: Callable[[Any], Any]
    argument: Callable[[bytes], Any]

    def end(self, key: bytes) -> tuple[float, float]:
        """Call the function."""
        self.calls += 1
        return call_timed(self.function, self.argument(key))


@dataclass
class BatchCaller(Caller):
    """A function of an array of categories, called for all points at once that have begun."""

    function: Callable[[Any], Any]
    keys: Keys

    def __post_init__(self) -> None:
        self._begun: list[bytes] = []
        self._returned: dict[bytes, deque[Any]] = {}
        self._seconds = 0.0

    def begin(self, keys: Sequence[bytes]) -> None:
        """Queue the points."""
        self._begun.extend(keys)

    def end(self, key: bytes) -> tuple[float, float]:
        """Return the value; call the function if it is not there."""
        if not self._returned.get(key):
            begun, self._begun = self._begun, []
            self.calls += len(begun)
            began = time.perf_counter()
            try:
                returned = self.function(self.keys.rows(begun))
                values = list(as_values(returned, len(begun)))
            except BaseException as exception:
                values = [exception] * len(begun)
            self._seconds = (time.perf_counter() - began) / len(begun)
            for other, value in zip(begun, values, strict=True):
                self._returned.setdefault(other, deque()).append(value)
        found = self._returned[key].popleft()
        if isinstance(found, BaseException):
            raise found
        return as_number(found), self._seconds

    def cancel(self) -> None:
        """Forget the points."""
        self._begun.clear()
        self._returned.clear()


@dataclass
class ExecutorCaller(Caller):
    """A function of a dict of labels, called in the threads or processes of an executor.

    It returns the value and the seconds it took. `tick` is called while it waits for a value, and
    returns whether the run has ended.
    """

    function: Callable[[Any], tuple[float, float]]
    keys: Keys
    tick: Callable[[], Any]
    in_flight: int
    executor: Any

    parallel = True

    def __post_init__(self) -> None:
        self._futures: dict[bytes, deque[Future[Any]]] = {}

    def begin(self, keys: Sequence[bytes]) -> None:
        """Submit the points."""
        for key in keys:
            self._futures.setdefault(key, deque()).append(self.submit(self.keys.point(key)))
            self.calls += 1  # made or in flight

    def submit(self, point: dict[str, Any]) -> Future[Any]:
        """Begin a call of the function."""
        return self.executor.submit(self.function, point)

    def end(self, key: bytes) -> tuple[float, float]:
        """Wait for the value of a point, while the others are evaluated."""
        self._wait([self._futures[key][0]])
        future = self._futures[key].popleft()
        if not self._futures[key]:
            del self._futures[key]
        value, seconds = future.result()
        return value, seconds

    def wants(self, in_flight: int) -> bool:
        """Return whether fewer points are in flight than should be."""
        return in_flight < self.in_flight

    def first(self, keys: Sequence[bytes], ordered: bool, more: bool) -> bytes | None:
        """Wait until one of these points has its value."""
        keys = keys[:1] if ordered else keys
        futures = {self._futures[key][0]: key for key in keys}
        self._wait(list(futures))
        return next(key for future, key in futures.items() if future.done())

    def returned(self, key: bytes, known: int) -> Iterator[tuple[float, float]]:
        """Return what calls at a point have returned, up to one that has not, or has failed."""
        for future in islice(self._futures.get(key, ()), known, None):
            if not future.done() or future.cancelled() or future.exception() is not None:
                return
            yield future.result()

    def _wait(self, futures: Sequence[Future[Any]]) -> None:
        while not any(future.done() for future in futures):
            wait(futures, INTERVAL, FIRST_COMPLETED)
            if self.tick() and not any(future.done() for future in futures):
                raise Abandoned

    def cancel(self) -> None:
        """Cancel the evaluations that have not started."""
        for futures in self._futures.values():
            for future in futures:
                self.calls -= future.cancel()
        self._futures.clear()


@dataclass
class ProcessCaller(ExecutorCaller):
    """A function called in processes of our own, a pool of pebble, each call with a time limit.

    A call that takes longer than `timeout` seconds has failed, and its process is ended; so has one
    whose process dies.
    """

    timeout: float | None

    def submit(self, point: dict[str, Any]) -> Future[Any]:
        """Begin a call of the function."""
        return self.executor.submit(self.function, self.timeout, point)

    def end(self, key: bytes) -> tuple[float, float]:
        """Wait for the value of a point, or for the end of its process."""
        from pebble import ProcessExpired

        try:
            return super().end(key)
        except ProcessExpired as expired:
            raise CallFailed(f"the process died ({expired})") from None
        except TimeoutError as exception:
            if exception.__cause__ is not None:  # raised by the function
                raise
            raise CallFailed(f"no value in {self.timeout:g} s") from None

    def close(self) -> None:
        """End the processes."""
        self.executor.stop()
        self.executor.join()


def call_timed(function: Callable[[Any], Any], point: Any) -> tuple[float, float]:
    """Call the function; return its value and the seconds it took."""
    began = time.perf_counter()
    value = as_number(function(point))
    return value, time.perf_counter() - began


def call_in_process(
    caught: Caught, function: Callable[[Any], Any], point: Any
) -> tuple[float, float]:
    """Do the same in another process, from which not every exception can be sent back."""
    try:
        return call_timed(function, point)
    except Exception as exception:
        try:
            pickle.loads(pickle.dumps(exception))
        except Exception:
            kind = RemoteFailure if isinstance(exception, caught) else RuntimeError
            raise kind(f"{type(exception).__name__}: {exception}") from exception
        raise


def uses_processes(executor: Any) -> bool:
    """Return whether an executor calls functions in processes; None stands for those of our own."""
    return executor is None or isinstance(executor, ProcessPoolExecutor)


def check_parallel(
    executor: Any, function: Callable[[Any], Any], space: Space, catch: Caught | None
) -> None:
    """Check that an executor is one, and that all it needs can be sent to processes."""
    submits = executor is None or hasattr(executor, "submit")
    expect(submits, "a concurrent.futures.Executor", executor, BadType)
    if uses_processes(executor):
        things = {"the function": function, "the labels of the space": space, "catch": catch}
        for name, thing in things.items():
            try:
                pickle.dumps(thing)
            except Exception as exception:
                raise BadType(
                    f"{name} cannot be sent to other processes ({exception}); a function must be "
                    "defined by `def` at the top of a module, or use a ThreadPoolExecutor"
                ) from None


def as_number(returned: Any, source: str = "expected a number from the objective") -> float:
    """Return the value as a float; raise TypeError if it is not a number.

    An array of one element is a number, too, as are scalars of numpy and `Decimal`.

    >>> from decimal import Decimal
    >>> as_number(np.array([2.5])), as_number(Decimal("0.5"))
    (2.5, 0.5)
    """
    if isinstance(returned, float | int):  # the usual case, checked fast
        return _as_float(returned)
    if isinstance(returned, np.ndarray) and returned.size == 1:
        returned = returned.reshape(-1)[0]
    is_real = isinstance(returned, numbers.Real | Decimal | np.bool_)
    if not is_real or isinstance(returned, np.timedelta64):
        if inspect.iscoroutine(returned):
            returned.close()  # else Python warns that it was never awaited
        raise BadType(f"{source}, got {quote(returned)}")
    return _as_float(returned)


def _as_float(returned: Any) -> float:
    try:
        value = float(returned)
    except OverflowError:
        value = math.inf
    except ValueError:  # a Decimal that signals
        value = math.nan
    if math.isinf(value) and not isinstance(returned, float) and value != returned:
        raise OverflowError(
            f"the objective returned a number too large for a float: {quote(returned)}"
        )
    return value


def as_values(returned: Any, rows: int) -> NDArray[Any]:
    """Return the values of `rows` rows; raise TypeError if there is not one per row.

    A column, of shape (rows, 1), is flattened.
    """
    try:
        values = np.asarray(returned)
    except ValueError:  # sequences of several lengths
        values = np.zeros(0)
    fits = values.shape in ((rows,), (rows, 1))
    wanted = f"one value per row from a vectorized objective, an array of shape ({rows},)"
    expect(fits, wanted, values.shape if values.size else returned, BadType)
    return values.reshape(rows)
