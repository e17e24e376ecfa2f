"""What can be wrong with the file of a store, in one sentence."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# What SQLite says of files that may be whole; anything else it finds wrong is damage.
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


class StoreError(ValueError):
    """A file that cannot be used as a store; the message is one sentence that says why."""


class DamageError(StoreError):
    """A store that is not as it was written."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = what
        super().__init__(
            f"{path}: the store is damaged ({what}); catcube check {path} tells what is whole"
        )


def check_file(path: Path) -> None:
    """Refuse what cannot be read as a file; opening a pipe would wait for ever."""
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
    """What SQLite says went wrong; that of damage if a text of the file is none for Python."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Raise what SQLite finds wrong with a file inside as a StoreError."""
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
