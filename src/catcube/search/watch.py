"""Observation of a running search: time limit, progress callback, Ctrl-C."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from catcube.engine.recorder import LIMIT, Recorder

INTERVAL = 0.05  # seconds between two checks of a run


@dataclass(frozen=True)
class Progress:
    """The progress of a run for a callback: `x` is the best point so far, `value` its value.

    While all points have failed, `x` is empty and `value` infinite.
    """

    evaluations: int
    value: float
    seconds: float
    x: dict[str, Any] = field(default_factory=dict)


class Watch:
    """Checks a run regularly: time limit, progress callback, Ctrl-C.

    The callback is called about 20 times a second at most while the run goes on, and once when it
    is over.

    With `beside=False` the run stays in the thread that starts it and is not checked; another
    thread may still `stop` it, before it starts or after.
    """

    def __init__(
        self,
        callback: Callable[[Progress], Any] | None = None,
        time_limit: float | None = None,
        beside: bool = True,
    ) -> None:
        self.callback = callback
        self.time_limit = time_limit
        self.beside = beside
        self.recorder: Recorder | None = None
        self.reason: str | None = None
        self.failure: BaseException | None = None

    def begin(
        self, recorder: Recorder, look: Callable[[float], Progress | None] | None = None
    ) -> None:
        """Start to watch a run; `look` takes the seconds and returns its progress, if it has any.

        It has none before its first evaluation.
        """
        self.recorder = recorder
        self.look = look
        self._last: tuple[int, float, dict[str, Any]] | None = None  # that the callback saw
        self.began = time.perf_counter()
        self._next = self.began
        if self.reason is not None:
            self.stop(self.reason)

    def stop(self, reason: str) -> None:
        """Stop the run after its current evaluation."""
        if self.reason is None:
            self.reason = reason
        if self.recorder is not None:
            self.recorder.counters[LIMIT] = 0

    def fail(self, exception: BaseException) -> None:
        """Stop the run because of an exception, which is then raised; the first one counts.

        After Ctrl-C, a run that has a best point returns it.
        """
        if self.failure is None:
            self.failure = exception
        self.stop("interrupt" if isinstance(exception, KeyboardInterrupt) else "failure")

    def tick(self) -> None:
        """Check the run, unless it is already stopped."""
        if self.reason is not None:
            return
        now = time.perf_counter()
        if self.time_limit is not None and now - self.began >= self.time_limit:
            self.stop("time")
        if now < self._next or self.callback is None:
            return
        if self.report():
            self._next = now + INTERVAL

    def finish(self) -> None:
        """Call the callback at the end of a run, unless the user or a failure ended it."""
        if self.callback is not None and self.reason in (None, "time"):
            self.report(again=False)

    def report(self, again: bool = True) -> bool:
        """Call the callback, if there is an evaluation to show; return whether it was called.

        It stops the run by returning True or raising. With `again=False` it is not called with
        what it saw last.
        """
        assert self.callback is not None
        assert self.look is not None
        progress = self.look(time.perf_counter() - self.began)
        if progress is None:
            return False
        state = progress.evaluations, progress.value, dict(progress.x)
        if not again and state == self._last:
            return False
        self._last = state
        try:
            if self.callback(progress) is True:
                self.stop("callback")
        except KeyboardInterrupt:  # Ctrl-C inside the callback
            self.stop("interrupt")
        except BaseException as exception:
            self.failure = exception
            self.stop("callback")
        return True
