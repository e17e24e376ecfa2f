"""Forbidden combinations of labels, as a penalty on the function."""

import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from catcube.base.text import quoted, unknown_name_message
from catcube.errors import BadType, BadValue

Forbidden = Mapping[str, Any] | Callable[[dict[str, Any]], Any]


class Penalized:
    """A function of a point with a penalty where a combination is forbidden; see `penalized`."""

    def __init__(
        self,
        function: Callable[[dict[str, Any]], Any],
        forbidden: Iterable[Forbidden],
        penalty: float,
        evaluate: bool = False,
    ) -> None:
        if not callable(function) or hasattr(function, "py_func") or hasattr(function, "address"):
            raise BadType(f"expected a Python function of a dict, got {quoted(function)}")
        if isinstance(forbidden, Mapping) or callable(forbidden):
            raise BadType("expected a list of forbidden combinations, got a single one")
        if not isinstance(forbidden, Iterable):
            raise BadType(f"expected a list of forbidden combinations, got {quoted(forbidden)}")
        self.function = function
        self.forbidden = [_checked(combination) for combination in forbidden]
        self.penalty = _checked_penalty(penalty)
        self.evaluate = evaluate

    def violations(self, point: dict[str, Any]) -> int:
        """Count the forbidden combinations of a point; 0 if it is allowed."""
        return sum(_holds(combination, point) for combination in self.forbidden)

    def __call__(self, point: dict[str, Any]) -> Any:
        """Return the value of the function, or the penalty."""
        violations = self.violations(point)
        if not violations:
            return self.function(point)
        penalty = violations * self.penalty
        return self.function(point) + penalty if self.evaluate else penalty


def penalized(
    function: Callable[[dict[str, Any]], Any],
    forbidden: Iterable[Forbidden],
    penalty: float,
    evaluate: bool = False,
) -> Penalized:
    """Add a penalty to a function at points with a forbidden combination of labels.

    A combination is a dict of some of the variables, or a function of the whole point that returns
    whether it is forbidden:

    >>> import catcube
    >>> space = catcube.Space({"solver": ["lu", "cg"], "cores": [1, 2, 4, 8]})
    >>> def seconds(point):
    ...     return (20 if point["solver"] == "lu" else 30) / point["cores"]
    >>> allowed = catcube.penalized(
    ...     seconds,
    ...     forbidden=[{"solver": "lu", "cores": 8}, lambda point: point["cores"] > 4],
    ...     penalty=1000,
    ... )
    >>> allowed({"solver": "lu", "cores": 8}), allowed({"solver": "cg", "cores": 8})
    (2000.0, 1000.0)
    >>> result = catcube.minimize(allowed, space, budget=200, seed=1)
    >>> result.x, allowed.violations(result.x)
    ({'solver': 'lu', 'cores': 4}, 0)

    The value of a forbidden point is the penalty times the number of combinations it has, and the
    function is not called there. The penalty must be larger than the values of allowed points; a
    much larger one makes forbidden regions hard to cross. With `evaluate=True` the function is
    called at forbidden points too, and the penalty is added to its value.
    """
    return Penalized(function, forbidden, penalty, evaluate)


def _checked_penalty(penalty: Any) -> float:
    if isinstance(penalty, bool) or not isinstance(penalty, numbers.Real):
        raise BadType(f"expected a number as penalty, got {quoted(penalty)}")
    try:
        number = float(penalty)
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise BadValue(f"expected a finite penalty > 0, got {quoted(penalty)}")
    return number


def _checked(combination: Any) -> Forbidden:
    if isinstance(combination, Mapping):
        if not combination:
            raise BadValue("expected non-empty combinations, got {}: it would forbid every point")
        return dict(combination)
    if callable(combination):
        return combination
    raise BadType(
        "expected a dict of labels or a function of a point as forbidden combination, got "
        f"{quoted(combination)}"
    )


def _holds(combination: Forbidden, point: dict[str, Any]) -> bool:
    if callable(combination):
        return bool(combination(point))
    try:
        # As a space compares labels: NaN is a label, and the same as itself.
        return all(
            point[name] is label or bool(point[name] == label)
            for name, label in combination.items()
        )
    except KeyError as missing:
        message = unknown_name_message("variable", missing.args[0], list(point))
        raise BadValue(f"a forbidden combination has an {message}") from None
