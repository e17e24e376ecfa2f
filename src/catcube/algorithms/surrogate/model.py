"""What the evaluated points say of the objective: predictions, and which variables matter."""

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.acquisition import changes_of, new_sums
from catcube.algorithms.surrogate.fit import Kernel
from catcube.algorithms.surrogate.process import GaussianProcess
from catcube.algorithms.surrogate.proposals import moments_of, nearest, standardise
from catcube.space import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 400  # points: the nearest to the best one, if there are more
STEPS = 40  # of ascent of the likelihood
BEST = 50  # points around which the importance is measured
RESAMPLES, RESAMPLED, FEWER_STEPS = 12, 150, 12  # halves of the data for intervals, and their fit
FARTHER = 1.5  # times as far as halves of the data may the whole be from the truth
WITHIN = 1.645  # standard deviations in an interval: 90 %


class Importance(NamedTuple):
    """The share of a variable, and an interval that contains it with a probability of 90 %."""

    share: float
    low: float
    high: float


class SurrogateModel:
    """A Gaussian process fitted to the points and values of a run.

    Parameters
    ----------
    space
        The space of the points.
    points
        Categories, one point per row.
    values
        Their values; NaN where the evaluation failed: such points are left out.
    sign
        -1 where the objective is the opposite of the values.
    active
        Says of each row which of its variables are active.

    Examples
    --------
    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "digit": range(5), "idle": range(3)})
    >>> result = catcube.minimize(
    ...     lambda point: 3 * (point["base"] != "G") + point["digit"],
    ...     space, algorithm="surrogate", budget=30, seed=1,
    ... )
    >>> mean, deviation = result.model.predict({"base": "A", "digit": 4, "idle": 0})
    >>> abs(mean - 7) < 1
    True
    >>> importance = result.model.importance()
    >>> importance["idle"].high < importance["base"].low
    True
    """

    def __init__(
        self,
        space: Space,
        points: NDArray[Any],
        values: NDArray[np.float64],
        sign: float = 1.0,
        active: Callable[[NDArray[Any]], NDArray[np.bool_]] | None = None,
    ) -> None:
        self.space = space
        self._points = points
        self._values = values
        self._sign = sign
        self._active = active

    def negated(self) -> "SurrogateModel":
        """Return the model of the opposite values, as of a function that was maximised."""
        return SurrogateModel(self.space, self._points, self._values, -self._sign, self._active)

    def predict(self, point: Mapping[str, Any]) -> tuple[float, float]:
        """Return mean and standard deviation of the value that an evaluation would give.

        The deviation includes the noise of the values, that of the constant mean, and how far
        models of random halves of the points disagree; where values differ more than that from
        what all other points predict of them, it is larger by as much.
        """
        process, level, scale = self._fitted
        row = self._canonical(self.space.encode(point)[None])
        (mean,), (own,) = process.predict(row, whole=True)
        others = [part.predict(row)[0][0] - mean for part in self._parts]
        disagreement = FARTHER * math.hypot(*others) / math.sqrt(len(others))
        deviation = math.hypot(own, disagreement, process.noise) * self._calibration
        return self._sign * (level + scale * float(mean)), scale * deviation

    def best(self) -> tuple[dict[str, Any], float, float]:
        """Return the evaluated point with the best predicted mean, that mean, and its deviation.

        Where values are noisy, that is the point to use: the one with the best value was lucky.
        The deviation is that of the mean, without the noise of a single evaluation.
        """
        process, level, scale = self._fitted
        best = int(process.fitted_values().argmin())
        row = np.ascontiguousarray(process.columns[:, [best]].T)
        means, deviations = process.predict(row)
        mean, deviation = level + scale * float(means[0]), scale * float(deviations[0])
        return self.space.decode(row[0].astype(np.int64)), self._sign * mean, deviation

    @property
    def noise(self) -> float:
        """Standard deviation of the noise of the values, as estimated."""
        process, _, scale = self._fitted
        return scale * process.noise

    @property
    def ordinal(self) -> float:
        """How much the order of the categories counts: 0 not at all, at most 1."""
        return self._fitted[0].parameters.order.share

    def importance(self) -> dict[str, Importance]:
        """Return the share of each variable in the changes predicted around the best points.

        It is the standard deviation of the predicted mean over the categories of the variable, all
        others as they are, averaged (as squares) over the 50 best points, and divided by the sum
        over all variables.

        Returns
        -------
        dict
            For each variable its `share`, and `low` and `high`, between which the share lies with a
            probability of about 90 %: by the shares that models of twelve random halves of the
            points give (a delete-half jackknife).
        """
        shares = self._shares(self._fitted[0])
        squares = np.zeros(shares.size)
        for part in self._parts:
            squares += (self._shares(part) - shares) ** 2
        spread = WITHIN * np.sqrt(squares / RESAMPLES)
        low, high = np.maximum(shares - spread, 0.0), np.minimum(shares + spread, 1.0)
        rows = zip(shares.tolist(), low.tolist(), high.tolist(), strict=True)
        return dict(zip(self.space.names, (Importance(*row) for row in rows), strict=True))

    def _shares(self, process: GaussianProcess) -> NDArray[np.float64]:
        """Return the importance of each variable by one process."""
        cardinalities = self.space.cardinalities
        sums = new_sums(process.size, cardinalities)
        squares = np.zeros(cardinalities.size)
        for position in np.argsort(process.values[: process.size], kind="stable")[:BEST]:
            row = np.ascontiguousarray(process.columns[:, position])
            changes_of(process, row, sums)
            active = self._active(row[None])[0] if self._active else np.ones(row.size, bool)
            for variable in np.flatnonzero(active).tolist():
                squares[variable] += sums.mean[variable, : cardinalities[variable]].var()
        shares = np.sqrt(squares)
        return shares / max(shares.sum(), 1e-300)

    def left_out(self) -> tuple[NDArray[np.float64], ...]:
        """Return the values of the fitted points, and what all others predict of each.

        Values, means and standard deviations: with K the covariances and their noise, the mean at
        a point left out is y - (K^-1 y) / (K^-1)_ii and its variance 1 / (K^-1)_ii (Rasmussen and
        Williams 2006, equation 5.12).
        """
        process, level, scale = self._fitted
        values, means, deviations = _left_out(process)
        shifted = [self._sign * (level + scale * array) for array in (values, means)]
        return (*shifted, scale * self._calibration * deviations)

    def plot(self, axes: "tuple[Axes, Axes] | None" = None, most: int = 20) -> "tuple[Axes, Axes]":
        """Draw the most important variables, and every value beside what the others predict."""
        if axes is None:
            from matplotlib import pyplot

            _, axes = pyplot.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
        shown = sorted(self.importance().items(), key=lambda item: item[1])[-most:]
        shares = [share for _, (share, _, _) in shown]
        errors = [[s - low for _, (s, low, _) in shown], [high - s for _, (s, _, high) in shown]]
        names = [str(name) for name, _ in shown]
        axes[0].barh(names, shares, xerr=errors, error_kw={"elinewidth": 0.8, "ecolor": "0.3"})
        axes[0].set_xlabel("importance, with 90 % intervals")
        values, means, deviations = self.left_out()
        axes[1].errorbar(means, values, xerr=deviations, fmt="o", markersize=3, elinewidth=0.5)
        ends = [min(values.min(), means.min()), max(values.max(), means.max())]
        axes[1].plot(ends, ends, color="0.5", linewidth=1)
        axes[1].set_xlabel("predicted from all other points")
        axes[1].set_ylabel("value")
        return axes

    def _canonical(self, rows: NDArray[Any]) -> NDArray[np.int32]:
        rows = rows.astype(np.int32)
        return rows if self._active is None else np.where(self._active(rows), rows, np.int32(0))

    @cached_property
    def _fitted(self) -> tuple[GaussianProcess, float, float]:
        """The process, and mean and deviation of the values it was given."""
        valued = np.isfinite(self._values)
        points, values = self._canonical(self._points[valued]), self._values[valued]
        wanted = nearest(points, int(values.argmin()), MOST)
        points, values = points[wanted], values[wanted]
        process = GaussianProcess(Kernel(self.space.cardinalities), len(points))
        process.fit(points, standardise(values), STEPS, MOST)
        process.replace(points, standardise(values))
        return (process, *moments_of(values))

    @cached_property
    def _parts(self) -> list[GaussianProcess]:
        """Processes of random halves of the points, in the units of the whole."""
        process, random = self._fitted[0], np.random.default_rng(0)
        points, values = process.columns[:, : process.size].T, process.values[: process.size]
        half = min(math.ceil(process.size / 2), RESAMPLED)
        parts = []
        for _ in range(RESAMPLES):
            chosen = random.permutation(process.size)[:half]
            part = GaussianProcess(process.kernel, half, process.parameters)
            part.fit(points[chosen], values[chosen], FEWER_STEPS, half)
            part.replace(points[chosen], values[chosen])
            parts.append(part)
        return parts

    @cached_property
    def _calibration(self) -> float:
        """The factor, at least 1, with which two deviations contain 95 % of the values."""
        values, means, deviations = _left_out(self._fitted[0])
        return max(1.0, float(np.quantile(np.abs(values - means) / deviations, 0.95)) / 2.0)


def _left_out(process: GaussianProcess) -> tuple[NDArray[np.float64], ...]:
    """Return values, and means and deviations from all other points, as the process sees them."""
    size = process.size
    diagonal = process.inverse.diagonal()[:size]
    values = process.values[:size]
    return values, values - process.alpha[:size] / diagonal, np.sqrt(process.moments[1] / diagonal)
