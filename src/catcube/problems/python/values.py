"""What a user's function returned, as a float."""

import inspect
import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import quoted


def number(returned: Any, source: str = "the objective must return") -> float:
    """What the function returned, as a float; a sentence if it is no number."""
    if not isinstance(returned, float | int) and not _is_real(returned):  # most are, and it is fast
        if inspect.iscoroutine(returned):
            returned.close()  # it would warn that nobody has awaited it
        raise TypeError(f"{source} a number, not {quoted(returned)}")
    try:
        value = float(returned)
    except OverflowError:
        value = math.inf
    if math.isinf(value) and not isinstance(returned, float) and value != returned:
        raise OverflowError(
            f"the objective returned a number too large for a float: {quoted(returned)}"
        )
    return value


def _is_real(returned: Any) -> bool:
    is_complex = isinstance(returned, numbers.Complex) and not isinstance(returned, numbers.Real)
    is_number = isinstance(returned, numbers.Number | np.bool_)
    return is_number and not is_complex and not isinstance(returned, np.timedelta64)


def one_a_row(returned: Any, rows: int) -> NDArray[Any]:
    """What a vectorized function returned for so many rows; a sentence if it has another shape."""
    try:
        values = np.asarray(returned)
        shape = str(values.shape)
    except ValueError:  # sequences of several lengths
        shape = quoted(returned)
    if shape != f"({rows},)":
        raise TypeError(
            "a vectorized objective must return one value a row: an array of shape "
            f"({rows},) here, not {shape}"
        )
    return values
