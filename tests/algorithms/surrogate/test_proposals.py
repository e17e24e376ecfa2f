"""The points that are proposed."""

import numpy as np
import pytest

from catcube.algorithms.surrogate.proposals import Proposals, Settings
from catcube.algorithms.surrogate.values import standardised
from catcube.engine.rng import seeded

CARDINALITIES = np.array([3, 2, 4])

SLOW = pytest.mark.compiled  # interpreted, a model takes seconds per point


def run(function, count, settings=None, batch=1, seed=1, cardinalities=CARDINALITIES):
    proposals = Proposals(cardinalities, settings or Settings(initial=4, data=12), seeded(seed))
    while proposals.count < count:
        points = proposals.ask(batch)
        if len(points) == 0:
            break
        proposals.tell(points, np.array([function(point) for point in points]))
    return proposals


def total(point):
    return float(point.sum())


@pytest.mark.parametrize("batch", [1, 5])
@SLOW
def test_every_point_of_a_small_space_is_proposed_once(batch):
    """More points than the model may see, so that it also forgets some."""
    proposals = run(total, 1000, batch=batch)
    assert proposals.count == 24
    assert len({point.tobytes() for point in proposals.points}) == 24


@SLOW
def test_the_same_seed_proposes_the_same_points_and_another_does_not():
    first, again, other = (run(total, 12, seed=seed).points.tolist() for seed in (1, 1, 2))
    assert first == again
    assert first != other


@SLOW
def test_the_first_points_have_every_category_equally_often():
    cardinalities = np.array([3, 2, 4, 12, 6])
    points = Proposals(cardinalities, Settings(initial=12), seeded(1)).ask(12)
    for variable, count in enumerate(cardinalities.tolist()):
        assert (np.bincount(points[:, variable], minlength=count) == 12 // count).all()


@SLOW
def test_noisy_points_may_be_proposed_again():
    random = np.random.default_rng(1)
    settings = Settings(initial=4, data=12, noisy=True)
    proposals = run(lambda point: total(point) + random.normal(), 30, settings)
    assert proposals.count == 30
    assert len({point.tobytes() for point in proposals.points}) < 30


@SLOW
def test_points_at_once_differ_and_leave_the_model_as_it_was():
    proposals = run(total, 10, Settings(initial=4))
    points = proposals.ask(4)
    assert len({point.tobytes() for point in points}) == 4
    assert proposals._process.size == len(proposals._members) == 10


@SLOW
def test_failed_points_count_as_the_worst_value():
    proposals = run(lambda point: np.inf if point[0] == 0 else total(point), 15)
    best = proposals.points[proposals.values.argmin()]
    assert best.tolist() == [1, 0, 0]
    assert standardised(np.array([np.inf, np.inf])).tolist() == [0, 0]


@SLOW
def test_values_before_the_first_point_are_known():
    proposals = Proposals(CARDINALITIES, Settings(initial=3), seeded(1))
    known = np.array([[0, 0, 0], [1, 1, 1], [2, 1, 3]])
    proposals.tell(known, known.sum(axis=1))
    asked = proposals.ask(1)
    assert proposals._process is not None  # no design is needed
    assert asked[0].tolist() not in known.tolist()


@SLOW
def test_the_model_beats_chance():
    """A sum of 10 variables in 60 evaluations; random points reach it with probability 1e-5."""
    found = run(total, 60, Settings(), cardinalities=np.full(10, 4)).values.min()
    assert found == 0


def trap(point):
    """Two basins: the sum of the categories leads away from the point that is best."""
    return 0.0 if (point == 2).all() else 1.0 + point.sum()


@SLOW
def test_at_a_local_optimum_the_search_walks_and_evaluates_no_point_twice():
    cardinalities = np.array([3, 3, 3, 3, 3])
    proposals = run(trap, 60, Settings(initial=4), cardinalities=cardinalities)
    best = proposals.points[proposals.values.argmin()]
    assert best.tolist() == [0, 0, 0, 0, 0]
    assert proposals._walk is not None
    assert len({point.tobytes() for point in proposals.points}) == 60
    position = proposals.points[proposals._walk.at]
    assert proposals.values[proposals._walk.at] == trap(position)


@SLOW
def test_a_walk_begins_when_all_neighbours_of_the_best_point_are_evaluated():
    proposals = run(total, 9)
    best = proposals.points[proposals.values.argmin()]
    others = [
        np.array(point, np.int32)
        for point in np.ndindex(*CARDINALITIES)
        if (np.array(point) != best).sum() == 1
    ]
    known = {point.tobytes() for point in proposals.points}
    missing = [point for point in others if point.tobytes() not in known]
    proposals.tell(np.array(missing[:-1]), np.array([total(point) for point in missing[:-1]]))
    proposals._walk_or_ascend()
    assert proposals._walk is None
    proposals.tell(missing[-1][None], np.array([total(missing[-1])]))
    proposals._walk_or_ascend()
    assert proposals._walk is not None


@SLOW
def test_steps_of_a_walk_proposed_at_once_differ():
    cardinalities = np.array([3, 3, 3, 3, 3])
    proposals = run(trap, 40, Settings(initial=4), batch=4, cardinalities=cardinalities)
    assert proposals._walk is not None
    points = proposals.ask(4)
    assert len({point.tobytes() for point in points}) == 4
    proposals.tell(points[::-1], np.array([trap(point) for point in points[::-1]]))
    assert not proposals._steps


@SLOW
def test_where_values_are_noisy_the_search_never_walks():
    settings = Settings(initial=4, data=12, noisy=True)
    assert run(total, 60, settings)._walk is None
