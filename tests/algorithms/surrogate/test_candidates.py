"""What the model says of all changes at once, and what is chosen among them."""

import itertools
import math

import numpy as np
import pytest

from catcube.algorithms.surrogate.acquisition import improvement
from catcube.algorithms.surrogate.candidates import Candidates
from catcube.algorithms.surrogate.neighbourhood import evaluate_changes, new_sums
from tests.algorithms.surrogate.test_gaussian_process import CARDINALITIES, data, process_of


def process_with(size, ordinal=0.0):
    return process_of(*data(size), ordinal)


def draw_first():
    return 0.0


@pytest.mark.parametrize("ordinal", [0.0, 0.5])
@pytest.mark.parametrize("size", [1, 3, 40])
def test_all_changes_at_once_are_predicted_as_one_by_one(size, ordinal):
    process = process_with(size, ordinal)
    sums = new_sums(81, CARDINALITIES)
    for point in (process.points[0].copy(), np.array([1, 1, 1, 1], np.int32)):
        evaluate_changes(
            point,
            CARDINALITIES,
            process.points,
            process.size,
            process.inverse,
            process.alpha,
            process.rates,
            process.moments,
            sums,
        )
        for variable, count in enumerate(CARDINALITIES.tolist()):
            for category in range(count):
                changed = point.copy()
                changed[variable] = category
                mean, deviation = process.predict(changed)
                assert sums.mean[variable, category] == pytest.approx(mean, abs=1e-9)
                assert sums.deviation[variable, category] == pytest.approx(deviation, abs=1e-5)


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


def test_an_ascent_ends_where_no_change_is_better():
    process = process_with(25)
    candidates = Candidates(CARDINALITIES, 80)
    seen = {point.tobytes() for point in process.points[: process.size]}
    level = float(process.values[: process.size].min())
    best = int(process.values[: process.size].argmin())
    found = candidates.best(
        process,
        process.points[best],
        level,
        lambda point: point.tobytes() in seen,
        draw_first,
        longest=20,
    )
    assert found.tobytes() not in seen
    expected = improvement(*process.predict(found), level)
    for variable, count in enumerate(CARDINALITIES.tolist()):
        for category in range(count):
            changed = found.copy()
            changed[variable] = category
            if changed.tobytes() not in seen:
                assert improvement(*process.predict(changed), level) <= expected + 1e-6


@pytest.mark.parametrize("longest", [1, 2])
def test_an_ascent_makes_so_many_changes_at_most(longest):
    process = process_with(25)
    candidates = Candidates(CARDINALITIES, 80)
    seen = {point.tobytes() for point in process.points[: process.size]}
    start = process.points[int(process.values[: process.size].argmax())]  # far from the best
    found = candidates.best(
        process, start, 0.0, lambda point: point.tobytes() in seen, draw_first, longest
    )
    assert 1 <= (found != start).sum() <= longest


def test_nothing_is_found_where_all_is_taken():
    process = process_with(25)
    candidates = Candidates(CARDINALITIES, 80)
    every = {
        np.array(point, np.int32).tobytes()
        for point in itertools.product(*map(range, CARDINALITIES))
    }
    start = process.points[0]
    found = candidates.best(
        process, start, 0.0, lambda point: point.tobytes() in every, draw_first, 20
    )
    assert found is None


def test_of_categories_that_no_datum_has_any_may_be_drawn():
    """Two data: of the third variable, the categories that neither has are alike."""
    points = np.array([[0, 0, 0, 0], [1, 1, 1, 1]], np.int32)
    process = process_of(points, np.array([0.0, 1.0]))
    candidates = Candidates(CARDINALITIES, 80)
    seen = {point.tobytes() for point in points}
    found = {
        tuple(
            candidates.best(
                process,
                points[0],
                0.0,
                lambda point: point.tobytes() in seen,
                lambda drawn=drawn: drawn,
                1,
            ).tolist()
        )
        for drawn in (0.0, 0.99)
    }
    assert found == {(0, 0, 2, 0), (0, 0, 3, 0)}


def test_the_best_of_some_neighbours_is_the_one_of_which_most_is_expected():
    process = process_with(25)
    candidates = Candidates(CARDINALITIES, 80)
    point = process.points[3].copy()
    neighbours = []
    for variable, count in enumerate(CARDINALITIES.tolist()):
        neighbours.append(point.copy())
        neighbours[-1][variable] = (point[variable] + 1) % count
    expected = [improvement(*process.predict(neighbour), 0.0) for neighbour in neighbours]
    found = candidates.best_of(process, point, neighbours, 0.0)
    assert found.tolist() == neighbours[int(np.argmax(expected))].tolist()
