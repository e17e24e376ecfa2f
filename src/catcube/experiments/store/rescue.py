"""Examination of a store, and copying of its intact runs to a new one."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from catcube.base.provenance import machine
from catcube.experiments.configuration import Configuration
from catcube.experiments.origin import Origin
from catcube.experiments.store.errors import DamageError, StoreError
from catcube.experiments.store.recovery import configuration_row, recovered_configurations
from catcube.experiments.store.schema import ENDINGS, NUMBERS, RUN, SESSION
from catcube.experiments.store.store import Store
from catcube.experiments.store.writer import Finding, Writer

ROWS = 500  # that are read at a time
FAULTS = 10  # of each kind that are reported

_SELECT = (
    f"SELECT {', '.join(RUN)}, trace, checksum FROM run NOT INDEXED WHERE rowid BETWEEN ? AND ?"
)


class Examination(NamedTuple):
    """The numbers of planned, intact and failed runs, and a list of faults.

    The plan is that of the configurations that are intact or were recovered; of the lost ones,
    only their number is known.
    """

    planned: int
    whole: int
    failed: int
    faults: list[str]
    lost: int = 0  # configurations


@dataclass(frozen=True)
class _StoredPlan:
    """The plan of a store, for another one."""

    name: str
    stored: list[Configuration]

    def configurations(self) -> list[Configuration]:
        return self.stored


def examined(store: Store, planned: Sequence[Configuration] = ()) -> Examination:
    """Read everything in a store and check it.

    A damaged configuration is recovered if the planned ones or the others of the store allow it.
    """
    with store.moment():
        configurations = _recovered(store, planned)
        lost = store.size - len(configurations)
        faults = [
            " ".join(line.split())
            for (line,) in _tried(store, f"PRAGMA integrity_check({FAULTS})")
            if line != "ok"
        ]
        try:
            store.configurations()
        except DamageError as error:
            faults.append(error.what)
        whole = Counter(row[0] for row in _salvaged(store, configurations))
        failed, stored = 0, {}
        try:
            failed = len(store.failures())
            store.sessions()
            stored = store.counts()
            store.check_runs()
        except DamageError as error:
            faults.append(error.what)
    for index, configuration in configurations.items():
        if stored.get(index, 0) > whole[index]:
            names = ", ".join(configuration.key(1)[:4])
            faults.append(f"{names}: {whole[index]} of {stored[index]} runs are whole")
    runs = sum(configuration.runs for configuration in configurations.values())
    return Examination(runs, whole.total(), failed, faults, lost)


def _recovered(store: Store, planned: Sequence[Configuration]) -> dict[int, Configuration]:
    """Recover the configurations, and set them in the store."""
    found = recovered_configurations(store, planned)
    store.assume_configurations(configuration_row(index, value) for index, value in found.items())
    return found


def _salvaged(
    store: Store, configurations: Mapping[int, Configuration]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of all intact runs, each once.

    Those of a lost configuration do not count as intact: they cannot be checked.
    """
    most = store.size * max(
        (configuration.runs for configuration in configurations.values()), default=0
    )
    seen = set()
    for begin in range(1, most + 1, ROWS):
        for row in _rows(store, begin, begin + ROWS - 1):
            if store.is_whole(row) and row[:2] not in seen:
                seen.add(row[:2])
                yield row


def _rows(store: Store, first: int, last: int) -> list[tuple[Any, ...]]:
    """Return the readable rows of a range, by bisection where reading fails."""
    try:
        return store.query(_SELECT, first, last)
    except StoreError:
        if first == last:
            return []
        middle = (first + last) // 2
        return _rows(store, first, middle) + _rows(store, middle + 1, last)


def _tried(store: Store, question: str) -> list[tuple[Any, ...]]:
    try:
        return store.query(question)
    except StoreError as error:
        return [(str(error),)]


def rescue(
    store: Store, path: str | os.PathLike[str], planned: Sequence[Configuration] = ()
) -> int:
    """Copy all intact runs to a new store of the same plan; return their number.

    They keep their sessions, as far as these are intact too. Failures are omitted: their runs will
    be tried again. A damaged configuration that cannot be recovered is omitted with its runs, so
    that the plan of the new store lacks it.
    """
    target = Path(path)
    if target.exists() or target.is_symlink():
        raise StoreError(f"{target}: the file exists; name a new one")
    configurations = _recovered(store, planned)
    if not configurations:
        raise StoreError(f"{store.path}: no configuration is intact; nothing can be rescued")
    plan = _StoredPlan(store.metadata["plan"], list(configurations.values()))
    new = {index: number for number, index in enumerate(configurations)}
    with store.moment(), Writer(target, plan) as writer:
        sessions = _sessions(store)
        numbers: dict[int, int] = {}
        count = 0
        for row in _salvaged(store, configurations):
            index, _, session, finished = row[:4]
            if session not in numbers:
                numbers[session] = writer.new_session(*sessions.get(session, _UNKNOWN))
            writer.add(new[index], [_finding(row)], numbers[session], finished)
            count += 1
    return count


def _finding(row: tuple[Any, ...]) -> Finding:
    named = dict(zip(RUN, row, strict=False))
    return Finding(
        **{name: named[name] for name in Finding._fields if name not in ("ending", "trace")},
        ending=ENDINGS[named["ending"]],
        trace=row[NUMBERS],
    )


_UNKNOWN = (Origin("unknown", "unknown", json.dumps(dict.fromkeys(machine(), "unknown"))), 0.0)


def _sessions(store: Store) -> dict[int, tuple[Origin, float]]:
    """Return origin and start of the intact sessions."""
    found = {}
    for (number,) in _tried(store, "SELECT id FROM session"):
        try:
            [session] = store.checked("session", SESSION, "WHERE id = ?", number)
        except (StoreError, ValueError):
            continue
        found[number] = Origin(*session[2:]), session[1]
    return found
