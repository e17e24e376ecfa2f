"""A user's Python function as a problem."""

import math
import numbers
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from operator import getitem
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.engine.entry import PythonEntry, call_ask, entry
from catcube.problems.problem import Objective, Problem
from catcube.space import Space

# integers of a run: the address of the callback, how many variables have changed since it was last
# called, their present categories, and which ones have changed.
ADDRESS, CHANGED, CATEGORIES = range(3)

FEW = 8  # changes: from here on, if most variables have changed, a new dict is made faster


@entry("value")
def python_value(problem):
    """Tell Python which variables have changed, and ask it for the value."""
    shared = problem.integers
    n = problem.categories.size
    changed = 0
    for variable in range(n):
        if problem.categories[variable] != shared[CATEGORIES + variable]:
            shared[CATEGORIES + variable] = problem.categories[variable]
            shared[CATEGORIES + n + changed] = variable
            changed += 1
    shared[CHANGED] = changed
    return call_ask(shared[ADDRESS])


class PythonProblem(Problem):
    """A Python function of a dict of labels, or (vectorized) of a batch of category indices.

    >>> space = Space({"base": "ATCG", "flag": [True, False]})
    >>> problem = PythonProblem(lambda point: (point["base"] != "C") + point["flag"], space)
    >>> problem.evaluate({"base": "C", "flag": True})
    1.0
    """

    name = "function"
    value = python_value

    def __init__(
        self, function: Callable[[Any], Any], space: Space, vectorized: bool = False
    ) -> None:
        self.function = function
        self.space = space
        self.vectorized = vectorized

    def evaluate(self, point: Mapping[str, Any] | NDArray[np.int64]) -> float:
        """The value of a point, given as labels by name or as category indices."""
        if not isinstance(point, Mapping):
            point = self.space.decode(point)
        categories = self.space.encode(point)
        if self.vectorized:
            return single(self.function(categories.reshape(1, -1)))
        return number(self.function(self.space.decode(categories)))

    def objective(self, tick: Callable[[], None]) -> "PythonObjective":
        """The function as one run calls it."""
        return PythonObjective(self, tick)


class PythonObjective(Objective):
    """A Python function as one run calls it, in the thread that started the run."""

    in_python = True

    def __init__(self, problem: PythonProblem, tick: Callable[[], None]) -> None:
        self.problem = problem
        self.tick = tick
        self.raised: BaseException | None = None
        self.calling = False
        self._callback = PythonEntry("ask", self._batch if problem.vectorized else self._point)
        n = len(problem.space)
        super().__init__(problem)
        self.integers = np.full(CATEGORIES + 2 * n, -1, np.int64)
        self.integers[ADDRESS] = self._callback.address
        self._shared = self.integers.data  # reads integers faster than the array does
        self._last: dict[str, Any] = {}
        self._function = problem.function
        self._names = problem.space.names
        self._labels = problem.space.labels

    def _point(self) -> float:
        try:
            self.calling = True
            names, labels, shared = self._names, self._labels, self._shared
            changed = shared[CHANGED]
            changes = CATEGORIES + len(names)
            if changed > FEW and 2 * changed > len(names):
                categories = shared[CATEGORIES:changes].tolist()
                self._last = dict(zip(names, map(getitem, labels, categories)))
            else:
                for place in range(changes, changes + changed):
                    variable = shared[place]
                    category = shared[CATEGORIES + variable]
                    self._last[names[variable]] = labels[variable][category]
            # The function gets a dict of its own: it may keep it or change it.
            returned = self._function(self._last.copy())
            value = returned if type(returned) is float else number(returned)
            self.calling = False
            self.tick()
            return value
        except BaseException as exception:
            return self._failed(exception)

    def _batch(self) -> float:
        try:
            self.calling = True
            n = len(self.problem.space)
            batch = self.integers[CATEGORIES : CATEGORIES + n].reshape(1, n).copy()
            value = single(self.problem.function(batch))
            self.calling = False
            self.tick()
            return value
        except BaseException as exception:
            return self._failed(exception)

    def _failed(self, exception: BaseException) -> float:
        """Keep the exception, to be raised when the kernel has returned."""
        self.calling = False
        self.raised = exception
        return math.nan

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """What the function raised, or that it returned NaN."""
        if self.raised is not None:
            return self.raised
        point = self.problem.space.decode(categories)
        return ValueError(f"the objective returned NaN at {_short(point)}")

    @contextmanager
    def interruptible(self, stop: Callable[[], None]) -> Iterator[None]:
        """Let Ctrl-C stop the run, wherever it is.

        Python would raise KeyboardInterrupt at the first instruction of the callback, before any
        `try` of ours, where ctypes swallows it. So: inside the user's function it is raised as
        usual, elsewhere it asks the recorder to stop.
        """
        in_main = threading.current_thread() is threading.main_thread()
        if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return

        def interrupt(number: int, frame: Any) -> None:
            stop()
            if self.calling:
                raise KeyboardInterrupt

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def number(returned: Any) -> float:
    """What the function returned, as a float; a sentence if it is no number."""
    if not isinstance(returned, float | int) and not _is_real(returned):  # most are, and it is fast
        raise TypeError(f"the objective must return a number, not {_short(returned)}")
    try:
        return float(returned)
    except OverflowError:
        raise OverflowError(
            f"the objective returned a number too large for a float: {_short(returned)}"
        ) from None


def _is_real(returned: Any) -> bool:
    is_complex = isinstance(returned, numbers.Complex) and not isinstance(returned, numbers.Real)
    return isinstance(returned, numbers.Number | np.bool_) and not is_complex


def single(returned: Any) -> float:
    """The one value that a vectorized function returned for a batch of one point."""
    values = np.asarray(returned)
    if values.shape != (1,):
        raise TypeError(
            "a vectorized objective must return one value a row: an array of shape (1,) "
            f"here, not {values.shape}"
        )
    return number(values[0])


def _short(thing: Any) -> str:
    text = repr(thing)
    return text if len(text) <= 200 else text[:199] + "…"
