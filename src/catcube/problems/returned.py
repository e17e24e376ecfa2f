"""What a user's function returned, as a float."""

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray


def number(returned: Any, source: str = "the objective must return") -> float:
    """What the function returned, as a float; a sentence if it is no number."""
    if not isinstance(returned, float | int) and not _is_real(returned):  # most are, and it is fast
        raise TypeError(f"{source} a number, not {short(returned)}")
    try:
        return float(returned)
    except OverflowError:
        raise OverflowError(
            f"the objective returned a number too large for a float: {short(returned)}"
        ) from None


def _is_real(returned: Any) -> bool:
    is_complex = isinstance(returned, numbers.Complex) and not isinstance(returned, numbers.Real)
    return isinstance(returned, numbers.Number | np.bool_) and not is_complex


def one_a_row(returned: Any, rows: int) -> NDArray[Any]:
    """What a vectorized function returned for so many rows; a sentence if it has another shape."""
    values = np.asarray(returned)
    if values.shape != (rows,):
        raise TypeError(
            "a vectorized objective must return one value a row: an array of shape "
            f"({rows},) here, not {values.shape}"
        )
    return values


def short(thing: Any) -> str:
    """A thing in one line."""
    text = repr(thing)
    return text if len(text) <= 200 else text[:199] + "…"
