"""The process beside the textbook's formulas with numpy's linear algebra."""

import math

import numpy as np
import pytest

from catcube.algorithms.surrogate.fit import EVIDENCE, best_ordinal, fitted
from catcube.algorithms.surrogate.gaussian_process import GaussianProcess
from catcube.algorithms.surrogate.likelihood import (
    Data,
    Parameters,
    gradient,
    log_likelihood,
    new_room,
)

CARDINALITIES = np.array([2, 3, 4, 5])


def data(size, seed=1):
    random = np.random.default_rng(seed)
    points = random.integers(CARDINALITIES, size=(size, CARDINALITIES.size)).astype(np.int32)
    points = np.unique(points, axis=0)
    random.shuffle(points)
    return points, random.normal(size=len(points))


def data_of(points, values):
    return Data(CARDINALITIES, np.ascontiguousarray(points.T), values, len(values))


def process_of(points, values, ordinal=0.0):
    process = GaussianProcess(CARDINALITIES, 80)
    process.set_parameters(Parameters(np.array([0.2, 0.5, 0.3, 0.9]), 0.01, ordinal))
    process.replace(points, values)
    return process


def covariances(left, right, parameters):
    """Two different categories are 1 apart in the mean, whatever the share of their order."""
    weights, _, ordinal = parameters
    apart = np.abs(left[:, None] - right[None])
    scaled = apart / ((CARDINALITIES + 1) / 3)
    return np.exp(-(((1 - ordinal) * (apart > 0) + ordinal * scaled) * weights).sum(axis=2))


def textbook(process, points, values, at):
    """Mean and deviation by the formulas of universal kriging's constant mean, as profiled."""
    parameters, m = process.parameters, len(points)
    noise = parameters.nugget * np.eye(m)
    inverse = np.linalg.inv(covariances(points, points, parameters) + noise)
    level = inverse.sum(axis=0) @ values / inverse.sum()
    variance = (values - level) @ inverse @ (values - level) / m
    k = covariances(points, at[None], parameters)[:, 0]
    mean = level + k @ inverse @ (values - level)
    return mean, math.sqrt(variance * (1 - k @ inverse @ k))


def test_different_categories_are_one_apart_in_the_mean_whatever_their_order_counts():
    for count in (2, 3, 11):
        indices = np.arange(count)
        apart = np.abs(indices[:, None] - indices)
        assert apart[apart > 0].mean() == pytest.approx((count + 1) / 3)


@pytest.mark.parametrize("ordinal", [0.0, 0.5, 0.9])
def test_a_process_predicts_as_the_textbook_does(ordinal):
    points, values = data(20)
    process = process_of(points, values, ordinal)
    for at in data(30, seed=2)[0]:
        assert process.predict(at) == pytest.approx(textbook(process, points, values, at), abs=1e-9)


def test_points_added_and_removed_leave_the_process_of_those_that_stay():
    points, values = data(20)
    process = process_of(points[:12], values[:12], ordinal=0.5)
    for point, value in zip(points[12:], values[12:], strict=True):
        process.append(point, value)
    for position in (3, 0, process.size - 3):
        process.remove(position)
    process.solve()
    again = process_of(process.points[: process.size], process.values[: process.size], ordinal=0.5)
    assert process.size == len(points) - 3
    at = np.array([1, 2, 3, 4], np.int32)
    assert process.predict(at) == pytest.approx(again.predict(at), abs=1e-9)


def test_the_means_at_the_points_are_the_values_without_noise():
    points, values = data(15)
    process = process_of(points, values)
    expected = [process.predict(point)[0] for point in points]
    assert process.fitted_values() == pytest.approx(np.array(expected), abs=1e-9)


def test_the_same_point_twice_is_no_trouble():
    points, values = data(6)
    process = GaussianProcess(CARDINALITIES, 40)
    process.set_parameters(process.parameters._replace(nugget=1e-12))
    process.replace(np.concatenate([points, points]), np.concatenate([values, values]))
    process.append(points[0], values[0])
    process.solve()
    assert process.predict(points[0])[0] == pytest.approx(values[0], abs=1e-3)


@pytest.mark.parametrize("ordinal", [0.0, 0.5])
def test_slopes_are_those_of_the_likelihood(ordinal):
    points, values = data(14)
    known, room, n = data_of(points, values), new_room(len(points)), 4
    moments, slopes, unused = np.empty(2), np.empty(n + 1), np.empty(n + 1)

    def likelihood(at, out):
        parameters = Parameters(np.exp(at[:n]), math.exp(at[n]), ordinal)
        return gradient(known, parameters, room, moments, out)

    at = np.log([0.3, 0.6, 0.1, 1.0, 0.05])
    likelihood(at, slopes)
    for i in range(n + 1):
        step = 1e-5 * np.eye(n + 1)[i]
        difference = likelihood(at + step, unused) - likelihood(at - step, unused)
        assert slopes[i] == pytest.approx(difference / 2e-5, abs=1e-5)


@pytest.mark.compiled  # interpreted it takes seconds
def test_a_fit_finds_which_variables_matter_and_how_noisy_values_are():
    """One data set of a fixed seed: the margins are wide, nothing is left to chance."""
    points, _ = data(90)
    values = 2.0 * (points[:, 3] == 1) + 1.0 * (points[:, 2] == 0)
    noise = 0.5 * np.random.default_rng(3).normal(size=len(points))
    start, room = Parameters(np.full(4, 0.5), 1e-3, ordinal=0.0), new_room(len(points))
    exact = fitted(data_of(points, values), start, room, 20)
    rough = fitted(data_of(points, values + noise), start, room, 20)
    assert exact.weights[2:].min() > 3 * exact.weights[:2].max()
    assert rough.nugget > 10 * exact.nugget


@pytest.mark.compiled
@pytest.mark.parametrize(("ordered", "expected"), [(True, True), (False, False)])
def test_a_fit_finds_whether_the_order_of_categories_counts(ordered, expected):
    """The same function of levels, in their order or shuffled."""
    points, _ = data(60)
    levels = [np.arange(count) for count in CARDINALITIES]
    if not ordered:
        levels = [np.random.default_rng(5).permutation(count) for count in CARDINALITIES]
        levels[2], levels[3] = np.array([0, 2, 1, 3]), np.array([2, 4, 0, 3, 1])
    values = sum(level[column] / len(level) for level, column in zip(levels, points.T, strict=True))
    start, room = Parameters(np.full(4, 0.5), 1e-3, ordinal=0.0), new_room(len(points))
    found = fitted(data_of(points, values**2), start, room, 20)
    assert (found.ordinal > 0) == expected


def test_the_order_counts_only_with_evidence():
    points, values = data(14)
    known, room, moments = data_of(points, values), new_room(len(points)), np.empty(2)
    parameters = Parameters(np.full(4, 0.5), 1e-3, ordinal=0.0)

    def likelihood(share):
        return log_likelihood(known, parameters._replace(ordinal=share), room, moments)

    assert max(likelihood(share) - likelihood(0.0) for share in (0.2, 0.5, 0.9)) < EVIDENCE
    assert best_ordinal(known, parameters, room) == 0.0
