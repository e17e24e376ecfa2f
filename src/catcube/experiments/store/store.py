"""The results of a campaign, in one SQLite file that is never more than half a second old.

A `Store` can be read at any time, also while a campaign writes; the module `writer` writes one.
Every row has a checksum, which is verified whenever the row is read, and the table `tally` holds
the number of runs: damaged data are refused, never shown.
"""

import json
import os
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.experiments.configuration import Configuration
from catcube.experiments.store.checksum import run_checksum, text_checksum
from catcube.experiments.store.errors import DamageError, store_errors
from catcube.experiments.store.file import StoreFile
from catcube.experiments.store.schema import (
    CONFIGURATION,
    CONTENT,
    ENDINGS,
    FAILURE,
    NUMBERS,
    RUN,
    SESSION,
    TALLY,
)
from catcube.experiments.store.trace import unpacked_trace
from catcube.problems.instance_files import InstanceFiles, content_hash
from catcube.problems.instances import Content
from catcube.problems.sudoku import Board

ROWS = 10_000  # that are read at a time
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
    """The expected number of runs of a configuration, and the XOR of their checksums."""

    runs: int = 0
    checksums: int = 0


class Store(StoreFile):
    """A store opened for reading: `with Store("mine.sqlite") as store: ...`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._names: dict[int, tuple[Any, ...]] = {}
        self._starts: dict[int, int] = {}
        super().__init__(path)

    @cached_property
    def _contents(self) -> dict[str, str]:
        """The files of instances, stored once for all configurations."""
        return {name: value for name, value in self.metadata.items() if name.startswith(CONTENT)}

    def contents(self) -> dict[str, Content]:
        """Return the contents of the instances by name."""
        found: dict[str, Content] = {}
        for configuration in self.configurations():
            text = configuration.board
            if InstanceFiles.is_text_of(text):
                found[configuration.instance] = InstanceFiles.parse(text)
            elif text:
                found[configuration.instance] = Board.parse(text)
        return found

    def configurations(self) -> list[Configuration]:
        """Return the configurations in the order of the plan."""
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
        """Parse the configuration of a row, whose columns must agree with its body."""
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
        """Return the configuration of a row that ends with its checksum; None if it is damaged."""
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
        if len(rows) != self.size or [row[0] for row in rows] != list(range(len(rows))):
            raise DamageError(self.path, "a configuration is missing")
        return rows

    def learn_configurations(self) -> None:
        """Read the names and the checksums of the configurations, once; they never change."""
        if not self._starts:
            self.assume_configurations(self._configuration_rows())

    def assume_configurations(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Use these rows as those of the configurations."""
        self._names.clear()
        self._starts.clear()
        for row in rows:
            self._names[row[0]] = row[1:5]
            self._starts[row[0]] = text_checksum(row, self.identity)

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

    def _expected(self, configuration: int | None = None) -> dict[int, Tally]:
        """Return the expected tally of each configuration, or of one, over all sessions."""
        found: dict[int, Tally] = defaultdict(Tally)
        for index, _, runs, *_, checksums in self.tallies(configuration):
            before = found[index]
            found[index] = Tally(before.runs + runs, before.checksums ^ checksums)
        return found

    def numbers(self, configuration: int) -> set[int]:
        """Return the numbers of the finished runs of the configuration with this index."""
        rows = self.query("SELECT number FROM run WHERE configuration = ?", configuration)
        return {number for (number,) in rows}

    def counts(self) -> dict[int, int]:
        """Count the finished runs by index of the configuration."""
        return defaultdict(int, {index: tally.runs for index, tally in self._expected().items()})

    def runs(self, experiment: str | None = None) -> Iterator[StoredRun]:
        """Yield the finished runs, of all experiments or of one, in the order of the plan."""
        with self.moment():
            self.learn_configurations()
            for index, names in self._names.items():
                if experiment in (None, names[0]):
                    for row in self._runs_of(index):
                        ending = ENDINGS[row[9]]
                        found = (*names, row[1], *row[4:9], ending, *row[10:-1])
                        yield StoredRun._make(found)

    def parts(self) -> Iterator[tuple[int, NDArray[np.void], list[bytes]]]:
        """Yield the runs by configuration, in the order of the plan, which is their index.

        The first array has the columns of `RUN`, 88 bytes per run; the list has the packed
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
        """Read and check all runs; return their number."""
        with self.moment():
            self.learn_configurations()
            return sum(1 for index in self._names for _ in self._runs_of(index))

    def _runs_of(self, index: int) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a configuration by number, with trace and checksum, checked."""
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
            raise DamageError(self.path, f"{names}: expected {expected.runs} runs, got {runs}")

    def is_whole(self, row: tuple[Any, ...]) -> bool:
        """Return whether a row of the table of runs, with trace and checksum last, is intact."""
        start = self._starts.get(row[0])
        try:
            right = start is not None and row[-1] == run_checksum(row[:NUMBERS], row[-2], start)
            return right and 0 <= row[9] < len(ENDINGS)
        except (struct.error, TypeError):  # of another type
            return False

    def failures(self) -> list[tuple[Any, ...]]:
        """Return names (experiment to representation), number and message of failed runs."""
        with self.moment():
            self.learn_configurations()
            failed = sorted(self.checked("failure", FAILURE))
            return [
                (*self._names[index], *fields[:2])
                for index, *fields in failed
                if index in self._names
            ]
