"""Examination of a store. Nothing is repaired, but damaged runs can be dropped.

The same campaign then computes them again, with the same results.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from catcube.base.database import DatabaseError
from catcube.experiments import tables
from catcube.experiments.origin import Origin
from catcube.experiments.plan import Configuration
from catcube.experiments.store import DamageError, Store
from catcube.experiments.trace import is_consistent, unpack_point, unpack_trace
from catcube.experiments.writer import Writer, lock_store


class Examination(NamedTuple):
    """The numbers of planned, intact and failed runs, and a list of faults."""

    planned: int
    intact: int
    failed: int
    faults: list[str]


def examine(path: str | os.PathLike[str]) -> Examination:
    """Read a whole store; return what is intact, and describe what is damaged."""
    with Store(path, check=False) as store, store.snapshot():
        planned = sum(configuration.runs for configuration in store.configurations())
        faults: list[str] = []
        try:
            found = store.query("PRAGMA integrity_check(10)")
            faults += [" ".join(str(line).split()) for (line,) in found if line != "ok"]
        except DatabaseError as error:
            faults.append(str(error))
        intact = sum(1 for _ in _intact_rows(store, faults))
        failed = 0
        try:
            failed = len(store.read_rows(tables.Failure))
            if not faults:
                store.check_runs()  # the tallies
        except DamageError as error:
            faults.append(error.what)
    return Examination(planned, intact, failed, faults)


def drop(path: str | os.PathLike[str]) -> int:
    """Rewrite a store without its damaged and failed runs; return the number of the others."""
    path = Path(path)
    lock = lock_store(path)
    file = path.resolve()
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        count = 0
        with (
            Store(path, check=False, running=False) as store,
            store.snapshot(),
            Writer(part, store) as writer,
        ):
            numbers = {
                session.id: writer.new_session(Origin(*session[2:]), session.began)
                for session in _sessions(store, [])
            }
            for row in _intact_rows(store, []):
                writer.add_row((*row[:2], numbers[row[2]], *row[3:-1]))
                writer.flush_in_time()
                count += 1
        for name in (f"{file}-journal", f"{file}-wal", f"{file}-shm"):  # the copy contains them
            Path(name).unlink(missing_ok=True)
        os.replace(part, file)
    finally:
        for name in (str(part), f"{part}-lock"):
            Path(name).unlink(missing_ok=True)
        lock.release()
    return count


def _sessions(store: Store, faults: list[str]) -> list[tables.Session]:
    """Return the intact sessions; append the others to the faults."""
    try:
        rows = store.query(f"SELECT {', '.join(tables.Session._fields)}, checksum FROM session")
    except DatabaseError as error:
        faults.append(str(error))
        return []
    faults += [f"session {row[0]!r}" for row in rows if not store.has_valid_checksum(row)]
    return [tables.Session(*row[:-1]) for row in rows if store.has_valid_checksum(row)]


def _intact_rows(store: Store, faults: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of intact runs, with their checksums; append the others to the faults."""
    sessions = {session.id for session in _sessions(store, faults)}
    for index, configuration in enumerate(store.configurations()):
        names = ", ".join(configuration.names)
        try:
            for row in store.rows(tables.SELECT_RUN, index):
                fault = _find_fault(store, row, configuration, sessions)
                if fault is None:
                    yield row
                else:
                    faults.append(f"{names}, run {row[1]!r}: {fault}")
        except DatabaseError as error:
            faults.append(f"{names}: {getattr(error, 'what', error)}")


def _find_fault(
    store: Store, row: tuple[Any, ...], configuration: Configuration, sessions: set[int]
) -> str | None:
    """Describe what is wrong with a run; return None if it is intact."""
    if not store.is_intact(row):
        return "its checksum is wrong"
    run = dict(zip(tables.RUN, row, strict=False))
    if run["session"] not in sessions:
        return "its session is missing"
    if run["seed"] != configuration.run_seed(run["number"]):
        return "its seed is not that of the plan"
    try:
        unpack_point(row[-2])
        trace = unpack_trace(row[-3], run["evaluations_to_best"])
    except ValueError as error:
        return str(error)
    whole = is_consistent(trace, run["value"], run["evaluations_to_best"], run["evaluations"])
    return None if whole else "its improvements are implausible"
