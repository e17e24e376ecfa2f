"""Output of commands: sentences for people, exact bytes for other programs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper


def complain(sentence: str) -> None:
    """Print a sentence on standard error, under the name of the program."""
    write_error(f"catcube: {sentence}\n")


def note(sentence: str) -> None:
    """Print a note that is not an error."""
    complain(f"note: {sentence}")


def write_error(text: str) -> None:
    """Write on standard error; ignore a failure."""
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


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
