"""Threads of this process that make runs; one that never comes back is left behind."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any, TypeVar

PATIENCE = 5.0  # seconds that threads get to end; runs that are stopped take less than one

Found = TypeVar("Found")


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
            raise RuntimeError("no more can be handed to threads that were ended")
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
