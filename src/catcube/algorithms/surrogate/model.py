"""What the evaluated points say of the objective: predictions, and which variables matter."""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.candidates import Candidates
from catcube.algorithms.surrogate.gaussian_process import GaussianProcess
from catcube.algorithms.surrogate.values import moments_of, standardised
from catcube.space import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 400  # points: the nearest to the best one, if there are more
STEPS = 40  # of ascent of the likelihood
LOOKED_AT = 50  # points, the best ones, around which the importance is measured


class SurrogateModel:
    """A Gaussian process fitted to the points and values of a run.

    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(5), "idle": range(3)})
    >>> result = catcube.minimize(
    ...     lambda point: 3 * (point["base"] != "G") + point["digit"],
    ...     space, algorithm="surrogate", budget=30, seed=1,
    ... )
    >>> mean, deviation = result.model.predict({"base": "A", "digit": 4, "idle": 0})
    >>> abs(mean - 7) < 1
    True
    >>> max(result.model.importance(), key=result.model.importance().get) != "idle"
    True
    """

    def __init__(
        self,
        space: Space,
        points: NDArray[np.int32],
        values: NDArray[np.float64],
        sign: float = 1.0,
    ) -> None:
        self.space = space
        self._points = points
        self._values = values
        self._sign = sign

    def negated(self) -> "SurrogateModel":
        """Return the model of the opposite values, as of a function that was maximised."""
        return SurrogateModel(self.space, self._points, self._values, -self._sign)

    def predict(self, point: Mapping[str, Any]) -> tuple[float, float]:
        """Return mean and standard deviation of the value at a point, without its noise."""
        process, level, scale = self._fitted
        mean, deviation = process.predict(self.space.encode(point).astype(np.int32))
        return self._sign * (level + scale * mean), scale * deviation

    @property
    def noise(self) -> float:
        """Standard deviation of the noise of the values, as estimated."""
        process, _, scale = self._fitted
        return scale * math.sqrt(process.nugget * process.moments[1])

    @property
    def ordinal(self) -> float:
        """How much the order of the categories counts: 0 not at all, at most 1."""
        return self._fitted[0].parameters.ordinal

    def importance(self) -> dict[str, float]:
        """Return the share of each variable in the changes predicted around the best points.

        It is the standard deviation of the predicted mean over the categories of the variable, all
        others as they are, averaged (as squares) over the 50 best points, and divided by the sum
        over all variables.
        """
        process, _, _ = self._fitted
        cardinalities = self.space.cardinalities
        candidates = Candidates(cardinalities, process.size)
        squares = np.zeros(cardinalities.size)
        for position in np.argsort(process.values[: process.size], kind="stable")[:LOOKED_AT]:
            mean = candidates.means(process, process.points[position])
            for variable, count in enumerate(cardinalities.tolist()):
                squares[variable] += mean[variable, :count].var()
        shares = np.sqrt(squares)
        total = shares.sum()
        shares = shares / total if total > 0 else shares
        return dict(zip(self.space.names, shares.tolist(), strict=True))

    def left_out(self) -> tuple[NDArray[np.float64], ...]:
        """Return the values of the fitted points, and what all others predict of each.

        Values, means and standard deviations: with K the covariances and their noise, the mean at
        a point left out is y - (K^-1 y) / (K^-1)_ii and its variance 1 / (K^-1)_ii (Rasmussen and
        Williams 2006, equation 5.12).
        """
        process, level, scale = self._fitted
        size = process.size
        diagonal = process.inverse.diagonal()[:size]
        values = process.values[:size]
        means = values - process.alpha[:size] / diagonal
        deviations = np.sqrt(process.moments[1] / diagonal)
        shifted = [self._sign * (level + scale * array) for array in (values, means)]
        return (*shifted, scale * deviations)

    def plot(self, axes: "tuple[Axes, Axes] | None" = None, most: int = 20) -> "tuple[Axes, Axes]":
        """Draw the most important variables, and every value beside what the others predict."""
        if axes is None:
            from matplotlib import pyplot

            _, axes = pyplot.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
        shares = sorted(self.importance().items(), key=lambda item: item[1])[-most:]
        axes[0].barh([str(name) for name, _ in shares], [share for _, share in shares])
        axes[0].set_xlabel("importance")
        values, means, deviations = self.left_out()
        axes[1].errorbar(means, values, xerr=deviations, fmt="o", markersize=3, elinewidth=0.5)
        ends = [min(values.min(), means.min()), max(values.max(), means.max())]
        axes[1].plot(ends, ends, color="0.5", linewidth=1)
        axes[1].set_xlabel("predicted from all other points")
        axes[1].set_ylabel("value")
        return axes

    @cached_property
    def _fitted(self) -> tuple[GaussianProcess, float, float]:
        """The process, and mean and deviation of the values it was given."""
        points, values = self._points, self._values
        if len(values) > MOST:
            best = points[values.argmin()]
            order = np.lexsort((-np.arange(len(values)), (points != best).sum(axis=1)))[:MOST]
            points, values = points[order], values[order]
        process = GaussianProcess(self.space.cardinalities, len(points))
        process.fit(points, standardised(values), STEPS, MOST)
        return (process, *moments_of(values))
