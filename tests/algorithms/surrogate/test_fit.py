"""The process and its fit beside the textbook's formulas with numpy's linear algebra."""

import math

import numpy as np
import pytest

from catcube.algorithms.surrogate.fit import (
    CYCLIC,
    EVIDENCE,
    NO_ORDER,
    ORDERED,
    ORDERS,
    UNORDERED,
    GaussianProcess,
    Kernel,
    Order,
    Parameters,
)

CARDINALITIES = np.array([2, 3, 4, 5])
KERNEL = Kernel(CARDINALITIES)
SOME_ORDERS = [NO_ORDER, Order(0.5), Order(0.9, cyclic=True)]


def data(size, seed=1):
    random = np.random.default_rng(seed)
    points = random.integers(CARDINALITIES, size=(size, CARDINALITIES.size)).astype(np.int32)
    points = np.unique(points, axis=0)
    random.shuffle(points)
    return points, random.normal(size=len(points))


def process_of(points, values, order=NO_ORDER):
    process = GaussianProcess(KERNEL, 80, Parameters(np.array([0.2, 0.5, 0.3, 0.9]), 0.01, order))
    process.replace(points, values)
    return process


def fitted(kernel, points, values):
    start = Parameters(np.full(len(kernel.cardinalities), 0.5), 1e-3)
    process = GaussianProcess(kernel, len(points), start)
    process.fit(points, values, 20)
    return process.parameters


def covariances(left, right, parameters):
    """Two different categories are 1 apart in the mean, whatever their order."""
    weights, _, (share, cyclic) = parameters
    apart = np.abs(left[:, None] - right[None])
    steps = np.minimum(apart, CARDINALITIES - apart) if cyclic else apart
    means = []
    for count in CARDINALITIES.tolist():
        d = np.abs(np.arange(count)[:, None] - np.arange(count))
        d = np.minimum(d, count - d) if cyclic else d
        means.append(d[d > 0].mean())
    return np.exp(-(((1 - share) * (apart > 0) + share * steps / means) * weights).sum(axis=2))


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


@pytest.mark.parametrize("order", SOME_ORDERS)
def test_a_process_predicts_as_the_textbook_does(order):
    points, values = data(20)
    process = process_of(points, values, order)
    rows = data(30, seed=2)[0]
    for at, *found in zip(rows, *process.predict(rows), strict=True):
        assert found == pytest.approx(textbook(process, points, values, at), abs=1e-9)


def test_a_kind_that_is_stated_is_taken_whatever_the_order_of_others():
    kernel = Kernel(np.array([5, 5, 5, 5]), np.array([0, UNORDERED, ORDERED, CYCLIC]))
    for order in ORDERS:
        unknown, unordered, ordered, cyclic = kernel.distances(order)
        assert unordered[0].tolist() == [0, 1, 1, 1, 1]
        assert (np.diff(ordered[0]) > 0).all()
        assert cyclic[0, 1] == pytest.approx(cyclic[0, 4])
        for table in (unknown, ordered, cyclic):
            assert table[~np.eye(5, dtype=bool)].mean() == pytest.approx(1)
    assert Kernel(np.array([2, 2, 9]), np.array([0, 0, UNORDERED])).orders() == ()


def test_points_added_to_a_copy_leave_the_process_as_it_was():
    points, values = data(20)
    process = process_of(points[:12], values[:12], Order(0.5))
    whole = process_of(points, values, Order(0.5))
    at = np.array([[1, 2, 3, 4]], np.int32)
    before, other = process.predict(at), process.copy()
    for point, value in zip(points[12:], values[12:], strict=True):
        other.append(point, value)
    other.solve()
    assert other.predict(at)[0] == pytest.approx(whole.predict(at)[0], abs=1e-9)
    assert process.predict(at) == before  # to the last digit


def test_the_means_at_the_points_are_the_values_without_noise():
    points, values = data(15)
    process = process_of(points, values)
    assert process.fitted_values() == pytest.approx(process.predict(points)[0], abs=1e-9)


def test_the_same_point_twice_is_no_trouble():
    points, values = data(6)
    process = GaussianProcess(KERNEL, 40, Parameters(np.full(4, 0.5), 1e-12))
    process.replace(np.concatenate([points, points]), np.concatenate([values, values]))
    process.append(points[0], values[0])
    process.solve()
    assert process.predict(points[:1])[0] == pytest.approx(values[:1], abs=1e-3)


@pytest.mark.parametrize("order", SOME_ORDERS)
def test_slopes_are_those_of_the_likelihood(order):
    points, values = data(14)
    process, n = process_of(points, values), 4
    slopes, unused = np.empty(n + 1), np.empty(n + 1)

    def likelihood(at, out):
        parameters = Parameters(np.exp(at[:n]), math.exp(at[n]), order)
        return process.gradient(parameters, out)

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
    exact, rough = fitted(KERNEL, points, values), fitted(KERNEL, points, values + noise)
    assert exact.weights[2:].min() > 3 * exact.weights[:2].max()
    assert rough.nugget > 10 * exact.nugget


@pytest.mark.compiled
@pytest.mark.parametrize("shape", ["line", "circle", "none"])
def test_a_fit_finds_whether_and_how_categories_are_ordered(shape):
    """The same functions of levels and of angles, in their order or shuffled."""
    sizes = np.array([8, 8, 8])
    random = np.random.default_rng(5)
    points = random.integers(sizes, size=(80, 3)).astype(np.int32)
    levels = [np.arange(8) if shape != "none" else random.permutation(8) for _ in sizes]
    x = np.stack([level[column] for level, column in zip(levels, points.T, strict=True)], axis=1)
    values = np.cos(2 * np.pi * x / 8).sum(axis=1) if shape == "circle" else ((x / 8) ** 2).sum(1)
    found = fitted(Kernel(sizes), points, values)
    assert (found.order.share > 0, found.order.cyclic) == (shape != "none", shape == "circle")


def test_the_order_counts_only_with_evidence():
    process = process_of(*data(14))

    def likelihood(order):
        return process.log_likelihood(process.parameters._replace(order=order))

    assert max(likelihood(order) - likelihood(NO_ORDER) for order in ORDERS) < EVIDENCE
    assert process.best_order() == NO_ORDER
