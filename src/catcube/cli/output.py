"""Output of commands: sentences for people, exact bytes for other programs."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper

from catcube.base.text import escape


def complain(sentence: str) -> None:
    """Print a sentence on standard error; names in it are not trusted, so it is one line."""
    with suppress(OSError):
        sys.stderr.write(f"catcube: {escape(sentence)}\n")
        sys.stderr.flush()


def note(sentence: str) -> None:
    """Print a note that is not an error."""
    complain(f"note: {sentence}")


@contextmanager
def exact_bytes() -> Iterator[None]:
    """Make standard output independent of the locale and of the system's line ends."""
    output = sys.stdout
    if not isinstance(output, TextIOWrapper):  # text is collected: there are no bytes yet
        yield
        return
    usual = output.encoding, output.errors
    output.reconfigure(encoding="utf-8", errors="strict", newline="")
    try:
        yield
    finally:
        output.reconfigure(encoding=usual[0], errors=usual[1], newline=None)


def terminal_width() -> int:
    """Return the characters of a line: 80 where the output is no terminal, else 60 to 120."""
    if not sys.stdout.isatty():
        return 80
    return min(max(shutil.get_terminal_size().columns, 60), 120)


def in_colour() -> bool:
    """Return whether the output is a terminal whose user has not set NO_COLOR."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def bold(text: str) -> str:
    """Return a heading, bold where there are colours."""
    return f"\x1b[1m{text}\x1b[0m" if in_colour() else text


def green(text: str) -> str:
    """Return what has succeeded, green where there are colours."""
    return f"\x1b[32m{text}\x1b[0m" if in_colour() else text


def beside_optimum(value: float, optimum: float | None) -> str:
    """Return a value with the optimum, where it is known, and the distance from it.

    >>> beside_optimum(7, 4), beside_optimum(4, 4), beside_optimum(1.5, None)
    ('value 7, optimum 4, gap 3', 'value 4, the optimum', 'value 1.5, optimum unknown')
    """
    if optimum is None:
        return f"value {value:.10g}, optimum unknown"
    if value <= optimum:
        return f"value {value:.10g}, the optimum"
    return f"value {value:.10g}, optimum {optimum:.10g}, gap {value - optimum:.10g}"
