"""Looking at a run while it goes on: time limit, progress callback, Ctrl-C."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from catcube.engine.recorder import BEST, EVALUATIONS, LIMIT, Recorder

INTERVAL = 0.05  # seconds between two looks at a run


@dataclass(frozen=True)
class Progress:
    """What a callback sees of a run."""

    evaluations: int
    value: float
    seconds: float


class Watch:
    """Looks at a run now and then: time limit, progress callback, Ctrl-C.

    With `beside=False` the run stays in the thread that starts it and nobody looks; another
    thread may still `stop` it, before it begins or after.
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

    def begin(self, recorder: Recorder) -> None:
        """The run begins now."""
        self.recorder = recorder
        self.began = time.perf_counter()
        self._next = self.began + INTERVAL
        if self.reason is not None:
            self.stop(self.reason)

    def stop(self, reason: str) -> None:
        """Ask the run to end with the evaluation it is at."""
        if self.reason is None:
            self.reason = reason
        if self.recorder is not None:
            self.recorder.counters[LIMIT] = 0

    def fail(self, exception: BaseException) -> None:
        """Ask the run to end because of an exception, which is then raised; the first one counts.

        Ctrl-C ends a run too, but one that has found something returns it.
        """
        if self.failure is None:
            self.failure = exception
        self.stop("interrupt" if isinstance(exception, KeyboardInterrupt) else "failure")

    def tick(self) -> None:
        """Look at the run, if it is time to and nobody has asked it to end."""
        if self.reason is not None:
            return
        now = time.perf_counter()
        seconds = now - self.began
        if self.time_limit is not None and seconds >= self.time_limit:
            self.stop("time")
        if now < self._next:
            return
        self._next = now + INTERVAL
        if self.callback is not None:
            self.report(seconds)

    def report(self, seconds: float) -> None:
        """Show the progress to the callback; it stops the run by returning True or raising."""
        assert self.callback is not None
        assert self.recorder is not None
        counters, levels = self.recorder.counters, self.recorder.levels
        try:
            progress = Progress(int(counters[EVALUATIONS]), float(levels[BEST]), seconds)
            if self.callback(progress) is True:
                self.stop("callback")
        except KeyboardInterrupt:  # Ctrl-C while the callback is at work is Ctrl-C all the same
            self.stop("interrupt")
        except BaseException as exception:
            self.failure = exception
            self.stop("callback")
