"""Progress on standard error."""

import sys
import time
from collections.abc import Callable
from typing import Generic, TypeVar

RAREST = 600.0  # seconds between two lines, at most

State = TypeVar("State")


class Ticker(Generic[State]):
    """Shows a state when it is told one: on a terminal in one line, else in ever rarer ones.

    `describe` puts a state into words; `interval` is how many seconds pass before the first line
    where lines stay; the second comes after twice as many, and so on.
    """

    def __init__(self, describe: Callable[[State], str], interval: float) -> None:
        self.describe = describe
        self.rewrites = sys.stderr.isatty()
        self.interval = 0.0 if self.rewrites else interval
        self.last: float | None = None
        self.width = 0
        if self.rewrites:
            self.write("starting (the first time an algorithm is compiled, which takes a while)")

    def __call__(self, state: State) -> None:
        """Show how far it is, if it is time to."""
        now = time.monotonic()
        if self.last is None:  # compiling does not count
            self.last = now
        if now - self.last < self.interval:
            return
        self.last = now
        self.write(self.describe(state))

    def write(self, line: str) -> None:
        """Show a line, in the place of the last one if that can be."""
        if self.rewrites:
            print(f"\r{line:{self.width}}", end="", file=sys.stderr, flush=True)
            self.width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)
            self.interval = min(2 * self.interval, RAREST)

    def clear(self) -> None:
        """Wipe the line of progress away."""
        if self.width:
            print(f"\r{'':{self.width}}\r", end="", file=sys.stderr, flush=True)
            self.width = 0


def duration(seconds: float) -> str:
    """A time in minutes and seconds, or with hours.

    >>> duration(100), duration(3 * 3600 + 62)
    ('1:40', '3:01:02')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
