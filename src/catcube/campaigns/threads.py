"""Threads of this process that make runs; one that never comes back is left behind."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, TypeVar

from catcube.search.watch import Watch

PATIENCE = 5.0  # seconds that threads get to end; runs that are stopped take less than one

Found = TypeVar("Found")


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Threads(Executor):
    """As a ThreadPoolExecutor, but a thread that hangs keeps neither the others nor the process.

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
                found = call()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(found)

    def submit(self, function: Callable[..., Found], /, *given: Any, **named: Any) -> Future[Found]:
        """Have a function called; what it returns or raises is the future's."""
        if self._ended:
            raise RuntimeError("the threads have been shut down")
        future: Future[Found] = Future()
        self._work.put((future, lambda: function(*given, **named)))
        return future

    def leave_one(self) -> None:
        """One of the threads hangs: another one takes its place."""
        self._start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads; they are waited for, but not for ever."""
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
    """The runs under way in threads of this process, so that they can all be stopped."""

    def __init__(self) -> None:
        self.stopped = False
        self.under_way: set[Watch] = set()

    @contextmanager
    def watching(self) -> Iterator[Watch]:
        """A watch for a run that `stop` can reach."""
        watch = Watch(beside=False)
        self.under_way.add(watch)
        if self.stopped:  # asked after the watch is known, so that no run slips through
            watch.stop("interrupt")
        try:
            yield watch
        finally:
            self.under_way.discard(watch)

    def stop(self) -> None:
        """End all runs with the evaluation they are at."""
        self.stopped = True
        for watch in list(self.under_way):
            watch.stop("interrupt")
