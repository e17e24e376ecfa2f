"""SQLite files that others may have made, opened so that they can do no harm.

A reader never writes: a file whose last writer was killed in a transaction is read from a copy in
which that transaction is undone. A journal that names another file, which SQLite would delete, is
refused. Nothing in the file's schema is executed, and what reads it has limits.
"""

import os
import shutil
import sqlite3
import stat
import tempfile
import time
from pathlib import Path

from catcube.base.text import quoted
from catcube.errors import BadValue

MAGIC = b"SQLite format 3\0"
PATIENCE = 60.0  # seconds to wait for the lock of another process
DEADLINE = 60.0  # seconds to check a file
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 2**26,  # bytes of a row
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 10**5,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}


class DatabaseError(BadValue):
    """A file that is not the expected database, or is damaged."""


def connect(path: Path, *, write: bool = False, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open an existing file, by default to read it; `write` may also fill an empty file.

    Transactions are explicit (`BEGIN`). A write waits at most `patience` seconds for other
    processes. The journal is a file that is deleted at the end of a transaction: unlike a
    write-ahead log it needs no shared memory, so it also serves processes on several machines.
    """
    path = Path(os.path.realpath(path))  # the journal stands beside the file, not beside a link
    if _check_header(path) == b"" and not write:
        raise DatabaseError(f"{path}: the file is empty")
    _check_journal(path)
    if write:
        return _connect(path, "rw", patience)
    for attempt in range(3):
        connection = _connect(path, "ro", patience)
        try:
            connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
            return connection
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK or attempt == 2:
                raise
        except BaseException:
            connection.close()
            raise
        recovered = _recover(path)
        if recovered is not None:
            return recovered
    raise AssertionError("unreachable")


def check(path: Path, connection: sqlite3.Connection, tables: frozenset[tuple[str, str]]) -> None:
    """Raise a DatabaseError unless the file is intact and has exactly these tables."""
    until = time.monotonic() + DEADLINE
    connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
    try:
        if set(connection.execute("SELECT name, sql FROM sqlite_schema LIMIT 100")) != tables:
            raise DatabaseError(f"{path}: unexpected tables")
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise DatabaseError(f"{path}: the file is damaged ({quoted(found)})")
    finally:
        connection.set_progress_handler(None, 0)


def definitions(schema: str) -> frozenset[tuple[str, str]]:
    """Return names and definitions of all tables and indices of a schema."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema)
    rows = frozenset(connection.execute("SELECT name, sql FROM sqlite_schema"))
    connection.close()
    return rows


def _connect(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(
        address, uri=True, timeout=patience, isolation_level=None, check_same_thread=False
    )
    return _limit(connection)


def _limit(connection: sqlite3.Connection) -> sqlite3.Connection:
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}").close()
    return connection


def _check_header(path: Path) -> bytes:
    """Return the first bytes of a file; raise a DatabaseError unless they are SQLite's."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise DatabaseError(f"{path}: expected a file, got a folder, a device or a pipe")
        with path.open("rb") as file:
            header = file.read(20)
    except OSError as error:
        raise DatabaseError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    if header and (header[:16] != MAGIC or header[18:20] != b"\1\1"):  # 2: a write-ahead log
        raise DatabaseError(f"{path}: not a file of catcube")
    return header


def _check_journal(path: Path) -> None:
    """Raise a DatabaseError if the journal names a further file, which SQLite would delete."""
    journal = Path(f"{path}-journal")
    try:
        with journal.open("rb") as file:
            if file.seek(0, os.SEEK_END) >= 16:
                file.seek(-8, os.SEEK_END)
                if file.read() == _JOURNAL_MAGIC:
                    raise DatabaseError(f"{journal}: not a journal of catcube: it names a file")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise DatabaseError(f"{journal}: {(error.strerror or str(error)).lower()}") from error


def _recover(path: Path) -> sqlite3.Connection | None:
    """Open a copy in memory without the transaction that a killed process left unfinished.

    None if another process has meanwhile undone it in the file itself.
    """
    with tempfile.TemporaryDirectory(prefix="catcube-") as folder:
        copy = Path(folder, "copy")
        try:
            shutil.copyfile(f"{path}-journal", f"{copy}-journal")
        except FileNotFoundError:
            return None
        shutil.copyfile(path, copy)
        _check_journal(copy)
        source = _connect(copy, "rw", 0)
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            source.backup(memory)
        finally:
            source.close()
        return _limit(memory)
