"""A lock that one process holds on a store, and that ends with the process, however that ends."""

import os
import sqlite3
from pathlib import Path


class Lock:
    """An open exclusive transaction on an empty database beside the store.

    SQLite's own locks work on every system and are the kernel's, not a file's existence: after
    kill -9 nothing is left to clean up. The file itself stays: were it removed, a process that
    has just opened it and one that makes it anew would hold two different locks.
    """

    def __init__(self, store: str | os.PathLike[str]) -> None:
        path = Path(f"{os.fspath(store)}-lock")
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            self._connection.execute("PRAGMA journal_mode = MEMORY")
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            self._connection.close()
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise BlockingIOError("locked by another process") from error
            raise

    def release(self) -> None:
        """Let others have it."""
        self._connection.close()
