"""Calls of a user's Python function by kernels.

A kernel writes the categories that have changed since the last call to integers that it shares with
Python. If the function can be called directly, only the labels of changed variables are looked up.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import quote
from catcube.engine.compiled.entry import PythonEntry, call_ask, call_notify, entry
from catcube.engine.search import Functions
from catcube.problems import calls
from catcube.problems.problem import Objective

if TYPE_CHECKING:
    from catcube.problems.functions import PythonProblem

SLOW = 0.001  # seconds of a call after which the run is always checked

# integers of a run: the address of the function that evaluates, and whether it has finished (else
# it has returned an arbitrary value); the address of `announce`; the number of variables that have
# changed since the last call; then three numbers per variable: its category; the index of its first
# label in the list of all labels; the index of its label there, or, if few variables have changed,
# the changed variables.
ASK, ANSWERED, NOTIFY, CHANGED, CATEGORIES = range(5)

FEW = 8  # changes up to which looking up changed labels is faster than all labels


@entry("value")
def python_value(problem):
    """Pass the changed variables to Python, and return the value."""
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


@entry("announce")
def announce_point(problem):
    """Pass a point that will be evaluated later to Python."""
    for variable in range(problem.categories.size):
        problem.integers[CATEGORIES + variable] = problem.categories[variable]
    call_notify(problem.integers[NOTIFY])


class KernelCalls(Objective):
    """The calls by kernels in one run, in the thread that started it.

    `calling` is true while the user's function runs, or its value is awaited. While the run is
    checked after a call, `fresh` is the value of `current_point`, which the kernel has not recorded
    yet. `raised` is the exception of the function, to be raised after the kernel returns.
    """

    in_python = True

    def __init__(self, problem: "PythonProblem", tick: Callable[..., Any]) -> None:
        self.problem, self.space, self.tick = problem, problem.space, tick
        self.options = problem.evaluation
        self.raised: BaseException | None = None
        self.calling = False
        self.fresh: float | None = None
        space = self.space
        n = len(space)
        other = problem.vectorized or problem.by_categories or space.conditions
        direct = self.options.direct and not other
        ask = self._ask_directly if direct else self._ask
        self._entries = [PythonEntry("ask", ask), PythonEntry("notify", self.announce)]
        self.integers = np.full(CATEGORIES + 3 * n, -1, np.int64)
        self.integers[ASK], self.integers[NOTIFY] = (entry.address for entry in self._entries)
        self.integers[ANSWERED] = 1
        sizes = space.cardinalities
        self.integers[CATEGORIES + n : CATEGORIES + 2 * n] = np.cumsum(sizes) - sizes
        self.reals, self.count_size = np.zeros(0), 0
        announce = 0 if direct else announce_point.address
        self.functions = Functions(python_value.address, 0, 0, 0, announce=announce, exact=False)
        self._categories = self.integers[CATEGORIES : CATEGORIES + n]
        if direct:
            self._function = problem.function
            self._labels = np.empty(int(sizes.sum()), object)
            for index, label in enumerate(label for labels in space.labels for label in labels):
                self._labels[index] = label  # one by one: a label may be a sequence
            self._shared = self.integers.data  # a memoryview reads integers faster than an array
            self._label_indices = self.integers[CATEGORIES + 2 * n :]
            self._last: dict[str, Any] = dict.fromkeys(space.names)

    def evaluate(self, categories: NDArray[Any]) -> tuple[float, float]:
        """Return the value of a point for the search, and the duration of the call in seconds."""
        raise NotImplementedError

    def announce(self) -> None:
        """Register the current point, which will be evaluated later."""
        raise NotImplementedError

    @property
    def current_point(self) -> NDArray[np.int64]:
        """The categories of the current point."""
        return self._categories.copy()

    def _ask_directly(self) -> float:
        """Call the function at the current point, whose changed labels are looked up."""
        try:
            self.calling = True
            names, shared = self.space.names, self._shared
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
            value = returned if type(returned) is float else calls.as_number(returned)
            self.calling = False
            self.fresh = value = self.options.sign * value
            self.tick()
            self.fresh = None
            shared[ANSWERED] = 1
            return value
        except BaseException as exception:
            return self._keep(exception)

    def _ask(self) -> float:
        """Return the value of the current point to the kernel."""
        try:
            value, seconds = self.evaluate(self._categories)
            self.fresh = value
            self.tick(seconds >= SLOW)
            self.fresh = None
            self.integers[ANSWERED] = 1
            return value
        except BaseException as exception:
            return self._keep(exception)

    def _keep(self, exception: BaseException) -> float:
        """Store an exception, to be raised after the kernel has returned; return NaN."""
        if self.calling and isinstance(exception, Exception):
            exception.add_note(f"at {quote(self.space.decode(self._categories))}")
        self.calling = False
        self.raised = exception
        return math.nan

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Return the exception of the function, or one about NaN."""
        if self.raised is not None:
            return self.raised
        if not self.integers[ANSWERED]:
            point = quote(self.space.decode(categories))
            return RuntimeError(
                f"an exception from outside the objective interrupted the evaluation at {point}"
            )
        return super().failure(categories)
