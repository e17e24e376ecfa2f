"""What a problem is: a space, constants, and a few small compiled functions over them."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import described
from catcube.engine.compiled.entry import Entry, evaluated
from catcube.engine.compiled.frame import Frame
from catcube.engine.search import Functions
from catcube.problems.reading import TextFile
from catcube.space import Space

ROLES = ("value", "prepare", "change", "commit")


class Problem:
    """A function of the variables of a space, to be minimised.

    A problem sets, in its class, its compiled functions (see `engine.compiled.entry`): `value`, and
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
    files: tuple[TextFile, ...] = ()
    """What the instance was read from, if it was."""

    def frame(self, categories: NDArray[np.int64]) -> Frame:
        """Return what the problem's functions see of a point; its counts are not yet filled."""
        integers, reals, count_size = constants(self)
        return Frame(categories.astype(np.int32), integers, reals, np.zeros(count_size, np.int32))

    def evaluate(self, point: Mapping[str, Any] | NDArray[np.int64]) -> float:
        """Return the value of a point, given as labels by name or as category indices."""
        if not isinstance(point, Mapping):
            point = self.space.decode(point)  # refuses what is no point
        categories = self.space.encode(point)
        checked_entry(self, "value")
        return evaluated(self.value, self.frame(categories))

    def solution(self, point: Mapping[str, Any]) -> str:
        """Write a point in the problem's own form; by default one line NAME LABEL per variable."""
        return "\n".join(f"{name} {point[name]}" for name in self.space.names)

    def objective(self, tick: Callable[[], None]) -> "Objective":
        """Return the problem's functions as one run calls them."""
        return Objective(self)


class Objective:
    """The functions and constants of a problem as one run uses them.

    `in_python` says that the run must stay in the thread that started it, because it calls the
    user's Python function.
    """

    in_python = False
    calls: int | None = None  # of the user's function; None: one an evaluation

    def __init__(self, problem: Problem) -> None:
        self.integers, self.reals, self.count_size = constants(problem)
        value, prepare, change, commit = (_address(problem, role) for role in ROLES)
        self.functions = Functions(value, prepare, change, commit, 0, bool(problem.exact))

    def finish(self) -> None:
        """The run is over."""

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Why the value at these categories is no number."""
        return ValueError("the objective returned NaN")


def checked_entry(problem: Problem, role: str) -> Entry | None:
    """The problem's function of this role, if it is one: kernels call whatever is at an address."""
    own = getattr(problem, role, None)
    if own is None and role != "value":
        return None
    if not isinstance(own, Entry) or own.role != role:
        found = f"an entry for {own.role!r}" if isinstance(own, Entry) else described(own)
        raise TypeError(
            f"{role} of problem {problem.name!r} must be a function marked @entry({role!r}), "
            f"not {found}"
        )
    return own


def _address(problem: Problem, role: str) -> int:
    own = checked_entry(problem, role)
    return own.address if own else 0


def constants(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """`integers`, `reals` and `count_size` of a problem, as compiled code reads them."""
    count_size = problem.count_size
    if not isinstance(count_size, int | np.integer) or not 0 <= count_size < 2**31:
        raise ValueError(
            f"count_size of problem {problem.name!r} must be an integer >= 0, "
            f"not {described(count_size)}"
        )
    integers = _array(problem, "integers", np.int64)
    return integers, _array(problem, "reals", np.float64), int(count_size)


def _array(problem: Problem, name: str, kind: type[np.generic]) -> NDArray[Any]:
    """Return a constant as an array without gaps in the type that compiled code takes it for."""
    given = getattr(problem, name)
    array = np.asarray(given)
    if array.ndim != 1 or (array.size and not np.can_cast(array.dtype, kind)):
        raise TypeError(
            f"{name} of problem {problem.name!r} must be a sequence of {name}, "
            f"not {described(given)}"
        )
    return np.ascontiguousarray(array, dtype=kind)
