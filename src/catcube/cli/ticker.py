"""Progress on standard error."""

import sys
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from catcube.cli.output import write_error

RAREST = 600.0  # seconds between two lines, at most

WIDTH = 20  # characters of a bar

State = TypeVar("State")


class Ticker(Generic[State]):
    """Shows states: on a terminal in one line that is rewritten, else in ever rarer lines.

    `describe` formats a state; `interval` is the number of seconds before the first line if it is
    not rewritten; the second follows after twice as many, and so on. `share` is the part that is
    done, from 0 to 1: a terminal shows a bar.
    """

    def __init__(
        self,
        describe: Callable[[State], str],
        interval: float,
        share: Callable[[State], float] | None = None,
    ) -> None:
        self.describe = describe
        self.share = share
        self.rewrites = sys.stderr.isatty()
        self.interval = 0.0 if self.rewrites else interval
        self.last: float | None = None
        self.width = 0
        if self.rewrites:
            self.write("starting (an algorithm is compiled when it first runs)")

    def __call__(self, state: State) -> None:
        """Show the state, if the interval is over."""
        now = time.monotonic()
        if self.last is None:  # compiling does not count
            self.last = now
        if now - self.last < self.interval:
            return
        self.last = now
        line = self.describe(state)
        self.write(f"{bar(self.share(state))} {line}" if self.rewrites and self.share else line)

    def write(self, line: str) -> None:
        """Show a line, on a terminal instead of the last one."""
        if self.rewrites:
            write_error(f"\r{line:{self.width}}")
            self.width = len(line)
        else:
            write_error(f"{line}\n")
            self.interval = min(2 * self.interval, RAREST)

    def clear(self) -> None:
        """Erase the line of progress."""
        if self.width:
            write_error(f"\r{'':{self.width}}\r")
            self.width = 0


def bar(share: float) -> str:
    """Draw a bar that is filled to a share.

    >>> bar(0.25)
    '[#####               ]'
    """
    filled = int(WIDTH * min(max(share, 0.0), 1.0))
    return f"[{'#' * filled:{WIDTH}}]"


def duration(seconds: float) -> str:
    """Format a time in minutes and seconds, or with hours.

    >>> duration(100), duration(3 * 3600 + 62)
    ('1:40', '3:01:02')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
