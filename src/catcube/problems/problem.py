"""The base class of problems: a space, constants, and a few small compiled functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from catcube.base.text import count, describe_value, expect, quote
from catcube.engine.compiled.entry import Entry, Frame, evaluate_frame
from catcube.engine.search import Functions
from catcube.errors import BadType, BadValue
from catcube.problems.scanner import TextFile
from catcube.space import Space

ROLES = ("value", "prepare", "change", "commit")


class Problem:
    """A function of the points of a space, to be minimised.

    The base class of all problems, including your own (see `CONTRIBUTING.md`). A class defines the
    compiled functions, an instance the space and the constants.

    Attributes
    ----------
    value
        The compiled function (see `engine.compiled.entry`) that returns the value of a point.
    prepare, change, commit
        Optional compiled functions with which a flip costs O(1).
    space
        The variables and their labels.
    integers, reals
        The constants that the compiled functions read.
    count_size
        The number of integers that these functions store for each point.
    exact
        Whether values are exact: integers, or sums that are never rounded.
    optimum
        The lowest value, or None if it is unknown.
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
    exchanges: ClassVar[bool] = False
    """Whether the default search exchanges categories; true if good points are permutations."""
    hidden: Mapping[str, Any] | None = None
    """A point with the optimal value, if the problem was constructed from one."""
    files: tuple[TextFile, ...] = ()
    """The files that the instance was read from, if any."""

    def frame(self, categories: NDArray[np.int64]) -> Frame:
        """Return the frame of a point for the compiled functions, with empty counts."""
        integers, reals, count_size = constants(self)
        return Frame(categories.astype(np.int32), integers, reals, np.zeros(count_size, np.int32))

    def evaluate(self, point: Mapping[str, Any] | NDArray[np.int64]) -> float:
        """Return the value of a point.

        Parameters
        ----------
        point
            The labels by name, or an array of category indices.

        Returns
        -------
        float
            The value.

        Examples
        --------
        >>> from catcube.problems import Match
        >>> problem = Match(3, 4)
        >>> problem.evaluate(problem.hidden)
        0.0
        """
        if not isinstance(point, Mapping):
            point = self.space.decode(point)  # which checks the categories
        get_entry(self, "value")
        return self.value_at(self.space.encode(point))

    def value_at(self, categories: NDArray[np.int64]) -> float:
        """Return the value of a point, given as valid category indices."""
        return float(self.values_at(categories[None])[0])

    def values_at(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the values of points, given as rows of valid category indices."""
        found = [evaluate_frame(self.value, self.frame(row)) for row in rows]
        return np.array(found, np.float64)

    def solution(self, point: Mapping[str, Any]) -> str:
        """Format a point for `catcube solve`; by default, one line NAME LABEL per variable."""
        return "\n".join(f"{name} {point[name]}" for name in self.space.names)

    def drawing(self, point: Mapping[str, Any], color: bool = False) -> str | None:
        """Draw a point for a terminal; None, the default, if `solution` is to be shown."""
        return None

    def reduced(self) -> "Problem":
        """Return a problem with the same optima that may be easier; by default, this one."""
        return self

    def dimensions(self) -> str:
        """Return a description of the size of the problem."""
        return count(len(self.space), "variable")

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Return the reason why the value at these categories is NaN."""
        return BadValue(f"the objective returned NaN at {quote(self.space.decode(categories))}")

    def objective(self, tick: Callable[..., Any]) -> "Objective":
        """Return the objective of one run."""
        return Objective(self)


class Objective:
    """The functions and constants of a problem as one run uses them.

    `in_python` means that a user's Python function is called, so that the run must stay in the
    thread that started it.
    """

    in_python = False
    calls: int | None = None  # calls of the user's function; None means one per evaluation

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.integers, self.reals, self.count_size = constants(problem)
        entries = [get_entry(problem, role) for role in ROLES]
        value, prepare, change, commit = (entry.address if entry else 0 for entry in entries)
        self.functions = Functions(value, prepare, change, commit, 0, bool(problem.exact))

    def finish(self, stopped: bool) -> None:
        """Release resources after the run; `stopped` if time or user ended it."""

    def failure(self, categories: NDArray[np.int64]) -> BaseException:
        """Return the reason why the value at these categories is NaN."""
        return self.problem.failure(categories)


def format_labels(problem: Problem, point: Mapping[str, Any]) -> str:
    """Format a point as its labels in one line; a `solution` for problem classes."""
    return " ".join(str(point[name]) for name in problem.space.names)


def get_entry(problem: Problem, role: str) -> Entry | None:
    """Return the function of a problem with a role; raise an error unless it is an entry."""
    function = getattr(problem, role, None)
    if function is None and role != "value":
        return None
    marked = isinstance(function, Entry) and function.role == role
    wanted = f"a function marked @entry({role!r}) as {role} of problem {problem.name!r}"
    expect(marked, wanted, getattr(function, "role", function), BadType)
    return function


def constants(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Return `integers`, `reals` and `count_size` of a problem, checked and converted."""
    what = f"count_size of problem {problem.name!r}"
    count_size = check_integer(what, problem.count_size, 0, 2**31 - 1)
    integers = _array(problem, "integers", np.int64)
    return integers, _array(problem, "reals", np.float64), count_size


def _array(problem: Problem, name: str, kind: type[np.generic]) -> NDArray[Any]:
    """Return a constant as a contiguous array of a type for compiled code."""
    constant = getattr(problem, name)
    array = np.asarray(constant)
    fits = array.ndim == 1 and (not array.size or np.can_cast(array.dtype, kind))
    wanted = f"a sequence of {name} as {name} of problem {problem.name!r}"
    expect(fits, wanted, constant, BadType)
    return np.ascontiguousarray(array, dtype=kind)


def check_integer(name: str, value: object, low: int, high: int) -> int:
    """Return a value if it is an integer in a range, else raise an error.

    >>> check_integer("colours", 3, 1, 10)
    3
    >>> check_integer("colours", 30, 1, 10)
    Traceback (most recent call last):
    catcube.errors.BadValue: expected colours in 1..10, got 30
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise BadType(f"expected an integer for {name}, got {describe_value(value)}")
    expect(low <= value <= high, f"{name} in {low}..{high:,}", int(value))
    return int(value)


def join_constants(scalars: Sequence[int], parts: Sequence[ArrayLike]) -> NDArray[np.int64]:
    """Return an array of scalars, the index where each part begins, and the parts.

    >>> constants = join_constants([9], [[7, 8], [5]])
    >>> constants.tolist()
    [9, 3, 5, 7, 8, 5]
    >>> SIZE, FIRST, SECOND = range(3)
    >>> constants[constants[FIRST] + 1], constants[constants[SECOND]]
    (np.int64(8), np.int64(5))
    """
    flat = [as_integers("constants", part).ravel() for part in parts]
    head = len(scalars) + len(flat)
    starts = head + np.cumsum([0, *(part.size for part in flat)])[:-1]
    return np.concatenate([np.array([*scalars, *starts], np.int64), *flat])


def as_integers(
    name: str, values: ArrayLike, low: int = -(2**63), high: int = 2**63 - 1
) -> NDArray[np.int64]:
    """Return values, which may be text, as 64-bit integers; raise an error for other values.

    >>> as_integers("flows", [[0, 2.0], [3, 0]]).tolist()
    [[0, 2], [3, 0]]
    >>> as_integers("flows", [3.42])
    Traceback (most recent call last):
    catcube.errors.BadValue: expected integers as flows, got 3.42
    >>> as_integers("symbols", [1, 7], 1, 4)
    Traceback (most recent call last):
    catcube.errors.BadValue: expected symbols in 1..4, got 7
    """
    try:
        with np.errstate(invalid="ignore"):
            given = np.asarray(values)
            integers = given.astype(np.int64)
    except (ValueError, TypeError, OverflowError):  # such as rows of unequal length
        raise BadValue(f"expected integers below 2^63 as {name}, got {quote(values)}") from None
    if given.dtype.kind not in "US" and (integers != given).any():
        raise BadValue(f"expected integers as {name}, got {given[integers != given].flat[0]}")
    for outside in integers[(integers < low) | (integers > high)][:1]:
        check_integer(name, outside, low, high)
    return integers
