"""What a problem is: a space, constants, and a few small compiled functions over them."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from catcube.engine.entry import Entry, evaluated
from catcube.engine.frame import Frame
from catcube.engine.point import Functions
from catcube.space import Space


class Problem:
    """A function of the variables of a space, to be minimised.

    A problem sets, in its class, its compiled functions (see `catcube.engine.entry`): `value`, and
    optionally `prepare`, `change` and `commit`, which make a flip cost O(1); and in its instances
    `space`, the constants `integers` and `reals` those functions read, and `count_size`, how many
    integers they keep for each point. `exact` says that values are integers, or sums that never
    round.
    """

    value: ClassVar[Entry]
    prepare: ClassVar[Entry | None] = None
    change: ClassVar[Entry | None] = None
    commit: ClassVar[Entry | None] = None
    exact: bool = False

    name: str = "problem"
    space: Space
    integers: NDArray[np.int64] = np.zeros(0, np.int64)
    reals: NDArray[np.float64] = np.zeros(0, np.float64)
    count_size: int = 0
    optimum: float | None = None

    def frame(self, categories: NDArray[np.int64]) -> Frame:
        """What the problem's functions see of a point; its counts are not yet filled."""
        counts = np.zeros(self.count_size, np.int32)
        return Frame(categories.astype(np.int32), self.integers, self.reals, counts)

    def evaluate(self, point: Mapping[str, Any] | NDArray[np.int64]) -> float:
        """The value of a point, given as labels by name or as category indices."""
        if not isinstance(point, Mapping):
            point = self.space.decode(point)  # refuses what is no point
        categories = self.space.encode(point)
        return evaluated(self.value, self.frame(categories))

    def objective(self, tick: Callable[[], None]) -> "Objective":
        """The problem's functions as one run calls them."""
        return Objective(self)


class Objective:
    """The functions and constants of a problem as one run uses them.

    `in_python` says that the run must stay in the thread that started it, because it calls the
    user's Python function.
    """

    in_python = False
    calls: int | None = None  # of the user's function; None: one an evaluation

    def __init__(self, problem: Problem) -> None:
        self.integers = problem.integers
        self.reals = problem.reals
        self.count_size = problem.count_size
        self.functions = Functions(
            problem.value.address,
            problem.prepare.address if problem.prepare else 0,
            problem.change.address if problem.change else 0,
            problem.commit.address if problem.commit else 0,
            0,
            problem.exact,
        )

    def finish(self) -> None:
        """The run is over."""

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Why the value at these categories is no number."""
        return ValueError("the objective returned NaN")
