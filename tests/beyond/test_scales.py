"""The plans of the study beyond the paper: what they must hold, at every scale."""

from collections import Counter

import pytest

from catcube import algorithms
from catcube.beyond.scales import EXPERIMENTS, SCALES
from catcube.campaigns.plan import problem_of
from catcube.campaigns.plan_file import shipped_plan

TEN = (
    *("native", "direct", "gray", "unary", "linear", "balanced", "compact", "vt", "product"),
    "covering:2",
)
CATEGORIES = {2, 3, 4, 5, 8, 9, 12, 16, 20, 32, 64}


def sizes(experiment):
    """The numbers of categories of the instances of an experiment, and of their variables."""
    found = []
    for name, board in experiment.boards.items():
        space = problem_of(board, name).space
        found.append((int(space.cardinalities.max()), len(space)))
    return found


def test_nine_families_of_three_instances_with_n_a_power_of_two_and_not():
    (families,) = shipped_plan("beyond-families").experiments
    kinds = Counter(name.split(":")[0] if ":" in name else "sudoku" for name in families.boards)
    assert len(kinds) == 9
    assert set(kinds.values()) == {3}
    powers = [N & (N - 1) == 0 for N, _ in sizes(families)]
    assert 10 <= sum(powers) <= 17
    assert families.algorithms == tuple(algorithms.names())
    assert families.representations == TEN
    assert families.preset == "paper"


def test_defaults_are_the_same_families_with_the_algorithms_whose_defaults_differ():
    (families,) = shipped_plan("beyond-families").experiments
    (defaults,) = shipped_plan("beyond-defaults").experiments
    assert (defaults.boards, defaults.budget) == (families.boards, families.budget)
    assert defaults.preset is None
    differ = [
        name
        for name in algorithms.names()
        if (own := algorithms.algorithm(name)).resolve("paper", {}) != own.resolve(None, {})
    ]
    assert sorted(defaults.algorithms) == sorted(differ)


def test_categories_grow_while_variables_do_not_and_the_other_way_round():
    (categories,) = shipped_plan("beyond-categories").experiments
    counted = Counter(N for N, _ in sizes(categories))
    assert set(counted) == CATEGORIES
    assert set(counted.values()) == {4}
    assert {n for _, n in sizes(categories)} == {30}
    variables = shipped_plan("beyond-variables").experiments
    assert {N for one in variables for N, _ in sizes(one)} == {8}
    for one in variables:
        assert {500 * n for _, n in sizes(one)} == {one.budget}
    assert {one.budget for one in variables} == {5_000, 15_000, 50_000, 150_000, 500_000}


def test_order_is_there_in_one_experiment_alone():
    shuffled = [one.shuffled for name in EXPERIMENTS for one in shipped_plan(name).experiments]
    assert shuffled.count(False) == 1
    ordered, removed = shipped_plan("beyond-order").experiments
    assert (ordered.shuffled, removed.shuffled) == (False, True)
    assert ordered.boards == removed.boards


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_scales_differ_in_size_alone(name):
    plans = [scale.plan(name) for scale in SCALES.values()]
    work = [sum(one.runs * one.budget for one in plan.configurations()) for plan in plans]
    assert work[0] * 20 < work[1] < work[2] / 4
    for one, other in zip(plans[0].experiments, plans[2].experiments, strict=True):
        assert (one.algorithms, one.representations) == (other.algorithms, other.representations)
