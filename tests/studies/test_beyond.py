"""The plans of the study beyond the paper: what they must hold, at every scale.

They are read as plain TOML here: to read them as plans makes all their problems and layouts.
"""

import math
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

import pytest

from catcube import algorithms
from catcube.problems.instances import build_instance
from catcube.problems.suites import family_of
from catcube.studies.scales import BEYOND as SCALES

EXPERIMENTS = tuple(SCALES["full"].sizes)
TEN = [
    *("native", "direct", "gray", "unary", "linear", "balanced", "compact", "vt", "product"),
    "covering:2",
]
LINKAGE = {"trap", "trap-overlap", "csp", "hiff"}
CATEGORIES = {2, 3, 4, 5, 8, 9, 12, 16, 20, 32, 64}


@cache
def tables(name):
    """The experiments of a shipped plan, as they are written."""
    text = files("catcube").joinpath("data", "plans", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["experiment"]


def size(instance):
    """The number of categories of an instance, and of its variables."""
    space = build_instance(instance).space
    return int(space.cardinalities.max()), len(space)


def test_every_family_has_fifteen_instances_with_n_a_power_of_two_and_not():
    (families,) = tables("beyond-families")
    kinds = Counter(map(family_of, families["instances"]))
    assert len(kinds) == 13
    assert set(kinds.values()) == {15}
    powers = [N & (N - 1) == 0 for N, _ in map(size, families["instances"])]
    assert 60 <= sum(powers) <= 135
    assert (families["algorithms"], families["preset"]) == ("all", "paper")
    assert families["representations"] == TEN


def test_rates_and_populations_are_swept_on_the_same_instances():
    swept = tables("beyond-rates")
    assert len({tuple(one["instances"]) for one in swept}) == 1
    assert {family_of(name) for name in swept[0]["instances"]} >= LINKAGE
    assert all(one["representations"] == TEN for one in swept)
    rates = {one["parameters"].get("mutation") for one in swept} - {None}
    assert min(rates) < 1 < max(rates)
    assert 1 in rates


def test_defaults_are_the_same_families_with_the_algorithms_whose_defaults_differ():
    (families,), (defaults,) = tables("beyond-families"), tables("beyond-defaults")
    for key in ("representations", "budget", "seed", "shuffled"):
        assert defaults[key] == families[key]
    assert set(defaults["instances"]) <= set(families["instances"])
    assert set(Counter(map(family_of, defaults["instances"])).values()) == {5}
    assert "preset" not in defaults
    differ = [
        name
        for name in algorithms.names()
        if (method := algorithms.algorithm(name)).resolve("paper", {}) != method.resolve(None, {})
    ]
    assert sorted(defaults["algorithms"]) == sorted(differ)


def test_categories_grow_while_variables_do_not():
    (categories,) = tables("beyond-categories")
    sizes = [size(name) for name in categories["instances"]]
    counted = Counter(N for N, _ in sizes)
    assert set(counted) == CATEGORIES
    assert set(counted.values()) == {12}
    assert categories["runs"] >= 10
    assert {n for _, n in sizes} == {30}
    assert categories["representations"] == TEN


def test_variables_grow_while_categories_do_not():
    found = []
    for one in tables("beyond-variables"):
        N, n = size(one["instances"][-1])
        assert (N, one["budget"]) == (8, 500 * n)
        assert {size(name) for name in one["instances"]} == {(8, n)}
        assert len(one["instances"]) >= 10
        assert one["runs"] >= 10
        found.append(n)
    assert sorted(set(found)) == [10, 30, 100, 300, 1000]


def test_order_is_there_in_one_experiment_alone():
    plain = [
        one["name"]
        for name in EXPERIMENTS
        for one in tables(name)
        if not one.get("shuffled", False)
    ]
    assert plain == ["ordered"]
    ordered, removed = tables("beyond-order")
    assert ordered["instances"] == removed["instances"]


@pytest.mark.parametrize("name", sorted({*EXPERIMENTS} - {"beyond-order"}))
def test_linkage_is_in_every_design(name):
    for one in tables(name):
        assert {family_of(instance) for instance in one["instances"]} >= LINKAGE


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_scales_grow(name):
    smoke, small = (SCALES[scale].sizes[name] for scale in ("smoke", "small"))
    assert SCALES["full"].sizes[name] == ()  # all of the plan
    for one in tables(name):
        full = one["runs"], one["budget"], len(one["instances"])
        work = [math.prod(map(min, size, full)) for size in (smoke, small, full)]
        assert work[0] * 5 <= work[1] <= work[2] / 3
