"""Atomic writing of files: readers see the old content or the new one, never a part."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catcube.errors import BadValue


def check_replaceable(path: Path) -> None:
    """Raise an error if `path` is a folder, a device or a pipe: a file must not replace it."""
    if path.exists() and not path.is_file():
        found = "a folder" if path.is_dir() else "a device or a pipe"
        raise BadValue(f"{path}: expected a file or a new name, got {found}")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file that replaces `path` at the end of the block.

    If the block raises an exception, the temporary file is removed. A link at `path` is replaced,
    not followed; a folder, a device or a pipe is an error.
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
        part.unlink(missing_ok=True)  # only after a failure


def replace_file(path: Path, content: bytes) -> Path:
    """Write a file atomically, create missing folders, and return the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        part.write_bytes(content)
    return path
