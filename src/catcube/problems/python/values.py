"""Conversion of the values of the user's function to floats."""

import inspect
import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import quoted
from catcube.errors import BadType


def number(returned: Any, source: str = "expected a number from the objective") -> float:
    """Return the value as a float; raise TypeError if it is not a number.

    An array of one element is a number, too, as are scalars of numpy and `Decimal`.

    >>> from decimal import Decimal
    >>> number(np.array([2.5])), number(Decimal("0.5"))
    (2.5, 0.5)
    """
    if isinstance(returned, float | int):  # the usual case, checked fast
        return _as_float(returned)
    if isinstance(returned, np.ndarray) and returned.size == 1:
        returned = returned.reshape(-1)[0]
    if not _is_real(returned):
        if inspect.iscoroutine(returned):
            returned.close()  # else Python warns that it was never awaited
        raise BadType(f"{source}, got {quoted(returned)}")
    return _as_float(returned)


def _as_float(returned: Any) -> float:
    try:
        value = float(returned)
    except OverflowError:
        value = math.inf
    except ValueError:  # a Decimal that signals
        value = math.nan
    if math.isinf(value) and not isinstance(returned, float) and value != returned:
        raise OverflowError(
            f"the objective returned a number too large for a float: {quoted(returned)}"
        )
    return value


def _is_real(returned: Any) -> bool:
    is_complex = isinstance(returned, numbers.Complex) and not isinstance(returned, numbers.Real)
    is_number = isinstance(returned, numbers.Number | np.bool_)
    return is_number and not is_complex and not isinstance(returned, np.timedelta64)


def one_per_row(returned: Any, rows: int) -> NDArray[Any]:
    """Return the values of so many rows; raise TypeError if there is not one per row.

    A column, of shape (rows, 1), is flattened.
    """
    try:
        values = np.asarray(returned)
        shape = str(values.shape)
    except ValueError:  # sequences of several lengths
        shape = quoted(returned)
    if shape == f"({rows}, 1)":
        return values.reshape(rows)
    if shape != f"({rows},)":
        raise BadType(
            "expected one value per row from a vectorized objective, an array of shape "
            f"({rows},), got {shape}"
        )
    return values
