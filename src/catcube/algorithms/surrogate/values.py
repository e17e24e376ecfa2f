"""Values as the model sees them: finite, and of mean 0 and deviation 1."""

import math

import numpy as np
from numpy.typing import NDArray


def bounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values; an infinite one, of a point that failed, becomes the nearest finite one.

    >>> bounded(np.array([1.0, 3.0, np.inf])).tolist()
    [1.0, 3.0, 3.0]
    """
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return np.zeros(values.size)
    return np.clip(values, finite.min(), finite.max())


def moments_of(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return mean and standard deviation of the values; 1 for the latter if all are equal.

    >>> moments_of(np.array([1.0, 3.0]))
    (2.0, 1.0)
    """
    finite = bounded(values)
    mean = math.fsum(finite.tolist()) / finite.size
    square = math.fsum(((finite - mean) ** 2).tolist()) / finite.size
    return mean, math.sqrt(square) if square > 0 else 1.0


def standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values minus their mean, in units of their standard deviation.

    >>> standardised(np.array([1.0, 3.0, np.inf])).round(3).tolist()
    [-1.414, 0.707, 0.707]
    """
    mean, deviation = moments_of(values)
    return (bounded(values) - mean) / deviation
