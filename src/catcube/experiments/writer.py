"""Writing a store: one process at a time, in short transactions."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from catcube.experiments.configuration import Configuration
from catcube.experiments.lock import Lock
from catcube.experiments.origin import Origin
from catcube.experiments.plan import Plan
from catcube.experiments.store import SCHEMA, Store, StoreError

INTERVAL = 0.5  # seconds that a finished run waits to be written, at most
ROWS = 200  # runs that wait to be written, at most

_MAGIC = b"SQLite format 3\0"


class WriteError(StoreError):
    """The store cannot be written any more: a full disk, for example."""


class Finding(NamedTuple):
    """What a run has found, in the order of the table's columns."""

    number: int
    seed: int
    value: float
    evaluations_to_best: int
    evaluations: int
    iterations: int
    ending: str
    seconds: float
    trace: bytes


class Writer(Store):
    """A store opened for adding the runs of a plan; it is made if there is none.

    A store that holds another plan, or that another process writes, is refused and left as it is.
    Runs are kept until `flush` writes them, `add` does so often enough.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan) -> None:
        self.plan = plan
        self.waiting: list[tuple[object, ...]] = []
        self.failed: list[tuple[object, ...]] = []
        self.sessions: dict[Origin, int] = {}
        self.written = time.monotonic()
        path = Path(path)
        self._make_place(path)
        try:
            self.lock = Lock(path)
        except BlockingIOError as error:
            raise StoreError(f"{path}: another process is writing this store") from error
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path}-lock: the lock cannot be had ({error})") from error
        try:
            super().__init__(path)
        except BaseException:
            self.lock.release()
            raise

    @staticmethod
    def _make_place(path: Path) -> None:
        """An empty file, if there is none; what is not even a database is not touched at all."""
        if path.is_dir():
            raise StoreError(f"{path}: this is a folder, not a store")
        try:
            with path.open("ab+") as file:
                file.seek(0)
                if file.read(len(_MAGIC)) not in (b"", _MAGIC):
                    raise StoreError(f"{path}: this is no store of catcube")
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise StoreError(f"{path}: the store cannot be opened ({reason})") from error

    def _opened(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=30, isolation_level=None)

    def _check(self) -> None:
        tables = self.connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
        empty = tables == 0 and self._identity() == (0, 0)
        if not empty:
            super()._check()
            self._check_content()
        self.connection.execute("PRAGMA journal_mode = WAL")
        # Every commit reaches the disk: a pulled plug loses no more than a killed process.
        self.connection.execute("PRAGMA synchronous = FULL")
        if empty:
            self._create()

    def _identity(self) -> tuple[int, int]:
        application, version = (
            self.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        return application, version

    def _check_content(self) -> None:
        """Refuse damage and other plans."""
        (found,) = self.connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise StoreError(f"{self.path}: the store is damaged ({' '.join(found.split())})")
        difference = difference_of(self.configurations(), self.plan.configurations())
        if difference is not None:
            raise StoreError(f"{self.path}: the store holds another plan ({difference})")

    def _create(self) -> None:
        """All in one transaction: a file has a whole schema and plan, or nothing."""
        rows = [
            (place, own.experiment, own.instance, *own.pair, own.runs, own.digest, own.to_json())
            for place, own in enumerate(self.plan.configurations())
        ]
        self.connection.executescript(f"BEGIN;{SCHEMA}")
        self.connection.executemany(
            f"INSERT INTO configuration VALUES ({', '.join('?' * 8)})", rows
        )
        self.connection.execute("INSERT INTO metadata VALUES ('plan', ?)", (self.plan.name,))
        self.connection.execute("COMMIT")

    def close(self) -> None:
        """Write what waits, and let go of the file and the lock."""
        try:
            self.flush()
            # At rest a store is one plain file, to be copied or read anywhere. While somebody
            # reads it this is refused, and does not matter.
            with suppress(sqlite3.OperationalError):
                self.connection.execute("PRAGMA busy_timeout = 0")
                self.connection.execute("PRAGMA journal_mode = DELETE")
        finally:
            super().close()
            self.lock.release()

    def session(self, origin: Origin) -> int:
        """The number of this session's entry for runs of this origin."""
        if origin not in self.sessions:
            with _writing(self.path):
                cursor = self.connection.execute(
                    "INSERT INTO session (began, version, sources, machine) VALUES (?, ?, ?, ?)",
                    (time.time(), *origin),
                )
            assert cursor.lastrowid is not None
            self.sessions[origin] = cursor.lastrowid
        return self.sessions[origin]

    def add(self, configuration: int, findings: Iterable[Finding], session: int) -> None:
        """Keep some runs of the configuration at this place, to be written soon."""
        now = time.time()
        self.waiting += [(configuration, *own, session, now) for own in findings]
        self.flush_in_time()

    def add_failure(self, configuration: int, number: int, message: str, session: int) -> None:
        """Keep a failed run; one that succeeds later takes its place."""
        self.failed.append((configuration, number, message, session, time.time()))

    def flush_in_time(self) -> None:
        """Write what waits, if it waits for too long or is too much."""
        if len(self.waiting) >= ROWS or time.monotonic() - self.written >= INTERVAL:
            self.flush()

    def flush(self) -> None:
        """Write what waits; it is forgotten only when it is on the disk."""
        if self.waiting or self.failed:
            with _writing(self.path):
                self._write(self.waiting, self.failed)
            self.waiting, self.failed = [], []
        self.written = time.monotonic()

    def _write(
        self, runs: Sequence[tuple[object, ...]], failures: Sequence[tuple[object, ...]]
    ) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            self.connection.executemany(
                f"INSERT OR IGNORE INTO run VALUES ({', '.join('?' * 12)})", runs
            )
            self.connection.executemany(
                "INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?, ?)", failures
            )
            self.connection.execute(
                "DELETE FROM failure WHERE EXISTS (SELECT 1 FROM run WHERE "
                "run.configuration = failure.configuration AND run.number = failure.number)"
            )
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What SQLite refuses to write inside is told as a WriteError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise WriteError(f"{path}: the store cannot be written ({error})") from error


def difference_of(stored: Sequence[Configuration], planned: Sequence[Configuration]) -> str | None:
    """The first difference of two plans in words, None if they are the same."""
    for there, here in zip(stored, planned, strict=False):
        for name in vars(there):
            old, new = getattr(there, name), getattr(here, name)
            if old != new:
                shown = "other cells" if name == "board" else f"{old!r} there, {new!r} here"
                return f"experiment {there.experiment!r}, {name}: {shown}"
    if len(stored) != len(planned):
        return f"{len(stored)} configurations there, {len(planned)} here"
    return None
