"""Threads of this process that make runs; one that hangs is abandoned."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, TypeVar

from catcube.search.watch import Watch

PATIENCE = 5.0  # seconds to wait for threads to end; stopped runs take less than one

Result = TypeVar("Result")


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Threads(Executor):
    """A ThreadPoolExecutor in which a hanging thread blocks neither the others nor the process.

    >>> with Threads(2) as threads:
    ...     threads.submit(pow, 2, 3).result()
    8
    """

    def __init__(self, count: int) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._ended = False
        for _ in range(count):
            self._start()

    def _start(self) -> None:
        thread = threading.Thread(target=self._serve, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        while (item := self._work.get()) is not None:
            future, call = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = call()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

    def submit(
        self, function: Callable[..., Result], /, *arguments: Any, **named: Any
    ) -> Future[Result]:
        """Call a function in a thread; the future holds its result or exception."""
        if self._ended:
            raise RuntimeError("the threads have been shut down")
        future: Future[Result] = Future()
        self._work.put((future, lambda: function(*arguments, **named)))
        return future

    def replace_one(self) -> None:
        """Start another thread instead of one that hangs."""
        self._start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads and wait for them, for a limited time."""
        self._ended = True
        while cancel_futures and not self._work.empty():
            item = self._work.get()
            if item is not None:
                item[0].cancel()
        for _ in self._threads:
            self._work.put(None)
        end = time.monotonic() + PATIENCE
        for thread in self._threads if wait else []:
            thread.join(max(0.0, end - time.monotonic()))


class Crew:
    """The runs under way in threads of this process; `stop` stops them all."""

    def __init__(self) -> None:
        self.stopped = False
        self.under_way: set[Watch] = set()

    @contextmanager
    def watching(self) -> Iterator[Watch]:
        """Yield a watch for a run that `stop` stops."""
        watch = Watch(beside=False)
        self.under_way.add(watch)
        if self.stopped:  # checked after the watch is added, so that no run is missed
            watch.stop("interrupt")
        try:
            yield watch
        finally:
            self.under_way.discard(watch)

    def stop(self) -> None:
        """Stop all runs after their current evaluation."""
        self.stopped = True
        for watch in list(self.under_way):
            watch.stop("interrupt")
