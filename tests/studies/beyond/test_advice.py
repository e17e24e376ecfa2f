"""Advice: the best representation, those as good, and the best pairs."""

import numpy as np
import pytest

from catcube.statistics import Pair
from catcube.studies.beyond.advice import advice, best_pairs, with_categories

VALUES = {
    ("sa", "native"): 1.0,
    ("sa", "linear"): 1.0,
    ("sa", "direct"): 3.0,
    ("ga", "native"): 2.0,
}


def samples(instances):
    return {
        name: {Pair(*pair): np.full(3, value) for pair, value in VALUES.items()}
        for name in instances
    }


def test_equal_representations_are_equally_good_and_worse_ones_are_not():
    found = advice(samples(map(str, range(30))), "sa", ["native", "linear", "direct"])
    assert (found.best, found.as_good, found.instances) == ("native", ("linear",), 30)
    assert found.ranks == {"native": 1.5, "linear": 1.5, "direct": 3.0}


def test_few_instances_decide_nothing():
    found = advice(samples("ab"), "sa", ["native", "linear", "direct"])
    assert found.as_good == ("linear", "direct")


def test_without_instances_there_is_no_advice():
    assert advice(samples("ab"), "ga", ["native", "linear"]) is None
    assert best_pairs({}) == {}


def test_the_best_pairs_come_first():
    ranks = best_pairs(samples("abc"))
    assert list(ranks.values()) == pytest.approx([1.5, 1.5, 3.0, 4.0])
    assert list(ranks)[-1] == Pair("sa", "direct")


def test_instances_are_chosen_by_their_number_of_categories():
    kept = with_categories(samples("abc"), {"a": 2, "b": 4, "c": 9}, 3, 8)
    assert list(kept) == ["b"]
