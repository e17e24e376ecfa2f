"""The process beside the textbook's formulas with numpy's linear algebra."""

import math

import numpy as np
import pytest

from catcube.algorithms.surrogate.gaussian_process import GaussianProcess
from catcube.algorithms.surrogate.likelihood import fitted, gradient, new_room

CARDINALITIES = np.array([2, 3, 4, 5])


def data(size, seed=1):
    random = np.random.default_rng(seed)
    points = random.integers(CARDINALITIES, size=(size, CARDINALITIES.size)).astype(np.int32)
    points = np.unique(points, axis=0)
    random.shuffle(points)
    return points, random.normal(size=len(points))


def covariances(left, right, weights):
    return np.exp(-((left[:, None] != right[None]) * weights).sum(axis=2))


def textbook(process, points, values, at):
    """Mean and deviation by the formulas of universal kriging's constant mean, as profiled."""
    weights, nugget, m = process.weights, process.nugget, len(points)
    inverse = np.linalg.inv(covariances(points, points, weights) + nugget * np.eye(m))
    level = inverse.sum(axis=0) @ values / inverse.sum()
    variance = (values - level) @ inverse @ (values - level) / m
    k = covariances(points, at[None], weights)[:, 0]
    mean = level + k @ inverse @ (values - level)
    return mean, math.sqrt(variance * (1 - k @ inverse @ k))


def test_a_process_predicts_as_the_textbook_does():
    points, values = data(20)
    process = GaussianProcess(4, 40)
    process.replace(points, values)
    for at in data(30, seed=2)[0]:
        assert process.predict(at) == pytest.approx(textbook(process, points, values, at), abs=1e-9)


def test_points_added_and_removed_leave_the_process_of_those_that_stay():
    points, values = data(20)
    process = GaussianProcess(4, 40)
    process.replace(points[:12], values[:12])
    for point, value in zip(points[12:], values[12:], strict=True):
        process.append(point, value)
    for position in (3, 0, process.size - 3):
        process.remove(position)
    process.solve()
    again = GaussianProcess(4, 40)
    again.replace(process.points[: process.size].copy(), process.values[: process.size].copy())
    assert process.size == len(points) - 3
    at = np.array([1, 2, 3, 4], np.int32)
    assert process.predict(at) == pytest.approx(again.predict(at), abs=1e-9)


def test_the_means_at_the_points_are_the_values_without_noise():
    points, values = data(15)
    process = GaussianProcess(4, 40)
    process.replace(points, values)
    expected = [process.predict(point)[0] for point in points]
    assert process.fitted_values() == pytest.approx(np.array(expected), abs=1e-9)


def test_the_same_point_twice_is_no_trouble():
    points, values = data(6)
    process = GaussianProcess(4, 40)
    process.log_parameters[-1] = math.log(1e-12)
    process._read_parameters()
    process.replace(np.concatenate([points, points]), np.concatenate([values, values]))
    process.append(points[0], values[0])
    process.solve()
    assert process.predict(points[0])[0] == pytest.approx(values[0], abs=1e-3)


def test_slopes_are_those_of_the_likelihood():
    points, values = data(14)
    columns, room, n = np.ascontiguousarray(points.T), new_room(len(points)), 4
    moments, slopes, unused = np.empty(2), np.empty(n + 1), np.empty(n + 1)

    def likelihood(at, out):
        weights, nugget = np.exp(at[:n]), math.exp(at[n])
        return gradient(columns, values, len(values), weights, nugget, room, moments, out)

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
    columns, room = np.ascontiguousarray(points.T), new_room(len(points))
    start = np.log([0.5, 0.5, 0.5, 0.5, 1e-3])
    exact = np.exp(fitted(columns, values, len(values), start, room, 20))
    rough = np.exp(fitted(columns, values + noise, len(values), start, room, 20))
    assert min(exact[2], exact[3]) > 3 * max(exact[0], exact[1])
    assert rough[4] > 10 * exact[4]
