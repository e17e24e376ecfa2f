"""The arguments of `minimize`, `maximize` and `Optimizer`, checked."""

import difflib
import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from catcube.algorithms.algorithm import Algorithm
from catcube.base.text import quoted
from catcube.problems.python.sources import Caught

REMEMBERED = 100_000  # points that `cache=True` remembers

# What other libraries call our arguments.
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
_MEANT = {other: name for name, others in OTHER_NAMES.items() for other in others.split()}


def checked_parameters(
    method: Algorithm, parameters: Mapping[str, Any], function: str, accepted: Iterable[str]
) -> None:
    """Refuse names that are neither arguments of the function nor parameters of the algorithm."""
    known = [parameter.name for parameter in method.described()]
    for name in parameters:
        if name not in known:
            raise TypeError(_unknown_argument(name, method, function, list(accepted)))


def _unknown_argument(name: str, method: Algorithm, function: str, accepted: list[str]) -> str:
    own = [str(parameter) for parameter in method.described()]
    if name in ("maximize", "minimize", "direction"):
        hint = "; to maximise, call catcube.maximize(function, space)."
    else:
        candidates = accepted + [parameter.name for parameter in method.described()]
        close = difflib.get_close_matches(name.casefold(), candidates, n=len(candidates), cutoff=0)
        nearest = _MEANT.get(name.casefold(), close[0])
        accepted.sort(key=lambda other: (other != nearest, close.index(other)))
        hint = f", did you mean {nearest!r}?"
    return (
        f"{function} has no argument {name!r}{hint} It takes {', '.join(accepted)}; {method.name} "
        f"has no parameter {name!r}, accepted with their defaults: {', '.join(own) or 'none'}"
    )


def checked_count(name: str, count: Any) -> int:
    """Return a number of evaluations as an integer, if it is one of at least 1."""
    if not is_number(count) or count != int(count) or not 1 <= count < 2**62:
        raise ValueError(f"the {name} must be an integer from 1 to 2^62, not {quoted(count)}")
    return int(count)


def checked_cache(cache: Any) -> int:
    """Return how many points to remember."""
    if isinstance(cache, bool | np.bool_):
        return REMEMBERED if cache else 0
    if isinstance(cache, str) and cache in ("unique", "auto"):
        return 2**62 if cache == "unique" else 0
    if not is_number(cache) or cache != int(cache) or cache < 0:
        raise ValueError(
            f"cache must be True, False, 'unique' or a number of points, not {quoted(cache)}"
        )
    return int(cache)


def checked_seed(seed: Any) -> int:
    """Return the seed as an integer, if it is one from 0 on."""
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"the seed must be an integer >= 0, not {quoted(seed)}")
    if number >= 2**4096:
        raise ValueError(f"the seed must be below 2^4096, and {quoted(seed)} is not")
    return number


def checked_target(target: Any) -> float | None:
    """Return the target as a float."""
    if target is None:
        return None
    if not is_number(target):
        raise ValueError(f"the target must be a finite number, not {quoted(target)}")
    return float(target)


def checked_time_limit(time_limit: Any) -> float | None:
    """Return the time limit, if it is a number of seconds."""
    if time_limit is not None and not (is_number(time_limit) and time_limit > 0):
        raise ValueError(
            f"the time limit must be a number of seconds > 0, not {quoted(time_limit)}"
        )
    return None if time_limit is None else float(time_limit)


def checked_catch(catch: Any) -> Caught | None:
    """Return the exceptions to catch as a tuple; None if failures end the run."""
    if catch is None:
        return None
    kinds = tuple(catch) if isinstance(catch, tuple | list | set) else (catch,)
    for kind in kinds:
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            raise TypeError(
                f"catch: expected an exception class or a tuple of them, got {quoted(kind)}"
            )
    return kinds


def is_word(given: Any, word: str) -> bool:
    """Return whether it is this word; what is given may be anything, also hostile."""
    return isinstance(given, str) and given == word


def is_number(value: Any) -> bool:
    """Return whether it is a finite number, of whatever type."""
    try:
        return not isinstance(value, str | bytes | bool | np.bool_) and math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False
