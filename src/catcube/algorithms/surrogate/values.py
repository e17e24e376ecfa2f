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
    unit = _unit(finite)
    finite = finite / unit
    mean = math.fsum(finite.tolist()) / finite.size
    square = math.fsum(((finite - mean) ** 2).tolist()) / finite.size
    return mean * unit, math.sqrt(square) * unit if square > 0 else 1.0


def standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values minus their mean, in units of their standard deviation.

    >>> standardised(np.array([1.0, 3.0, np.inf])).round(3).tolist()
    [-1.414, 0.707, 0.707]
    """
    finite = bounded(values)
    unit = _unit(finite)
    mean, deviation = moments_of(finite / unit)
    return (finite / unit - mean) / deviation


def _unit(finite: NDArray[np.float64]) -> float:
    """Return the unit in which squares of the values do not overflow."""
    largest = float(np.abs(finite).max(initial=0.0))
    return largest if largest > 1e100 else 1.0
