"""Callers of a user's function: directly, in batches, in an executor, or in processes."""

import inspect
import math
import multiprocessing
import numbers
import pickle
import threading
import time
import weakref
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

INTERVAL = 0.05  # seconds between checks of a run that waits for a value
GRACE = 0.2  # seconds from SIGTERM to SIGKILL


class CallFailed(CatcubeError):  # noqa: N818 (an outcome, not an error of ours)
    """A call of the objective has failed: it took too long, or its process died."""


class RemoteFailure(CatcubeError):  # noqa: N818 (an outcome, not an error of ours)
    """An exception in another process, of a type to catch, that cannot be pickled."""


class Abandoned(Exception):  # noqa: N818 (a signal, not an error)
    """The run ended while it waited for a value."""


class Keys:
    """Conversion between the points of a space and keys, which are bytes.

    A key consists of the categories of all variables, in the smallest integer type. Points that
    differ in inactive variables only have the same key.

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
        """Return the key of a point, given by its categories."""
        if self.space.conditions:
            categories = self.space.canonical(categories)
        return categories.astype(self._type).tobytes()

    def rows(self, keys: Sequence[bytes]) -> NDArray[np.int64]:
        """Return the categories of several points, one point per row."""
        flat = np.frombuffer(b"".join(keys), self._type)
        return flat.reshape(len(keys), len(self.space)).astype(np.int64)

    def row(self, key: bytes) -> NDArray[np.int64]:
        """Return the categories of a point."""
        return np.frombuffer(key, self._type).astype(np.int64)

    def point(self, key: bytes) -> dict[str, Any]:
        """Return a point as a dict of labels by name."""
        space = self.space
        categories = np.frombuffer(key, self._type)
        if space.conditions:
            return space.decode(categories)
        return dict(zip(space.names, map(getitem, space.labels, categories.tolist()), strict=True))


class Caller:
    """The way in which the function is called in a run, and its values are collected.

    `calls` is the number of calls. `parallel` means that points that have begun are evaluated in
    the background, and `on_demand` that somebody else decides how many begin.
    """

    calls = 0
    parallel = on_demand = False

    def begin(self, keys: Sequence[bytes]) -> None:
        """Begin to evaluate points; by default, nothing happens until `end`."""

    def end(self, key: bytes) -> tuple[float, float]:
        """Return the value of a point that has begun, and the duration of the call in seconds."""
        raise NotImplementedError

    def wants(self, in_flight: int) -> bool:
        """Return whether another point should begin."""
        return in_flight == 0

    def first(self, keys: Sequence[bytes], ordered: bool, more: bool) -> bytes | None:
        """Wait for one of the points, the first one if `ordered`, and return its key.

        Return None if another point should begin first, which is possible if `more` is true.
        """
        return keys[0]

    def completed(self, key: bytes, known: int) -> Iterable[tuple[float, float]]:
        """Return the results of completed calls at a point, except for the first `known`."""
        return ()

    def cancel(self) -> int:
        """Abandon all points that have no value yet; return how many calls had not begun."""
        return 0

    def close(self) -> None:
        """Release the resources of the run."""


@dataclass
class DirectCaller(Caller):
    """A caller in this thread, point by point; `argument` converts a key to the argument."""

    function: Callable[[Any], Any]
    argument: Callable[[bytes], Any]

    def end(self, key: bytes) -> tuple[float, float]:
        """Call the function."""
        self.calls += 1
        return call_timed(self.function, self.argument(key))


@dataclass
class BatchCaller(Caller):
    """A caller of a function of an array of categories, once for all points that have begun."""

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
        """Return the value of a point; call the function for all points if it is unknown."""
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

    def cancel(self) -> int:
        """Drop all points and values."""
        self._begun.clear()
        self._returned.clear()
        return 0


@dataclass
class ExecutorCaller(Caller):
    """A caller in the threads or processes of an executor.

    `function` returns the value and the duration of the call. `tick` is called while the run waits
    for a value, and returns whether the run has ended.
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
        """Submit the points to the executor."""
        for key in keys:
            self._futures.setdefault(key, deque()).append(self.submit(self.keys.point(key)))
            self.calls += 1  # completed or in flight

    def submit(self, point: dict[str, Any]) -> Future[Any]:
        """Submit a call of the function."""
        return self.executor.submit(self.function, point)

    def end(self, key: bytes) -> tuple[float, float]:
        """Wait for the value of a point."""
        self._wait([self._futures[key][0]])
        future = self._futures[key].popleft()
        if not self._futures[key]:
            del self._futures[key]
        value, seconds = future.result()
        return value, seconds

    def wants(self, in_flight: int) -> bool:
        """Return whether fewer points are in flight than wanted."""
        return in_flight < self.in_flight

    def first(self, keys: Sequence[bytes], ordered: bool, more: bool) -> bytes | None:
        """Wait until one of these points has its value."""
        keys = keys[:1] if ordered else keys
        futures = {self._futures[key][0]: key for key in keys}
        self._wait(list(futures))
        return next(key for future, key in futures.items() if future.done())

    def completed(self, key: bytes, known: int) -> Iterator[tuple[float, float]]:
        """Return the results of completed calls at a point, up to the first that failed."""
        for future in islice(self._futures.get(key, ()), known, None):
            if not future.done() or future.cancelled() or future.exception() is not None:
                return
            yield future.result()

    def _wait(self, futures: Sequence[Future[Any]]) -> None:
        """Wait until one of the futures is done; raise `Abandoned` if the run ends before."""
        while not any(future.done() for future in futures):
            wait(futures, INTERVAL, FIRST_COMPLETED)
            if self.tick() and not any(future.done() for future in futures):
                raise Abandoned

    def cancel(self) -> int:
        """Abandon all points; calls that have not begun are not made."""
        futures = [future for several in self._futures.values() for future in several]
        waiting = sum(not future.running() and future.cancel() for future in futures)
        for future in futures:
            future.cancel()  # a process of our own is ended
        self.calls -= waiting
        self._futures.clear()
        return waiting


class Worker:
    """A process that is killed if it does not end soon after it is told to.

    It cannot end while its call ignores SIGTERM or does not return to Python.
    """

    def __init__(self, process: Any) -> None:
        self._process = process

    def __getattr__(self, name: str) -> Any:
        return getattr(self._process, name)

    def terminate(self) -> None:
        """Tell the process to end, and see to it that it does."""
        self._process.terminate()
        kill = threading.Timer(GRACE, self._process.kill)
        kill.daemon = True
        kill.start()


class Workers:
    """The processes of a pool, as the module `multiprocessing` starts them."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context()
        self._started: weakref.WeakSet[Worker] = weakref.WeakSet()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def Process(self, **arguments: Any) -> Worker:  # noqa: N802 (the name in multiprocessing)
        """Return a new process."""
        worker = Worker(self._context.Process(**arguments))
        self._started.add(worker)
        return worker

    def end(self) -> None:
        """End all processes at once."""
        for worker in list(self._started):
            if worker.pid is not None:
                worker.terminate()


@dataclass
class ProcessCaller(ExecutorCaller):
    """A caller in a pool of processes (of pebble), with a time limit for each call.

    A call fails if it takes longer than `timeout` seconds, in which case its process is killed, or
    if its process dies.
    """

    timeout: float | None
    workers: Workers

    def submit(self, point: dict[str, Any]) -> Future[Any]:
        """Submit a call of the function."""
        return self.executor.submit(self.function, self.timeout, point)

    def end(self, key: bytes) -> tuple[float, float]:
        """Wait for the value of a point; raise `CallFailed` if there is none."""
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
        """Stop the processes."""
        self.executor.stop()
        self.workers.end()
        self.executor.join()


def call_timed(function: Callable[[Any], Any], point: Any) -> tuple[float, float]:
    """Call a function; return its value and the duration in seconds."""
    began = time.perf_counter()
    value = as_number(function(point))
    return value, time.perf_counter() - began


def call_in_process(
    caught: Caught, function: Callable[[Any], Any], point: Any
) -> tuple[float, float]:
    """Do the same in another process, and replace exceptions that cannot be pickled."""
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
    """Return whether an executor uses processes; None means a pool of `ProcessCaller`."""
    return executor is None or isinstance(executor, ProcessPoolExecutor)


def check_parallel(
    executor: Any, function: Callable[[Any], Any], space: Space, catch: Caught | None
) -> None:
    """Raise an error unless this is an executor to which everything needed can be sent."""
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
    """Return a returned value as a float; raise a TypeError if it is not a number.

    Scalars of numpy, arrays with one element and `Decimal` are numbers, too.

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
            returned.close()  # otherwise Python warns that it was never awaited
        raise BadType(f"{source}, got {quote(returned)}")
    return _as_float(returned)


def _as_float(returned: Any) -> float:
    """Convert a number to a float; raise an OverflowError if it is too large."""
    try:
        value = float(returned)
    except OverflowError:
        value = math.inf
    except ValueError:  # a signalling NaN
        value = math.nan
    if math.isinf(value) and not isinstance(returned, float) and value != returned:
        raise OverflowError(
            f"the objective returned a number too large for a float: {quote(returned)}"
        )
    return value


def as_values(returned: Any, rows: int) -> NDArray[Any]:
    """Return returned values as an array; raise a TypeError unless there is one per row.

    An array of shape (rows, 1) is flattened.
    """
    try:
        values = np.asarray(returned)
    except ValueError:  # sequences of several lengths
        values = np.zeros(0)
    fits = values.shape in ((rows,), (rows, 1))
    wanted = f"one value per row from a vectorized objective, an array of shape ({rows},)"
    expect(fits, wanted, values.shape if values.size else returned, BadType)
    return values.reshape(rows)
