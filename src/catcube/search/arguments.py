"""The arguments of `minimize`, `maximize` and `Optimizer`, checked."""

import difflib
import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from catcube.algorithms import algorithm, registered
from catcube.algorithms.algorithm import Algorithm
from catcube.base.text import quoted
from catcube.errors import BadType, BadValue
from catcube.problems.python.sources import Caught
from catcube.problems.python.values import number

CACHED = 100_000  # points of `cache=True`

# Names of our arguments in other libraries.
OTHER_NAMES = {
    "budget": "n_trials max_iter maxiter maxfev max_nfev max_evals n_calls n_iter iterations "
    "evaluations generations n_gen trials nfev calls max_calls",
    "time_limit": "timeout max_time time",
    "seed": "random_state rng random_seed rstate",
    "algorithm": "method sampler optimizer strategy algo",
    "representation": "encoding",
    "executor": "n_jobs parallel pool n_workers jobs cores",
    "callback": "callbacks",
    "x0": "initial init start initial_point points_to_evaluate guess",
    "y0": "f0 values known",
    "progress": "verbose show_progress_bar disp display",
    "target": "tol ftol stop value_to_reach",
    "cache": "memory memoize",
    "catch": "except_ errors on_error",
    "history": "trace log save_history",
}
# What an Optimizer has instead of an argument.
OF_OPTIMIZER = {
    **dict.fromkeys(("maximize", "minimize", "direction"), "to maximise, tell negated values"),
    "y0": "tell the values that are known before the first ask",
    "catch": "give_up declares that a point has failed",
}
_MEANT = {other: name for name, others in OTHER_NAMES.items() for other in others.split()}


def checked_parameters(
    method: Algorithm, parameters: Mapping[str, Any], function: str, accepted: Iterable[str]
) -> None:
    """Raise a TypeError for names that the function and the algorithm do not have."""
    known = method.accepted_names()
    for name in parameters:
        if name not in known:
            raise BadType(_unknown_argument(name, method, function, list(accepted)))


def _unknown_argument(name: str, method: Algorithm, function: str, accepted: list[str]) -> str:
    defaults = [str(parameter) for parameter in method.described()]
    candidates = accepted + [parameter.name for parameter in method.described()]
    close = difflib.get_close_matches(name.casefold(), candidates, n=len(candidates), cutoff=0)
    others = _algorithms_with(name)
    nearest = _MEANT.get(name.casefold())
    if nearest not in accepted:
        similar = difflib.get_close_matches(name.casefold(), candidates, n=1)
        nearest = similar[0] if similar else None
    if function == "Optimizer" and name in OF_OPTIMIZER:
        hint = f"; {OF_OPTIMIZER[name]}."
    elif name in ("maximize", "minimize", "direction"):
        hint = "; to maximise, call catcube.maximize(function, space)."
    elif others:
        hint = f"; it is a parameter of algorithm={' and of '.join(map(repr, others))}."
    elif nearest is not None:
        hint = f", did you mean {nearest!r}?"
    else:
        hint = "."
    if name not in ("maximize", "minimize", "direction"):
        accepted.sort(key=lambda other: (other != nearest, close.index(other)))
    return (
        f"{function} has no argument {name!r}{hint} It takes {', '.join(accepted)}; {method.name} "
        f"has no parameter {name!r}, accepted with their defaults: {', '.join(defaults) or 'none'}"
    )


def _algorithms_with(name: str) -> list[str]:
    """Return the names of our algorithms that have a parameter of this name."""
    return [
        other
        for other in registered.shipped()
        if any(parameter.name == name for parameter in algorithm(other).described())
    ]


def checked_count(name: str, count: Any) -> int:
    """Return a count as an integer, if it is at least 1."""
    if not is_number(count) or count != int(count) or not 1 <= count < 2**62:
        raise BadValue(f"expected an integer from 1 to 2^62 as {name}, got {quoted(count)}")
    return int(count)


def checked_name(kind: str, name: Any) -> None:
    """Raise a TypeError if the name of a thing of this kind is not a string."""
    if not isinstance(name, str):
        article = "an" if kind[0] in "aeiou" else "a"
        raise BadType(f"expected the name of {article} {kind}, got {quoted(name)}")


def checked_cache(cache: Any) -> int:
    """Return the number of points to cache."""
    if isinstance(cache, bool | np.bool_):
        return CACHED if cache else 0
    if isinstance(cache, str) and cache in ("unique", "auto"):
        return 2**62 if cache == "unique" else 0
    if not is_number(cache) or cache != int(cache) or cache < 0:
        raise BadValue(
            f"expected True, False, 'unique' or a number of points as cache, got {quoted(cache)}"
        )
    return int(cache)


def checked_seed(seed: Any) -> int:
    """Return the seed as an integer, if it is at least 0."""
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise BadValue(f"expected an integer >= 0 as seed, got {quoted(seed)}")
    if number >= 2**4096:
        raise BadValue(f"expected an integer below 2^4096 as seed, got {quoted(seed)}")
    return number


def checked_target(target: Any) -> float | None:
    """Return the target as a float."""
    if target is None:
        return None
    if not is_number(target):
        raise BadValue(f"expected a finite number as target, got {quoted(target)}")
    return float(target)


def checked_time_limit(time_limit: Any) -> float | None:
    """Return the time limit, if it is a number of seconds."""
    if time_limit is not None and not (is_number(time_limit) and time_limit > 0):
        raise BadValue(f"expected a number of seconds > 0 as time limit, got {quoted(time_limit)}")
    return None if time_limit is None else float(time_limit)


def checked_catch(catch: Any) -> Caught | None:
    """Return the exceptions to catch as a tuple; None if failures end the run."""
    if catch is None:
        return None
    kinds = tuple(catch) if isinstance(catch, tuple | list | set) else (catch,)
    for kind in kinds:
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            raise BadType(
                f"catch: expected an exception class or a tuple of them, got {quoted(kind)}"
            )
    return kinds


def is_word(value: Any, word: str) -> bool:
    """Return whether a value of any type is this word."""
    return isinstance(value, str) and value == word


def is_number(value: Any) -> bool:
    """Return whether a value of any type is a finite number."""
    try:
        return not isinstance(value, str | bytes | bool | np.bool_) and math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def checked_values(
    points: Iterable[Mapping[str, Any]], values: Iterable[Any]
) -> tuple[list[Mapping[str, Any]], list[float]]:
    """Return points and the numbers that are their values; raise an error if a value is invalid."""
    if isinstance(points, Mapping) or not all(
        hasattr(argument, "__iter__") for argument in (points, values)
    ):
        raise BadType("expected a list of points and a list of their values")
    points = list(points)
    numbers = [number(value, "expected a number as the value") for value in values]
    if len(points) != len(numbers):
        raise BadValue(f"expected a value for each of {len(points)} points, got {len(numbers)}")
    for point, value in zip(points, numbers, strict=True):
        if math.isnan(value):
            raise BadValue(f"expected a number as the value, got NaN at {quoted(point)}")
    return points, numbers
