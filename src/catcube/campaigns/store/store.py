"""What a campaign has found, in one SQLite file that is never worse than half a second old.

A `Store` is read by anyone at any time, also while a campaign writes; the module `writer` writes
one. Every row has a checksum, which is looked at whenever the row is read, and the table `tally`
knows how many runs there must be: what was damaged is refused, never shown.
"""

import json
import os
import sqlite3
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from catcube.campaigns.configuration import Configuration
from catcube.campaigns.store.checksum import metadata_checksum, run_checksum, text_checksum
from catcube.campaigns.store.errors import (
    DamageError,
    StoreError,
    check_file,
    code_of,
    store_errors,
)
from catcube.campaigns.store.schema import (
    APPLICATION,
    CONFIGURATION,
    CONTENT,
    ENDINGS,
    FAILURE,
    NUMBERS,
    RUN,
    SESSION,
    TALLY,
    TYPES,
    VERSION,
    definitions,
)
from catcube.campaigns.store.trace import unpacked_trace
from catcube.problems.instance_files import InstanceFiles, content_hash
from catcube.problems.instances import Content
from catcube.problems.sudoku import Board

ROWS = 10_000  # that are Python objects at a time, when many are read
_SELECT_RUN = (
    f"SELECT {', '.join(RUN)}, trace, checksum FROM run WHERE configuration = ? ORDER BY number"
)


class StoredRun(NamedTuple):
    """One run of a store."""

    experiment: str
    instance: str
    algorithm: str
    representation: str
    run: int
    seed: int
    value: float
    evaluations_to_best: int
    evaluations: int
    iterations: int
    ending: str
    seconds: float
    packed_trace: bytes

    @property
    def trace(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Evaluations and values of all improvements."""
        return unpacked_trace(self.packed_trace)


class Tally(NamedTuple):
    """What there must be of a configuration: how many runs, and their checksums joined by XOR."""

    runs: int = 0
    checksums: int = 0


class Store:
    """A store opened for reading: `with Store("mine.sqlite") as store: ...`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._names: dict[int, tuple[Any, ...]] = {}
        self._starts: dict[int, int] = {}
        check_file(self.path)
        with store_errors(self.path):
            self.connection = self._opened("ro")
        try:
            with store_errors(self.path):
                try:
                    self._check()
                except sqlite3.OperationalError as error:
                    if code_of(error) != sqlite3.SQLITE_READONLY_ROLLBACK:
                        raise
                    self._roll_back()
                    self._check()
        except BaseException:
            self.connection.close()
            raise

    def _opened(self, mode: str) -> sqlite3.Connection:
        address = self.path.absolute().as_uri()  # blanks and other signs escaped
        return sqlite3.connect(f"{address}?mode={mode}", uri=True, timeout=30)

    def _roll_back(self) -> None:
        """Undo what a process had begun that was killed: a reader may not, and cannot read it."""
        writing = self._opened("rw")
        try:
            writing.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        finally:
            writing.close()

    def _check(self) -> None:
        """Refuse what is no store, or one of another format, or has no whole description."""
        application, version = self._identity()
        if application != APPLICATION:
            raise StoreError(f"{self.path}: not a catcube store")
        if version != VERSION:
            age = "a newer" if version > VERSION else "an older"
            raise StoreError(
                f"{self.path}: the store was made by {age} catcube (its format is {version}, "
                f"this one knows {VERSION})"
            )
        if set(self.connection.execute("SELECT name, sql FROM sqlite_schema")) != definitions():
            raise DamageError(self.path, "its tables are not those of a store")
        found = self.metadata
        checksum = found.pop("checksum", "")
        if checksum != str(metadata_checksum(found)):
            raise DamageError(self.path, "the record of the campaign")
        if not found.get("configurations", "").isdecimal() or not {"plan", "identity"} <= set(
            found
        ):
            raise DamageError(self.path, "the record of the campaign")
        self.identity = text_checksum([found["identity"]])

    def _identity(self) -> tuple[int, int]:
        application, version = (
            self.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        return application, version

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows that a question has for an answer, as they are: nothing is checked."""
        with store_errors(self.path):
            return self.connection.execute(sql, values).fetchall()

    @contextmanager
    def moment(self) -> Iterator[None]:
        """All that is read inside is of the same moment, though a campaign may be writing."""
        if self.connection.in_transaction:
            yield
            return
        self.query("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.ProgrammingError):  # closed before all was read
                self.connection.rollback()

    def checked(
        self, table: str, columns: tuple[str, ...], condition: str = "", *values: Any
    ) -> list[tuple[Any, ...]]:
        """All rows of a small table that meet a condition, in its order."""
        rows = self.query(
            f"SELECT {', '.join(columns)}, checksum FROM {table} {condition}", *values
        )
        for number, (*row, checksum) in enumerate(rows, start=1):
            right = text_checksum(row, self.identity) == checksum
            if not right or not all(map(self._fits, columns, row)):
                raise DamageError(self.path, f"row {number} of the table of {table}s")
        return [row[:-1] for row in rows]

    @cached_property
    def size(self) -> int:
        """How many configurations there are."""
        return int(self.metadata["configurations"])

    def _fits(self, column: str, value: object) -> bool:
        """Whether a column of a table may hold this; a forged store has anything anywhere."""
        if column == "configuration":
            return type(value) is int and 0 <= value < self.size
        return type(value) is TYPES[column]

    @property
    def metadata(self) -> dict[str, str]:
        """What is noted of the whole campaign, such as its `plan`, by name."""
        return dict(self.query("SELECT name, value FROM metadata"))

    @cached_property
    def _contents(self) -> dict[str, str]:
        """Files of instances, which are kept once for all configurations."""
        return {name: value for name, value in self.metadata.items() if name.startswith(CONTENT)}

    def contents(self) -> dict[str, Content]:
        """What the instances consist of beside their names, by name."""
        found: dict[str, Content] = {}
        for configuration in self.configurations():
            text = configuration.board
            if InstanceFiles.is_text_of(text):
                found[configuration.instance] = InstanceFiles.parse(text)
            elif text:
                found[configuration.instance] = Board.parse(text)
        return found

    def configurations(self) -> list[Configuration]:
        """In the order of the plan."""
        found = [self._configuration(row) for row in self._configuration_rows()]
        shared: dict[str, tuple[Any, ...]] = {}
        for configuration in found:
            common = (
                configuration.budget,
                configuration.target,
                configuration.restart,
                configuration.seed,
                configuration.runs,
            )
            if shared.setdefault(configuration.experiment, common) != common:
                raise DamageError(
                    self.path, f"the experiment {configuration.experiment!r} has two settings"
                )
        return found

    def _configuration(self, row: tuple[Any, ...]) -> Configuration:
        """Of a row, whose columns must say the same as its body."""
        try:
            configuration = Configuration.from_json(row[-1])
        except ValueError as error:
            raise DamageError(self.path, str(error)) from error
        if configuration.board.startswith(CONTENT):
            content = self._contents.get(configuration.board, "")
            if CONTENT + content_hash(content) != configuration.board:
                raise DamageError(self.path, f"the files of {configuration.instance}")
            configuration = replace(configuration, board=content)
        if row[1:6] != (
            configuration.experiment,
            configuration.instance,
            *configuration.pair,
            configuration.runs,
        ):
            raise DamageError(self.path, f"configuration {row[0]} has two names")
        return configuration

    def intact_configuration(self, row: tuple[Any, ...]) -> Configuration | None:
        """Return the configuration of a row with its checksum last, None if it is damaged."""
        *values, checksum = row
        if text_checksum(values, self.identity) != checksum:
            return None
        if not all(map(self._fits, (*CONFIGURATION, "body"), values)):
            return None
        try:
            return self._configuration(tuple(values))
        except DamageError:
            return None

    def _configuration_rows(self) -> list[tuple[Any, ...]]:
        rows = self.checked("configuration", (*CONFIGURATION, "body"))
        if [row[0] for row in rows] != list(range(self.size)):
            raise DamageError(self.path, "a configuration is missing")
        return rows

    def learn_configurations(self) -> None:
        """Their names, and the checksums that those of their runs begin with; they never change."""
        if not self._starts:
            self.assume_configurations(self._configuration_rows())

    def assume_configurations(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Take these rows for those of the configurations, whatever has become of them."""
        self._names.clear()
        self._starts.clear()
        for row in rows:
            self._names[row[0]] = row[1:5]
            self._starts[row[0]] = text_checksum(row, self.identity)

    def sessions(self) -> list[tuple[Any, ...]]:
        """Number, moment, version, sources and machine (as JSON), in their order."""
        rows = self.checked("session", SESSION)
        for row in rows:
            try:
                noted = json.loads(row[-1])
            except (ValueError, RecursionError):
                noted = None
            if not isinstance(noted, dict):
                raise DamageError(self.path, f"the machine of session {row[0]}")
        return rows

    def tallies(self, configuration: int | None = None) -> list[tuple[Any, ...]]:
        """The rows of `TALLY`: what each session has made of each configuration, or of one."""
        if configuration is None:
            return self.checked("tally", TALLY)
        return self.checked("tally", TALLY, "WHERE configuration = ?", configuration)

    def _expected(self, configuration: int | None = None) -> dict[int, Tally]:
        """What there must be of each configuration, or of one, over all sessions."""
        found: dict[int, Tally] = defaultdict(Tally)
        for index, _, runs, *_, checksums in self.tallies(configuration):
            before = found[index]
            found[index] = Tally(before.runs + runs, before.checksums ^ checksums)
        return found

    def numbers(self, configuration: int) -> set[int]:
        """The numbers of the runs that are done, of the configuration with this index."""
        rows = self.query("SELECT number FROM run WHERE configuration = ?", configuration)
        return {number for (number,) in rows}

    def counts(self) -> dict[int, int]:
        """How many runs are done, by index of the configuration."""
        return defaultdict(int, {index: tally.runs for index, tally in self._expected().items()})

    def runs(self, experiment: str | None = None) -> Iterator[StoredRun]:
        """The runs that are done, of all experiments or of one, in the order of the plan."""
        with self.moment():
            self.learn_configurations()
            for index, names in self._names.items():
                if experiment in (None, names[0]):
                    for row in self._runs_of(index):
                        ending = ENDINGS[row[9]]
                        found = (*names, row[1], *row[4:9], ending, *row[10:-1])
                        yield StoredRun._make(found)

    def parts(self) -> Iterator[tuple[int, NDArray[np.void], list[bytes]]]:
        """The runs by configuration, in the order of the plan, which is their index.

        First come their numbers, with the columns of `RUN`, 88 bytes a run; then their packed
        improvements. Both are in the order of the runs' numbers.
        """
        with self.moment():
            self.learn_configurations()
            for index in self._names:
                found = [np.empty(0, list(RUN.items()))]
                traces: list[bytes] = []
                rows = self._runs_of(index)
                while part := list(islice(rows, ROWS)):
                    numbers = np.empty(len(part), list(RUN.items()))
                    columns = list(zip(*part, strict=True))
                    for name, column in zip(RUN, columns, strict=False):
                        numbers[name] = column
                    found.append(numbers)
                    traces += columns[NUMBERS]
                yield index, np.concatenate(found), traces

    def check_runs(self) -> int:
        """Read all runs; how many there are, and all are whole."""
        with self.moment():
            self.learn_configurations()
            return sum(1 for index in self._names for _ in self._runs_of(index))

    def _runs_of(self, index: int) -> Iterator[tuple[Any, ...]]:
        """Rows of a configuration by number, with trace and checksum, if they are all whole."""
        names = ", ".join(self._names[index])
        runs = checksums = 0
        with store_errors(self.path):
            for row in self.connection.execute(_SELECT_RUN, (index,)):
                if not self.is_whole(row):
                    raise DamageError(self.path, f"{names}, run {row[1]!r}: its checksum is wrong")
                runs += 1
                checksums ^= row[-1]
                yield row
        expected = self._expected(index)[index]
        if (runs, checksums) != expected:
            raise DamageError(
                self.path, f"{names}: {runs} runs are there, {expected.runs} were written"
            )

    def is_whole(self, row: tuple[Any, ...]) -> bool:
        """Whether a row of the table of runs, its trace and checksum last, is as it was written."""
        start = self._starts.get(row[0])
        try:
            right = start is not None and row[-1] == run_checksum(row[:NUMBERS], row[-2], start)
            return right and 0 <= row[9] < len(ENDINGS)
        except (struct.error, TypeError):  # not even of the right kind
            return False

    def failures(self) -> list[tuple[Any, ...]]:
        """Experiment, instance, algorithm, representation, number, message of failed runs."""
        with self.moment():
            self.learn_configurations()
            failed = sorted(self.checked("failure", FAILURE))
            return [
                (*self._names[index], *fields[:2])
                for index, *fields in failed
                if index in self._names
            ]
