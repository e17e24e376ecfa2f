"""Session: a run that works on a study file, alone or beside other processes."""

import json
import math
import os
import platform
import secrets
import sqlite3
import threading
import time
import weakref
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube import __version__
from catcube.errors import BadValue
from catcube.search.study import (
    FAILED,
    INFEASIBLE,
    RUNNING,
    VALUE,
    Study,
    categories_of,
    key_of,
)


class Answer(NamedTuple):
    """What became of a point, its value to be minimised."""

    state: str
    value: float
    message: str
    seconds: float


class Session:
    """A run that works on a study: which points are known, running, new; values to be minimised.

    A run with the same settings that was interrupted is continued: it takes the same seed, `known`
    is what was known when it began, and `begin` answers what it evaluated before. Any other run
    starts with all points that have ended as data. While a living process works on a run with the
    same settings, this one takes another seed, so that the two do not do the same.

    >>> import os, tempfile
    >>> from catcube.search.study import Study
    >>> folder = tempfile.TemporaryDirectory()
    >>> study = Study(os.path.join(folder.name, "study.sqlite"), {"base": "ATCG"})
    >>> with study.join({"algorithm": "rls", "seed": 1}) as session:
    ...     number = session.begin([2])
    ...     session.end(number, 1.5)
    >>> with study.join({"algorithm": "rls", "seed": 1}) as session:
    ...     session.begin([2])
    Answer(state='value', value=1.5, message='', seconds=nan)
    >>> folder.cleanup()
    """

    def __init__(self, study: Study, settings: dict[str, Any], budget: int | None) -> None:
        self.study = study
        self.budget = budget
        self._sign = -1.0 if study.direction == "maximize" else 1.0
        self._lock = threading.RLock()
        self._answers: dict[str, Answer] = {}
        self._replay: dict[str, list[Answer]] = defaultdict(list)
        self._news: list[tuple[str, float]] = []
        self._began: dict[int, tuple[str, float]] = {}  # key and time of the calls now running
        self._mean = 1.0  # seconds of a call, the last ones counting most
        given = {**settings, "seed": settings.get("seed"), "version": __version__}
        with study.transaction() as connection:
            self._process = _register(connection)
            living = _living(connection)
            _release(connection, living)
            self.run, self.seed, first = _take_run(connection, given, self._process, living)
            rows = connection.execute(
                "SELECT categories, state, value, message, seconds, run, finished FROM point "
                "WHERE finished IS NOT NULL ORDER BY finished"
            ).fetchall()
            others = connection.execute(
                "SELECT COUNT(*) FROM point WHERE run IS NOT ? AND run IS NOT NULL", (self.run,)
            ).fetchone()[0]
        self._seen = rows[-1][-1] if rows else 0
        known: list[tuple[str, float]] = []
        own: list[tuple[str, Answer]] = []
        for key, state, value, message, seconds, run, finished in rows:
            answer = self._answer(state, value, message, seconds)
            if run == self.run:
                own.append((key, answer))
                continue
            if state != INFEASIBLE:
                (known if finished <= first else self._news).append((key, answer.value))
            self._answers[key] = answer
        for key, answer in own:
            self._replay[key].append(answer)
        self.known = self._arrays(known)
        self.limit = None if budget is None else max(0, budget - others)
        self._ended = threading.Event()
        threading.Thread(
            target=_show_life, args=(weakref.ref(self), self._ended), daemon=True
        ).start()

    def begin(self, categories: Sequence[int], repeat: bool = False) -> "Answer | int | None":
        """Begin a point: the number of the call, or what became of the point before.

        None if the budget of the study is spent. A point that another process evaluates now is
        waited for. With `repeat` a point may be evaluated again, and only calls of this run
        answer.
        """
        key = key_of(categories)
        pause = 0.02
        while True:
            with self._lock:
                found = self._begin(key, categories, repeat)
            if found != WAIT:
                return found
            time.sleep(pause)
            pause = min(1.5 * pause, 1.0)

    def _begin(self, key: str, categories: Sequence[int], repeat: bool) -> "Answer | int | None":
        if self._replay.get(key):
            answer = self._replay[key].pop(0)
            self._answers[key] = answer
            return answer
        if not repeat and key in self._answers:
            return self._answers[key]
        self._end_replay()
        with self.study.transaction(self._is_slow) as connection:
            self._read_news(connection)
            if not repeat and key in self._answers:
                return self._answers[key]
            if not repeat and self._runs_elsewhere(connection, key):
                return WAIT
            calls = "SELECT COUNT(*) FROM point WHERE run IS NOT NULL"
            if self.budget is not None and connection.execute(calls).fetchone()[0] >= self.budget:
                return None
            text, _ = self.study.texts(categories)
            now = time.time()
            number = connection.execute(
                "INSERT INTO point (point, categories, state, began, run, process) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (text, key, RUNNING, now, self.run, self._process),
            ).lastrowid
        assert number is not None
        self._began[number] = key, now
        return number

    def end(
        self,
        number: int,
        value: float = math.nan,
        *,
        state: str | None = None,
        message: str = "",
        seconds: float = math.nan,
    ) -> None:
        """Record what became of a point: its value, or that it failed (NaN) or is infeasible."""
        state = state or (FAILED if math.isnan(value) else VALUE)
        key, began = self._began.pop(number)
        self._mean += 0.3 * (time.time() - began - self._mean)
        row = {
            "id": number,
            "categories": key,
            "point": self.study.texts(categories_of(key))[0],
            "state": state,
            "value": None if math.isnan(value) else self._sign * value,
            "message": message or None,
            "began": began,
            "ended": time.time(),
            "seconds": None if math.isnan(seconds) else seconds,
            "run": self.run,
            "process": self._process,
        }
        with self._lock, self.study.transaction(self._is_slow) as connection:
            # A process that seemed dead has lost the row, and perhaps its number: never the value.
            mine = "id = :id AND process = :process AND state = 'running'"
            connection.execute(f"DELETE FROM point WHERE {mine}", row)
            taken = connection.execute("SELECT 1 FROM point WHERE id = :id", row).fetchone()
            row["id"] = None if taken else number
            connection.execute(
                f"INSERT INTO point ({', '.join(row)}, finished) "
                f"VALUES (:{', :'.join(row)}, "
                "(SELECT COALESCE(MAX(finished), 0) + 1 FROM point))",
                row,
            )
            self._answers[key] = self._answer(state, row["value"], message, seconds)

    def release(self, number: int) -> None:
        """Give up a call that has not ended: its point may be evaluated again."""
        self._began.pop(number, None)
        with self._lock, self.study.transaction() as connection:
            connection.execute(
                "DELETE FROM point WHERE id = ? AND process = ? AND state = 'running'",
                (number, self._process),
            )

    def news(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return points and values of others that ended since the last time; NaN: failed.

        While a continued run repeats itself there are none.
        """
        with self._lock:
            if any(self._replay.values()):
                return self._arrays([])
            with self.study.transaction(durable=False) as connection:
                self._read_news(connection)
            news, self._news = self._news, []
            return self._arrays(news)

    def pending(self) -> NDArray[np.int64]:
        """Return the points that other processes evaluate now."""
        with self._lock:
            if any(self._replay.values()):
                return self._arrays([])[0]
            with self.study.transaction(durable=False) as connection:
                living = _living(connection)
                rows = connection.execute(
                    "SELECT categories, process FROM point WHERE state = ?", (RUNNING,)
                ).fetchall()
        keys = [key for key, process in rows if process in living and process != self._process]
        return self._arrays([(key, math.nan) for key in keys])[0]

    def close(self) -> None:
        """End the work on the study; calls that are running are given up."""
        if self._ended.is_set():
            return
        self._ended.set()
        for number in list(self._began):
            self.release(number)
        with self._lock, self.study.transaction() as connection:
            connection.execute("UPDATE run SET process = NULL WHERE id = ?", (self.run,))
        self.study.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def _is_slow(self) -> bool:
        """Whether calls take long enough to force each to the disk."""
        return self._mean > QUICK

    def _end_replay(self) -> None:
        """Take what this run has evaluated and not asked for again as data: it goes another way."""
        for key, answers in self._replay.items():
            for answer in answers:
                self._answers[key] = answer
                if answer.state != INFEASIBLE:
                    self._news.append((key, answer.value))
        self._replay.clear()

    def _read_news(self, connection: sqlite3.Connection) -> None:
        for key, state, value, message, seconds, run, finished in connection.execute(
            "SELECT categories, state, value, message, seconds, run, finished FROM point "
            "WHERE finished > ? ORDER BY finished",
            (self._seen,),
        ):
            self._seen = finished
            if run != self.run:
                self._answers[key] = self._answer(state, value, message, seconds)
                if state != INFEASIBLE:
                    self._news.append((key, self._answers[key].value))

    def _runs_elsewhere(self, connection: sqlite3.Connection, key: str) -> bool:
        rows = connection.execute(
            "SELECT process FROM point WHERE categories = ? AND state = ?", (key, RUNNING)
        ).fetchall()
        if not rows:
            return False
        living = _living(connection)
        _release(connection, living)
        return any(process in living and process != self._process for (process,) in rows)

    def _answer(self, state: str, value: Any, message: Any, seconds: Any) -> Answer:
        return Answer(
            state,
            math.nan if value is None else self._sign * value,
            message or "",
            math.nan if seconds is None else seconds,
        )

    def _arrays(
        self, rows: list[tuple[str, float]]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        points = [categories_of(key) for key, _ in rows]
        return (
            np.array(points, np.int64).reshape(len(rows), len(self.study.space)),
            np.array([value for _, value in rows], np.float64),
        )


WAIT = -1  # another process evaluates the point
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


def _release(connection: sqlite3.Connection, living: set[int]) -> None:
    """Remove the calls of processes that are dead: their points may be evaluated again."""
    rows = connection.execute("SELECT id, process FROM point WHERE state = ?", (RUNNING,))
    dead = [(number,) for number, process in rows.fetchall() if process not in living]
    connection.executemany("DELETE FROM point WHERE id = ?", dead)


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
