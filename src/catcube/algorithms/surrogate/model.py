"""Models of the objective: those by which points are proposed, and the one for the user."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.algorithms.surrogate.acquisition import new_sums, predict_changes
from catcube.algorithms.surrogate.fit import EVIDENCE, GaussianProcess, Kernel, Parameters
from catcube.space import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPREADS = (1.0, 2.0)  # of the log weights a priori, one for each model
SEVERAL = 150  # values from which on the first model suffices
FIRST_STEPS, STEPS = 25, 12  # of ascent of the likelihood
LEAST_DATA = 300  # points that the model sees; later three of four, up to `data`
MOST_FITTED = 200  # points, the nearest ones, whose likelihood the parameters ascend
GROWTH = 1.1  # fitted again when the number of points has grown by this factor
UNSURE = 0.05  # chance of a failure, or of none, at least
SHORT = 0.1  # of the distance from the best value to the median: the unit of logarithms

MOST = 400  # points: the nearest to the best one, if there are more
USER_STEPS = 40  # of ascent of the likelihood
BEST = 50  # points around which the importance is measured
RESAMPLES, RESAMPLED, FEWER_STEPS = 12, 150, 12  # halves of the data for intervals, and their fit
FARTHER = 1.5  # times as far as halves of the data may the whole be from the truth
FAR, FEWEST = 0.25, 5  # share of variables that differ in a far point, and such points at least
WITHIN = 1.645  # standard deviations in an interval: 90 %


class Models:
    """Processes that are fitted when the number of data has grown by a tenth.

    They differ in how much the weights of the variables may differ, a priori. They see the values
    standardised, or first the logarithms of their distances from the best one, where those are
    clearly more likely.
    """

    def __init__(self, kernel: Kernel, data: int, several: bool = True) -> None:
        self._kernel, self._data, self._several = kernel, data, several
        self._parameters: list[Parameters | None] = [None] * (len(SPREADS) if several else 1)
        self._fitted = 0
        self._members = np.empty(0, np.int64)  # the data that the processes have
        self._taken = 0  # data that are members, or have been left out
        self.scale = Scale(np.zeros(1))
        self.processes: list[GaussianProcess] = []

    def update(
        self, points: NDArray[np.int32], values: NDArray[np.float64], costs: NDArray[Any]
    ) -> None:
        """Take all points and values so far; the data are those near the one of least cost."""
        while (due := max(self._fitted + 1, math.ceil(GROWTH * self._fitted))) <= len(values):
            best = due - 1 - int(costs[:due][::-1].argmin())  # the last among equally good ones
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
        """Return how much more likely values of 0 and 1 are by all others than by their mean.

        The difference of log likelihoods, predictions bounded away from 0 and 1.
        """
        mean, deviation = self.scale.moments
        truths = mean + deviation * self.processes[0].values
        chances = mean + deviation * self.processes[0].predict_left_out()[0]
        ratios = (1 - truths - np.clip(chances, UNSURE, 1 - UNSURE)) / (1 - truths - mean)
        return math.fsum(math.log(ratio) for ratio in ratios.tolist())

    def _fit(self, points: NDArray[np.int32], values: NDArray[np.float64]) -> None:
        """Fit the parameters, in processes that usually suffice until the next fit."""
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
    """How values are seen: standardised, or so are their logarithms.

    >>> Scale(np.array([1.0, 3.0]))(np.array([1.0, 3.0])).tolist()
    [-1.0, 1.0]
    """

    def __init__(self, values: NDArray[np.float64], logarithmic: bool = False) -> None:
        self.logarithmic = logarithmic
        self._best = float(values.min(initial=math.inf))
        self._unit = SHORT * (float(np.median(values)) - self._best) if logarithmic else 0.0
        self.moments = mean_and_deviation(self._transform(values))

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values as they are seen."""
        mean, deviation = self.moments
        return (self._transform(values) - mean) / deviation

    def _transform(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithms of the distances from the best value, plus a small unit."""
        if not 0 < self._unit < math.inf:
            return values
        with np.errstate(over="ignore"):
            worse = np.maximum(values - self._best, 0.0) / self._unit
        return np.array([math.log1p(min(distance, 1e300)) for distance in worse.tolist()])


class Importance(NamedTuple):
    """The share of a variable, and an interval that contains it with a probability of 90 %."""

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

    space: Space
    points: NDArray[Any]
    values: NDArray[np.float64]
    sign: float = 1.0
    active: Callable[[NDArray[Any]], NDArray[np.bool_]] | None = None

    def negated(self) -> "SurrogateModel":
        """Return the model of the opposite values, as of a function that was maximised."""
        return SurrogateModel(self.space, self.points, self.values, -self.sign, self.active)

    def predict(self, point: Mapping[str, Any]) -> tuple[float, float]:
        """Return mean and standard deviation of the value that an evaluation would give.

        The deviation includes the noise of the values, that of the constant mean, and how far
        models of random halves of the points disagree; where values differ more than that from
        what all other points predict of them, it is larger by as much: near other points, and
        far from all.
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
        """Return the evaluated point with the best predicted mean, that mean, and its deviation.

        Where values are noisy, that is the point to use: the one with the best value was lucky.
        The deviation is that of the mean, without the noise of a single evaluation.
        """
        process, level, scale = self._fitted
        best = int(process.fitted_values().argmin())
        row = process.point(best)
        (mean,), (deviation,) = process.predict(row[None])
        point = self.space.decode(row.astype(np.int64))
        return point, self.sign * (level + scale * float(mean)), scale * float(deviation)

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
        for position in np.argsort(process.values, kind="stable")[:BEST].tolist():
            row = process.point(position)
            means, _ = predict_changes(process, row, sums)
            active = self.active(row[None])[0] if self.active else np.ones(row.size, bool)
            for variable in np.flatnonzero(active).tolist():
                squares[variable] += means[variable, : cardinalities[variable]].var()
        shares = np.sqrt(squares)
        return shares / max(shares.sum(), 1e-300)

    def left_out(self) -> tuple[NDArray[np.float64], ...]:
        """Return the values of the fitted points, and their leave-one-out predictions.

        Values, means and standard deviations.
        """
        process, level, scale = self._fitted
        means, deviations = process.predict_left_out()
        shifted = [self.sign * (level + scale * array) for array in (process.values, means)]
        return (*shifted, scale * self._calibration[self._far.astype(int)] * deviations)

    def plot(self, axes: "tuple[Axes, Axes] | None" = None, most: int = 20) -> "tuple[Axes, Axes]":
        """Draw the most important variables, and the values against leave-one-out predictions."""
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
        return rows if self.active is None else np.where(self.active(rows), rows, np.int32(0))

    @cached_property
    def _fitted(self) -> tuple[GaussianProcess, float, float]:
        """The process, and mean and deviation of the values it was given."""
        valued = np.isfinite(self.values)
        points, values = self._canonical(self.points[valued]), self.values[valued]
        wanted = nearest(points, int(values.argmin()), MOST)
        points, values = points[wanted], values[wanted]
        scale, kernel = Scale(values), Kernel(self.space.cardinalities)
        process = GaussianProcess(kernel, len(points))
        process.fit(points, scale(values), USER_STEPS)
        process.replace(points, scale(values))
        return (process, *scale.moments)

    @cached_property
    def _parts(self) -> list[GaussianProcess]:
        """Processes of random halves of the points, in the units of the whole."""
        process, random = self._fitted[0], np.random.default_rng(0)
        points, values = process.arrays.columns[:, : process.size].T, process.values
        half = min(math.ceil(process.size / 2), RESAMPLED)
        parts = []
        for _ in range(RESAMPLES):
            chosen = random.permutation(process.size)[:half]
            part = GaussianProcess(process.kernel, half, process.parameters)
            part.fit(points[chosen], values[chosen], FEWER_STEPS)
            part.replace(points[chosen], values[chosen])
            parts.append(part)
        return parts

    @cached_property
    def _calibration(self) -> NDArray[np.float64]:
        """Factors with which two deviations contain 95 % of the values left out.

        At least 1; the second one is that of points far from all others.
        """
        process = self._fitted[0]
        means, deviations = process.predict_left_out()
        errors, far = np.abs(process.values - means) / deviations, self._far
        groups = [group if group.sum() >= FEWEST else np.ones_like(far) for group in (~far, far)]
        return np.maximum([float(np.quantile(errors[group], 0.95)) / 2 for group in groups], 1.0)

    @cached_property
    def _far(self) -> NDArray[np.bool_]:
        """Which points are far from all others."""
        process = self._fitted[0]
        return self._are_far(process.arrays.columns[:, : process.size].T, left_out=1)

    def _are_far(self, rows: NDArray[np.int32], left_out: int = 0) -> NDArray[np.bool_]:
        """Return which points differ in many variables from all others."""
        process = self._fitted[0]
        columns = process.arrays.columns[:, : process.size]
        apart = [np.sort((columns != row[:, None]).sum(axis=0))[left_out:] for row in rows]
        return np.array([each.size > 0 and each[0] > FAR * len(columns) for each in apart], bool)


def nearest(points: NDArray[np.int32], centre: int, limit: int) -> NDArray[np.int64]:
    """Return the points nearest to one of them, the latest of equally near ones first."""
    distances = (points != points[centre]).sum(axis=1)
    return np.lexsort((-np.arange(len(points)), distances))[:limit]


def mean_and_deviation(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return mean and standard deviation of the values; 1 for the latter if all are equal.

    >>> mean_and_deviation(np.array([1.0, 3.0]))
    (2.0, 1.0)
    """
    largest = float(np.abs(values).max(initial=0.0))
    unit = largest if largest > 1e100 else 1.0  # squares must not overflow
    values = values / unit
    mean = math.fsum(values.tolist()) / max(values.size, 1)
    square = math.fsum(((values - mean) ** 2).tolist()) / max(values.size, 1)
    return mean * unit, math.sqrt(square) * unit if square > 0 else 1.0
