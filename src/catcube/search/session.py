"""Session: a run that works on a study file, alone or together with other processes."""

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
from catcube.search.study import (
    FAILED,
    INFEASIBLE,
    RUNNING,
    VALUE,
    Study,
    as_number,
    insert_point,
)

Values: TypeAlias = list[tuple[list[int], float]]
"""Points, as categories, and their values; NaN where the function failed."""


class Session:
    """A run that works on a study: which points are known, running, new.

    A run with the same settings that was interrupted is continued: it takes the same seed, `known`
    is what was known when it began, and `replay` what it evaluated, in order. Any other run starts
    with all points that have ended as data. While a living process works on a run with the same
    settings, this one takes another seed, so that the two do not do the same.

    With `failures=False` failed points are not known: they are evaluated again. With `repeat` a
    point may be evaluated again, and only calls of this run are replayed. With `waits` a point that
    another process evaluates now is not begun.

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
        self._news: Values = []
        self._infeasible: dict[str, str | None] = {}  # messages of points; None: written
        self._fresh = 0  # calls since the last one that was repeated
        self._states = (VALUE, FAILED) if failures else (VALUE,)
        counted = "', '".join((*self._states, RUNNING))
        self._calls = f"SELECT COUNT(*) FROM point WHERE run IS NOT NULL AND state IN ('{counted}')"
        self._lock = threading.RLock()
        self._began: dict[str, list[tuple[int, float]]] = defaultdict(list)  # calls now running
        self._mean = 1.0  # seconds of a call, the last ones counting most
        given = {**settings, "seed": settings.get("seed"), "version": __version__}
        with study.transaction() as connection:
            self._process = _register(connection)
            living = _release(connection)
            self.run, self.seed, first = _take_run(connection, given, self._process, living)
            (others,) = connection.execute(f"{self._calls} AND run != ?", (self.run,)).fetchone()
            self._seen = 0
            self._read(connection, self.known, self.replay, first)
            self._read(connection, self._news, self.replay)
        self._repeating = Counter(key_of(point) for point, _ in self.replay)  # not asked for yet
        self.limit = None if budget is None else max(0, budget - others)
        self._ended = threading.Event()
        threading.Thread(
            target=_show_life, args=(weakref.ref(self), self._ended), daemon=True
        ).start()

    def _read(
        self, connection: sqlite3.Connection, others: Values, own: Values, last: int = 2**62
    ) -> None:
        """Read the points that have ended since the last time, up to a number."""
        rows = connection.execute(
            "SELECT finished, categories, state, value, run FROM point "
            "WHERE finished > ? AND finished <= ? ORDER BY finished",
            (self._seen, last),
        )
        for self._seen, key, state, value, run in rows:
            if state in self._states:
                (own if run == self.run else others).append(self.study.stored(key, value))

    def answer(self, categories: Sequence[int] | NDArray[np.int64]) -> None:
        """Note that a point of `replay` was asked for again."""
        self._fresh = 0
        self._repeating -= Counter([key_of(categories)])

    def begin(self, categories: Sequence[int] | NDArray[np.int64]) -> float | None:
        """Begin a point: None if it is to be evaluated now, else its value.

        Raises `BudgetSpent` if no further call is to be made, and `RunsElsewhere` while another
        process evaluates the point.
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
        """Return the value of a point that has ended, if it is to be evaluated once only."""
        rows = connection.execute(
            "SELECT state, value, process FROM point WHERE categories = ?", (key,)
        ).fetchall()
        for state, value, _ in rows:
            if state in self._states:
                return as_number(value)
        elsewhere = {process for state, _, process in rows if state == RUNNING} - {self._process}
        if self.waits and elsewhere and elsewhere & _release(connection):
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
        """Record what became of a point: it has a value, or has failed."""
        key = key_of(categories)
        with self._lock:
            if not self._began[key]:
                return
            number, began = self._began[key].pop(0)
            took = time.time() - began
            self._mean += 0.3 * (took - self._mean)
            row = self._row(key, state, began) | {
                "value": None if math.isnan(value) else float(value),
                "message": message or None,
                "ended": time.time(),
                "seconds": seconds if math.isfinite(seconds) else took,
            }
            with self.study.transaction(self._is_slow) as connection:
                # A process that seemed dead has lost the row, perhaps its number, not the value.
                mine = "id = ? AND process = ? AND state = 'running'"
                connection.execute(f"DELETE FROM point WHERE {mine}", (number, self._process))
                taken = connection.execute("SELECT 1 FROM point WHERE id = ?", (number,))
                row["id"] = None if taken.fetchone() else number
                insert_point(connection, row)
                self._write_infeasible(connection)

    def refuse(self, categories: Sequence[int] | NDArray[np.int64], message: str) -> None:
        """Note an infeasible point; it is written with the next value."""
        if len(self._infeasible) < MOST_INFEASIBLE:
            self._infeasible.setdefault(key_of(categories), message)

    def _write_infeasible(self, connection: sqlite3.Connection) -> None:
        """Write the infeasible points since the last time, each once."""
        for key, message in self._infeasible.items():
            noted = "SELECT 1 FROM point WHERE categories = ? AND state = ?"
            if message and not connection.execute(noted, (key, INFEASIBLE)).fetchone():
                row = self._row(key, INFEASIBLE, time.time())
                insert_point(connection, row | {"message": message, "ended": row["began"]})
            self._infeasible[key] = None

    def _row(self, key: str, state: str, began: float) -> dict[str, Any]:
        """Return what is known of a point of this run when it begins."""
        return {
            "point": self.study.texts(categories_of(key))[0],
            "categories": key,
            "state": state,
            "began": began,
            "run": self.run,
            "process": self._process,
        }

    def news(self) -> tuple[Values, list[list[int]]] | None:
        """Return points and values of others since the last time, and their points now running.

        None while a continued run repeats itself.
        """
        with self._lock:
            if self._repeating:
                return None
            with self.study.reading() as connection:
                self._read(connection, self._news, [])
                rows = connection.execute(
                    "SELECT categories, process FROM point WHERE state = ? AND process != ?",
                    (RUNNING, self._process),
                ).fetchall()
                living = _living(connection) if rows else set()
            news, self._news = self._news, []
        return news, [categories_of(key) for key, process in rows if process in living]

    def close(self) -> None:
        """End the work on the study; calls that are running are given up."""
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
        """Whether calls take long enough to force each to the disk."""
        return self._mean > QUICK

    def _end_replay(self) -> None:
        """Take what this run has evaluated and does not ask for again as data.

        It goes another way than before, if it makes more calls in a row than were lost.
        """
        self._fresh += 1
        if self._repeating and self._fresh > 2 * self.in_flight + 2:
            self._news += [pair for pair in self.replay if self._repeating[key_of(pair[0])] > 0]
            self._repeating.clear()


MOST_INFEASIBLE = 1000  # points of a run that are recorded
LOST_AFTER = 300.0  # seconds without a sign of life of a process on another machine
QUICK = 0.1  # seconds: shorter calls are not worth the time of the disk
BEAT = 20.0  # seconds between two signs of life


def _take_run(
    connection: sqlite3.Connection, given: dict[str, Any], process: int, living: set[int]
) -> tuple[int, int, int]:
    """Return number, seed and known points of a run: one to continue, or a new one."""
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


def _register(connection: sqlite3.Connection) -> int:
    """Return the number of this process in the study."""
    host, pid, started = _host(), os.getpid(), _started(os.getpid())
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


def _living(connection: sqlite3.Connection) -> set[int]:
    """Return the processes that may still be at work.

    On this machine the system knows. On another one, a process is taken for dead when its last
    sign of life is older than `LOST_AFTER`.
    """
    living = set()
    for number, host, pid, started, seen in connection.execute("SELECT * FROM process"):
        if host == _host() and started:
            alive = _started(pid) == started
        else:
            alive = time.time() - seen < LOST_AFTER
        if alive:
            living.add(number)
    return living


def _release(connection: sqlite3.Connection) -> set[int]:
    """Remove the calls of dead processes, which may be made again; return the living ones."""
    living = _living(connection)
    rows = connection.execute("SELECT id, process FROM point WHERE state = ?", (RUNNING,))
    dead = [(number,) for number, process in rows.fetchall() if process not in living]
    connection.executemany("DELETE FROM point WHERE id = ?", dead)
    return living


@cache
def _host() -> str:
    """Name the machine, such that equal numbers of processes are the same process."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{platform.node()} {boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return platform.node()


def _started(pid: int) -> str:
    """Return when a process started, by the clock of the system; empty if that is not known."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = status.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]  # a zombie has ended


def _show_life(reference: "weakref.ref[Session]", ended: threading.Event) -> None:
    while not ended.wait(BEAT):
        session = reference()
        if session is None:
            return
        with suppress(BadValue), session.study.transaction(durable=False) as connection:
            connection.execute(
                "UPDATE process SET seen = ? WHERE id = ?", (time.time(), session._process)
            )
        del session
