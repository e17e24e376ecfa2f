"""The points that are proposed."""

import math

import numpy as np
import pytest

import catcube
from catcube.algorithms.surrogate.fit import EVIDENCE
from catcube.algorithms.surrogate.model import Scale
from catcube.algorithms.surrogate.proposals import Proposals, Settings
from catcube.algorithms.surrogate.trajectory import (
    COLD,
    HOT,
    LENGTH,
    RADII,
    Trajectory,
    Walk,
    mean_worsening,
)

CARDINALITIES = np.array([3, 2, 4])
FEW = Settings(initial=4, data=12)

SLOW = pytest.mark.compiled  # interpreted, a model takes seconds per point


def run(function, count, settings=FEW, batch=1, seed=1, cardinalities=CARDINALITIES, **others):
    proposals = Proposals(cardinalities, settings, seed, **others)
    while len(proposals.values) < count:
        points = proposals.ask(batch)
        if len(points) == 0:
            break
        proposals.tell(points, np.array([function(point) for point in points]))
    return proposals


def total(point):
    return float(point.sum())


def distinct(points):
    return len({point.tobytes() for point in points})


def trap(point):
    """Two basins: the sum of the categories leads away from the point that is best."""
    return 0.0 if (point == 2).all() else 1.0 + point.sum()


@pytest.mark.parametrize("batch", [1, 5])
@SLOW
def test_every_point_of_a_small_space_is_proposed_once(batch):
    """More points than the model may see, so that it also forgets some."""
    proposals = run(total, 1000, batch=batch)
    assert len(proposals.values) == distinct(proposals.points) == 24


@SLOW
@pytest.mark.parametrize("noisy", [False, True])
def test_from_the_whole_sequence_the_same_points_are_proposed(noisy):
    """With a walk, failures, several points at once and points that are pending."""
    sizes, settings = np.full(5, 3), Settings(initial=5, data=60, noisy=noisy)
    random = np.random.default_rng(1)

    def value(point):
        return math.nan if random.random() < 0.2 else trap(point) + noisy * random.normal()

    kept, walked = Proposals(sizes, settings, 1), False
    for _ in range(20):
        pending = kept.ask(2)
        points = kept.ask(2, pending)
        anew = Proposals(sizes, settings, 1)
        anew.tell(kept.points, kept.values)
        assert anew.ask(2, pending).tolist() == points.tolist()
        assert anew.ask(4).tolist() == [*pending.tolist(), *points.tolist()]
        points = np.concatenate([pending, points])
        kept.tell(points, np.array([value(point) for point in points]))
        walked |= kept.trajectory.walk is not None
    assert walked != noisy
    assert noisy or distinct(kept.points) == 80


@SLOW
def test_another_seed_proposes_other_points():
    assert run(total, 12, seed=1).points.tolist() != run(total, 12, seed=2).points.tolist()


@SLOW
def test_the_first_points_have_every_category_equally_often():
    cardinalities = np.array([3, 2, 4, 12, 6])
    points = Proposals(cardinalities, Settings(initial=12), 1).ask(12)
    for variable, count in enumerate(cardinalities.tolist()):
        assert (np.bincount(points[:, variable], minlength=count) == 12 // count).all()


@SLOW
def test_noisy_points_may_be_proposed_again_but_not_for_ever():
    random = np.random.default_rng(1)
    settings = Settings(initial=10, noisy=True)
    sizes = np.full(8, 4)
    proposals = run(lambda point: total(point) + random.normal(), 100, settings, 1, 1, sizes)
    _, counts = np.unique(proposals.points, axis=0, return_counts=True)
    assert 1 < counts.max() <= 10


@SLOW
def test_where_evaluations_fail_in_a_region_it_is_left():
    def fragile(point):
        return math.nan if point[0] == 0 or point[1] == 2 else total(point)

    proposals = run(fragile, 60, Settings(), cardinalities=np.full(8, 4))
    failed = np.isnan(proposals.values)
    assert failed[15:40].mean() < 0.2 < failed[:10].mean()
    assert np.nanmin(proposals.values) == 1


@SLOW
@pytest.mark.parametrize("share", [0.2, 0.4])
def test_random_failures_cost_little(share):
    random = np.random.default_rng(2)

    def unlucky(point):
        return math.nan if random.random() < share else total(point)

    assert np.nanmin(run(unlucky, 80, Settings(), cardinalities=np.full(10, 4)).values) == 0


@SLOW
def test_chance_is_not_taken_for_a_region_of_failures():
    random = np.random.default_rng(3)

    def unlucky(point):
        return math.nan if random.random() < 0.2 else total(point)

    assert run(unlucky, 60, Settings(), cardinalities=np.full(10, 4)).failure.evidence() < EVIDENCE


@SLOW
@pytest.mark.parametrize("heavy", [False, True])
def test_logarithms_are_taken_where_values_have_several_scales(heavy):
    effects = np.random.default_rng(1).normal(size=(12, 4))

    def value(point):
        sum_of = effects[np.arange(12), point].sum()
        return math.exp(3 * sum_of) if heavy else sum_of

    proposals = run(value, 40, Settings(), cardinalities=np.full(12, 4))
    assert proposals.objective.scale.logarithmic == heavy


@SLOW
def test_where_all_fails_points_are_drawn():
    assert distinct(run(lambda point: math.nan, 20).points) == 20


@SLOW
def test_the_model_beats_chance():
    """A sum of 10 variables in 60 evaluations; random points reach it with probability 1e-5."""
    assert run(total, 60, Settings(), cardinalities=np.full(10, 4)).values.min() == 0


@SLOW
def test_at_a_local_optimum_the_search_walks_and_evaluates_no_point_twice():
    proposals = run(trap, 60, Settings(initial=4), cardinalities=np.full(5, 3))
    assert proposals.points[proposals.values.argmin()].tolist() == [0, 0, 0, 0, 0]
    assert distinct(proposals.points) == 60
    walk = proposals.trajectory.walk
    assert walk is not None
    assert proposals.values[walk.at] == trap(proposals.points[walk.at]) == walk.value


@SLOW
def test_only_feasible_points_are_proposed_where_single_changes_never_are():
    """Exactly 4 of 12 variables are 1: only exchanges stay feasible."""
    weights = np.random.default_rng(1).permutation(12)

    def feasible(rows):
        return rows.sum(axis=1) == 4

    sizes, start = np.full(12, 2), np.array([[1] * 4 + [0] * 8], np.int32)
    proposals = Proposals(sizes, Settings(), 1, feasible=feasible)
    proposals.tell(start, weights[None, :4].sum(axis=1))
    for _ in range(60):
        points = proposals.ask(1)
        proposals.tell(points, points @ weights)
    assert feasible(proposals.points).all()
    assert distinct(proposals.points) == 61
    assert proposals.values.min() == 6


@SLOW
def test_points_that_differ_in_inactive_variables_are_one():
    def active(rows):
        found = np.ones(rows.shape, bool)
        found[:, 1:] = rows[:, :1] == [[0, 0, 1]]
        return found

    sizes = np.array([2, 3, 3, 4])
    proposals = run(total, 100, cardinalities=sizes, active=active)
    assert distinct(proposals.points) == len(proposals.points) == 9 + 4
    assert (proposals.points[~active(proposals.points)] == 0).all()


def trajectory_of(points, values, walks=True):
    trajectory = Trajectory(np.full(4, 3), seed=0, initial=FEW.initial, walks=walks)
    for point, value in zip(points, values, strict=True):
        trajectory.tell(np.array(point, np.int32), value)
    return trajectory


@pytest.mark.parametrize("radius", RADII)
def test_a_radius_that_pays_is_drawn_most_and_no_other_dies_out(radius):
    changes = {1: [1, 0, 0, 0], 2: [1, 1, 0, 0], 20: [1, 1, 1, 0]}
    points, values = [[0, 0, 0, 0]], [0.0]
    for _ in range(100):
        for each in RADII:
            better = each == radius
            points.append([abs(a - b) for a, b in zip(points[0], changes[each], strict=True)])
            values.append(min(values) - 1 if better else min(values) + 1)
            if better:
                points[0] = points[-1]
    trajectory = trajectory_of(points[1:], values[1:])
    drawn = [trajectory.radius(uniform) for uniform in np.arange(0.005, 1, 0.01)]
    assert drawn.count(radius) > 50
    assert set(drawn) == set(RADII)


def test_a_walk_begins_when_all_neighbours_of_the_best_point_are_evaluated():
    points = [[0, 0, 0, 0], *([k * (i == j) for j in range(4)] for i in range(4) for k in (1, 2))]
    values = [0.0] + [1.0] * 7 + [math.nan]
    assert trajectory_of(points[:-1], values[:-1]).walk is None
    assert trajectory_of(points, values).walk is not None
    assert trajectory_of(points, values, walks=False).walk is None


def test_a_mean_worsening_is_accepted_with_the_chance_of_the_temperature():
    for chance, expected in ((0.99 * HOT, 1), (1.01 * HOT, 0)):
        walk = Walk(0, value=3.0, worsening=2.0)
        walk.move(1, value=5.0, drawn=chance)
        assert walk.at == expected
    cold = Walk(0, value=0.0, worsening=1.0)
    cold.steps = LENGTH
    cold.move(1, value=1.0, drawn=2 * COLD)
    assert cold.at == 0
    cold.move(5, value=0.0, drawn=0.999)
    assert cold.at == 5


def test_a_worsening_has_a_mean_whatever_the_values_are():
    assert mean_worsening(0.0, np.array([-1.0, 0.0])) == 1.0
    assert mean_worsening(-1.0, np.array([1.0, 3.0, -5.0])) == 3.0


def test_huge_values_are_standardised():
    for values, seen in (([-1e300, 1e300], [-1, 1]), ([3.0, 3.0], [0, 0])):
        assert Scale(np.array(values))(np.array(values)).tolist() == seen


SPACE = catcube.Space({"base": "ATCG", "digit": range(10), "idle": "xyz"})


def cost(point):
    return abs(point["digit"] - 7) + 3 * (point["base"] != "G")


@SLOW
def test_propose_is_a_function_of_its_arguments():
    """Whatever was proposed before, also for other data."""
    points, values, order = [], [], {"digit": True, "base": False}
    for _ in range(25):
        new = catcube.propose(SPACE, points, values, 2, ordered=order, seed=3)
        catcube.propose(SPACE, points[:5], values[:5], ordered=order, seed=3)
        assert new == catcube.propose(SPACE, points, values, 2, ordered=order, seed=3)
        assert new[1:] == catcube.propose(
            SPACE, points, values, pending=new[:1], ordered=order, seed=3
        )
        points += new
        values += [cost(point) if point["idle"] != "y" else math.inf for point in new]
    assert min(values) == 0


@SLOW
def test_proposed_points_satisfy_constraints():
    constraints = [lambda p: p["base"] != "A", lambda p: p["digit"] - 4]
    points = catcube.propose(SPACE, [], [], 30, constraints=constraints)
    assert len(points) == 30
    assert all(point["base"] != "A" and point["digit"] <= 4 for point in points)
    assert catcube.propose(SPACE, [], [], constraints=lambda point: False) == []


@SLOW
def test_proposed_points_have_the_conditions_of_the_space():
    space = catcube.Space(
        {"model": ["svm", "knn"], "C": range(4), "k": range(5)},
        only_if={"C": {"model": "svm"}, "k": {"model": "knn"}},
    )
    points = catcube.propose(space, [], [], 4)
    while new := catcube.propose(space, points, [float(len(point)) for point in points], 2):
        points += new
    assert len(points) == len({tuple(point.items()) for point in points}) == space.size


@SLOW
def test_proposals_do_not_depend_on_what_happens_to_the_arguments():
    sizes, rows, values = np.array([5, 4]), np.array([[4, 3]], np.int32), np.array([1.0])
    expected = catcube.propose([5, 4], rows, values, initial=1, seed=8)
    catcube.propose(sizes, rows, values, initial=1, seed=9)
    sizes[:], rows[:], values[:] = 1, 0, 7.0
    assert catcube.propose([5, 4], [[4, 3]], [1.0], initial=1, seed=8) == expected
    again = catcube.propose([5, 4], [[4, 3]], [1.0], 19, initial=1, seed=9)
    assert len({*map(tuple, again), (4, 3)}) == 20


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": []},
        {"constraints": lambda point: True},
        {"points": [[2, 0]]},
        {"points": [[-1, 0]]},
        {"points": [[0.5, 0]]},
        {"points": [[0]]},
        {"pending": [[0, 3]]},
        {"space": [2, 0]},
        {"ordered": [True]},
        {"ordered": ["linear", None]},
        {"space": SPACE, "points": [], "values": [], "ordered": {"bass": True}},
    ],
)
def test_propose_refuses_what_does_not_fit(wrong):
    with pytest.raises(ValueError, match=r"expected|unknown variable"):
        catcube.propose(**{"space": [2, 3], "points": [[0, 0]], "values": [1.0], **wrong})
