"""Looking at a run while it goes on: time limit, progress callback, Ctrl-C."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from catcube.engine.recorder import BEST_EVALUATION, LIMIT, Recorder

INTERVAL = 0.05  # seconds between two looks at a run


@dataclass(frozen=True)
class Progress:
    """What a callback sees of a run: `x` is the best point so far, `value` its value."""

    evaluations: int
    value: float
    seconds: float
    x: dict[str, Any] = field(default_factory=dict)


class Watch:
    """Looks at a run now and then: time limit, progress callback, Ctrl-C.

    The callback is called when there is something better, some 20 times a second at most and at
    least while the run goes on, and once when it is over.

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

    def begin(self, recorder: Recorder, look: Callable[[float], Progress] | None = None) -> None:
        """Begin to watch a run; `look` is given the seconds and returns its progress."""
        self.recorder = recorder
        self.look = look
        self.began = time.perf_counter()
        self._next = self.began
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
        if self.time_limit is not None and now - self.began >= self.time_limit:
            self.stop("time")
        if now < self._next or self.callback is None:
            return
        assert self.recorder is not None
        if self.recorder.counters[BEST_EVALUATION] > 0:  # there is something to show
            self._next = now + INTERVAL
            self.report()

    def finish(self) -> None:
        """Show the callback how a run ended, unless the user or a failure ended it."""
        assert self.recorder is not None
        found = self.recorder.counters[BEST_EVALUATION] > 0
        if self.callback is not None and found and self.reason in (None, "time"):
            self.report()

    def report(self) -> None:
        """Show the progress to the callback; it stops the run by returning True or raising."""
        assert self.callback is not None
        assert self.look is not None
        try:
            if self.callback(self.look(time.perf_counter() - self.began)) is True:
                self.stop("callback")
        except KeyboardInterrupt:  # Ctrl-C while the callback is at work is Ctrl-C all the same
            self.stop("interrupt")
        except BaseException as exception:
            self.failure = exception
            self.stop("callback")
