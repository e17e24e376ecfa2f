"""Examination of a store: what is damaged, and a store without it.

Nothing is repaired. A run that was dropped is computed again by the same campaign, with the same
result.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from catcube.experiments.lock import Lock
from catcube.experiments.plan import Configuration, Plan, difference_of
from catcube.experiments.store import (
    ENDINGS,
    FAILURE,
    RUN,
    SELECT_RUN,
    SESSION,
    DamageError,
    Store,
    StoreError,
    check_file,
)
from catcube.experiments.trace import unpack_point, unpack_trace
from catcube.experiments.worker import Origin
from catcube.experiments.writer import Writer


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
            plan = _StoredPlan(store.metadata["plan"], store.configurations())
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


class _StoredPlan(NamedTuple):
    """The plan of a store, for another one."""

    name: str
    stored: list[Configuration]

    def configurations(self) -> list[Configuration]:
        return self.stored


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
    expected = "target" if reached else "budget" if full else "converged"
    if evaluations > configuration.budget or ENDINGS[run["ending"]] != expected:
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
