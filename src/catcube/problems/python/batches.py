"""A Python objective that is notified of the next points, so that it can evaluate them ahead."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.entry import PythonEntry, call_ask, call_notify, entry
from catcube.engine.recorder import EVALUATIONS, LIMIT
from catcube.engine.search import Functions
from catcube.problems.python.cache import ValueCache
from catcube.problems.python.keys import Keys
from catcube.problems.python.objective import ANSWERED, ASK, InPython
from catcube.problems.python.sources import Caught, InExecutor, Source
from catcube.space import Space

# integers of a run: those of all callbacks, the address of another one, and the categories of the
# point in question.
NOTIFY, CATEGORIES = range(2, 4)


@entry("value")
def asked_value(problem):
    """Pass the point to Python and return its value."""
    for variable in range(problem.categories.size):
        problem.integers[CATEGORIES + variable] = problem.categories[variable]
    problem.integers[ANSWERED] = 0
    value = call_ask(problem.integers[ASK])
    return value if problem.integers[ANSWERED] != 0 else np.nan


@entry("announce")
def announced_point(problem):
    """Pass a point to Python that will be evaluated later."""
    for variable in range(problem.categories.size):
        problem.integers[CATEGORIES + variable] = problem.categories[variable]
    call_notify(problem.integers[NOTIFY])


@dataclass(frozen=True)
class Handling:
    """Options for the points and values of a run.

    With `unique`, an evaluation of a point whose value is cached does not count. The exceptions of
    `catch`, if it is not None, and NaN are failures: such a point has the value infinity, and the
    run continues. With `history`, all points and values are kept.
    """

    unique: bool = False
    catch: Caught | None = None
    history: bool = False

    def __bool__(self) -> bool:
        return self.unique or self.catch is not None or self.history


DEFAULT_HANDLING = Handling()

STALLED = 500  # repeated points in a row after which the algorithm has converged


class AnnouncedObjective(InPython):
    """Requests all points of a generation from a source when the first one is needed.

    Cached points are not requested, and with a cache no point is requested twice in a generation.
    """

    def __init__(
        self,
        space: Space,
        tick: Callable[[], None],
        source: Source,
        cache: ValueCache,
        handling: Handling = DEFAULT_HANDLING,
    ) -> None:
        super().__init__(space, tick)
        self._source = source
        self._cache = cache
        self._handling = handling
        self._repeated = 0  # points in a row that were evaluated before
        self._keys = Keys(space)
        self._ask_entry = PythonEntry("ask", self._ask)
        self._notify_entry = PythonEntry("notify", self._announce)
        self.integers = np.zeros(CATEGORIES + len(space), np.int64)
        self.integers[ASK] = self._ask_entry.address
        self.integers[ANSWERED] = 1
        self.integers[NOTIFY] = self._notify_entry.address
        self.reals = np.zeros(0)
        self.count_size = 0
        self.functions = Functions(
            asked_value.address, 0, 0, 0, announce=announced_point.address, exact=False
        )
        self._categories = self.integers[CATEGORIES:]
        self._announced: list[bytes] = []
        # The next points, and their values where they are cached.
        self._expected: deque[tuple[bytes, float | None]] = deque()
        self._recent: dict[bytes, float] = {}  # values since the last request, with a cache

    @property
    def calls(self) -> int:  # type: ignore[override]
        """The number of calls of the objective."""
        return self._source.calls

    def known(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the points with permanent values, as categories, and these values."""
        known = self._cache.known
        return self._keys.rows(list(known)), np.array(list(known.values()), np.float64)

    @property
    def asked(self) -> NDArray[np.int64]:
        """The categories of the point in question."""
        return self._categories.copy()

    def _announce(self) -> None:
        self._announced.append(self._keys.key(self._categories))

    def _ask(self) -> float:
        try:
            self.calling = True
            value = self._value(self._keys.key(self._categories))
            self.calling = False
            self.fresh = value
            self.tick()
            self.fresh = None
            self.integers[ANSWERED] = 1
            return value
        except BaseException as exception:
            return self.failed(exception)

    def _value(self, key: bytes) -> float:
        if self._announced:
            announced, self._announced = self._announced, []
            self._request(announced)
        if not self._expected or self._expected[0][0] != key:
            self._request([key])
        _, value = self._expected.popleft()
        if value is None:
            value = self._recent.get(key)
        if value is not None:
            self._repeat()
            return value
        value = self._evaluated(key)
        self._repeated = 0
        if self._cache.capacity:
            self._recent[key] = value
            self._cache.put(key, value)
        return value

    def _evaluated(self, key: bytes) -> float:
        """Evaluate the next point requested; infinity if it fails and failures are caught."""
        catch: Caught = self._handling.catch or ()
        try:
            value = self._source.value()
        except catch:
            value = math.nan
        if self._handling.history:
            self.history.append((key, value))
        if self._handling.catch is not None and math.isnan(value):
            self.failures += 1
            return math.inf
        return value

    def _repeat(self) -> None:
        """Uncount the evaluation of a repeated point; stop if there are only such points."""
        if not self._handling.unique or self.recorder is None:
            return
        counters = self.recorder.counters
        if counters[EVALUATIONS] == 0:
            return  # the first one counts: else there would be no best point yet
        counters[EVALUATIONS] -= 1  # the kernel counts it
        self._repeated += 1
        if self._repeated >= STALLED:
            self._repeated = 0
            self.stalls += 1
            counters[LIMIT] = counters[EVALUATIONS]

    @property
    def parallel(self) -> bool:
        """Whether points are evaluated in parallel."""
        return isinstance(self._source, InExecutor)

    def submit(self, categories: NDArray[Any]) -> bool:
        """Request a point at once, behind those before it; return whether it must be evaluated."""
        key = self._keys.key(categories)
        value = self._cache.get(key)
        pending = self._cache.capacity > 0 and any(key == other for other, _ in self._expected)
        self._expected.append((key, value))
        if value is not None or pending:
            return False
        self._source.request([key])
        return True

    def request(self, keys: Sequence[bytes]) -> None:
        """Request the values of points, which `next_value` then returns in this order."""
        self._request(keys)

    def next_value(self) -> float:
        """Return the value of the next point that was requested."""
        return self._value(self._expected[0][0])

    def _request(self, keys: Sequence[bytes]) -> None:
        self._source.withdraw()
        self._recent.clear()
        self._expected = deque((key, self._cache.get(key)) for key in keys)
        unknown = [key for key, value in self._expected if value is None]
        self._source.request(list(dict.fromkeys(unknown)) if self._cache.capacity else unknown)

    def finish(self) -> None:
        """Withdraw all requests."""
        self._source.withdraw()
