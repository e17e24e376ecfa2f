"""Writing of a store by one process at a time, in short transactions; its examination."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import numpy as np

from catcube.experiments.plan import Configuration, Plan, difference_of
from catcube.experiments.store import (
    CONTENT,
    ENDINGS,
    FAILURE,
    MAGIC,
    NUMBERS,
    RUN,
    SCHEMA,
    SELECT_RUN,
    SESSION,
    TALLY,
    DamageError,
    Lock,
    Store,
    StoredPlan,
    StoreError,
    check_file,
    connect,
    journals,
    metadata_checksum,
    run_checksum,
    text_checksum,
)
from catcube.experiments.trace import pack_point, pack_trace, unpack_point, unpack_trace
from catcube.experiments.worker import Origin
from catcube.problems.instance_files import InstanceFiles, content_hash

INTERVAL = 0.5  # seconds until a finished run is written
ROWS = 200  # runs that are kept in memory


class WriteError(StoreError):
    """The store can no longer be written, for example because the disk is full."""


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
        plan: Plan | StoredPlan,
        interval: float = INTERVAL,
        rows: int = ROWS,
    ) -> None:
        self.plan, self.interval, self.most = plan, interval, rows
        self.waiting: list[_Row] = []
        self.failed: list[tuple[object, ...]] = []
        self.origins: dict[Origin, int] = {}
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
                Store(path, private=True, plan=plan).close()
            super().__init__(path, plan=plan)
            try:
                self._begin()
            except BaseException:
                self.connection.close()
                raise
        except BaseException:
            self.lock.release()
            raise

    def now(self) -> float:
        """Return the time in seconds as `time.time`, but monotonic."""
        return self._clock + time.monotonic()

    def _open(self, private: bool) -> sqlite3.Connection:
        return connect(self.file, "mode=rw")

    def _begin(self) -> None:
        """Prepare the file, an intact store of this plan or an empty one, for writing."""
        with _writing(self.path):
            self.connection.execute("PRAGMA journal_mode = WAL")
            # Every commit reaches the disk: a power failure loses no more than a killed process.
            self.connection.execute("PRAGMA synchronous = FULL")
            if self.empty:
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

    def _tally(self, rows: Iterable[_Row]) -> dict[tuple[int, int], _Made]:
        """Return the tallies of this process after adding rows."""
        found: dict[tuple[int, int], _Made] = {}
        for row in rows:
            key = row[0], row[2]
            if key not in found:
                condition = "WHERE configuration = ? AND session = ?"
                tallies = self.checked("tally", TALLY, condition, *key)
                found[key] = _Made(*tallies[0][2:]) if tallies else _Made()
            before = found[key]
            found[key] = _Made(
                before.runs + 1,
                before.evaluations + row[7],
                before.seconds + row[NUMBERS - 1],
                max(before.finished, row[3]),
                before.checksums ^ row[-1],
            )
        return found


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


# Examination. Nothing is repaired: a run that was dropped is computed again by the same campaign,
# with the same result.


class Examination(NamedTuple):
    """The numbers of planned, intact and failed runs, and a list of faults."""

    planned: int
    intact: int
    failed: int
    faults: list[str]


def examine(path: str | os.PathLike[str], plan: Plan | None = None) -> Examination:
    """Read everything in a store, and name all that is damaged or not of the plan."""
    with Store(path, check=False) as store, store.snapshot():
        planned = sum(configuration.runs for configuration in store.configurations())
        faults: list[str] = []
        try:
            found = store.query("PRAGMA integrity_check(10)")
            faults += [" ".join(str(line).split()) for (line,) in found if line != "ok"]
        except StoreError as error:
            faults.append(str(error))
        if plan is not None:
            difference = difference_of(store.configurations(), plan.configurations())
            faults += [] if difference is None else [f"not of the plan: {difference}"]
        intact = sum(1 for _ in _intact_rows(store, faults))
        failed = 0
        try:
            failed = len(store.checked("failure", FAILURE))
            if not faults:
                store.check_runs()  # the tallies
        except DamageError as error:
            faults.append(error.what)
    return Examination(planned, intact, failed, faults)


def drop(path: str | os.PathLike[str]) -> int:
    """Write a store again without its damaged and failed runs; return the number of the others."""
    file = check_file(Path(path))
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        lock = Lock(file)
    except BlockingIOError:
        raise StoreError(f"{path}: another process is writing this store") from None
    try:
        count = 0
        with Store(path, check=False, private=True) as store, store.snapshot():
            plan = StoredPlan(store.metadata["plan"], store.configurations())
            with Writer(part, plan) as writer:
                numbers = {
                    session[0]: writer.new_session(Origin(*session[2:]), session[1])
                    for session in _sessions(store, [])
                }
                for row in _intact_rows(store, []):
                    writer.add_row((*row[:2], numbers[row[2]], *row[3:-1]))
                    writer.flush_in_time()
                    count += 1
        for name in (f"{file}-journal", f"{file}-wal", f"{file}-shm"):  # replayed in the copy
            Path(name).unlink(missing_ok=True)
        os.replace(part, file)
    finally:
        for name in (str(part), f"{part}-lock"):
            Path(name).unlink(missing_ok=True)
        lock.release()
    return count


def _sessions(store: Store, faults: list[str]) -> list[tuple[Any, ...]]:
    """Return the intact sessions."""
    try:
        rows = store.query(f"SELECT {', '.join(SESSION)}, checksum FROM session")
    except StoreError as error:
        faults.append(str(error))
        return []
    faults += [f"session {row[0]!r}" for row in rows if not store.is_right(SESSION, row)]
    return [row[:-1] for row in rows if store.is_right(SESSION, row)]


def _intact_rows(store: Store, faults: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of intact runs, with their checksums; describe the others."""
    sessions = {session[0] for session in _sessions(store, faults)}
    for index, configuration in enumerate(store.configurations()):
        names = ", ".join(configuration.names)
        seen: set[int] = set()
        try:
            for row in store.rows(SELECT_RUN, index):
                fault = _fault(store, row, configuration, sessions)
                if fault is None and row[1] not in seen:
                    seen.add(row[1])
                    yield row
                else:
                    faults.append(f"{names}, run {row[1]!r}: {fault or 'it is there twice'}")
        except StoreError as error:
            faults.append(f"{names}: {getattr(error, 'what', error)}")


def _fault(
    store: Store, row: tuple[Any, ...], configuration: Configuration, sessions: set[int]
) -> str | None:
    """Describe what is wrong with a run: damage, or what a run of the plan cannot be."""
    if not store.is_intact(row):
        return "its checksum is wrong"
    run = dict(zip(RUN, row, strict=False))
    if run["session"] not in sessions:
        return "its session is missing"
    number, value, evaluations = run["number"], run["value"], run["evaluations"]
    if not 1 <= number <= configuration.runs or run["seed"] != configuration.run_seed(number):
        return "its number or seed is not of the plan"
    reached = configuration.target is not None and value <= configuration.target
    full = evaluations == configuration.budget
    expected = ("target",) if reached else ("budget",) if full else ("converged", "enumerated")
    if evaluations > configuration.budget or ENDINGS[run["ending"]] not in (
        *expected,
        "enumerated",
    ):
        return "its evaluations or its ending are not of the plan"
    try:
        unpack_point(row[-2])
        steps, values = unpack_trace(row[-3], run["evaluations_to_best"])
    except ValueError as error:
        return str(error)
    plausible = (steps.size == 0 and value == np.inf and run["evaluations_to_best"] == 0) or (
        steps.size > 0
        and steps[0] >= 1
        and bool((np.diff(steps) > 0).all() and (np.diff(values) < 0).all())
        and steps[-1] == run["evaluations_to_best"] <= evaluations
        and values[-1] == value
    )
    return None if plausible else "its improvements are implausible"
