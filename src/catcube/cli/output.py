"""Output of commands: messages for people, exact bytes for other programs."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper

from catcube.base.text import escape


def print_error(sentence: str) -> None:
    """Print a sentence on standard error, in one line without control characters."""
    with suppress(OSError):
        sys.stderr.write(f"catcube: {escape(sentence)}\n")
        sys.stderr.flush()


def print_note(sentence: str) -> None:
    """Print a note on standard error."""
    print_error(f"note: {sentence}")


@contextmanager
def exact_bytes() -> Iterator[None]:
    """Make standard output independent of the locale and of the line ends of the system."""
    output = sys.stdout
    if not isinstance(output, TextIOWrapper):  # captured as text
        yield
        return
    usual = output.encoding, output.errors
    output.reconfigure(encoding="utf-8", errors="strict", newline="")
    try:
        yield
    finally:
        output.reconfigure(encoding=usual[0], errors=usual[1], newline=None)


def terminal_width() -> int:
    """Return the width of a line: 60 to 120 on a terminal, otherwise 80."""
    if not sys.stdout.isatty():
        return 80
    return min(max(shutil.get_terminal_size().columns, 60), 120)


def use_colour() -> bool:
    """Return whether the output is a terminal and NO_COLOR is not set."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def bold(text: str) -> str:
    """Return a text in bold, if colours are used."""
    return f"\x1b[1m{text}\x1b[0m" if use_colour() else text


def green(text: str) -> str:
    """Return a text in green, if colours are used."""
    return f"\x1b[32m{text}\x1b[0m" if use_colour() else text


def compare_to_optimum(value: float, optimum: float | None) -> str:
    """Describe a value, the optimum and the gap between them.

    >>> compare_to_optimum(7, 4), compare_to_optimum(4, 4), compare_to_optimum(1.5, None)
    ('value 7, optimum 4, gap 3', 'value 4, the optimum', 'value 1.5, optimum unknown')
    """
    if optimum is None:
        return f"value {value:.10g}, optimum unknown"
    if value <= optimum:
        return f"value {value:.10g}, the optimum"
    return f"value {value:.10g}, optimum {optimum:.10g}, gap {value - optimum:.10g}"
