"""Observation of a running search: time limit, callback, progress bar, Ctrl-C."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from catcube.engine.recorder import LIMIT, Recorder

INTERVAL = 0.05  # seconds between two checks of a run

UNLIMITED = 2**61
"""The number of evaluations if only the time is limited."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run, passed to a callback.

    Attributes
    ----------
    evaluations, seconds
        The number of evaluations, and the seconds since the run began.
    point, value
        The last point evaluated and its value, NaN if it has failed. If the objective is compiled,
        they are the best point and its value.
    x, fun
        The best point so far and its value; {} and infinity while all points have failed.
    """

    evaluations: int
    value: float
    seconds: float
    x: dict[str, Any] = field(default_factory=dict)
    fun: float = math.inf
    point: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Watch:
    """An observer of a run, which checks the time limit and calls the callback.

    The callback is called after every call of a slow function, otherwise at most 20 times a
    second, and once at the end.

    With `threaded=False` the run stays in the thread that starts it and is not checked. Another
    thread may still `stop` it, even before it starts.
    """

    callback: Callable[[Progress], Any] | None = None
    time_limit: float | None = None
    threaded: bool = True

    def __post_init__(self) -> None:
        self.recorder: Recorder | None = None
        self.reason: str | None = None
        self.failure: BaseException | None = None
        self.check: Callable[[float], None] | None = None  # called with the seconds at each tick

    def begin(
        self, recorder: Recorder, get_progress: Callable[[float], Progress | None] | None = None
    ) -> None:
        """Start to watch a run.

        `get_progress` takes the seconds and returns the progress; None before the first evaluation.
        """
        self.recorder = recorder
        self.get_progress = get_progress
        self._last: Progress | None = None  # passed to the callback
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
        """Stop the run because of an exception, which is raised at its end; keep the first one.

        After Ctrl-C, a run that has found a point returns its result instead.
        """
        if self.failure is None:
            self.failure = exception
        self.stop("interrupt" if isinstance(exception, KeyboardInterrupt) else "failure")

    def tick(self, always: bool = False) -> bool:
        """Check the run, unless it is stopped already; return whether it is stopped.

        With `always` the callback is called even if the last call was a moment ago.
        """
        if self.reason is not None:
            return True
        now = time.perf_counter()
        if self.time_limit is not None and now - self.began >= self.time_limit:
            self.stop("time")
        elif self.check is not None:
            self.check(now - self.began)
        if self.callback is not None and (always or now >= self._next) and self.report():
            self._next = now + INTERVAL
        return self.reason is not None

    def finish(self) -> None:
        """Call the callback at the end of a run, unless a user or a failure ended it."""
        if self.callback is not None and self.reason in (None, "time"):
            self.report(again=False)

    def report(self, again: bool = True) -> bool:
        """Call the callback, unless there was no evaluation; return whether it was called.

        It stops the run by returning True or raising. With `again=False` it is not called if
        nothing has changed since the last call.
        """
        assert self.callback is not None
        assert self.get_progress is not None
        progress = self.get_progress(time.perf_counter() - self.began)
        if progress is None:
            return False
        last, self._last = self._last, progress
        if not again and last is not None:
            seen, shown = ((p.evaluations, p.fun, p.x) for p in (last, progress))
            if seen == shown:
                return False
        try:
            if self.callback(progress) is True:
                self.stop("callback")
        except KeyboardInterrupt:  # Ctrl-C inside the callback
            self.stop("interrupt")
        except BaseException as exception:
            self.failure = exception
            self.stop("callback")
        return True


@contextmanager
def progress_bar(
    progress: bool,
    budget: int,
    time_limit: float | None,
    callback: Callable[[Progress], Any] | None,
) -> Iterator[Callable[[Progress], Any] | None]:
    """Yield a callback that updates a progress bar, if `progress` is true, and calls `callback`.

    The bar counts evaluations or, if there is no budget, shows the share of the time limit.
    """
    if not progress:
        yield callback
        return
    timed = time_limit is not None and budget >= UNLIMITED
    total = 100 if timed else budget
    # tqdm.auto warns in notebooks without ipywidgets.
    auto = find_spec("ipywidgets") is not None
    module = import_module("tqdm.auto" if auto else "tqdm.std")
    unit = " % of the time" if timed else " evaluations"
    bar = module.tqdm(total=total, unit=unit, dynamic_ncols=True, mininterval=0.05)

    def update(state: Progress) -> Any:
        done = state.evaluations
        if time_limit is not None and timed:
            done = math.floor(total * min(1.0, state.seconds / time_limit))
        bar.set_postfix_str(f"best {state.fun:g}", refresh=False)
        bar.update(max(0, done - bar.n))
        return None if callback is None else callback(state)

    try:
        yield update
    finally:
        bar.close()
