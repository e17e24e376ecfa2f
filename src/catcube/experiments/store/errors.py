"""Errors of the file of a store."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catcube.errors import BadValue

# Errors of SQLite for files that may be intact; all others mean damage.
_NOT_OF_THE_FILE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}


class StoreError(BadValue):
    """A file that cannot be used as a store; the message says why."""


class DamageError(StoreError):
    """A store whose content has changed since it was written."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = what
        super().__init__(
            f"{path}: the store is damaged ({what}); catcube check {path} shows what is intact"
        )


def check_file(path: Path) -> None:
    """Raise a StoreError unless the path is a regular file; opening a pipe would block."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        raise StoreError(f"{path}: no such file") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StoreError(f"{path}: the store cannot be opened ({reason.lower()})") from error
    if stat.S_ISDIR(mode):
        raise StoreError(f"{path}: not a store: a folder")
    if not stat.S_ISREG(mode):
        raise StoreError(f"{path}: not a store: not a regular file")


def code_of(error: sqlite3.Error) -> int:
    """Return the error code of SQLite; that of damage if a text is invalid for Python."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Convert errors of SQLite inside the block to a StoreError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = code_of(error) & 0xFF  # the rest are details
        if code == sqlite3.SQLITE_NOTADB:
            raise StoreError(f"{path}: not a catcube store") from error
        if code not in _NOT_OF_THE_FILE:
            raise DamageError(path, " ".join(str(error).split())[:100]) from error
        raise StoreError(f"{path}: the store cannot be read ({error})") from error
    except UnicodeDecodeError as error:
        raise DamageError(path, "a string in it is not valid") from error
