"""Sources of the values of announced points: ways to call the user's function."""

import math
import pickle
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from typing import Any, Protocol, TypeAlias

from catcube.base.text import quoted
from catcube.errors import BadType
from catcube.problems.python.keys import Keys
from catcube.problems.python.values import number, one_per_row
from catcube.space import Space

Caught: TypeAlias = tuple[type[BaseException], ...]

INTERVAL = 0.05  # seconds between two checks of a run while it waits for a value


class Source(Protocol):
    """Returns the values of the requested points, in that order.

    `calls` counts the calls of the function.
    """

    calls: int

    def request(self, keys: Sequence[bytes]) -> None:
        """Request points, in this order, after those requested before."""

    def value(self) -> float:
        """Return the value of the next point requested."""
        ...

    def withdraw(self) -> None:
        """Withdraw the requests without a value."""


class OneByOne:
    """A function of a dict of labels, called point by point."""

    def __init__(self, function: Callable[[Any], Any], keys: Keys) -> None:
        self.calls = 0
        self._function = function
        self._keys = keys
        self._requested: deque[bytes] = deque()

    def request(self, keys: Sequence[bytes]) -> None:
        """Queue the points."""
        self._requested.extend(keys)

    def value(self) -> float:
        """Call the function."""
        key = self._requested.popleft()
        self.calls += 1
        return number(self._function(self._argument(key)))

    def withdraw(self) -> None:
        """Forget the points."""
        self._requested.clear()

    def _argument(self, key: bytes) -> Any:
        return self._keys.point(key)


class ByCategories(OneByOne):
    """A function of an array of categories, called point by point."""

    def _argument(self, key: bytes) -> Any:
        return self._keys.rows([key])[0]


class Rows:
    """A function of an array of categories, called for all requested points at once.

    If it raises one of `catch`, all these points have failed.
    """

    def __init__(self, function: Callable[[Any], Any], keys: Keys, catch: Caught = ()) -> None:
        self.calls = 0
        self._function = function
        self._keys = keys
        self._catch = catch
        self._requested: list[bytes] = []
        self._values: deque[Any] = deque()

    def request(self, keys: Sequence[bytes]) -> None:
        """Queue the points."""
        self._requested.extend(keys)

    def value(self) -> float:
        """Return the next value; call the function if there is none left."""
        if not self._values:
            rows = self._keys.rows(self._requested)
            self._requested.clear()
            self.calls += len(rows)
            try:
                self._values.extend(one_per_row(self._function(rows), len(rows)))
            except self._catch:
                self._values.extend([math.nan] * len(rows))
        return number(self._values.popleft())

    def withdraw(self) -> None:
        """Forget the points."""
        self._requested.clear()
        self._values.clear()


class InExecutor:
    """A function of a dict of labels, called in the threads or processes of an executor.

    `tick` is called while it waits for a value.
    """

    def __init__(
        self,
        function: Callable[[Any], Any],
        keys: Keys,
        executor: Executor,
        tick: Callable[[], None],
    ) -> None:
        self.calls = 0  # made or under way
        self._function = function
        self._keys = keys
        self._executor = executor
        self._tick = tick
        self._futures: deque[Future[Any]] = deque()

    def request(self, keys: Sequence[bytes]) -> None:
        """Submit the points."""
        for key in keys:
            self._futures.append(self._executor.submit(self._function, self._keys.point(key)))
            self.calls += 1

    def value(self) -> float:
        """Wait for the value of the first point, while the others are evaluated."""
        future = self._futures.popleft()
        while not future.done():
            wait([future], INTERVAL)
            self._tick()
        return number(future.result())

    def withdraw(self) -> None:
        """Cancel the evaluations that have not started."""
        for future in self._futures:
            self.calls -= future.cancel()
        self._futures.clear()


def check_executor(executor: Any, function: Callable[[Any], Any], space: Space) -> None:
    """Check that an executor is one, and that function and space can be sent to processes."""
    if not hasattr(executor, "submit"):
        raise BadType(
            "expected a concurrent.futures.Executor, such as ProcessPoolExecutor(), got "
            f"{quoted(executor)}"
        )
    if isinstance(executor, ProcessPoolExecutor):
        for name, thing in (("the function", function), ("the labels of the space", space)):
            try:
                pickle.dumps(thing)
            except Exception as exception:
                raise BadType(
                    f"{name} cannot be sent to other processes ({exception}); a function must be "
                    "defined by `def` at the top of a module, or use a ThreadPoolExecutor"
                ) from None
