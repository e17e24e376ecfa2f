"""Writing of a store by one process at a time, in short transactions."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple, Protocol

from catcube.experiments.configuration import Configuration, difference_of
from catcube.experiments.origin import Origin
from catcube.experiments.store.checksum import metadata_checksum, run_checksum, text_checksum
from catcube.experiments.store.errors import DamageError, StoreError
from catcube.experiments.store.file import create_file
from catcube.experiments.store.lock import Lock
from catcube.experiments.store.schema import CONTENT, ENDINGS, NUMBERS, SCHEMA, TALLY
from catcube.experiments.store.store import Store
from catcube.problems.instance_files import InstanceFiles, content_hash

INTERVAL = 0.5  # seconds until a finished run is written
ROWS = 200  # runs that are kept in memory


class WriteError(StoreError):
    """The store can no longer be written, for example because the disk is full."""


class Finding(NamedTuple):
    """The result of a run."""

    number: int
    seed: int
    value: float
    evaluations_to_best: int
    evaluations: int
    iterations: int
    ending: str
    seconds: float
    trace: bytes


class Planned(Protocol):
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


_Row = tuple[float | bytes, ...]


class Writer(Store):
    """A store opened for adding the runs of a plan; it is created if there is none.

    A store that holds another plan, that is damaged, or that another process writes, is an error
    and stays unchanged. Runs are kept in memory until `flush` writes them; `add` calls it in time.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Planned) -> None:
        self.plan = plan
        self.waiting: list[_Row] = []
        self.failed: list[tuple[object, ...]] = []
        self.origins: dict[Origin, int] = {}
        self.made: dict[tuple[int, int], _Made] = {}  # by configuration and session
        self.flushed = time.monotonic()
        self._clock = time.time() - self.flushed
        path = Path(path)
        create_file(path)
        try:
            self.lock = Lock(path)
        except BlockingIOError as error:
            raise StoreError(f"{path}: another process is writing this store") from error
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path}-lock: could not acquire the lock ({error})") from error
        try:
            super().__init__(path)
        except BaseException:
            self.lock.release()
            raise

    def now(self) -> float:
        """Return the time in seconds as `time.time`, but monotonic."""
        return self._clock + time.monotonic()

    def _check(self) -> None:
        """Check that the file is an intact store of this plan before it is opened for writing.

        Were it opened before, the journal of another store beside it could be replayed into it.
        """
        tables = self.connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]
        empty = tables == 0 and self._identity() == (0, 0)
        if not empty:
            super()._check()
            self._check_content()
        self.connection.close()
        self.connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        with _writing(self.path):
            self.connection.execute("PRAGMA journal_mode = WAL")
            # Every commit reaches the disk: a power failure loses no more than a killed process.
            self.connection.execute("PRAGMA synchronous = FULL")
            if empty:
                self._create()

    def _check_content(self) -> None:
        """Raise a StoreError if the store is damaged or holds another plan."""
        (found,) = self.connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise DamageError(self.path, " ".join(found.split()))
        difference = difference_of(self.configurations(), self.plan.configurations())
        if difference is not None:
            raise StoreError(f"{self.path}: the store holds another plan ({difference})")
        self.check_runs()

    def _create(self) -> None:
        """Create schema and plan in one transaction."""
        planned = self.plan.configurations()
        metadata = {
            "plan": self.plan.name,
            "configurations": str(len(planned)),
            "identity": token_hex(8),  # unique
        }
        self.identity = text_checksum([metadata["identity"]])
        bodies = []
        for configuration in planned:
            if InstanceFiles.is_text_of(configuration.board):
                reference = CONTENT + content_hash(configuration.board)
                metadata[reference] = configuration.board
                configuration = replace(configuration, board=reference)
            bodies.append(configuration.to_json())
        rows = [
            (
                index,
                configuration.experiment,
                configuration.instance,
                *configuration.pair,
                configuration.runs,
                configuration.digest,
                bodies[index],
            )
            for index, configuration in enumerate(planned)
        ]
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
        with _writing(self.path):
            number: int = 1 + self.query("SELECT COALESCE(MAX(id), 0) FROM session")[0][0]
            self._insert("session", [(number, began, *origin)])
        return number

    def add(
        self,
        configuration: int,
        findings: Iterable[Finding],
        session: int,
        finished: float | None = None,
    ) -> None:
        """Add runs of the configuration with this index, to be written soon."""
        moment = self.now() if finished is None else finished
        self.learn_configurations()
        start = self._starts[configuration]
        for finding in findings:
            numbers = (
                *(configuration, finding.number, session, moment, finding.seed),
                finding.value + 0.0,  # SQLite has no -0.0
                *(finding.evaluations_to_best, finding.evaluations, finding.iterations),
                *(ENDINGS.index(finding.ending), finding.seconds),
            )
            checksum = run_checksum(numbers, finding.trace, start)
            self.waiting.append((*numbers, finding.trace, checksum))
        self.flush_in_time()

    def add_failure(self, configuration: int, number: int, message: str, session: int) -> None:
        """Add a failed run; a later success replaces it."""
        self.failed.append((configuration, number, message, session, self.now()))

    def flush_in_time(self) -> None:
        """Write waiting runs if they wait too long or are too many."""
        if len(self.waiting) >= ROWS or time.monotonic() - self.flushed >= INTERVAL:
            self.flush()

    def flush(self) -> None:
        """Write waiting runs; they stay in memory until they are on the disk."""
        if self.waiting or self.failed:
            with _writing(self.path):
                self._write(self.waiting, self.failed)
            self.waiting, self.failed = [], []
        self.flushed = time.monotonic()

    def _write(self, runs: Sequence[_Row], failures: Sequence[tuple[object, ...]]) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            new = [row for row in runs if self._insert_run(row)]
            made = self._tallied(new)
            self._insert("tally", ((*key, *tally) for key, tally in made.items()))
            self._insert("failure", failures)
            self.connection.execute(
                "DELETE FROM failure WHERE EXISTS (SELECT 1 FROM run WHERE "
                "run.configuration = failure.configuration AND run.number = failure.number)"
            )
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise
        self.made |= made

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

    def _tallied(self, rows: Iterable[_Row]) -> dict[tuple[int, int], _Made]:
        """Return the tallies of this process after adding rows."""
        found: dict[tuple[int, int], _Made] = {}
        for row in rows:
            index, session, evaluations = int(row[0]), int(row[2]), int(row[7])
            before = found.get((index, session)) or self._made_before(index, session)
            found[index, session] = _Made(
                before.runs + 1,
                before.evaluations + evaluations,
                before.seconds + float(row[NUMBERS - 1]),
                max(before.finished, float(row[3])),
                before.checksums ^ int(row[-1]),
            )
        return found


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Convert errors of SQLite inside the block to a WriteError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise WriteError(f"{path}: the store cannot be written ({error})") from error
