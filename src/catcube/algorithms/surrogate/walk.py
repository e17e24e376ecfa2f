"""An annealed walk away from a local optimum.

When all points that differ in one variable from the best one have been evaluated, and none is
better, expected improvements near it are tiny, and most ascents end in vain. Then the search walks:
of some random neighbours of its position it evaluates the one of which the model expects most, and
goes there as in simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983). After each cooling the
next one begins at the best point.
"""

import math

import numpy as np
from numpy.typing import NDArray

LENGTH = 300  # steps of a cooling
CHOICES = 4  # random neighbours among which the model chooses
HOT, COLD = 0.1, 1e-5  # chance of a mean worsening to be accepted, at first and in the end


class Walk:
    """The position, as the index of its point, and the temperature.

    >>> walk = Walk(at=7, value=1.0, worsening=0.5)
    >>> walk.tell(8, value=2.0, uniform=0.5)  # the chance is below 0.1 ** 2
    >>> walk.at
    7
    >>> walk.tell(9, value=1.0, uniform=0.5)
    >>> walk.at, walk.over
    (9, False)
    """

    def __init__(self, at: int, value: float, worsening: float) -> None:
        self.at = at
        self._value = value
        self._worsening = worsening
        self._steps = 0

    @property
    def over(self) -> bool:
        """Whether it has cooled down."""
        return self._steps >= LENGTH

    def move(self, index: int, value: float, uniform: float) -> None:
        """Go to a point with this value if it is not worse, or by chance."""
        worsening = (value - self._value) / self._worsening
        if worsening <= 0 or uniform < self._chance() ** worsening:
            self.at, self._value = index, value

    def tell(self, index: int, value: float, uniform: float) -> None:
        """Take the value of a point that was evaluated: go there or not, and cool."""
        self.move(index, value, uniform)
        self._steps += 1

    def _chance(self) -> float:
        """Return the present chance of a mean worsening; its logarithm grows exponentially."""
        cooled = (math.log(COLD) / math.log(HOT)) ** (self._steps / LENGTH)
        return math.exp(math.log(HOT) * cooled)


def mean_worsening(value: float, others: NDArray[np.float64]) -> float:
    """Return by how much the others are worse, in the mean of those that are; 1 if none is.

    >>> mean_worsening(1.0, np.array([1.0, 2.0, 4.0, np.inf]))
    2.0
    """
    worse = others[np.isfinite(others) & (others > value)]
    return float(np.mean(worse - value)) if worse.size else 1.0
