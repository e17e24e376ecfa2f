"""Session: the work of one run on a study file, which other processes may share."""

import json
import math
import os
import platform
import secrets
import sqlite3
import threading
import time
import weakref
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from catcube import __version__
from catcube.errors import BadValue
from catcube.problems.objective import BudgetSpent, RunsElsewhere
from catcube.search.stored_space import categories_of, key_of
from catcube.search.study import FAILED, INFEASIBLE, RUNNING, VALUE, Study, as_number, insert_point

Values: TypeAlias = list[tuple[list[int], float]]
"""Points, as categories, and their values; NaN for a failed point."""


class Session:
    """The work of one run on a study.

    An interrupted run with the same settings is continued, with its seed: `known` are the points
    that were finished when it began, and `replay` those that it has evaluated, in order. Any other
    run starts with all finished points as `known`. If another process is working on a run with the
    same settings, this one takes a different seed, so that they do not propose the same points.

    Parameters
    ----------
    study
        The study; its file is created if necessary.
    settings
        The settings that identify the run. They must be serialisable as JSON.
    budget
        Maximum number of calls recorded in the study, over all runs.
    failures
        Whether failed points are known. Otherwise they are evaluated again.
    repeat
        Whether a point may be evaluated several times. Only calls of this run are then replayed.
    in_flight
        The number of concurrent calls.
    waits
        Whether to wait for a point that another process is evaluating.

    Examples
    --------

    >>> import os, tempfile
    >>> from catcube.search.study import Study
    >>> folder = tempfile.TemporaryDirectory()
    >>> study = Study(os.path.join(folder.name, "study.sqlite"), {"base": "ATCG"})
    >>> session = Session(study, {"algorithm": "rls", "seed": 1})
    >>> session.begin([2])
    >>> session.end([2], "value", 1.5)
    >>> session.close()
    >>> session = Session(study, {"algorithm": "rls", "seed": 1})
    >>> session.replay
    [([2], 1.5)]
    >>> session.close()
    >>> folder.cleanup()
    """

    def __init__(
        self,
        study: Study,
        settings: Mapping[str, Any],
        budget: int | None = None,
        failures: bool = True,
        repeat: bool = False,
        in_flight: int = 1,
        waits: bool = True,
    ) -> None:
        self.study = study
        self.budget = budget
        self.repeat = repeat
        self.in_flight = in_flight
        self.waits = waits
        self.known: Values = []
        self.replay: Values = []
        self._updates: Values = []
        self._infeasible: dict[str, str | None] = {}  # messages by point; None once written
        self._new_calls = 0  # since the last call that was replayed
        self._states = (VALUE, FAILED) if failures else (VALUE,)
        counted = "', '".join((*self._states, RUNNING))
        self._calls = f"SELECT COUNT(*) FROM point WHERE run IS NOT NULL AND state IN ('{counted}')"
        self._lock = threading.RLock()
        self._began: dict[str, list[tuple[int, float]]] = defaultdict(list)  # running calls
        self._mean_seconds = 1.0  # moving average of the seconds per call
        given = {**settings, "seed": settings.get("seed"), "version": __version__}
        with study.transaction() as connection:
            self._process = _register_process(connection)
            living = _remove_dead_calls(connection)
            self.run, self.seed, first = _claim_run(connection, given, self._process, living)
            (others,) = connection.execute(f"{self._calls} AND run != ?", (self.run,)).fetchone()
            self._seen = 0
            self._read(connection, self.known, self.replay, first)
            self._read(connection, self._updates, self.replay)
        self._unreplayed = Counter(key_of(point) for point, _ in self.replay)
        self.limit = None if budget is None else max(0, budget - others)
        self._ended = threading.Event()
        threading.Thread(
            target=_send_heartbeats, args=(weakref.ref(self), self._ended), daemon=True
        ).start()

    def _read(
        self, connection: sqlite3.Connection, others: Values, own: Values, last: int = 2**62
    ) -> None:
        """Append points that finished since the last call, up to the number `last`."""
        rows = connection.execute(
            "SELECT finished, categories, state, value, run FROM point "
            "WHERE finished > ? AND finished <= ? ORDER BY finished",
            (self._seen, last),
        )
        for self._seen, key, state, value, run in rows:
            if state in self._states:
                (own if run == self.run else others).append(self.study.decode_row(key, value))

    def mark_replayed(self, categories: Sequence[int] | NDArray[np.int64]) -> None:
        """Record that the search has proposed a point of `replay` again."""
        self._new_calls = 0
        self._unreplayed -= Counter([key_of(categories)])

    def begin(self, categories: Sequence[int] | NDArray[np.int64]) -> float | None:
        """Return the value of a point if it is known; otherwise record that its call begins.

        Raise `BudgetSpent` if the budget is used up, and `RunsElsewhere` if another process is
        evaluating the point.
        """
        key = key_of(categories)
        with self._lock, self.study.transaction(self._is_slow) as connection:
            if not self.repeat:
                found = self._find(connection, key)
                if found is not None:
                    return found
            (calls,) = connection.execute(self._calls).fetchone()
            if self.budget is not None and calls >= self.budget:
                raise BudgetSpent
            now = time.time()
            number = insert_point(connection, self._row(key, RUNNING, now))
            self._began[key].append((number, now))
            self._end_replay()
        return None

    def _find(self, connection: sqlite3.Connection, key: str) -> float | None:
        """Return the value of a finished point; raise `RunsElsewhere` if its call is running."""
        rows = connection.execute(
            "SELECT state, value, process FROM point WHERE categories = ?", (key,)
        ).fetchall()
        for state, value, _ in rows:
            if state in self._states:
                return as_number(value)
        elsewhere = {process for state, _, process in rows if state == RUNNING} - {self._process}
        if self.waits and elsewhere and elsewhere & _remove_dead_calls(connection):
            raise RunsElsewhere
        return None

    def end(
        self,
        categories: Sequence[int] | NDArray[np.int64],
        state: str,
        value: float = math.nan,
        message: str = "",
        seconds: float = math.nan,
    ) -> None:
        """Record the end of a call: the point has a value, or has failed."""
        key = key_of(categories)
        with self._lock:
            if not self._began[key]:
                return
            number, began = self._began[key].pop(0)
            took = time.time() - began
            self._mean_seconds += 0.3 * (took - self._mean_seconds)
            row = self._row(key, state, began) | {
                "value": None if math.isnan(value) else float(value),
                "message": message or None,
                "ended": time.time(),
                "seconds": seconds if math.isfinite(seconds) else took,
            }
            with self.study.transaction(self._is_slow) as connection:
                # If this process was taken for dead, its row was deleted and the number may be
                # in use; the value is kept all the same.
                mine = "id = ? AND process = ? AND state = 'running'"
                connection.execute(f"DELETE FROM point WHERE {mine}", (number, self._process))
                taken = connection.execute("SELECT 1 FROM point WHERE id = ?", (number,))
                row["id"] = None if taken.fetchone() else number
                insert_point(connection, row)
                self._write_infeasible(connection)

    def record_infeasible(
        self, categories: Sequence[int] | NDArray[np.int64], message: str
    ) -> None:
        """Remember an infeasible point; it is written together with the next value."""
        if len(self._infeasible) < MAX_INFEASIBLE:
            self._infeasible.setdefault(key_of(categories), message)

    def _write_infeasible(self, connection: sqlite3.Connection) -> None:
        """Write the infeasible points that are new since the last call."""
        for key, message in self._infeasible.items():
            noted = "SELECT 1 FROM point WHERE categories = ? AND state = ?"
            if message and not connection.execute(noted, (key, INFEASIBLE)).fetchone():
                row = self._row(key, INFEASIBLE, time.time())
                insert_point(connection, row | {"message": message, "ended": row["began"]})
            self._infeasible[key] = None

    def _row(self, key: str, state: str, began: float) -> dict[str, Any]:
        """Return the columns of a point of this run that are known when its call begins."""
        return {
            "point": self.study.encode_point(categories_of(key))[0],
            "categories": key,
            "state": state,
            "began": began,
            "run": self.run,
            "process": self._process,
        }

    def updates(self) -> tuple[Values, list[list[int]]] | None:
        """Return the points of others: finished since the last call, and running now.

        Return None while a continued run is being replayed.
        """
        with self._lock:
            if self._unreplayed:
                return None
            with self.study.reading() as connection:
                self._read(connection, self._updates, [])
                rows = connection.execute(
                    "SELECT categories, process FROM point WHERE state = ? AND process != ?",
                    (RUNNING, self._process),
                ).fetchall()
                living = _living_processes(connection) if rows else set()
            updates, self._updates = self._updates, []
        return updates, [categories_of(key) for key, process in rows if process in living]

    def close(self) -> None:
        """Release the study; running calls are abandoned."""
        if self._ended.is_set():
            return
        self._ended.set()
        with self._lock, self.study.transaction() as connection:
            connection.execute(
                "DELETE FROM point WHERE state = ? AND process = ? AND run = ?",
                (RUNNING, self._process, self.run),
            )
            connection.execute("UPDATE run SET process = NULL WHERE id = ?", (self.run,))
        self.study.close()

    @property
    def _is_slow(self) -> bool:
        """Whether calls are slow enough that flushing each one to the disk costs little."""
        return self._mean_seconds > FAST_CALL

    def _end_replay(self) -> None:
        """Give up the replay if the run has diverged: its unused points become known points.

        A run has diverged if it makes more new calls in a row than an interruption can lose.
        """
        self._new_calls += 1
        if self._unreplayed and self._new_calls > 2 * self.in_flight + 2:
            self._updates += [pair for pair in self.replay if self._unreplayed[key_of(pair[0])] > 0]
            self._unreplayed.clear()


MAX_INFEASIBLE = 1000  # recorded infeasible points of a run
DEAD_AFTER = 300.0  # seconds without a heartbeat of a process on another machine
FAST_CALL = 0.1  # seconds; shorter calls are not flushed to the disk
HEARTBEAT = 20.0  # seconds between two heartbeats


def _claim_run(
    connection: sqlite3.Connection, given: dict[str, Any], process: int, living: set[int]
) -> tuple[int, int, int]:
    """Continue an interrupted run or begin a new one; return number, seed, last known point."""
    same = [
        (number, json.loads(settings), known, owner)
        for number, settings, known, owner in connection.execute(
            "SELECT id, settings, known, process FROM run ORDER BY id DESC"
        )
        if {**json.loads(settings), "used": 0} == {**given, "used": 0}
    ]
    for number, settings, known, owner in same:
        if owner not in living:
            connection.execute("UPDATE run SET process = ? WHERE id = ?", (process, number))
            return number, settings["used"], known
    seed = given["seed"]
    if seed is None:
        seed = secrets.randbits(63)
    elif same:
        seed = int(np.random.SeedSequence([seed, len(same)]).generate_state(1, np.uint64)[0]) >> 1
    known = connection.execute("SELECT COALESCE(MAX(finished), 0) FROM point").fetchone()[0]
    number = connection.execute(
        "INSERT INTO run (settings, known, began, process) VALUES (?, ?, ?, ?)",
        (json.dumps({**given, "used": seed}, sort_keys=True), known, time.time(), process),
    ).lastrowid
    assert number is not None
    return number, seed, known


def _register_process(connection: sqlite3.Connection) -> int:
    """Return the number of this process in the study; add it if it is new."""
    host, pid, started = _host_id(), os.getpid(), _start_time(os.getpid())
    found = connection.execute(
        "SELECT id FROM process WHERE host = ? AND pid = ? AND started = ?", (host, pid, started)
    ).fetchone()
    if found is not None:
        connection.execute("UPDATE process SET seen = ? WHERE id = ?", (time.time(), found[0]))
        return int(found[0])
    number = connection.execute(
        "INSERT INTO process (host, pid, started, seen) VALUES (?, ?, ?, ?)",
        (host, pid, started, time.time()),
    ).lastrowid
    assert number is not None
    return number


def _living_processes(connection: sqlite3.Connection) -> set[int]:
    """Return the processes that may still be running.

    A process on this machine is looked up by its number. One on another machine counts as dead
    when its last heartbeat is older than `DEAD_AFTER`.
    """
    living = set()
    for number, host, pid, started, seen in connection.execute("SELECT * FROM process"):
        if host == _host_id() and started:
            alive = _start_time(pid) == started
        else:
            alive = time.time() - seen < DEAD_AFTER
        if alive:
            living.add(number)
    return living


def _remove_dead_calls(connection: sqlite3.Connection) -> set[int]:
    """Delete running calls of dead processes, so that they can be made again; return the others."""
    living = _living_processes(connection)
    rows = connection.execute("SELECT id, process FROM point WHERE state = ?", (RUNNING,))
    dead = [(number,) for number, process in rows.fetchall() if process not in living]
    connection.executemany("DELETE FROM point WHERE id = ?", dead)
    return living


@cache
def _host_id() -> str:
    """Return a name for this machine since its boot, within which process numbers are unique."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{platform.node()} {boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return platform.node()


def _start_time(pid: int) -> str:
    """Return the start time of a process in clock ticks; empty if it is unknown or has ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = status.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]  # a zombie has ended


def _send_heartbeats(reference: "weakref.ref[Session]", ended: threading.Event) -> None:
    """Update the heartbeat of this process until the session has ended."""
    while not ended.wait(HEARTBEAT):
        session = reference()
        if session is None:
            return
        with suppress(BadValue), session.study.transaction(durable=False) as connection:
            connection.execute(
                "UPDATE process SET seen = ? WHERE id = ?", (time.time(), session._process)
            )
        del session
