"""The state of a search that is asked for points: which await a value, which have one."""

import hashlib
import os
import threading
import weakref
from collections.abc import Sequence
from dataclasses import replace

from catcube.base.text import quoted
from catcube.errors import BadValue
from catcube.problems.python.keys import Keys
from catcube.search.run import Outcome, Run
from catcube.search.search_thread import AskedProblem, Channel, Closed, SearchThread, Waiting


class AskedSearch:
    """A search in a thread, the points that it needs, and the values it was told."""

    def __init__(self, run: Run, problem: AskedProblem) -> None:
        self._run = run
        self._problem = problem
        self._keys = Keys(problem.space)
        self._lock = threading.RLock()
        self._search: SearchThread | None = None
        self._outcome: Outcome | None = None
        self._failure: BaseException | None = None
        self._closed = False
        self._steps = 0  # messages of the search to wait for: one per value, one at the start
        self._saved: Sequence[float | None] = ()  # values from before it was loaded
        self._past: list[float | None] = []  # values of all points before the present ones
        self._present: Sequence[bytes] = ()  # the points the search needs, in its order,
        self._values: list[float | None] = []  # their values,
        self._handed = 0  # how many were handed out,
        self._passed = 0  # and how many values were passed on to the search
        self._digest = hashlib.sha256()  # of all points
        self._holders: list[int] = []  # the threads that hold the present points
        self._again: set[bytes] = set()  # present points handed out more than once
        self._idle: set[int] = set()  # threads that got nothing since the last value
        self._failed = 0  # points that were given up
        self._best: tuple[float, int, bytes] | None = None  # value, index of the evaluation, point

    def _begin(self) -> None:
        """Start the search; it takes the values of its first points from those saved."""
        self._problem.channel = Channel(self._saved)
        self._search = SearchThread(self._run, self._problem.channel)
        self._steps = 1
        weakref.finalize(self, self._search.stop).atexit = False

    def _pending(self) -> list[int]:
        if self._outcome is not None:
            return []
        return [index for index in range(self._handed) if self._values[index] is None]

    def _listen(self) -> None:
        """Process the messages of the search until it waits for a value or is over."""
        if self._failure is not None:
            raise self._failure
        if self._search is not None and self._search.process != os.getpid():
            raise RuntimeError(
                "the search of this optimizer runs in the parent process of this fork; save it "
                "there and load it here"
            )
        while self._steps and self._outcome is None:
            message = self._problem.channel.messages.get()
            if isinstance(message, Waiting):
                self._steps -= 1
            elif isinstance(message, Outcome):
                self._end(message)
            elif isinstance(message, BaseException):
                self._failure = message
                raise message
            else:
                self._turn_to(message)

    def _turn_to(self, keys: Sequence[bytes]) -> None:
        """Make these points the present ones: the search needs their values next."""
        self._past += self._values
        self._present = keys
        begin = len(self._past)
        saved = self._saved[begin : begin + len(keys)]
        self._values = [*saved, *[None] * (len(keys) - len(saved))]
        self._handed = 0
        self._holders = [0] * len(keys)
        self._again.clear()
        self._passed = self._values.index(None) if None in self._values else len(keys)
        for index, (key, value) in enumerate(zip(keys, self._values, strict=True), begin):
            self._digest.update(key)
            if value is not None:
                self._note(value, index, key)

    def _end(self, outcome: Outcome) -> None:
        """Keep the outcome of the search."""
        if isinstance(outcome.failure, Closed):  # it had counted the evaluation it was waiting for
            outcome = replace(
                outcome, failure=None, reason="closed", evaluations=outcome.evaluations - 1
            )
        self._outcome = outcome

    def _indices(self, keys: Sequence[bytes]) -> list[int | None]:
        """Return the indices of points that await a value; None for the second value of one.

        A second value is accepted for points that were handed out again, and is ignored.
        """
        thread = threading.get_ident()
        awaiting: dict[bytes, list[int]] = {}
        for index in reversed(range(len(self._present))):
            if self._values[index] is None:
                awaiting.setdefault(self._present[index], []).append(index)
        indices: list[int | None] = []
        for key in keys:
            if not awaiting.get(key):
                if key in self._again:
                    indices.append(None)
                    continue
                raise BadValue(
                    "expected a point that was asked for and has no value yet, got "
                    f"{quoted(self._keys.point(key))}"
                )
            held = (index for index in awaiting[key] if self._holders[index] == thread)
            index = next(held, awaiting[key][-1])  # of equal points, one that this thread holds
            awaiting[key].remove(index)
            indices.append(index)
        return indices

    def _pass_on(self) -> None:
        """Pass the values on to the search in its order, up to the first missing one."""
        while self._passed < len(self._values):
            value = self._values[self._passed]
            if value is None:
                return
            self._problem.channel.values.put(value)
            self._passed += 1
            self._steps += 1

    def _note(self, value: float, index: int, key: bytes) -> None:
        if self._best is None or (value, index) < self._best[:2]:
            self._best = (value, index, key)
