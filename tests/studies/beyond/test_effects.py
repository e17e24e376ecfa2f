"""Effects of representations: signs, intervals, and p-values adjusted within a family."""

import numpy as np
import pytest

from catcube.problems.suites import family_of
from catcube.statistics import Pair, cliffs_delta, holm, mann_whitney
from catcube.studies.beyond.effects import effects, mean_delta_interval, mean_ranks


def samples(shifts, runs=10, seed=1):
    """By instance, runs of sa with linear and direct; direct is worse by the instance's shift."""
    draw = np.random.default_rng(seed)
    return {
        instance: {
            Pair("sa", "linear"): draw.normal(size=runs),
            Pair("sa", "direct"): draw.normal(size=runs) + shift,
        }
        for instance, shift in shifts.items()
    }


def test_the_first_is_better_where_its_values_are_smaller():
    data = samples({"nk:1,0": 9.0, "nk:2,0": 9.0, "potts:a": -9.0})
    [effect] = effects(data, "linear", "direct")
    assert effect.delta == pytest.approx(1 / 3)
    assert (effect.better, effect.worse, effect.instances) == (2, 1, 3)
    [other_way] = effects(data, "direct", "linear")
    assert other_way.delta == -effect.delta
    assert (other_way.better, other_way.worse) == (1, 2)
    assert not effect.is_clear  # instances disagree
    [agreeing] = effects(data, "linear", "direct", ["nk:1,0", "nk:2,0"])
    assert agreeing.is_clear
    assert agreeing.interval == (1.0, 1.0)


def test_p_values_are_adjusted_within_a_family():
    shifts = {f"nk:{i}": 1.1 for i in range(6)} | {f"potts:{i}": 0.0 for i in range(40)}
    data = samples(shifts)
    [effect] = effects(data, "linear", "direct", [name for name in data if family_of(name) == "nk"])
    p = [mann_whitney(*pairs.values()) for name, pairs in data.items() if family_of(name) == "nk"]
    assert effect.better == sum(adjusted <= 0.05 for adjusted in holm(p)) > 0


def test_an_algorithm_without_both_representations_is_left_out():
    data = samples({"nk:1": 1.0})
    data["nk:1"][Pair("ga", "linear")] = np.zeros(3)
    assert [effect.algorithm for effect in effects(data, "linear", "direct")] == ["sa"]
    assert effects(data, "linear", "gray") == []


def test_intervals_hold_what_they_promise():
    """Of 200 intervals for equal laws, about 10 miss 0: more than 25 have a chance of 10^-5."""
    draw = np.random.default_rng(7)
    missed = 0
    for seed in range(200):
        couples = [(draw.normal(size=8), draw.normal(size=8)) for _ in range(9)]
        low, high = mean_delta_interval(couples, seed)
        missed += not low <= 0 <= high
    assert missed <= 25


def test_infinite_runtimes_are_equal():
    couple = (np.array([np.inf, 3.0]), np.array([np.inf, np.inf]))
    low, high = mean_delta_interval([couple])
    assert low <= cliffs_delta(*couple) == 0.5 <= high


def test_ranks_are_averaged_over_the_instances_with_all_representations():
    data = samples({"nk:1": 5.0, "nk:2": -5.0, "nk:3": 5.0})
    del data["nk:3"][Pair("sa", "direct")]
    assert mean_ranks(data, "sa", ["linear", "direct"]) == {"linear": 1.5, "direct": 1.5}
