"""Writing of a store by one process at a time, in short transactions."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from catcube.base.database import DatabaseError, Lock, check_file, connect, journals
from catcube.errors import CatcubeError
from catcube.experiments import tables
from catcube.experiments.origin import Origin
from catcube.experiments.plan import Plan
from catcube.experiments.store import LOCK_TIMEOUT, Store
from catcube.experiments.trace import pack_point, pack_trace
from catcube.problems.instances import InstanceFiles, content_hash

INTERVAL = 0.5  # seconds until a finished run is written
MAX_WAITING = 200  # runs kept in memory

_Row = tuple[Any, ...]


class CampaignError(CatcubeError, RuntimeError):
    """An error after which a campaign cannot continue; finished runs are in the store."""


class WriteError(CampaignError):
    """An error in writing the store, for example because the disk is full."""


class Writer(Store):
    """A store opened for adding the runs of a plan; its file is created if it does not exist.

    It is an error if the store holds another plan, is damaged, or is being written by another
    process; the file then stays unchanged. Runs are kept in memory until `flush` writes them. `add`
    calls it after `interval` seconds or for `max_waiting` runs.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        plan: Plan | Store,
        interval: float = INTERVAL,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        self.plan, self.interval, self.max_waiting = plan, interval, max_waiting
        self.waiting: list[_Row] = []
        self.failed: list[tables.Failure] = []
        self.origins: dict[Origin, int] = {}
        self.flushed = time.monotonic()
        self._clock = time.time() - self.flushed
        self.lock = lock_store(Path(path), create=True)
        with ExitStack() as opened:
            opened.callback(self.lock.release)
            if journals(Path(path).resolve()) and Path(path).stat().st_size:
                # Recover a copy first: SQLite would replay even the journal of another store into
                # this one, unless the file is empty.
                Store(path, plan=plan, running=False).close()
            super().__init__(path, plan=plan)
            opened.callback(self.connection.close)
            self._begin()
            opened.pop_all()  # nothing has failed

    def now(self) -> float:
        """Return the time as `time.time` does, but monotonic."""
        return self._clock + time.monotonic()

    def _connect(self, running: bool) -> sqlite3.Connection:
        return connect(self.path, write=True, log=True, timeout=LOCK_TIMEOUT)

    def _begin(self) -> None:
        """Prepare the file, which is empty or an intact store of this plan, for writing."""
        with _writing(self.path):
            self.connection.execute("PRAGMA journal_mode = WAL")
            # Every commit reaches the disk, so a power failure loses no more than a killed process.
            self.connection.execute("PRAGMA synchronous = FULL")
            if self.empty:
                self._create()

    def _create(self) -> None:
        """Create schema and plan in one transaction."""
        planned = self.plan.configurations()
        self.size, self.name = len(planned), self.plan.name
        self.metadata = metadata = {
            "plan": self.plan.name,
            "configurations": str(len(planned)),
            "identity": token_hex(8),  # unique
        }
        self.identity = tables.text_checksum([metadata["identity"]])
        rows = []
        for index, configuration in enumerate(planned):
            body = configuration
            if InstanceFiles.is_text_of(configuration.content):
                reference = tables.CONTENT + content_hash(configuration.content)
                metadata[reference] = configuration.content
                body = msgspec.structs.replace(configuration, content=reference)
            names = (*configuration.names, configuration.runs, configuration.digest)
            rows.append(tables.ConfigurationRow(index, *names, body.to_json()))
        self.connection.executescript(f"BEGIN;{tables.SCHEMA}{tables.MARKS}")
        self._insert(rows)
        metadata["checksum"] = str(tables.metadata_checksum(metadata))
        self.connection.executemany("INSERT INTO metadata VALUES (?, ?)", metadata.items())
        self.connection.execute("COMMIT")

    def _insert(self, rows: Iterable[tables.Row]) -> None:
        """Insert rows of a small table with checksums."""
        for row in rows:
            whole = (*row, tables.text_checksum(row, self.identity))
            self._execute(f"INSERT OR REPLACE INTO {tables.TABLES[type(row)]}", whole)

    def _execute(self, insert: str, row: Sequence[Any]) -> int:
        """Insert a row; return the number of changed rows."""
        return self.connection.execute(
            f"{insert} VALUES ({', '.join('?' * len(row))})", row
        ).rowcount

    def close(self) -> None:
        """Write waiting runs, close the file and release the lock."""
        try:
            self.flush()
            # A closed store is one plain file, to be copied or read anywhere. While another
            # process reads it this fails, which does not matter.
            with suppress(sqlite3.OperationalError):
                self.connection.execute("PRAGMA busy_timeout = 0")
                self.connection.execute("PRAGMA journal_mode = DELETE")
        finally:
            super().close()
            self.lock.release()

    def session(self, origin: Origin) -> int:
        """Return the number of the session for runs of this origin; add it if it is new."""
        if origin not in self.origins:
            self.origins[origin] = self.new_session(origin, self.now())
        return self.origins[origin]

    def new_session(self, origin: Origin, began: float) -> int:
        """Add a session and return its number."""
        with self._transaction():
            ((last,),) = self.query("SELECT COALESCE(MAX(id), 0) FROM session")
            self._insert([tables.Session(last + 1, began, *origin)])
        return int(last) + 1

    def add(self, configuration: int, runs: Iterable[Any], session: int) -> None:
        """Add runs of the configuration with this index; they are written soon."""
        now = self.now()
        for run in runs:
            row = (
                *(configuration, run.run, session, now, run.seed),
                run.value + 0.0,  # SQLite has no -0.0
                *(run.evaluations_to_best, run.evaluations, run.iterations),
                *(tables.ENDINGS.index(run.ending), run.seconds),
                *(pack_trace(*run.trace), pack_point(run.categories)),
            )
            self.add_row(row)
        self.flush_in_time()

    def add_row(self, row: _Row) -> None:
        """Add a row of the table of runs, without its checksum."""
        self.waiting.append((*row, tables.run_checksum(row, self._row_checksums[row[0]])))

    def add_failure(self, configuration: int, number: int, message: str, session: int) -> None:
        """Add a failed run; a later success replaces it."""
        self.failed.append(tables.Failure(configuration, number, message, session, self.now()))

    def flush_in_time(self) -> None:
        """Write the waiting runs if they are too many or have waited too long."""
        is_late = time.monotonic() - self.flushed >= self.interval
        if is_late or len(self.waiting) >= self.max_waiting:
            self.flush()

    def flush(self) -> None:
        """Write the waiting runs; they stay in memory until they are on the disk."""
        if self.waiting or self.failed:
            with self._transaction():
                new = [
                    row for row in self.waiting if self._execute("INSERT OR IGNORE INTO run", row)
                ]
                self._insert(self._tally(new))
                self._insert(self.failed)
                self.connection.execute(
                    "DELETE FROM failure WHERE EXISTS (SELECT 1 FROM run WHERE "
                    "run.configuration = failure.configuration AND run.number = failure.number)"
                )
            self.waiting, self.failed = [], []
        self.flushed = time.monotonic()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _writing(self.path), self.connection:  # it commits, or rolls back after an error
            self.connection.execute("BEGIN IMMEDIATE")
            yield

    def _tally(self, rows: Iterable[_Row]) -> Iterable[tables.Tally]:
        """Return the tallies of this process, updated by new rows."""
        found: dict[tuple[int, int], tables.Tally] = {}
        for configuration, _, session, finished, *row in rows:
            key = configuration, session
            if key not in found:
                where = "WHERE configuration = ? AND session = ?"
                old = self.read_rows(tables.Tally, where, *key)
                found[key] = old[0] if old else tables.Tally(*key)
            before = found[key]
            found[key] = tables.Tally(
                *key,
                before.runs + 1,
                before.evaluations + row[3],
                before.seconds + row[6],
                max(before.finished, finished),
                before.checksums ^ row[-1],
            )
        return found.values()


def lock_store(path: Path, create: bool = False) -> Lock:
    """Lock a store for this process; with `create`, make an empty file if there is none.

    Raise an error, before any change, if the file is not a database or has several names.
    """
    try:
        if path.exists() or not create:
            check_file(path)
        with path.open("ab+") as file:
            if os.fstat(file.fileno()).st_nlink > 1:
                raise DatabaseError(
                    f"{path}: expected a file with one name, got one with hard links: under "
                    "another name another process could write it"
                )
        return Lock(path.resolve())
    except BlockingIOError as error:
        raise DatabaseError(f"{path}: another process is writing this store") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DatabaseError(f"{path}: the store cannot be opened ({reason})") from error


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Convert errors of SQLite inside the block to a WriteError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise WriteError(f"{path}: the store cannot be written ({error})") from error
