"""What commands print for other programs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper


@contextmanager
def exact_bytes() -> Iterator[None]:
    """Standard output gets the bytes of a file, whatever the locale and the system's line ends."""
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
