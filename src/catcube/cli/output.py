"""What commands print: sentences for people, exact bytes for other programs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper


def complain(sentence: str) -> None:
    """Print a sentence on standard error, under the name of the program."""
    write_error(f"catcube: {sentence}\n")


def note(sentence: str) -> None:
    """Print what the user should know, though nothing is wrong."""
    complain(f"note: {sentence}")


def write_error(text: str) -> None:
    """Write on standard error; where that takes nothing, a command still does its work."""
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def exact_bytes() -> Iterator[None]:
    """Give standard output the bytes of a file, whatever the locale and the system's line ends."""
    output = sys.stdout
    if not isinstance(output, TextIOWrapper):  # somebody collects the text: no bytes yet
        yield
        return
    usual = output.encoding, output.errors
    output.reconfigure(encoding="utf-8", errors="strict", newline="")
    try:
        yield
    finally:
        output.reconfigure(encoding=usual[0], errors=usual[1], newline=None)
