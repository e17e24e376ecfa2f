"""What the model expects of all changes at once, and where an ascent of it ends."""

import itertools
import math

import numpy as np
import pytest

from catcube.algorithms.surrogate.acquisition import (
    Acquisition,
    new_sums,
    predict_changes,
    write_logarithms,
)
from tests.algorithms.surrogate.test_fit import CARDINALITIES, SOME_ORDERS, data, process_of

EVERY = np.array(list(itertools.product(*map(range, CARDINALITIES))), np.int32)


def improvement(mean, deviation, best, noise=0.0):
    found = np.empty(1)
    write_logarithms(np.array([mean]), np.array([deviation]), best, noise, False, found)
    return float(found[0])


def unseen(process):
    seen = {process.point(k).tobytes() for k in range(process.size)}
    return lambda rows: np.array([row.tobytes() not in seen for row in rows], bool)


def acquisition_of(process, failure=None, free=None, active=None, drawn=0.0, level=0.0, **settings):
    models = [(process, level)]
    return Acquisition(models, failure, free or unseen(process), active, lambda: drawn, **settings)


def best_of(process):
    return process.point(int(process.values.argmin()))


@pytest.mark.parametrize("order", SOME_ORDERS)
@pytest.mark.parametrize("size", [1, 3, 40])
def test_all_changes_at_once_are_predicted_as_one_by_one(size, order):
    process = process_of(*data(size), order)
    sums = new_sums(80, CARDINALITIES)
    for point in (process.point(0), np.array([1, 1, 1, 1], np.int32)):
        predict_changes(process, point, sums)
        for variable, count in enumerate(CARDINALITIES.tolist()):
            rows = np.tile(point, (count, 1))
            rows[:, variable] = range(count)
            means, deviations = process.predict(rows)
            assert sums.mean[variable, :count] == pytest.approx(means, abs=1e-9)
            assert sums.deviation[variable, :count] == pytest.approx(deviations, abs=1e-5)


@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 1.0), (1.5, 0.7), (-2.0, 0.1), (4.0, 1.0)])
def test_improvement_is_the_integral_it_stands_for(mean, deviation):
    values = np.linspace(mean - 12 * deviation, 0.0, 400_001)
    density = np.exp(-0.5 * ((values - mean) / deviation) ** 2) / deviation / math.sqrt(2 * math.pi)
    integral = np.trapezoid(np.maximum(0.0, -values) * density, values)
    assert improvement(mean, deviation, 0.0) == pytest.approx(math.log(integral), abs=1e-6)


def test_improvement_is_continuous_where_the_formula_changes_and_finite_beyond():
    before, after = improvement(5.999999, 1.0, 0.0), improvement(6.000001, 1.0, 0.0)
    assert before == pytest.approx(after, abs=0.1)
    assert math.isfinite(improvement(1000.0, 1.0, 0.0))


def test_with_noise_less_is_expected_of_points_that_are_known_well():
    factor = improvement(0.0, 0.3, 0.0, noise=0.4) - improvement(0.0, 0.3, 0.0)
    assert factor == pytest.approx(math.log(1 - 0.4 / 0.5))


def test_an_ascent_ends_where_no_change_is_better():
    process = process_of(*data(25))
    acquisition = acquisition_of(process, level=float(process.values.min()))
    found = acquisition.ascend(best_of(process), longest=20)
    assert unseen(process)(found[None])[0]
    neighbours = EVERY[(found != EVERY).sum(axis=1) == 1]
    neighbours = neighbours[unseen(process)(neighbours)]
    expected = acquisition.evaluate(np.concatenate([found[None], neighbours]))
    assert (expected[1:] <= expected[0] + 1e-6).all()


@pytest.mark.parametrize("longest", [1, 2])
def test_an_ascent_makes_at_most_the_changes_it_may(longest):
    process = process_of(*data(25))
    start = process.point(int(process.values.argmax()))
    found = acquisition_of(process).ascend(start, longest)
    assert 1 <= (found != start).sum() <= longest


def test_nothing_is_found_where_nothing_is_free():
    process = process_of(*data(25))
    acquisition = acquisition_of(process, free=lambda rows: np.zeros(len(rows), bool), pairs=True)
    assert acquisition.ascend(best_of(process), 20) is None


def test_of_categories_that_no_datum_has_any_may_be_drawn():
    """Two data: of the third variable, the categories that neither has are alike."""
    points = np.array([[0, 0, 0, 0], [1, 1, 1, 1]], np.int32)
    process = process_of(points, np.array([0.0, 1.0]))
    found = [acquisition_of(process, drawn=d).ascend(points[0], 1) for d in (0.0, 0.99)]
    assert [row.tolist() for row in found] == [[0, 0, 2, 0], [0, 0, 3, 0]]


def test_where_single_changes_are_infeasible_pairs_are_exchanged():
    """Only points with the same sum may be proposed."""
    process = process_of(*data(25))
    start = np.array([1, 0, 2, 3], np.int32)

    def free(rows):
        return (rows.sum(axis=1) == start.sum()) & (rows != start).any(axis=1)

    found = acquisition_of(process, free=free, pairs=True).ascend(start, 1)
    assert (found != start).sum() == 2
    assert found.sum() == start.sum()


def test_where_evaluations_fail_less_is_expected():
    process = process_of(*data(25))
    points, _ = data(25)
    failure = process_of(points, (points[:, 3] == 2).astype(float))
    rows = np.array([[0, 0, 0, 2], [0, 0, 0, 1]], np.int32)
    without = acquisition_of(process).evaluate(rows)
    cost = without - acquisition_of(process, (failure, 0.5)).evaluate(rows)
    assert cost[0] > 1 > cost[1] >= 0


def test_variables_that_are_not_active_do_not_change():
    """The last variable counts only where the first one is 1; elsewhere it is 0."""
    points, values = data(25)

    def active(rows):
        found = np.ones(rows.shape, bool)
        found[:, 3] = rows[:, 0] == 1
        return found

    process = process_of(np.where(active(points), points, 0).astype(np.int32), values)
    for start in (np.array([0, 1, 1, 0], np.int32), np.array([1, 1, 1, 4], np.int32)):
        found = acquisition_of(process, active=active, drawn=0.9).ascend(start, 1)
        assert found[0] == 1 or found[3] == 0
        assert (found[:3] != start[:3]).sum() + (start[0] == 1 == found[0] and found[3] != 4) == 1
