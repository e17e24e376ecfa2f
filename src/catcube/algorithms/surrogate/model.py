"""Models of the objective: those that propose points, and the one for users."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.acquisition import new_sums, predict_changes
from catcube.algorithms.surrogate.fit import (
    EVIDENCE,
    NOISY,
    QUIET,
    GaussianProcess,
    Kernel,
    Parameters,
)
from catcube.space import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPREADS = (1.0, 2.0)  # prior standard deviations of the log weights, one for each model
SEVERAL = 150  # number of values from which on a single model is used
FIRST_STEPS, STEPS = 25, 12  # of the first fit, and of the others
LEAST_DATA = 300  # least number of points in the model; 3/4 of all points, up to `data`, if more
MOST_FITTED = 200  # points used in a fit, those nearest to the best one
GROWTH = 1.1  # factor of the number of points after which the models are fitted again
UNSURE = 0.05  # least predicted probability of a failure, and of a success
SHORT = 0.1  # unit of logarithms, in distances from the best value to the median

MOST = 400  # points of the model for users, those nearest to the best one
USER_STEPS = 40  # of its fit
BEST = 50  # points around which the importance is computed
RESAMPLES, RESAMPLED, FEWER_STEPS = 12, 150, 12  # halves of the data: number, points, steps
FARTHER = 1.5  # factor from the differences between halves to the error of the whole
FAR, FEWEST = 0.25, 5  # fraction of variables that differ in a far point; least number of those
WITHIN = 1.645  # standard deviations of a 90 % interval


class Models:
    """Gaussian processes that are fitted again when the number of data has grown by a tenth.

    They differ in the prior spread of the weights. Values are standardised, or, if that is clearly
    more likely, the logarithms of their distances from the best value.
    """

    def __init__(self, kernel: Kernel, data: int, several: bool = True) -> None:
        self._kernel, self._data, self._several = kernel, data, several
        self._parameters: list[Parameters | None] = [None] * (len(SPREADS) if several else 1)
        self._fitted = 0
        self._members = np.empty(0, np.int64)  # the indices of the data in the processes
        self._taken = 0  # the number of data that have been considered
        self.scale = Scale(np.zeros(1))
        self.processes: list[GaussianProcess] = []

    def update(
        self, points: NDArray[np.int32], values: NDArray[np.float64], costs: NDArray[Any]
    ) -> None:
        """Take all points and values so far; the models use those nearest to the lowest cost."""
        while (due := max(self._fitted + 1, math.ceil(GROWTH * self._fitted))) <= len(values):
            best = due - 1 - int(costs[:due][::-1].argmin())  # the latest of equally good ones
            limit = min(self._data, max(LEAST_DATA, 3 * due // 4))
            self._members = nearest(points[:due], best, limit)
            self._fit(points[self._members], values[self._members])
            self._fitted, self._taken = due, 0
        if self._taken == 0:
            for process in self.processes:
                process.replace(points[self._members], values[self._members])
            self._taken = self._fitted
        fresh = np.arange(self._taken, len(values))
        self._members, self._taken = np.append(self._members, fresh), len(values)
        self.scale = Scale(values[self._members], self.scale.logarithmic)
        seen = self.scale(values[self._members])
        for process in self.processes:
            for index in fresh:
                process.append(points[index], 0.0)
            process.values[:] = seen
            process.solve()

    def evidence(self) -> float:
        """Return the log likelihood ratio of leave-one-out predictions and the mean.

        For values 0 and 1; predictions are bounded away from both.
        """
        mean, deviation = self.scale.moments
        truths = mean + deviation * self.processes[0].values
        chances = mean + deviation * self.processes[0].predict_left_out()[0]
        ratios = (1 - truths - np.clip(chances, UNSURE, 1 - UNSURE)) / (1 - truths - mean)
        return math.fsum(math.log(ratio) for ratio in ratios.tolist())

    def _fit(self, points: NDArray[np.int32], values: NDArray[np.float64]) -> None:
        """Fit the parameters, in processes with capacity until the next fit."""
        capacity = math.ceil(GROWTH * len(values)) + 20
        steps = STEPS if self._fitted else FIRST_STEPS
        used = self._parameters[: None if len(values) < SEVERAL else 1]
        self.processes = [GaussianProcess(self._kernel, capacity, each) for each in used]
        points, values = points[:MOST_FITTED], values[:MOST_FITTED]
        first, logarithmic = self.processes[0], self.scale.logarithmic
        scales = [Scale(values, logarithm) for logarithm in (False, True)]
        first.fit(points, scales[logarithmic](values), steps, SPREADS[0])
        likelihoods = [first.likelihood_of(points, scale(values)) for scale in scales]
        better = self._several and likelihoods[1] > likelihoods[0] + EVIDENCE
        if better != logarithmic:
            first.fit(points, scales[better](values), steps, SPREADS[0])
        self.scale = scales[better]
        seen, order = self.scale(values), first.parameters.order
        for process, spread in zip(self.processes[1:], SPREADS[1:], strict=False):
            process.fit(points, seen, steps, spread, order)
        self._parameters = [process.parameters for process in self.processes]


class Scale:
    """The scale of the values in a model: standardised, after logarithms or not.

    >>> Scale(np.array([1.0, 3.0]))(np.array([1.0, 3.0])).tolist()
    [-1.0, 1.0]
    """

    def __init__(self, values: NDArray[np.float64], logarithmic: bool = False) -> None:
        self.logarithmic = logarithmic
        self._best = float(values.min(initial=math.inf))
        self._unit = SHORT * (float(np.median(values)) - self._best) if logarithmic else 0.0
        self.moments = mean_and_deviation(self._transform(values))

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values on this scale."""
        mean, deviation = self.moments
        return (self._transform(values) - mean) / deviation

    def _transform(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values, or log(1 + distance from the best value in small units)."""
        if not 0 < self._unit < math.inf:
            return values
        with np.errstate(over="ignore"):
            worse = np.maximum(values - self._best, 0.0) / self._unit
        return np.array([math.log1p(min(distance, 1e300)) for distance in worse.tolist()])


class Importance(NamedTuple):
    """The importance of a variable, with a 90 % interval."""

    share: float
    low: float
    high: float


@dataclass(eq=False)
class SurrogateModel:
    """A Gaussian process fitted to the points and values of a run.

    Parameters
    ----------
    space
        The space of the points.
    points
        Categories, one point per row.
    values
        Their values; points with value NaN, where the evaluation failed, are excluded.
    sign
        -1 if the objective is minus the values.
    active
        Returns, for rows, which of their variables are active.
    noisy
        Whether values are known to be noisy; otherwise the data decide.

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

    space: Space
    points: NDArray[Any]
    values: NDArray[np.float64]
    sign: float = 1.0
    active: Callable[[NDArray[Any]], NDArray[np.bool_]] | None = None
    noisy: bool = False

    def negated(self) -> "SurrogateModel":
        """Return the model of the opposite values, for a function that was maximised."""
        return replace(self, sign=-self.sign)

    def predict(self, point: Mapping[str, Any]) -> tuple[float, float]:
        """Return the mean and standard deviation of the value of an evaluation.

        The deviation includes noise, the uncertainty of the constant mean, and the disagreement
        between models of random halves of the points. It is calibrated by leave-one-out errors,
        separately for points near others and far from all.

        Parameters
        ----------
        point
            The labels by name.

        Returns
        -------
        tuple of float
            The mean and the standard deviation.
        """
        process, level, scale = self._fitted
        row = self._canonical(self.space.encode(point)[None])
        (mean,), (own,) = process.predict(row, whole=True)
        others = [part.predict(row)[0][0] - mean for part in self._parts]
        disagreement = FARTHER * math.hypot(*others) / math.sqrt(len(others))
        deviation = math.hypot(own, disagreement, process.noise)
        deviation *= float(self._calibration[int(self._are_far(row)[0])])
        return self.sign * (level + scale * float(mean)), scale * deviation

    def best(self) -> tuple[dict[str, Any], float, float]:
        """Return the evaluated point with the best predicted mean.

        Use this point if values are noisy, because the point with the best value was lucky.

        Returns
        -------
        tuple
            The point, the predicted mean, and the standard deviation of the mean, without the noise
            of an evaluation.
        """
        process, level, scale = self._fitted
        best = int(process.fitted_values().argmin())
        row = process.point(best)
        (mean,), (deviation,) = process.predict(row[None])
        point = self.space.decode(row.astype(np.int64))
        return point, self.sign * (level + scale * float(mean)), scale * float(deviation)

    @property
    def noise(self) -> float:
        """The estimated standard deviation of the noise of the values."""
        process, _, scale = self._fitted
        return scale * process.noise

    @property
    def ordinal(self) -> float:
        """The degree to which the order of the categories matters, from 0 to 1."""
        return self._fitted[0].parameters.order.share

    def importance(self) -> dict[str, Importance]:
        """Return the importance of each variable around the best points.

        It is the standard deviation of the predicted mean over the categories of the variable, with
        the others unchanged, averaged (as squares) over the 50 best points, and divided by the sum
        over all variables.

        Returns
        -------
        dict
            For each variable its `share`, and the bounds `low` and `high` of a 90 % interval, from
            models of twelve random halves of the points (a delete-half jackknife).
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
        """Return the importance of each variable according to one process."""
        cardinalities = self.space.cardinalities
        sums = new_sums(process.size, cardinalities)
        squares = np.zeros(cardinalities.size)
        for position in np.argsort(process.values, kind="stable")[:BEST].tolist():
            row = process.point(position)
            means, _ = predict_changes(process, row, sums)
            active = self.active(row[None])[0] if self.active else np.ones(row.size, bool)
            for variable in np.flatnonzero(active).tolist():
                squares[variable] += means[variable, : cardinalities[variable]].var()
        shares = np.sqrt(squares)
        return shares / max(shares.sum(), 1e-300)

    def left_out(self) -> tuple[NDArray[np.float64], ...]:
        """Return the values of the points, and the means and deviations predicted by the others."""
        process, level, scale = self._fitted
        means, deviations = process.predict_left_out()
        shifted = [self.sign * (level + scale * array) for array in (process.values, means)]
        return (*shifted, scale * self._calibration[self._far.astype(int)] * deviations)

    def plot(self, axes: "tuple[Axes, Axes] | None" = None, most: int = 20) -> "tuple[Axes, Axes]":
        """Draw the most important variables, and the values against leave-one-out predictions.

        Parameters
        ----------
        axes
            Two axes of matplotlib; by default those of a new figure.
        most
            The maximum number of variables.

        Returns
        -------
        tuple of Axes
            The axes.
        """
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
        """Return rows with category 0 in inactive variables."""
        rows = rows.astype(np.int32)
        return rows if self.active is None else np.where(self.active(rows), rows, np.int32(0))

    @cached_property
    def _fitted(self) -> tuple[GaussianProcess, float, float]:
        """The fitted process, and the mean and deviation of its values."""
        valued = np.isfinite(self.values)
        points, values = self._canonical(self.points[valued]), self.values[valued]
        wanted = nearest(points, int(values.argmin()), MOST)
        points, values = points[wanted], values[wanted]
        scale, kernel = Scale(values), Kernel(self.space.cardinalities)
        prior = NOISY if self.noisy else QUIET
        process = GaussianProcess(kernel, len(points), prior=prior)
        process.fit(points, scale(values), USER_STEPS)
        process.replace(points, scale(values))
        return (process, *scale.moments)

    @cached_property
    def _parts(self) -> list[GaussianProcess]:
        """Processes fitted to random halves of the points, on the same scale."""
        process, random = self._fitted[0], np.random.default_rng(0)
        points, values = process.arrays.columns[:, : process.size].T, process.values
        half = min(math.ceil(process.size / 2), RESAMPLED)
        parts = []
        for _ in range(RESAMPLES):
            chosen = random.permutation(process.size)[:half]
            part = GaussianProcess(process.kernel, half, process.parameters, process.prior)
            part.fit(points[chosen], values[chosen], FEWER_STEPS)
            part.replace(points[chosen], values[chosen])
            parts.append(part)
        return parts

    @cached_property
    def _calibration(self) -> NDArray[np.float64]:
        """Factors of the deviation, for near and far points, at least 1.

        With them, two deviations contain 95 % of the values left out.
        """
        process = self._fitted[0]
        means, deviations = process.predict_left_out()
        errors, far = np.abs(process.values - means) / deviations, self._far
        groups = [group if group.sum() >= FEWEST else np.ones_like(far) for group in (~far, far)]
        return np.maximum([float(np.quantile(errors[group], 0.95)) / 2 for group in groups], 1.0)

    @cached_property
    def _far(self) -> NDArray[np.bool_]:
        """Whether each point is far from all others."""
        process = self._fitted[0]
        return self._are_far(process.arrays.columns[:, : process.size].T, left_out=1)

    def _are_far(self, rows: NDArray[np.int32], left_out: int = 0) -> NDArray[np.bool_]:
        """Return which rows differ in many variables from all points of the process."""
        process = self._fitted[0]
        columns = process.arrays.columns[:, : process.size]
        apart = [np.sort((columns != row[:, None]).sum(axis=0))[left_out:] for row in rows]
        return np.array([each.size > 0 and each[0] > FAR * len(columns) for each in apart], bool)


def nearest(points: NDArray[np.int32], centre: int, limit: int) -> NDArray[np.int64]:
    """Return the indices of the points nearest to one of them, the latest of equal ones first."""
    distances = (points != points[centre]).sum(axis=1)
    return np.lexsort((-np.arange(len(points)), distances))[:limit]


def mean_and_deviation(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean and standard deviation of values; 1 for the latter if all are equal.

    >>> mean_and_deviation(np.array([1.0, 3.0]))
    (2.0, 1.0)
    """
    largest = float(np.abs(values).max(initial=0.0))
    unit = largest if largest > 1e100 else 1.0  # squares must not overflow
    values = values / unit
    mean = math.fsum(values.tolist()) / max(values.size, 1)
    square = math.fsum(((values - mean) ** 2).tolist()) / max(values.size, 1)
    return mean * unit, math.sqrt(square) * unit if square > 0 else 1.0
