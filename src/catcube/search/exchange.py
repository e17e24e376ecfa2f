"""A search in a thread of its own, whose values come from whoever asks it for points."""

import atexit
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from queue import SimpleQueue
from typing import TypeAlias

from catcube.problems.problem import Objective, Problem
from catcube.problems.python.batches import DEFAULT_HANDLING, AnnouncedObjective, Handling
from catcube.problems.python.cache import ValueCache
from catcube.search.run import Execution, Outcome, Run
from catcube.search.watch import Watch
from catcube.space import Space


class Closed(Exception):  # noqa: N818
    """The search was closed while it waited for a value."""


class Waiting:
    """The search waits for the value of the next point."""


WAITING = Waiting()

# What a search says: points it needs, in order; that it waits; how it ended.
Message: TypeAlias = Sequence[bytes] | Waiting | Outcome | BaseException


class Exchange:
    """The counter over which points and values are handed; a `Source` for the search.

    `past` are the values of the first points, from an earlier search, up to the first that is
    missing.
    """

    def __init__(self, past: Iterable[float | None] = ()) -> None:
        self.calls = 0
        self.said: SimpleQueue[Message] = SimpleQueue()
        self.told: SimpleQueue[float | None] = SimpleQueue()  # None: the search shall end
        self._past: deque[float] = deque()
        for value in past:
            if value is None:
                break
            self._past.append(value)

    def request(self, keys: Sequence[bytes]) -> None:
        """Ask for the values of these points."""
        if keys:
            self.said.put(keys)

    def value(self) -> float:
        """Wait for the value of the next point."""
        if self._past:
            self.calls += 1
            return self._past.popleft()
        self.said.put(WAITING)
        told = self.told.get()
        if told is None:
            raise Closed
        self.calls += 1
        return told

    def withdraw(self) -> None:
        """Values that come too late are not waited for."""


class AskedProblem(Problem):
    """A problem whose values are told by whoever asks for its points."""

    name = "asked"

    def __init__(
        self, space: Space, remembered: ValueCache, handling: Handling = DEFAULT_HANDLING
    ) -> None:
        self.space = space
        self.exchange = Exchange()
        self._remembered = remembered
        self._handling = handling
        self.unique = handling.unique

    def objective(self, tick: Callable[[], None]) -> Objective:
        """The points handed over the counter."""
        return AnnouncedObjective(self.space, tick, self.exchange, self._remembered, self._handling)


class SearchThread:
    """A run in a thread; it ends when it is done, or when `stop` is called."""

    def __init__(self, run: Run, exchange: Exchange) -> None:
        self.process = os.getpid()  # a forked one has no such thread
        self.watch = Watch(beside=False)
        self.exchange = exchange
        execution = Execution(run, self.watch)  # compiled here: one thread at a time
        self.thread = threading.Thread(
            target=_search, args=(execution, exchange), name="catcube search", daemon=True
        )
        self.thread.start()
        _STARTED.add(self)

    def stop(self) -> None:
        """Let the search end; without a lock, since the garbage collector may call it anywhere."""
        self.watch.stop("closed")
        self.exchange.told.put(None)


def _search(execution: Execution, exchange: Exchange) -> None:
    try:
        exchange.said.put(execution.outcome())
    except BaseException as exception:
        exchange.said.put(exception)


_STARTED: weakref.WeakSet[SearchThread] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """End all searches before the interpreter: a thread must not be cut off in compiled code."""
    started = list(_STARTED)
    for search in started:
        search.stop()
    for search in started:
        search.thread.join(5)
