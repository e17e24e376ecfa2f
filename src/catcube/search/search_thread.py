"""A search in a thread whose values come from the caller, over a channel."""

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
from catcube.search.enumeration import ALGORITHM as ENUMERATION
from catcube.search.enumeration import Enumeration
from catcube.search.run import Execution, Outcome, Run
from catcube.search.watch import Watch
from catcube.space import Space


class Closed(Exception):  # noqa: N818
    """The search was closed while it waited for a value."""


class Waiting:
    """The search waits for the value of the next point."""


WAITING = Waiting()

# The messages of a search: the points it needs, in order; that it waits; how it ended.
Message: TypeAlias = Sequence[bytes] | Waiting | Outcome | BaseException


class Channel:
    """Two queues between a search and its caller, for points and values; a `Source`.

    `past` are the values of the first points, from an earlier search, up to the first missing one.
    """

    def __init__(self, past: Iterable[float | None] = ()) -> None:
        self.calls = 0
        self.messages: SimpleQueue[Message] = SimpleQueue()
        self.values: SimpleQueue[float | None] = SimpleQueue()  # None: end the search
        self._past: deque[float] = deque()
        for value in past:
            if value is None:
                break
            self._past.append(value)

    def request(self, keys: Sequence[bytes]) -> None:
        """Request the values of these points."""
        if keys:
            self.messages.put(keys)

    def value(self) -> float:
        """Wait for the value of the next point."""
        if self._past:
            self.calls += 1
            return self._past.popleft()
        self.messages.put(WAITING)
        value = self.values.get()
        if value is None:
            raise Closed
        self.calls += 1
        return value

    def withdraw(self) -> None:
        """Do nothing: late values are not waited for."""


class AskedProblem(Problem):
    """A problem whose values come from the caller of `ask`."""

    name = "asked"

    def __init__(
        self, space: Space, cache: ValueCache, handling: Handling = DEFAULT_HANDLING
    ) -> None:
        self.space = space
        self.channel = Channel()
        self._cache = cache
        self._handling = handling
        self.unique = handling.unique

    def objective(self, tick: Callable[[], None]) -> Objective:
        """Return the objective of one run, over the channel."""
        return AnnouncedObjective(self.space, tick, self.channel, self._cache, self._handling)


class SearchThread:
    """A run in a thread; it ends when it is done, or when `stop` is called."""

    def __init__(self, run: Run, channel: Channel) -> None:
        self.process = os.getpid()  # a forked one has no such thread
        self.watch = Watch(beside=False)
        self.channel = channel
        execution: Execution | Enumeration
        if run.algorithm is ENUMERATION:
            execution = Enumeration(run.problem, run.seed, run.target, self.watch, run.initial)
        else:
            execution = Execution(run, self.watch)  # compiled here: one thread at a time
        self.recorder = execution.recorder
        self.thread = threading.Thread(
            target=_search, args=(execution, channel), name="catcube search", daemon=True
        )
        self.thread.start()
        _STARTED.add(self)

    def stop(self) -> None:
        """End the search; without a lock, since the garbage collector may call it anywhere."""
        self.watch.stop("closed")
        self.channel.values.put(None)


def _search(execution: Execution | Enumeration, channel: Channel) -> None:
    try:
        channel.messages.put(execution.outcome())
    except BaseException as exception:
        channel.messages.put(exception)


_STARTED: weakref.WeakSet[SearchThread] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """End all searches before the interpreter: a thread must not be killed in compiled code."""
    started = list(_STARTED)
    for search in started:
        search.stop()
    for search in started:
        search.thread.join(5)
