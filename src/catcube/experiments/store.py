"""The results of a campaign, in one SQLite file that is never more than half a second old.

A `Store` can be read at any time, also while a campaign writes; `catcube.experiments.writer` writes
one. Every row has a checksum, which is verified whenever the row is read, and the table `tally`
holds the number of runs: damaged data are refused, never shown.

A store may be untrusted. Opening one writes and deletes nothing: it is opened read-only, and where
a killed campaign has left a journal, a private copy is. Time and memory are limited by its size.
"""

import json
import os
import shutil
import sqlite3
import stat
import struct
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.experiments.plan import Configuration, Plan, check_size, difference_of
from catcube.experiments.trace import unpack_point, unpack_trace
from catcube.problems.instance_files import InstanceFiles, content_hash
from catcube.problems.instances import Content
from catcube.problems.sudoku import Board
from catcube.search.result import Result, Trace

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

VERSION = 4  # of the format
APPLICATION = 0x43617443  # "CatC": marks a store among other SQLite files
CONTENT = "sha256:"
"""The prefix of the hash of the files of an instance."""

ENDINGS = (
    "budget",
    "target",
    "converged",
    "enumerated",
)  # of a run, as they are numbered in the table
ROWS = 10_000  # that are read at a time
WAIT = 0.5  # seconds for the lock; `is_locked` holds it for an instant

SCHEMA = f"""
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE configuration (  -- in the order of the plan
    id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, instance TEXT NOT NULL,
    algorithm TEXT NOT NULL, representation TEXT NOT NULL, runs INTEGER NOT NULL,
    digest TEXT NOT NULL,  -- of all that determines a run, its number aside
    body TEXT NOT NULL,    -- the whole configuration with its board, as JSON
    checksum INTEGER NOT NULL
);
CREATE TABLE session (  -- which code has made a run, and where
    id INTEGER PRIMARY KEY, began REAL NOT NULL, version TEXT NOT NULL, sources TEXT NOT NULL,
    machine TEXT NOT NULL,  -- a JSON object: python, numpy, numba, system, processor, cores
    checksum INTEGER NOT NULL
);
CREATE TABLE run (
    configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES session, finished REAL NOT NULL,
    seed INTEGER NOT NULL, value REAL NOT NULL, evaluations_to_best INTEGER NOT NULL,
    evaluations INTEGER NOT NULL, iterations INTEGER NOT NULL,
    ending INTEGER NOT NULL,  -- 0: budget, 1: target, 2: converged
    seconds REAL NOT NULL, trace BLOB NOT NULL,
    point BLOB NOT NULL,  -- the best one: width, category indices; empty if it was not kept
    checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, number)
);
CREATE TABLE tally (  -- of the runs of a configuration that a session has made
    configuration INTEGER NOT NULL REFERENCES configuration,
    session INTEGER NOT NULL REFERENCES session,
    runs INTEGER NOT NULL, evaluations INTEGER NOT NULL, seconds REAL NOT NULL,
    finished REAL NOT NULL,      -- the last one
    checksums INTEGER NOT NULL,  -- of the runs, joined by XOR
    checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, session)
) WITHOUT ROWID;
CREATE TABLE failure (
    configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    message TEXT NOT NULL, session INTEGER NOT NULL REFERENCES session, finished REAL NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (configuration, number)
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""

# In the order of the checksum. The columns of runs before the trace are numbers.
CONFIGURATION = (
    *("id", "experiment", "instance", "algorithm", "representation", "runs", "digest", "body"),
)
SESSION = ("id", "began", "version", "sources", "machine")
TALLY = ("configuration", "session", "runs", "evaluations", "seconds", "finished", "checksums")
FAILURE = ("configuration", "number", "message", "session", "finished")
RUN = {
    **dict.fromkeys(("configuration", "number", "session"), np.int64),
    "finished": np.float64,
    "seed": np.int64,
    "value": np.float64,
    **dict.fromkeys(("evaluations_to_best", "evaluations", "iterations", "ending"), np.int64),
    "seconds": np.float64,
}
NUMBERS = len(RUN)
SELECT_RUN = f"SELECT {', '.join(RUN)}, trace, point, checksum FROM run WHERE configuration = ?"

# SQLite has types of values, not of columns.
_TYPES: dict[str, type] = {
    **dict.fromkeys(("experiment", "instance", "algorithm", "representation", "digest"), str),
    **dict.fromkeys(("body", "version", "sources", "machine", "message"), str),
    **dict.fromkeys(("id", "runs", "session", "number", "evaluations", "checksums"), int),
    **dict.fromkeys(("began", "seconds", "finished"), float),
}

# What an untrusted file may make SQLite do.
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 2**26,  # bytes of a value or a row
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_SAFE = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0")
_NO_TRACE = np.empty(0, np.int64), np.empty(0)
STEPS = 100_000  # of SQLite's machine between two looks at the limit

# Errors of SQLite for files that may be intact; all others mean damage.
_NOT_OF_THE_FILE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
MAGIC = b"SQLite format 3\0"
_JOURNAL = bytes.fromhex("d9d505f920a163d7")


class StoreError(BadValue):
    """A file that cannot be used as a store; the message says why."""


class OtherPlanError(StoreError):
    """A store that holds the runs of another plan."""


class DamageError(StoreError):
    """A store whose content has changed since it was written."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = what
        super().__init__(
            f"{path}: the store is damaged ({what}); catcube check {path} shows what is intact"
        )


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Convert errors of SQLite inside the block to a StoreError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # Without a code: a text that is invalid for Python. The higher bits are details.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            raise StoreError(f"{path}: not a catcube store") from error
        if code == sqlite3.SQLITE_INTERRUPT:
            raise DamageError(path, "reading takes far longer than its size allows") from error
        if code not in _NOT_OF_THE_FILE:
            raise DamageError(path, " ".join(str(error).split())[:100]) from error
        raise StoreError(f"{path}: the store cannot be read ({error})") from error
    except UnicodeDecodeError as error:
        raise DamageError(path, "a string in it is not valid") from error


def check_file(path: Path) -> Path:
    """Return the resolved path of a regular file, else raise a StoreError: a pipe would block."""
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
    return path.resolve()


def connect(file: Path, mode: str) -> sqlite3.Connection:
    """Open a resolved file with these flags, as one that may be untrusted."""
    address = file.as_uri()  # blanks and other signs escaped; no name is special
    connection = sqlite3.connect(f"{address}?{mode}", uri=True, timeout=30, isolation_level=None)
    for category, limit in _LIMITS.items():
        connection.setlimit(category, limit)
    return connection


def journals(file: Path) -> list[Path]:
    """Return the journals that a killed process, or somebody else, has left beside a store.

    SQLite would also follow the name of another file in a journal, and delete that file: a store
    has never such a journal, so it is an error.
    """
    found = []
    for path in (Path(f"{file}-journal"), Path(f"{file}-wal")):
        with suppress(FileNotFoundError):
            status = path.lstat()
            if not stat.S_ISREG(status.st_mode):
                raise StoreError(f"{path}: expected a journal of the store, got another kind")
            if status.st_size:
                found.append(path)
    for path in found:
        with path.open("rb") as journal:
            journal.seek(max(0, path.stat().st_size - len(_JOURNAL)))
            if path.name.endswith("-journal") and journal.read() == _JOURNAL:
                raise StoreError(f"{path}: a journal that names another file; remove it")
    return found


class Lock:
    """A lock on an empty file beside the store, whose links have been resolved.

    It belongs to the kernel: after kill -9 nothing is left to clean up. The file itself stays:
    were it removed, a process that has just opened it and one that creates it again would hold two
    different locks.
    """

    def __init__(self, store: Path) -> None:
        self._file = os.open(f"{store}-lock", os.O_RDWR | os.O_CREAT | _FLAGS, 0o666)
        end = time.monotonic() + WAIT
        while not _acquire(self._file, shared=False):
            if time.monotonic() > end:
                os.close(self._file)
                raise BlockingIOError("locked by another process")
            time.sleep(0.02)

    def release(self) -> None:
        """Release the lock."""
        os.close(self._file)


def is_locked(store: Path) -> bool:
    """Return whether a process holds the lock of a store, as far as is visible from here."""
    try:
        file = os.open(f"{store}-lock", os.O_RDONLY | _FLAGS)
    except OSError:
        return False
    try:
        return stat.S_ISREG(os.fstat(file).st_mode) and not _acquire(file, shared=True)
    finally:
        os.close(file)


# No link is followed, and opening a pipe does not block.
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def _acquire(file: int, shared: bool) -> bool:
    """Try to lock an open file; it is released when the file is closed."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class StoredPlan(NamedTuple):
    """The plan of a store, for another one."""

    name: str
    stored: list[Configuration]

    def configurations(self) -> list[Configuration]:
        """Return the configurations in order."""
        return self.stored


class Store:
    """A store opened for reading: `with Store("mine.sqlite") as store: ...`.

    With `check=False` the structure of the file is not verified first, and with `private=True` a
    copy is read where there are journals, though the campaign may be running. With a plan, a store
    of another one is an error, and an empty file is none.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        check: bool = True,
        private: bool = False,
        plan: "Plan | StoredPlan | None" = None,
    ) -> None:
        self.path = Path(path)
        self.empty = False
        self.file = check_file(self.path)
        self._folder: TemporaryDirectory[str] | None = None
        with store_errors(self.path):
            self.connection = self._open(private)
        try:
            with store_errors(self.path):
                self._prepare()
                self.empty = plan is not None and self._is_empty()
                if not self.empty:
                    self._check(check)
                if plan is not None and not self.empty:
                    difference = difference_of(self.configurations(), plan.configurations())
                    if difference is not None:
                        raise OtherPlanError(
                            f"{self.path}: the store holds another plan ({difference})"
                        )
                    self.check_runs()
        except BaseException:
            Store.close(self)  # a writer has more to do
            raise

    def _open(self, private: bool) -> sqlite3.Connection:
        try:
            with self.file.open("rb") as file:
                header = file.read(100)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise StoreError(f"{self.path}: the store cannot be read ({reason})") from error
        if not header.startswith(MAGIC):
            raise StoreError(f"{self.path}: not a catcube store")
        running = not private and is_locked(self.file)
        left = [] if running else journals(self.file)
        if left:
            self._folder = TemporaryDirectory()
            for path in (self.file, *left):
                copy = Path(self._folder.name, f"copy{path.name.removeprefix(self.file.name)}")
                shutil.copyfile(path, copy, follow_symlinks=False)
            return connect(Path(self._folder.name, "copy").resolve(), "mode=rw")
        # A file in the mode of a running campaign, without one: else SQLite would make a journal.
        unfinished = header[18:20] != b"\x01\x01" and not running
        return connect(self.file, "mode=ro&immutable=1" if unfinished else "mode=ro")

    def _prepare(self) -> None:
        """Limit what the file can make SQLite do."""
        self._begin_steps()
        self.connection.set_progress_handler(self._count_steps, STEPS)
        for setting in _SAFE:
            self.connection.execute(f"PRAGMA {setting}")

    def _begin_steps(self) -> None:
        """Bound the rows and steps of a query by the size of the file, which a writer enlarges."""
        files = [self.file, Path(f"{self.file}-wal")]
        size = sum(file.stat().st_size for file in files if file.exists())
        self._most_rows = 1000 + size // 8  # a row takes some bytes
        self._most_steps = 10**8 + 100 * size
        self._steps = 0

    def _count_steps(self) -> bool:
        """Return whether a query takes longer than a file of this size can."""
        self._steps += STEPS
        return self._steps > self._most_steps

    def _check(self, structure: bool) -> None:
        """Raise a StoreError unless the file is a store of this format with intact metadata."""
        application, version = self._identity()
        if application != APPLICATION:
            raise StoreError(f"{self.path}: not a catcube store")
        if version != VERSION:
            age = "a newer" if version > VERSION else "an older"
            raise StoreError(
                f"{self.path}: expected the format {VERSION}, got {version}: the store was made "
                f"by {age} catcube"
            )
        if set(self.query("SELECT name, sql FROM sqlite_schema")) != definitions():
            raise DamageError(self.path, "unexpected tables")
        if structure:
            ((found,),) = self.query("PRAGMA quick_check(1)")
            if found != "ok":
                raise DamageError(self.path, " ".join(str(found).split()))
        self.metadata = dict(self.query("SELECT name, value FROM metadata"))
        named = {name: value for name, value in self.metadata.items() if name != "checksum"}
        size = str(named.get("configurations"))
        if (
            self.metadata.get("checksum") != str(metadata_checksum(named))
            or not all(isinstance(value, str) for value in named.values())
            or not {"plan", "identity", "configurations"} <= set(named)
            or not (size.isascii() and size.isdecimal() and len(size) < 20)
        ):
            raise DamageError(self.path, "the record of the campaign")
        self._check_size(int(size), 0)
        self.size = int(size)
        self.identity = text_checksum([named["identity"]])

    def _is_empty(self) -> bool:
        ((tables,),) = self.query("SELECT COUNT(*) FROM sqlite_schema")
        return tables == 0 and self._identity() == (0, 0)

    def _check_size(self, configurations: int, runs: int) -> None:
        try:
            check_size(configurations, runs)
        except ValueError as error:
            raise DamageError(self.path, str(error)) from None

    def _identity(self) -> tuple[int, int]:
        ((application,),) = self.query("PRAGMA application_id")
        ((version,),) = self.query("PRAGMA user_version")
        return application, version

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
        if self._folder is not None:
            self._folder.cleanup()

    def rows(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, unchecked, and not more than the file can hold."""
        with store_errors(self.path):
            self._begin_steps()
            cursor = self.connection.execute(sql, values)
            yield from islice(cursor, self._most_rows)
            if cursor.fetchone() is not None:
                raise DamageError(self.path, "more rows than the file can hold")

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query, unchecked."""
        return list(self.rows(sql, *values))

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read a consistent snapshot inside the block, though a campaign may be writing."""
        if self.connection.in_transaction:
            yield
            return
        self.query("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.ProgrammingError):  # already closed
                self.connection.rollback()

    def checked(
        self, table: str, columns: tuple[str, ...], condition: str = "", *values: Any
    ) -> list[tuple[Any, ...]]:
        """Return all rows of a small table that satisfy a condition, checked."""
        rows = self.query(
            f"SELECT {', '.join(columns)}, checksum FROM {table} {condition}", *values
        )
        for number, row in enumerate(rows, start=1):
            if not self.is_right(columns, row):
                raise DamageError(self.path, f"row {number} of the table {table}")
        return [row[:-1] for row in rows]

    def is_right(self, columns: tuple[str, ...], row: tuple[Any, ...]) -> bool:
        """Return whether a row of a small table, with its checksum last, is intact."""
        right = text_checksum(row[:-1], self.identity) == row[-1]
        return right and all(map(self._fits, columns, row))

    def _fits(self, column: str, value: object) -> bool:
        """Return whether a column of a table may hold a value; a forged store may hold anything."""
        if column == "configuration":
            return type(value) is int and 0 <= value < self.size
        return type(value) is _TYPES[column]

    def configurations(self) -> list[Configuration]:
        """Return the configurations in the order of the plan."""
        return list(self._configurations)

    @cached_property
    def _configuration_rows(self) -> list[tuple[Any, ...]]:
        rows = self.checked("configuration", CONFIGURATION)
        if [row[0] for row in rows] != list(range(self.size)):
            raise DamageError(self.path, "a configuration is missing")
        self._check_size(0, sum(row[5] for row in rows))
        return rows

    @cached_property
    def _configurations(self) -> list[Configuration]:
        found = [self._configuration(row) for row in self._configuration_rows]
        shared: dict[str, tuple[Any, ...]] = {}
        for one in found:
            common = one.budget, one.target, one.restart, one.seed, one.runs
            if shared.setdefault(one.experiment, common) != common:
                raise DamageError(self.path, f"the experiment {one.experiment!r} has two settings")
        return found

    def _configuration(self, row: tuple[Any, ...]) -> Configuration:
        """Parse the configuration of a row, whose columns must agree with its body."""
        try:
            configuration = Configuration.from_json(row[-1])
        except ValueError as error:
            raise DamageError(self.path, str(error)) from error
        if configuration.board.startswith(CONTENT):
            content = self.metadata.get(configuration.board, "")
            if CONTENT + content_hash(content) != configuration.board:
                raise DamageError(self.path, f"the files of {configuration.instance}")
            configuration = replace(configuration, board=content)
        if row[1:6] != (*configuration.names, configuration.runs):
            raise DamageError(self.path, f"configuration {row[0]} has two names")
        return configuration

    def contents(self) -> dict[str, Content]:
        """Return the contents of the instances by name."""
        found: dict[str, Content] = {}
        for configuration in self._configurations:
            text = configuration.board
            if InstanceFiles.is_text_of(text):
                found[configuration.instance] = InstanceFiles.parse(text)
            elif text:
                found[configuration.instance] = Board.parse(text)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        """The checksums of the configurations, with which those of their runs begin."""
        return [text_checksum(row, self.identity) for row in self._configuration_rows]

    def sessions(self) -> list[tuple[Any, ...]]:
        """Return number, time, version, sources and machine (as JSON) of the sessions."""
        rows = self.checked("session", SESSION)
        for row in rows:
            try:
                machine = json.loads(row[-1])
            except (ValueError, RecursionError):
                machine = None
            if not isinstance(machine, dict):
                raise DamageError(self.path, f"the machine of session {row[0]}")
        return rows

    def tallies(self, configuration: int | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of `TALLY`: the runs of each session by configuration, all or one."""
        if configuration is None:
            return self.checked("tally", TALLY)
        return self.checked("tally", TALLY, "WHERE configuration = ?", configuration)

    def numbers(self, configuration: int) -> set[int]:
        """Return the numbers of the finished runs of the configuration with this index."""
        rows = self.query("SELECT number FROM run WHERE configuration = ?", configuration)
        return {number for (number,) in rows}

    def counts(self) -> dict[int, int]:
        """Count the finished runs by index of the configuration."""
        found: dict[int, int] = defaultdict(int)
        for index, _, runs, *_ in self.tallies():
            found[index] += runs
        return found

    def runs(self, experiment: str | None = None) -> Iterator[Result]:
        """Yield the finished runs, of all experiments or of one, in the order of the plan."""
        with self.snapshot():
            for row in self._configuration_rows:
                if experiment in (None, row[1]):
                    yield from self.runs_of(row[0])

    def runs_of(self, index: int, traces: bool = True) -> Iterator[Result]:
        """Yield the finished runs of the configuration with this index, with or without traces.

        The best point is in `categories`: the labels of `x` are those of the problem.
        """
        configuration = self._configurations[index]
        parameters, target = dict(configuration.parameters), configuration.target
        for row in self.run_rows(index):
            run = dict(zip(RUN, row, strict=False))
            ending = ENDINGS[run["ending"]]
            try:
                trace = unpack_trace(row[-3], run["evaluations_to_best"]) if traces else _NO_TRACE
                categories = unpack_point(row[-2])
            except ValueError as error:
                names = ", ".join(configuration.names)
                raise DamageError(self.path, f"{names}, run {row[1]}: {error}") from error
            yield Result(
                x={},
                value=run["value"],
                evaluations=run["evaluations"],
                evaluations_to_best=run["evaluations_to_best"],
                iterations=run["iterations"],
                ending=ending,
                trace=Trace(*trace),
                seconds=run["seconds"],
                seed=run["seed"],
                algorithm=configuration.algorithm,
                representation=configuration.representation,
                parameters=parameters,
                budget=configuration.budget,
                target=target,
                categories=categories,
                calls=run["evaluations"],
                success=target is None or ending == "target",
                instance=configuration.instance,
                run=run["number"],
            )

    def parts(self) -> Iterator[tuple[int, NDArray[np.void], list[bytes]]]:
        """Yield the runs by configuration, in the order of the plan, which is their index.

        The first array has the columns of `RUN`, 88 bytes per run; the list has the packed
        improvements. Both are in the order of the runs' numbers.
        """
        with self.snapshot():
            for index in range(len(self._configuration_rows)):
                found = [np.empty(0, list(RUN.items()))]
                traces: list[bytes] = []
                rows = self.run_rows(index)
                while part := list(islice(rows, ROWS)):
                    numbers = np.empty(len(part), list(RUN.items()))
                    columns = list(zip(*part, strict=True))
                    for name, column in zip(RUN, columns, strict=False):
                        numbers[name] = column
                    found.append(numbers)
                    traces += columns[NUMBERS]
                yield index, np.concatenate(found), traces

    def check_runs(self) -> int:
        """Read and check all runs; return their number."""
        with self.snapshot():
            return sum(
                1 for index in range(len(self._configuration_rows)) for _ in self.run_rows(index)
            )

    def run_rows(self, index: int) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a configuration by number, with trace, point and checksum, checked."""
        names = ", ".join(self._configuration_rows[index][1:5])
        runs = checksums = 0
        for row in self.rows(f"{SELECT_RUN} ORDER BY number", index):
            if not self.is_intact(row):
                raise DamageError(self.path, f"{names}, run {row[1]!r}: its checksum is wrong")
            runs += 1
            checksums ^= row[-1]
            yield row
        tallies = self.tallies(index)
        expected = sum(tally[2] for tally in tallies)
        for tally in tallies:
            checksums ^= tally[6]
        if runs != expected or checksums:
            raise DamageError(self.path, f"{names}: expected {expected} runs, got {runs}")

    def is_intact(self, row: tuple[Any, ...]) -> bool:
        """Return whether a row of the table of runs, with its checksum last, is intact."""
        try:
            start = self._starts[row[0]]
            right = bool(row[-1] == run_checksum(row[:-1], start))
            return right and 0 <= row[9] < len(ENDINGS)
        except (struct.error, TypeError, IndexError):  # of another type
            return False

    def failures(self) -> list[tuple[Any, ...]]:
        """Return names (experiment to representation), number and message of failed runs."""
        with self.snapshot():
            rows = self._configuration_rows
            return [
                (*rows[index][1:5], *fields[:2])
                for index, *fields in sorted(self.checked("failure", FAILURE))
            ]

    def overview(self) -> dict[str, Any]:
        """Return the plan, its progress by experiment and pair, failures, versions, activity.

        It is computed from tallies, not from runs: a million of them take no longer than a hundred.
        """
        with self.snapshot():
            tallies, sessions, failures = self.tallies(), self.sessions(), self.failures()
            pairs = self._pairs(tallies)
            moments = [moment for (moment,) in self.query("SELECT finished FROM failure")]
        runs, done = (sum(pair[name] for pair in pairs) for name in ("runs", "done"))
        made: dict[int, int] = defaultdict(int)
        for _, session, count, *_ in tallies:
            made[session] += count
        moments += [tally[5] for tally in tallies] + [session[1] for session in sessions]
        names = ("experiment", "instance", "algorithm", "representation", "run", "message")
        return {
            "plan": self.metadata["plan"],
            "runs": runs,
            "done": done,
            "failed": len(failures),
            "missing": runs - done - len(failures),
            "running": is_locked(self.file),
            "last_activity": max(moments, default=None),
            "pairs": pairs,
            "failures": [dict(zip(names, failure, strict=True)) for failure in failures],
            "sessions": [
                {
                    "session": number,
                    "began": began,
                    "version": version,
                    "sources": sources,
                    "machine": json.loads(machine),
                    "runs": made[number],
                }
                for number, began, version, sources, machine in sessions
            ],
        }

    def _pairs(self, tallies: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
        """Return the progress of each pair of an experiment, over all its instances."""
        found: dict[tuple[str, str, str], dict[str, Any]] = {}
        by_index = []
        for _, experiment, _, algorithm, representation, runs, *_ in self._configuration_rows:
            pair = found.setdefault(
                (experiment, algorithm, representation),
                {
                    "experiment": experiment,
                    "algorithm": algorithm,
                    "representation": representation,
                    **dict.fromkeys(("runs", "done", "evaluations", "instances"), 0),
                    "seconds": 0.0,
                },
            )
            pair["runs"] += runs
            pair["instances"] += 1
            by_index.append(pair)
        for index, _, runs, evaluations, seconds, *_ in tallies:
            by_index[index]["done"] += runs
            by_index[index]["evaluations"] += evaluations
            by_index[index]["seconds"] += seconds
        return list(found.values())


@cache
def definitions() -> frozenset[tuple[str, str]]:
    """Return names and definitions of all tables and indices."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    rows = frozenset(connection.execute("SELECT name, sql FROM sqlite_schema"))
    connection.close()
    return rows


# Checksums. SQLite does not notice a changed byte; CRC-32 finds any damage of up to four
# neighbouring bytes, and misses other damage once in four billion. The checksum of a run begins
# with that of its configuration, and this one with the identity of the store: a row that belongs
# elsewhere, or to another store, counts as damaged too.


def text_checksum(values: Sequence[object], start: int = 0) -> int:
    """Compute the checksum of texts and numbers.

    >>> text_checksum(["rls", 1, 0.5]), text_checksum(["rls", 1, 0.25])
    (657971709, -1399288682)
    """
    # A damaged file may hold other types.
    shown = json.dumps(values, default=repr).encode()
    return _signed(crc32(shown, start & 0xFFFFFFFF))


def metadata_checksum(named: Mapping[str, str]) -> int:
    """Compute the checksum of texts by name, in any order."""
    return text_checksum(sorted(named.items(), key=str))


_NUMBERS = struct.Struct("<qqqdqdqqqqd").pack


def run_checksum(row: Sequence[Any], start: int) -> int:
    """Compute the checksum of a row of the table of runs: numbers, then trace and point."""
    checksum = crc32(_NUMBERS(*row[:NUMBERS]), start & 0xFFFFFFFF)
    return _signed(crc32(row[-1], crc32(row[-2], checksum)))


def _signed(checksum: int) -> int:
    """Convert to a signed integer, which SQLite keeps in four bytes."""
    return (checksum ^ 0x80000000) - 0x80000000
