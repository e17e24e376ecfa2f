"""Atomic writing: a file has all of its content or none."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catcube.errors import BadValue


def check_replaceable(path: Path) -> None:
    """Raise an error if there is something at `path` that must not be replaced by a file."""
    if path.exists() and not path.is_file() and not path.is_dir():  # a folder: as the system says
        raise BadValue(f"{path}: expected a file or a new name, got a device or a pipe")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary file next to `path` that replaces it at the end, or is removed on failure.

    A file or a link at `path` is replaced and not followed; a device or a pipe is an error.
    """
    check_replaceable(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)  # it is already gone after a success


def replace_file(path: Path, content: bytes) -> Path:
    """Write a file atomically; missing folders are created."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        part.write_bytes(content)
    return path
