"""Safe access to SQLite files, which may come from somebody else.

A reader never writes: if the last writer of a file was killed in a transaction, the reader opens a
private copy, in which SQLite rolls the transaction back or completes it. A journal that names
another file, which SQLite would delete, is rejected. Nothing in the schema of a file is executed,
and queries have limits.
"""

import os
import shutil
import sqlite3
import stat
import sys
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from catcube.base.text import quote
from catcube.errors import BadValue

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

MAGIC = b"SQLite format 3\0"
LOCK_TIMEOUT = 60.0  # seconds that a transaction waits for another process
CHECK_TIMEOUT = 60.0  # seconds for the integrity check of a file
WRITER_TIMEOUT = 0.5  # seconds to wait for the lock of a writer, which `is_locked` holds briefly
_ROLLBACK = b"\1\1"  # bytes 18 and 19 of a file with a rollback journal; 2: a write-ahead log
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
    """A file is not the expected database, or is damaged."""


class Connection(sqlite3.Connection):
    """A connection to a database; `folder` contains the private copy, if it reads one."""

    folder: TemporaryDirectory[str] | None = None

    def close(self) -> None:
        """Close the connection and remove the private copy."""
        super().close()
        if self.folder is not None:
            self.folder.cleanup()


def connect(
    path: Path,
    *,
    write: bool = False,
    log: bool = False,
    running: bool = False,
    timeout: float = LOCK_TIMEOUT,
) -> Connection:
    """Open an existing file for reading, or, with `write`, also for writing.

    Transactions are explicit (`BEGIN`) and wait at most `timeout` seconds for other processes.

    Parameters
    ----------
    path
        The file. It may be empty if `write` is true.
    log
        Whether the file may have a write-ahead log, which only processes of one machine can share.
    running
        For readers: whether another process is writing to the file now. If none is, a log that
        was left behind is read from a copy, because SQLite would have to write next to the file.
    """
    file = check_file(path)
    header = _read_header(path)
    if header == b"" and not write:
        raise DatabaseError(f"{path}: the file is empty")
    logged = header[18:] not in (b"", _ROLLBACK)
    write_ahead_log = Path(f"{file}-wal")
    if not log and (logged or write_ahead_log in journals(file)):
        raise DatabaseError(f"{path}: not a file of catcube")
    if write or running:
        journals(file)
        return _connect(file, "mode=rw" if write else "mode=ro", timeout)
    for _ in range(3):
        if write_ahead_log in journals(file):
            return _open_copy(file)
        connection = _connect(file, f"mode=ro&immutable={int(logged)}", timeout)
        try:
            connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
            return connection
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
                raise
        except BaseException:
            connection.close()
            raise
        if journals(file):  # otherwise another process has rolled the transaction back
            return _open_copy(file)
    raise DatabaseError(f"{path}: other processes keep writing to it; try again later")


def check(path: Path, connection: sqlite3.Connection, tables: frozenset[tuple[str, str]]) -> None:
    """Raise a DatabaseError unless the file is intact and has exactly these tables."""
    until = time.monotonic() + CHECK_TIMEOUT
    connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
    try:
        if set(connection.execute("SELECT name, sql FROM sqlite_schema LIMIT 100")) != tables:
            raise DatabaseError(f"{path}: unexpected tables")
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise DatabaseError(f"{path}: the file is damaged ({quote(found)})")
    finally:
        connection.set_progress_handler(None, 0)


@cache
def definitions(schema: str) -> frozenset[tuple[str, str]]:
    """Return the names and definitions of the tables and indices that a schema creates."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema)
    rows = frozenset(connection.execute("SELECT name, sql FROM sqlite_schema"))
    connection.close()
    return rows


def check_file(path: Path) -> Path:
    """Return the resolved path of a regular file; raise a DatabaseError for anything else.

    Opening a pipe would block. Links are resolved because journals are next to the file itself.
    """
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
        file = path.resolve()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DatabaseError(f"{path}: {reason.lower()}") from error
    if not regular:
        raise DatabaseError(f"{path}: expected a file, got a folder, a device or a pipe")
    return file


def journals(file: Path) -> list[Path]:
    """Return the non-empty journals next to a file, which a killed process has left behind."""
    found = []
    for path in (Path(f"{file}-journal"), Path(f"{file}-wal")):
        try:
            status = path.lstat()
            if not stat.S_ISREG(status.st_mode):
                raise DatabaseError(f"{path}: expected a journal, got a folder, a link or a device")
            if status.st_size == 0:
                continue
            found.append(path)
            with path.open("rb") as journal:
                journal.seek(max(0, status.st_size - len(_JOURNAL_MAGIC)))
                if path.name.endswith("-journal") and journal.read(8) == _JOURNAL_MAGIC:
                    raise DatabaseError(f"{path}: the journal names another file; remove it")
        except FileNotFoundError:
            pass
        except OSError as error:
            raise DatabaseError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    return found


class Lock:
    """A lock on an empty file next to a database, whose path has been resolved.

    The operating system releases it when the process ends, even after kill -9. The file is never
    removed: otherwise a process that has just opened it and one that creates it again would hold
    two different locks.
    """

    def __init__(self, file: Path) -> None:
        self._file = os.open(f"{file}-lock", os.O_RDWR | os.O_CREAT | _FLAGS, 0o666)
        end = time.monotonic() + WRITER_TIMEOUT
        while not _acquire(self._file, shared=False):
            if time.monotonic() > end:
                os.close(self._file)
                raise BlockingIOError("locked by another process")
            time.sleep(0.02)

    def release(self) -> None:
        """Release the lock."""
        os.close(self._file)


def is_locked(file: Path) -> bool:
    """Return whether a process holds the lock of a database; false if that is not visible."""
    try:
        lock = os.open(f"{file}-lock", os.O_RDONLY | _FLAGS)
    except OSError:
        return False
    try:
        return stat.S_ISREG(os.fstat(lock).st_mode) and not _acquire(lock, shared=True)
    finally:
        os.close(lock)


# Follow no link, and do not block on a pipe.
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def _acquire(file: int, shared: bool) -> bool:
    """Try to lock an open file until it is closed; return whether that succeeded."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _read_header(path: Path) -> bytes:
    """Return the first 20 bytes of a file; raise a DatabaseError unless it is empty or SQLite."""
    try:
        with path.open("rb") as file:
            header = file.read(20)
    except OSError as error:
        raise DatabaseError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    if header and header[:16] != MAGIC:
        raise DatabaseError(f"{path}: not a file of catcube")
    return header


def _connect(file: Path, mode: str, timeout: float) -> Connection:
    """Open a resolved path in an SQLite mode, with the settings for untrusted files."""
    connection = sqlite3.connect(
        f"{file.as_uri()}?{mode}",  # a URI escapes blanks and special names
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        factory=Connection,
    )
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}").close()
    return connection


def _open_copy(file: Path) -> Connection:
    """Open a private copy of a file and its journals, in which SQLite replays the journals."""
    folder = TemporaryDirectory(prefix="catcube-")
    copy = Path(folder.name, "copy").resolve()
    for path in (*journals(file), file):  # the journals first, as they may disappear
        try:
            shutil.copyfile(path, f"{copy}{path.name.removeprefix(file.name)}")
        except FileNotFoundError:  # another process has rolled the transaction back
            continue
    journals(copy)
    connection = _connect(copy, "mode=rw", 0)
    connection.folder = folder
    return connection
