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
    """Looks at a run now and then: time limit, progress callback, Ctrl-C."""

    def __init__(
        self,
        callback: Callable[[Progress], Any] | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.callback = callback
        self.time_limit = time_limit
        self.reason: str | None = None
        self.failure: BaseException | None = None

    def begin(self, recorder: Recorder) -> None:
        """The run begins now."""
        self.recorder = recorder
        self.began = time.perf_counter()
        self._next = self.began + INTERVAL

    def stop(self, reason: str) -> None:
        """Ask the run to end with the evaluation it is at."""
        if self.reason is None:
            self.reason = reason
        self.recorder.counters[LIMIT] = 0

    def tick(self) -> None:
        """Look at the run, if it is time to."""
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
        counters, levels = self.recorder.counters, self.recorder.levels
        try:
            progress = Progress(int(counters[EVALUATIONS]), float(levels[BEST]), seconds)
            if self.callback(progress) is True:
                self.stop("callback")
        except BaseException as exception:
            self.failure = exception
            self.stop("callback")
