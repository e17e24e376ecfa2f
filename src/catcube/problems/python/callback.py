"""A user's Python function as a problem."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.engine.compiled.entry import PythonEntry, call_ask, entry, evaluated
from catcube.errors import BadValue
from catcube.problems.problem import Objective, Problem
from catcube.problems.python.batches import DEFAULT_HANDLING, AnnouncedObjective, Handling
from catcube.problems.python.cache import ValueCache
from catcube.problems.python.compilation import CompiledProblem
from catcube.problems.python.keys import Keys
from catcube.problems.python.objective import ANSWERED, ASK, InPython
from catcube.problems.python.sources import (
    ByCategories,
    InExecutor,
    OneByOne,
    Rows,
    Source,
    check_executor,
)
from catcube.problems.python.values import number, one_per_row
from catcube.space import Space

# integers of a run: those of all callbacks, the number of variables that have changed since the
# last call, and three numbers per variable: its category; the index of its first label in the list
# of all labels; and the indices of the labels there, if most have changed, or else the changed
# variables.
CHANGED, CATEGORIES = range(2, 4)

FEW = 8  # changes: above this, if most variables have changed, rewriting all is faster


@entry("value")
def python_value(problem):
    """Pass the changed variables to Python and return the value."""
    shared = problem.integers
    n = problem.categories.size
    first, changes = CATEGORIES + n, CATEGORIES + 2 * n
    changed = 0
    for variable in range(n):
        if problem.categories[variable] != shared[CATEGORIES + variable]:
            shared[CATEGORIES + variable] = problem.categories[variable]
            shared[changes + changed] = variable
            changed += 1
    shared[CHANGED] = changed
    if changed > FEW and 2 * changed > n:
        for variable in range(n):
            shared[changes + variable] = shared[first + variable] + shared[CATEGORIES + variable]
    shared[ANSWERED] = 0
    value = call_ask(shared[ASK])
    return value if shared[ANSWERED] != 0 else np.nan


class PythonProblem(Problem):
    """A Python function of a dict of labels, or (vectorized) of a batch of category indices.

    >>> space = Space({"base": "ATCG", "flag": [True, False]})
    >>> problem = PythonProblem(lambda point: (point["base"] != "C") + point["flag"], space)
    >>> problem.evaluate({"base": "C", "flag": True})
    1.0

    With an executor, points that are known in advance are evaluated there in parallel; with
    `remember` > 0 so many points are cached and not evaluated again. `handling` has the options
    for failures and repetitions.
    """

    name = "function"
    value = python_value

    def __init__(
        self,
        function: Callable[[Any], Any],
        space: Space,
        vectorized: bool = False,
        executor: Executor | None = None,
        remember: int = 0,
        handling: Handling = DEFAULT_HANDLING,
    ) -> None:
        if executor is not None:
            if vectorized:
                raise BadValue("expected an executor or vectorized=True, got both")
            check_executor(executor, function, space)
        self.function = function
        self.space = space
        self.vectorized = vectorized
        self.executor = executor
        self.remember = remember
        self.handling = handling
        self.known: dict[bytes, float] = {}  # values that need not be computed

    def evaluate(self, point: Mapping[str, Any] | NDArray[np.int64]) -> float:
        """Return the value of a point, given as labels by name or as category indices."""
        if not isinstance(point, Mapping):
            point = self.space.decode(point)
        categories = self.space.encode(point)
        if self.vectorized:
            return number(one_per_row(self.function(categories.reshape(1, -1)), 1)[0])
        return number(self.function(self.space.decode(categories)))

    def objective(self, tick: Callable[[], None]) -> Objective:
        """Return the objective of one run."""
        keys = Keys(self.space)
        source: Source
        if self.executor is not None:
            source = InExecutor(self.function, keys, self.executor, tick)
        elif self.vectorized:
            source = Rows(self.function, keys, self.handling.catch or ())
        elif self.remember or self.handling or self.known:
            source = OneByOne(self.function, keys)
        else:
            return PythonObjective(self, tick)
        cache = ValueCache(self.remember)
        cache.known.update(self.known)
        return AnnouncedObjective(self.space, tick, source, cache, self.handling)


class ObservedProblem(Problem):
    """A problem whose values pass through Python, so that they can be kept, counted and caught."""

    def __init__(self, problem: Problem, remember: int, handling: Handling) -> None:
        self.problem = problem
        self.name = problem.name
        self.space = problem.space
        self.optimum = problem.optimum
        self.remember = remember
        self.handling = handling
        self.known: dict[bytes, float] = {}  # values that need not be computed

    def evaluate(self, point: Mapping[str, Any] | NDArray[np.int64]) -> float:
        """Return the value of a point, given as labels by name or as category indices."""
        return self.problem.evaluate(point)

    def objective(self, tick: Callable[[], None]) -> Objective:
        """Return the objective of one run."""
        source = ByCategories(_of_categories(self.problem), Keys(self.space))
        cache = ValueCache(self.remember)
        cache.known.update(self.known)
        return AnnouncedObjective(self.space, tick, source, cache, self.handling)


def _of_categories(problem: Problem) -> Callable[[NDArray[np.int64]], Any]:
    """Convert a problem to a function of valid categories."""
    if isinstance(problem, CompiledProblem):
        return problem.function  # its exceptions pass through
    frame = problem.frame(np.zeros(len(problem.space), np.int64))

    def value(categories: NDArray[np.int64]) -> float:
        frame.categories[:] = categories
        return evaluated(problem.value, frame)

    return value


class PythonObjective(InPython):
    """A function of a dict of labels, called in the thread that started the run."""

    def __init__(self, problem: PythonProblem, tick: Callable[[], None]) -> None:
        InPython.__init__(self, problem.space, tick)
        Objective.__init__(self, problem)
        self._callback = PythonEntry("ask", self._ask)
        self._function = problem.function
        self._names = problem.space.names
        labels = problem.space.labels
        self._labels = np.empty(sum(map(len, labels)), object)
        for index, label in enumerate(label for variable in labels for label in variable):
            self._labels[index] = label  # one by one: a label may be a sequence
        n = len(self._names)
        self.integers = np.full(CATEGORIES + 3 * n, -1, np.int64)
        self.integers[ASK] = self._callback.address
        sizes = problem.space.cardinalities
        self.integers[CATEGORIES + n : CATEGORIES + 2 * n] = np.cumsum(sizes) - sizes
        self._shared = self.integers.data  # reads integers faster than the array does
        self._label_indices = self.integers[CATEGORIES + 2 * n :]
        self._last: dict[str, Any] = dict.fromkeys(self._names)

    @property
    def asked(self) -> NDArray[np.int64]:
        """The categories of the point in question."""
        return self.integers[CATEGORIES : CATEGORIES + len(self._names)].copy()

    def _ask(self) -> float:
        try:
            self.calling = True
            names, shared = self._names, self._shared
            changed, n = shared[CHANGED], len(names)
            if changed > FEW and 2 * changed > n:
                self._last.update(zip(names, self._labels[self._label_indices].tolist()))
            else:
                labels = self.space.labels
                changes = CATEGORIES + 2 * n
                for index in range(changes, changes + changed):
                    variable = shared[index]
                    self._last[names[variable]] = labels[variable][shared[CATEGORIES + variable]]
            # A copy: the function may keep or change its argument.
            returned = self._function(self._last.copy())
            value = returned if type(returned) is float else number(returned)
            self.calling = False
            self.fresh = value
            self.tick()
            self.fresh = None
            shared[ANSWERED] = 1
            return value
        except BaseException as exception:
            return self.failed(exception)
