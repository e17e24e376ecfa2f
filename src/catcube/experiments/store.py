"""Store: the results of a campaign in one SQLite file, at most half a second behind the campaign.

A `Store` can be read at any time, even while a campaign is writing it through the class of
`catcube.experiments.writer`. Every row has a checksum, which is verified whenever the row is read,
and the table `tally` holds the number of runs, so damaged data raise an error.

A store may be untrusted. Opening it writes and deletes nothing: it is opened read-only or, if a
killed campaign has left a journal, copied first. Time and memory are limited by its size.
"""

import json
import os
import sqlite3
import struct
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from catcube.base.database import DatabaseError, check_file, connect, definitions, is_locked
from catcube.experiments import tables
from catcube.experiments.plan import Configuration, Plan, check_size, compare_plans
from catcube.experiments.trace import unpack_point, unpack_trace
from catcube.problems.instances import content_hash
from catcube.search.result import Result, Trace

ROWS_PER_READ = 10_000
STEPS_PER_CHECK = 100_000  # instructions of SQLite's virtual machine between two checks of a limit
LOCK_TIMEOUT = 30.0  # seconds to wait for another process
_NUMBERS = ("value", "evaluations", "evaluations_to_best", "iterations", "seconds", "seed")
_SETTINGS = ("instance", "algorithm", "representation", "budget", "target")
_NO_TRACE = Trace(np.empty(0, np.int64), np.empty(0))

Row = TypeVar("Row", bound=tables.Row)


class OtherPlanError(DatabaseError):
    """A store that holds the runs of another plan."""


class DamageError(DatabaseError):
    """A store whose content has changed since it was written."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = what
        super().__init__(
            f"{path}: the store is damaged ({what}); 'catcube check {path}' shows what is intact"
        )


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Convert errors of SQLite inside the block to a DatabaseError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # No code: a string that Python cannot decode. The higher bits are details.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            raise DatabaseError(f"{path}: not a catcube store") from error
        if code == sqlite3.SQLITE_INTERRUPT:
            raise DamageError(path, "a query takes longer than any store of this size") from error
        if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
            # Locked, out of memory, no permission: the file may be intact.
            raise DatabaseError(f"{path}: the store cannot be read ({error})") from error
        raise DamageError(path, " ".join(str(error).split())[:100]) from error
    except UnicodeDecodeError as error:
        raise DamageError(path, "it contains an invalid string") from error


class Store:
    """A store opened for reading: `with Store("mine.sqlite") as store: ...`.

    Parameters
    ----------
    path
        The file.
    check
        Whether to verify the structure of the file first.
    plan
        The plan of the store; a store of another plan is an error, an empty file is not.
    running
        Whether a process is writing the store; by default this is found out from its lock.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        check: bool = True,
        plan: "Plan | Store | None" = None,
        running: bool | None = None,
    ) -> None:
        self.path = Path(path)
        self.file = check_file(self.path)
        with store_errors(self.path):
            self.connection = self._connect(is_locked(self.file) if running is None else running)
        try:
            self.connection.set_progress_handler(self._count_steps, STEPS_PER_CHECK)
            self.empty = plan is not None and self._is_empty()
            if not self.empty:
                self._check(check)
                if plan is not None:
                    self._check_plan(plan)
        except BaseException:
            self.connection.close()
            raise

    def _connect(self, running: bool) -> sqlite3.Connection:
        return connect(self.path, log=True, running=running, timeout=LOCK_TIMEOUT)

    def _is_empty(self) -> bool:
        ((tables,),) = self.query("SELECT COUNT(*) FROM sqlite_schema")
        return bool(tables == 0)

    def _check(self, structure: bool) -> None:
        """Raise a DatabaseError unless the file is a store of this format with intact metadata."""
        ((application,),) = self.query("PRAGMA application_id")
        ((version,),) = self.query("PRAGMA user_version")
        if application != tables.APPLICATION:
            raise DatabaseError(f"{self.path}: not a catcube store")
        if version != tables.VERSION:
            age = "a newer" if version > tables.VERSION else "an older"
            raise DatabaseError(
                f"{self.path}: expected the format {tables.VERSION}, got {version}: the store was "
                f"made by {age} catcube"
            )
        if set(self.query("SELECT name, sql FROM sqlite_schema")) != definitions(tables.SCHEMA):
            raise DamageError(self.path, "unexpected tables")
        if structure:
            ((found,),) = self.query("PRAGMA quick_check(1)")
            if found != "ok":
                raise DamageError(self.path, " ".join(str(found).split()))
        rows = self.query("SELECT name, value FROM metadata")
        try:
            self.metadata = msgspec.convert(dict(rows), dict[str, str])
            named = {name: value for name, value in self.metadata.items() if name != "checksum"}
            if self.metadata["checksum"] != str(tables.metadata_checksum(named)):
                raise ValueError("the checksum is wrong")
            self.name, self.size = named["plan"], int(named["configurations"])
            self.identity = tables.text_checksum([named["identity"]])
        except (ValueError, KeyError, TypeError) as error:
            raise DamageError(self.path, "the record of the campaign") from error
        self._check_size(self.size, 0)

    def _check_size(self, configurations: int, runs: int) -> None:
        try:
            check_size(configurations, runs)
        except ValueError as error:
            raise DamageError(self.path, str(error)) from None

    def _check_plan(self, plan: "Plan | Store") -> None:
        """Raise a DatabaseError unless the store has the intact runs of this plan."""
        difference = compare_plans(self.configurations(), plan.configurations())
        if difference is not None:
            raise OtherPlanError(f"{self.path}: the store holds another plan ({difference})")
        self.check_runs()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    # Queries

    def rows(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, unchecked; stop with an error after too many for the file."""
        with store_errors(self.path):
            files = (self.file, Path(f"{self.file}-wal"))
            size = sum(file.stat().st_size for file in files if file.exists())
            self._steps = 10**8 + 100 * size
            cursor = self.connection.execute(sql, values)
            yield from islice(cursor, 1000 + size // 8)  # a row takes at least eight bytes
            if cursor.fetchone() is not None:
                raise DamageError(self.path, "more rows than the file can hold")

    def _count_steps(self) -> bool:
        """Return whether a query takes longer than is possible for a file of this size."""
        self._steps -= STEPS_PER_CHECK
        return self._steps < 0

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query, unchecked."""
        return list(self.rows(sql, *values))

    def read_rows(self, kind: type[Row], condition: str = "", *values: Any) -> list[Row]:
        """Return all rows of a small table that satisfy a condition; raise an error if damaged."""
        table = tables.TABLES[kind]
        columns = ", ".join(kind._fields)
        rows = self.query(f"SELECT {columns}, checksum FROM {table} {condition}", *values)
        for number, row in enumerate(rows, start=1):
            if not self.has_valid_checksum(row):
                raise DamageError(self.path, f"row {number} of the table {table}")
        try:  # a forged store may hold values of any type
            found = msgspec.convert([row[:-1] for row in rows], list[kind])  # type: ignore[valid-type]
        except msgspec.ValidationError as error:
            raise DamageError(self.path, f"the table {table}: {error}") from error
        if any(not 0 <= getattr(row, "configuration", 0) < max(self.size, 1) for row in found):
            raise DamageError(self.path, f"the table {table}: an unknown configuration")
        return found

    def has_valid_checksum(self, row: tuple[Any, ...]) -> bool:
        """Return whether a row of a small table, with its checksum last, is intact."""
        return bool(tables.text_checksum(row[:-1], self.identity) == row[-1])

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read a consistent snapshot inside the block, even if a campaign is writing."""
        if self.connection.in_transaction:
            yield
            return
        self.query("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.ProgrammingError):  # already closed
                self.connection.rollback()

    # The plan

    def configurations(self) -> list[Configuration]:
        """Return the configurations in the order of the plan."""
        return list(self._configurations)

    @cached_property
    def _configuration_rows(self) -> list[tables.ConfigurationRow]:
        rows = self.read_rows(tables.ConfigurationRow)
        if [row.id for row in rows] != list(range(self.size)):
            raise DamageError(self.path, "a configuration is missing")
        return rows

    @cached_property
    def _configurations(self) -> list[Configuration]:
        found = [self._configuration(row.body) for row in self._configuration_rows]
        self._check_size(0, sum(one.runs for one in found))
        shared: dict[str, tuple[Any, ...]] = {}
        for one in found:
            common = one.budget, one.target, one.restart, one.seed, one.runs
            if shared.setdefault(one.experiment, common) != common:
                raise DamageError(self.path, f"the experiment {one.experiment!r} has two settings")
        return found

    @cached_property
    def _row_checksums(self) -> list[int]:
        """The checksums of the configurations, from which those of their runs start."""
        return [tables.text_checksum(row, self.identity) for row in self._configuration_rows]

    def _configuration(self, body: str) -> Configuration:
        try:
            configuration = Configuration.from_json(body)
        except ValueError as error:
            raise DamageError(self.path, str(error)) from error
        if configuration.content.startswith(tables.CONTENT):
            content = self.metadata.get(configuration.content, "")
            if tables.CONTENT + content_hash(content) != configuration.content:
                raise DamageError(self.path, f"the files of {configuration.instance}")
            return msgspec.structs.replace(configuration, content=content)
        return configuration

    # The runs

    def numbers(self, configuration: int) -> set[int]:
        """Return the numbers of the finished runs of the configuration with this index."""
        rows = self.query("SELECT number FROM run WHERE configuration = ?", configuration)
        return {number for (number,) in rows}

    def counts(self) -> dict[int, int]:
        """Count the finished runs by index of the configuration."""
        found: Counter[int] = Counter()
        for tally in self.read_rows(tables.Tally):
            found[tally.configuration] += tally.runs
        return found

    def runs(self, experiment: str | None = None) -> Iterator[Result]:
        """Yield the finished runs, of all experiments or of one, in the order of the plan."""
        with self.snapshot():
            for index, configuration in enumerate(self._configurations):
                if experiment in (None, configuration.experiment):
                    yield from self.runs_of(index)

    def runs_of(self, index: int, traces: bool = True) -> Iterator[Result]:
        """Yield the finished runs of the configuration with this index, with or without traces.

        The best point is in `categories`; `x` is empty, as a store does not keep labels.
        """
        configuration = self._configurations[index]
        settings = {name: getattr(configuration, name) for name in _SETTINGS}
        for row in self.iter_run_rows(index):
            run = dict(zip(tables.RUN, row, strict=False))
            ending = tables.ENDINGS[run["ending"]]
            try:
                trace = unpack_trace(row[-3], run["evaluations_to_best"]) if traces else _NO_TRACE
                categories = unpack_point(row[-2])
            except ValueError as error:
                names = ", ".join(configuration.names)
                raise DamageError(self.path, f"{names}, run {row[1]}: {error}") from error
            yield Result(
                **settings,
                **{name: run[name] for name in _NUMBERS},
                x={},
                categories=categories,
                trace=trace,
                ending=ending,
                success=configuration.target is None or ending == "target",
                parameters=dict(configuration.parameters),
                calls=run["evaluations"],
                run=run["number"],
            )

    def run_arrays(self) -> Iterator[tuple[int, NDArray[np.void], list[bytes]]]:
        """Yield, for each configuration of the plan, its index and its runs.

        The runs, in the order of their numbers, are an array with the columns of `RUN`, 88 bytes
        per run, and a list of packed improvements.
        """
        with self.snapshot():
            for index in range(len(self._configurations)):
                found = [np.empty(0, tables.NUMBERS)]
                traces: list[bytes] = []
                rows = self.iter_run_rows(index)
                while part := list(islice(rows, ROWS_PER_READ)):
                    numbers = [row[: len(tables.RUN)] for row in part]
                    found.append(np.array(numbers, tables.NUMBERS))
                    traces += [row[-3] for row in part]
                yield index, np.concatenate(found), traces

    def check_runs(self) -> None:
        """Read and check all runs."""
        with self.snapshot():
            for index in range(len(self._configurations)):
                for _ in self.iter_run_rows(index):
                    pass

    def iter_run_rows(self, index: int) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a configuration by number, with trace, point and checksum.

        Raise a DamageError if a row is damaged or missing.
        """
        names = ", ".join(self._configurations[index].names)
        runs = checksums = 0
        for row in self.rows(f"{tables.SELECT_RUN} ORDER BY number", index):
            if not self.is_intact(row):
                raise DamageError(self.path, f"{names}, run {row[1]!r}: its checksum is wrong")
            runs += 1
            checksums ^= row[-1]
            yield row
        tallies = self.read_rows(tables.Tally, "WHERE configuration = ?", index)
        expected = sum(tally.runs for tally in tallies)
        for tally in tallies:
            checksums ^= tally.checksums
        if runs != expected or checksums:
            raise DamageError(self.path, f"{names}: expected {expected} runs, got {runs}")

    def is_intact(self, row: tuple[Any, ...]) -> bool:
        """Return whether a row of the table of runs, with its checksum last, is intact."""
        try:
            right = bool(row[-1] == tables.run_checksum(row[:-1], self._row_checksums[row[0]]))
            return right and 0 <= row[9] < len(tables.ENDINGS)
        except (struct.error, TypeError, IndexError):  # of another type
            return False

    # The campaign

    def sessions(self) -> list[tables.Session]:
        """Return the number, time, version, sources and machine (a JSON object) of each session."""
        sessions = self.read_rows(tables.Session)
        for session in sessions:
            try:
                msgspec.json.decode(session.machine, type=dict[str, Any])
            except (ValueError, RecursionError) as error:
                raise DamageError(self.path, f"the machine of session {session.id}") from error
        return sessions

    def failures(self) -> list[tuple[Any, ...]]:
        """Return names (experiment to representation), number and message of each failed run."""
        with self.snapshot():
            return [
                (*self._configurations[failure.configuration].names, *failure[1:3])
                for failure in sorted(self.read_rows(tables.Failure))
            ]

    def overview(self) -> dict[str, Any]:
        """Return the plan, progress by experiment and pair, failures, versions and last activity.

        It is computed from the tallies, so the time does not depend on the number of runs.
        """
        with self.snapshot():
            tallies, sessions = self.read_rows(tables.Tally), self.sessions()
            failures, failed = self.failures(), self.read_rows(tables.Failure)
        counts = ("runs", "done", "evaluations", "instances", "seconds")
        pairs: dict[tuple[str, ...], Any] = defaultdict(lambda: Counter(dict.fromkeys(counts, 0)))
        for one in self._configurations:
            pairs[one.experiment, *one.pair].update(runs=one.runs, instances=1)
        made: Counter[int] = Counter()
        for tally in tallies:
            one = self._configurations[tally.configuration]
            spent = {"evaluations": tally.evaluations, "seconds": tally.seconds}
            pairs[one.experiment, *one.pair].update(done=tally.runs, **spent)
            made[tally.session] += tally.runs
        runs, done = (sum(pair[name] for pair in pairs.values()) for name in ("runs", "done"))
        times = [tally.finished for tally in tallies] + [session.began for session in sessions]
        times += [failure.finished for failure in failed]
        columns = ("experiment", "instance", "algorithm", "representation", "run", "message")
        columns_of_session = ("session", *tables.Session._fields[1:])
        return {
            "plan": self.name,
            "runs": runs,
            "done": done,
            "failed": len(failures),
            "missing": runs - done - len(failures),
            "running": is_locked(self.file),
            "last_activity": max(times, default=None),
            "pairs": [
                {"experiment": names[0], "algorithm": names[1], "representation": names[2], **pair}
                for names, pair in pairs.items()
            ],
            "failures": [dict(zip(columns, failure, strict=True)) for failure in failures],
            "sessions": [
                dict(zip(columns_of_session, one, strict=True))
                | {"machine": json.loads(one.machine), "runs": made[one.id]}
                for one in sessions
            ],
        }
