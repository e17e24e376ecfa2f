"""Writing of a store by one process at a time, in short transactions."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple, Protocol

from catcube.experiments.lock import Lock
from catcube.experiments.plan import Configuration, difference_of
from catcube.experiments.store import (
    CONTENT,
    ENDINGS,
    MAGIC,
    NUMBERS,
    SCHEMA,
    TALLY,
    Store,
    StoreError,
    check_file,
    connect,
    journals,
    metadata_checksum,
    run_checksum,
    text_checksum,
)
from catcube.experiments.trace import pack_point, pack_trace
from catcube.experiments.worker import Origin
from catcube.problems.instance_files import InstanceFiles, content_hash

INTERVAL = 0.5  # seconds until a finished run is written
ROWS = 200  # runs that are kept in memory


class WriteError(StoreError):
    """The store can no longer be written, for example because the disk is full."""


class OtherPlanError(StoreError):
    """A store that holds the runs of another plan."""


class PlanLike(Protocol):
    """The plan of a store: a name and configurations."""

    @property
    def name(self) -> str:
        """The name of the plan."""

    def configurations(self) -> list[Configuration]:
        """Return the configurations in order."""


class _Made(NamedTuple):
    """The runs of a session for a configuration, in the order of the table of tallies."""

    runs: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    finished: float = 0.0
    checksums: int = 0


_Row = tuple[Any, ...]


class Writer(Store):
    """A store opened for adding the runs of a plan; it is created if there is none.

    A store that holds another plan, that is damaged, or that another process writes, is an error
    and stays unchanged. Runs are kept in memory until `flush` writes them; `add` calls it in time:
    after `interval` seconds, or if there are `rows` of them.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        plan: PlanLike,
        interval: float = INTERVAL,
        rows: int = ROWS,
    ) -> None:
        self.plan, self.interval, self.most = plan, interval, rows
        self.waiting: list[_Row] = []
        self.failed: list[tuple[object, ...]] = []
        self.origins: dict[Origin, int] = {}
        self.made: dict[tuple[int, int], _Made] = {}  # by configuration and session
        self.flushed = time.monotonic()
        self._clock = time.time() - self.flushed
        path = Path(path)
        file = _create(path)
        try:
            self.lock = Lock(file)
        except BlockingIOError as error:
            raise StoreError(f"{path}: another process is writing this store") from error
        except OSError as error:
            raise StoreError(
                f"{path}-lock: the store cannot be locked ({(error.strerror or '').lower()})"
            ) from error
        try:
            if journals(file):
                # Recover a copy first: were the journal of another store beside this one, it
                # would be replayed into it.
                with _Copy(path, plan):
                    pass
            super().__init__(path)
        except BaseException:
            self.lock.release()
            raise

    def now(self) -> float:
        """Return the time in seconds as `time.time`, but monotonic."""
        return self._clock + time.monotonic()

    def _open(self, private: bool) -> sqlite3.Connection:
        return connect(self.file, "mode=rw")

    def _check(self, structure: bool) -> None:
        """Check that the file is an intact store of this plan before it is written."""
        empty = _is_empty(self)
        if not empty:
            super()._check(structure)
            _check_content(self, self.plan)
        with _writing(self.path):
            self.connection.execute("PRAGMA journal_mode = WAL")
            # Every commit reaches the disk: a power failure loses no more than a killed process.
            self.connection.execute("PRAGMA synchronous = FULL")
            if empty:
                self._create()

    def _create(self) -> None:
        """Create schema and plan in one transaction."""
        planned = self.plan.configurations()
        self.size = len(planned)
        self.metadata = metadata = {
            "plan": self.plan.name,
            "configurations": str(len(planned)),
            "identity": token_hex(8),  # unique
        }
        self.identity = text_checksum([metadata["identity"]])
        rows = []
        for index, configuration in enumerate(planned):
            body = configuration
            if InstanceFiles.is_text_of(configuration.board):
                reference = CONTENT + content_hash(configuration.board)
                metadata[reference] = configuration.board
                body = replace(configuration, board=reference)
            names = (*configuration.names, configuration.runs, configuration.digest)
            rows.append((index, *names, body.to_json()))
        self.connection.executescript(f"BEGIN;{SCHEMA}")
        self._insert("configuration", rows)
        metadata["checksum"] = str(metadata_checksum(metadata))
        self.connection.executemany("INSERT INTO metadata VALUES (?, ?)", metadata.items())
        self.connection.execute("COMMIT")

    def _insert(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Insert rows of a small table with checksums."""
        for row in rows:
            whole = (*row, text_checksum(row, self.identity))
            marks = ", ".join("?" * len(whole))
            self.connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", whole)

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
        """Return the number of the session for runs of this origin."""
        if origin not in self.origins:
            self.origins[origin] = self.new_session(origin, self.now())
        return self.origins[origin]

    def new_session(self, origin: Origin, began: float) -> int:
        """Add a session and return its number."""
        with self._transaction():
            ((last,),) = self.query("SELECT COALESCE(MAX(id), 0) FROM session")
            self._insert("session", [(last + 1, began, *origin)])
        return int(last) + 1

    def add(self, configuration: int, runs: Iterable[Any], session: int) -> None:
        """Add runs of the configuration with this index, to be written soon."""
        now = self.now()
        for run in runs:
            self.add_row(
                (
                    *(configuration, run.run, session, now, run.seed),
                    run.value + 0.0,  # SQLite has no -0.0
                    *(run.evaluations_to_best, run.evaluations, run.iterations),
                    *(ENDINGS.index(run.ending), run.seconds),
                    pack_trace(*run.trace),
                    pack_point(run.categories),
                )
            )
        self.flush_in_time()

    def add_row(self, row: _Row) -> None:
        """Add a row of the table of runs, without its checksum."""
        self.waiting.append((*row, run_checksum(row, self._starts[row[0]])))

    def add_failure(self, configuration: int, number: int, message: str, session: int) -> None:
        """Add a failed run; a later success replaces it."""
        self.failed.append((configuration, number, message, session, self.now()))

    def flush_in_time(self) -> None:
        """Write waiting runs if they wait too long or are too many."""
        if len(self.waiting) >= self.most or time.monotonic() - self.flushed >= self.interval:
            self.flush()

    def flush(self) -> None:
        """Write waiting runs; they stay in memory until they are on the disk."""
        if self.waiting or self.failed:
            with self._transaction():
                new = [row for row in self.waiting if self._insert_run(row)]
                made = self._tally(new)
                self._insert("tally", ((*key, *tally) for key, tally in made.items()))
                self._insert("failure", self.failed)
                self.connection.execute(
                    "DELETE FROM failure WHERE EXISTS (SELECT 1 FROM run WHERE "
                    "run.configuration = failure.configuration AND run.number = failure.number)"
                )
            self.made |= made
            self.waiting, self.failed = [], []
        self.flushed = time.monotonic()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _writing(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def _insert_run(self, row: _Row) -> bool:
        """Insert a run unless it exists; return whether it was new."""
        marks = ", ".join("?" * len(row))
        cursor = self.connection.execute(f"INSERT OR IGNORE INTO run VALUES ({marks})", row)
        return cursor.rowcount == 1

    def _made_before(self, index: int, session: int) -> _Made:
        """Return the current tally of a session for a configuration."""
        if (index, session) not in self.made:
            condition = "WHERE configuration = ? AND session = ?"
            rows = self.checked("tally", TALLY, condition, index, session)
            self.made[index, session] = _Made(*rows[0][2:]) if rows else _Made()
        return self.made[index, session]

    def _tally(self, rows: Iterable[_Row]) -> dict[tuple[int, int], _Made]:
        """Return the tallies of this process after adding rows."""
        found: dict[tuple[int, int], _Made] = {}
        for row in rows:
            key = row[0], row[2]
            before = found.get(key) or self._made_before(*key)
            found[key] = _Made(
                before.runs + 1,
                before.evaluations + row[7],
                before.seconds + row[NUMBERS - 1],
                max(before.finished, row[3]),
                before.checksums ^ row[-1],
            )
        return found


class _Copy(Store):
    """A store whose journals are replayed in a private copy, checked against the plan."""

    def __init__(self, path: Path, plan: PlanLike) -> None:
        self.plan = plan
        super().__init__(path, private=True)

    def _check(self, structure: bool) -> None:
        if not _is_empty(self):
            super()._check(structure)
            _check_content(self, self.plan)


def _is_empty(store: Store) -> bool:
    """Return whether nothing was written yet."""
    ((tables,),) = store.query("SELECT COUNT(*) FROM sqlite_schema")
    return tables == 0 and store._identity() == (0, 0)


def _check_content(store: Store, plan: PlanLike) -> None:
    """Raise a StoreError if a store is damaged or holds another plan."""
    difference = difference_of(store.configurations(), plan.configurations())
    if difference is not None:
        raise OtherPlanError(f"{store.path}: the store holds another plan ({difference})")
    store.check_runs()


def _create(path: Path) -> Path:
    """Create an empty file if there is none; return its resolved path.

    A file that is not a database, or that has several names, stays unchanged.
    """
    try:
        if path.exists():
            check_file(path)
        with path.open("ab+") as file:
            file.seek(0)
            if file.read(len(MAGIC)) not in (b"", MAGIC):
                raise StoreError(f"{path}: not a catcube store")
            if os.fstat(file.fileno()).st_nlink > 1:
                raise StoreError(
                    f"{path}: expected a file with one name, got one with hard links: under "
                    "another name another process could write it"
                )
    except StoreError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StoreError(f"{path}: the store cannot be opened ({reason.lower()})") from error
    return path.resolve()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Convert errors of SQLite inside the block to a WriteError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise WriteError(f"{path}: the store cannot be written ({error})") from error
