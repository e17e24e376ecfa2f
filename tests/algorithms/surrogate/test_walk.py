"""The annealed walk of the surrogate, and the radius of its ascents."""

import math

import numpy as np
import pytest

from catcube.algorithms.surrogate.radius import RADII, Radius
from catcube.algorithms.surrogate.walk import COLD, HOT, LENGTH, Walk, mean_worsening


def test_a_mean_worsening_is_accepted_with_the_chance_of_the_temperature():
    for chance, expected in ((0.99 * HOT, 1), (1.01 * HOT, 0)):
        walk = Walk(0, value=3.0, worsening=2.0)
        walk.tell(1, value=5.0, uniform=chance)
        assert walk.at == expected


def test_in_the_end_it_is_cold_and_over():
    walk = Walk(0, value=0.0, worsening=1.0)
    for _ in range(LENGTH - 1):
        walk.tell(1, value=math.inf, uniform=0.0)
    assert walk.at == 0
    assert not walk.over
    walk.tell(1, value=1.0, uniform=2 * COLD)
    assert walk.at == 0
    assert walk.over


def test_an_equal_value_is_accepted():
    walk = Walk(0, value=0.0, worsening=1.0)
    walk.tell(5, value=0.0, uniform=0.999)
    assert walk.at == 5


def test_a_worsening_has_a_mean_whatever_the_values_are():
    assert mean_worsening(0.0, np.array([-1.0, 0.0])) == 1.0
    assert mean_worsening(0.0, np.array([np.inf, np.inf])) == 1.0
    assert mean_worsening(-1.0, np.array([1.0, 3.0, -5.0, np.inf])) == 3.0


@pytest.mark.parametrize("radius", RADII)
def test_a_radius_that_pays_is_drawn_most_and_no_other_dies_out(radius):
    found = Radius()
    for _ in range(200):
        for each in RADII:
            found.tell(each, improved=each == radius)
    drawn = [found.drawn(uniform) for uniform in np.arange(0.005, 1, 0.01)]
    assert drawn.count(radius) > 60
    assert set(drawn) == set(RADII)


def test_success_of_long_ago_is_forgotten():
    found = Radius()
    for _ in range(50):
        found.tell(RADII[0], improved=True)
    for _ in range(400):
        found.tell(RADII[1], improved=False)
        found.tell(RADII[2], improved=False)
    shares = [found.drawn(uniform) for uniform in np.arange(0.005, 1, 0.01)]
    assert shares.count(RADII[0]) < 80
