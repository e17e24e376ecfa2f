"""Constraints on points: their violation, and the search for feasible points."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect, quote
from catcube.errors import BadType
from catcube.problems.calls import Keys, as_number
from catcube.space import Space

MAX_CHECKS = 100_000
"""Maximum number of checks in the search for a first feasible point."""

CHECKS_PER_POINT = 5_000  # in the search for further ones

RANDOM_POINTS = 2_000  # checked first; a tenth of it after a restart

REPAIR_CHECKS = 300  # to make a changed point feasible again

MAX_CACHED = 200_000  # points whose violation is cached


class Forbidden:
    """A constraint that excludes a combination of labels; see `forbid`."""

    def __init__(self, labels: Mapping[str, Any]) -> None:
        self.labels = dict(labels)

    def __call__(self, point: Mapping[str, Any]) -> bool:
        """Return whether a point does not have the combination."""
        # Labels are compared as in a space: NaN is a label and equals itself.
        return not all(
            name in point and (point[name] is label or bool(point[name] == label))
            for name, label in self.labels.items()
        )

    def __repr__(self) -> str:
        return f"forbid({', '.join(f'{k}={v!r}' for k, v in self.labels.items())})"


def forbid(labels: Mapping[str, Any] | None = None, /, **others: Any) -> Forbidden:
    """Forbid a combination of labels: a constraint for `minimize`, `maximize` and `Optimizer`.

    Parameters
    ----------
    labels, **others
        Labels by the names of their variables. A point that has all of them is infeasible. They
        are checked against the space when the search begins.

    Returns
    -------
    Forbidden
        The constraint.

    Examples
    --------
    >>> import catcube
    >>> space = catcube.Space({"solver": ["lu", "cg"], "cores": [1, 2, 4, 8]})
    >>> def seconds(point):
    ...     return (20 if point["solver"] == "lu" else 30) / point["cores"]
    >>> result = catcube.minimize(
    ...     seconds, space, constraints=[catcube.forbid(solver="lu", cores=8)], budget=100, seed=1
    ... )
    >>> result.x
    {'solver': 'cg', 'cores': 8}
    """
    combination = {**(labels or {}), **others}
    expect(combination, "labels by name", combination, BadType, where="forbid: ")
    return Forbidden(combination)


class Constraints:
    """The constraints of a search.

    >>> space = Space({"a": range(3), "b": range(3)})
    >>> constraints = Constraints([lambda point: point["a"] + point["b"] - 2], space)
    >>> constraints.violation(np.array([2, 2])), constraints.violation(np.array([1, 1]))
    (2.0, 0.0)
    """

    def __init__(self, constraints: Any, space: Space) -> None:
        if callable(constraints):
            constraints = [constraints]
        several = isinstance(constraints, Iterable) and not isinstance(constraints, str | Mapping)
        wanted = "functions of a point, or catcube.forbid(...)"
        expect(several, f"a list of {wanted}", constraints, BadType, where="constraints: ")
        self.functions: list[Callable[[dict[str, Any]], Any]] = list(constraints)
        for function in self.functions:
            expect(callable(function), wanted, function, BadType, where="constraints: ")
            if isinstance(function, Forbidden):
                space.fix(function.labels)  # raises an error for unknown names and labels
        self.space = space
        self._keys = Keys(space)
        self._kept: dict[bytes, float] = {}

    def violation(self, categories: NDArray[Any]) -> float:
        """Return the total violation of the constraints at a point; 0 if it is feasible."""
        key = self._keys.key(categories)
        found = self._kept.get(key)
        if found is None:
            point = self._keys.point(key)
            try:
                found = sum(_violation(function(dict(point))) for function in self.functions)
            except Exception as exception:
                exception.add_note(f"at {quote(point)}")
                raise
            if len(self._kept) >= MAX_CACHED:
                self._kept.clear()
            self._kept[key] = found
        return found

    def feasible_points(
        self, count: int, seed: int, starts: NDArray[np.int64], drawn: int = RANDOM_POINTS
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], float]:
        """Search for feasible points: near each of the starts, then near random points.

        Return them, one per row, and the least violated point with its violation.
        """
        random = np.random.default_rng(seed)
        found: dict[bytes, NDArray[np.int64]] = {}
        least, violation = np.zeros(len(self.space), np.int64), math.inf
        points = [random_point(self.space, random) for _ in range(drawn)]
        points.sort(key=self.violation)  # those that are almost feasible first
        queue, changing = [*starts, *points], np.flatnonzero(self.space.cardinalities > 1)
        checks = drawn
        while len(found) < max(count, len(starts)) and (
            checks < (MAX_CHECKS if not found else CHECKS_PER_POINT * count)
        ):
            start = queue.pop(0) if queue else random_point(self.space, random)
            point, left, spent = self._descend(start, random, MAX_CHECKS // 20, changing)
            checks += spent
            if left < violation:
                least, violation = point, left
            if left <= 0:
                found.setdefault(self._keys.key(point), point)
        rows = np.array(list(found.values()), np.int64).reshape(len(found), len(self.space))
        return rows, least, violation

    def nearby(self, point: NDArray[Any], seed: int, count: int = 5) -> NDArray[np.int64]:
        """Return at most `count` feasible points near one, perhaps none.

        A few variables are changed, and then others until the constraints are satisfied again.
        This is for constraints that no change of one or two variables preserves, such as those on
        the rows and columns of a table.
        """
        random = np.random.default_rng(seed)
        sizes = self.space.cardinalities
        changing, found = np.flatnonzero(sizes > 1), []
        for _ in range(2 * count):
            start = point.astype(np.int64)
            some = random.choice(changing, min(int(random.integers(1, 4)), changing.size), False)
            start[some] = (start[some] + random.integers(1, sizes[some])) % sizes[some]
            others = np.setdiff1d(changing, some)
            near, left, _ = self._descend(start, random, REPAIR_CHECKS, others)
            found += [near] if left <= 0 else []
            if len(found) == count:
                break
        return np.array(found, np.int64).reshape(-1, sizes.size)

    def _descend(
        self,
        start: NDArray[np.int64],
        random: np.random.Generator,
        effort: int,
        changing: NDArray[np.intp],
    ) -> tuple[NDArray[np.int64], float, int]:
        """Reduce the violation by changing one or two variables or exchanging two.

        The frequency of each kind of move adapts to its success. The search ends after `effort`
        checks, or after many without success. Return the point, its violation, and the checks.
        """
        sizes = self.space.cardinalities
        point, violation = start.copy(), self.violation(start)
        successes, trials = np.ones(3), np.full(3, 2.0)
        last = 0
        for check in range(effort):
            if violation <= 0 or changing.size == 0:
                return point, violation, check + 1
            if check - last > max(500, 20 * changing.size):
                break
            rates = successes / trials
            kind = int(random.choice(3, p=rates / rates.sum()))
            trial = point.copy()
            some = random.choice(changing, min(2, changing.size), replace=False)
            if kind == 2 and some.size == 2:
                one, other = some
                trial[[one, other]] = point[[other, one]] % sizes[[one, other]]
            else:
                for variable in some[: 1 + kind]:
                    trial[variable] = random.integers(sizes[variable])
            found = self.violation(trial)
            trials[kind] += 1
            if found <= violation:
                if found < violation:
                    successes[kind] += 1
                    last = check
                point, violation = trial, found
        return point, violation, effort


def _violation(returned: Any) -> float:
    """Convert what a constraint returned to a violation: False is 1, a number <= 0 is 0."""
    if isinstance(returned, bool | np.bool_):
        return 0.0 if returned else 1.0
    value = as_number(returned, "expected True, False or a number from a constraint")
    return math.inf if math.isnan(value) else max(value, 0.0)


def random_point(space: Space, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw a point: uniformly, with labels in random proportions, or each label equally often.

    The last two are for constraints on the frequencies of labels.
    """
    sizes = space.cardinalities
    kind = int(random.integers(3))
    point: NDArray[np.int64] = random.integers(sizes)
    if kind == 0:
        return point
    for size in np.unique(sizes):
        variables = np.flatnonzero(sizes == size)
        if kind == 1:
            shares = random.dirichlet(np.ones(size))
            point[variables] = random.choice(int(size), variables.size, p=shares)
        else:
            deck = np.resize(random.permutation(int(size)), variables.size)
            point[variables] = random.permutation(deck)
    return point
