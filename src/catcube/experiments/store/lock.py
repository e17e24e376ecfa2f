"""A lock of one process on a store, released when the process ends in any way."""

import os
import sqlite3
from pathlib import Path

WAIT = 0.5  # seconds; `is_locked` holds it for an instant


class Lock:
    """An open exclusive transaction on an empty database beside the store.

    The locks of SQLite work on every system and belong to the kernel: after kill -9 nothing is
    left to clean up. The file itself stays: were it removed, a process that has just opened it
    and one that creates it again would hold two different locks.
    """

    def __init__(self, store: str | os.PathLike[str]) -> None:
        self._connection = sqlite3.connect(_beside(store), timeout=WAIT, isolation_level=None)
        try:
            self._connection.execute("PRAGMA journal_mode = MEMORY")
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            self._connection.close()
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise BlockingIOError("locked by another process") from error
            raise

    def release(self) -> None:
        """Release the lock."""
        self._connection.close()


def is_locked(store: str | os.PathLike[str]) -> bool:
    """Return whether a process holds the lock of a store, as far as is visible from here."""
    path = _beside(store)
    if not path.is_file():
        return False
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
    finally:
        connection.close()
    return False


def _beside(store: str | os.PathLike[str]) -> Path:
    return Path(f"{os.fspath(store)}-lock")
