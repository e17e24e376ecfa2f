"""The results of an analysis: plain data that cannot be changed."""

from dataclasses import FrozenInstanceError, is_dataclass
from types import SimpleNamespace

import pytest

from catcube.statistics import Pair
from catcube.studies.analysis import model

RESULTS = [
    item
    for item in vars(model).values()
    if is_dataclass(item) and item.__module__ == model.__name__
]


def test_there_are_results():
    assert {model.FixedBudget, model.Ecdf, model.FixedTarget, model.Study} <= set(RESULTS)


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_cannot_be_changed(result):
    with pytest.raises(FrozenInstanceError):
        object.__new__(result).experiment = "another"


def test_the_conditions_of_an_experiment_with_two_views_are_there_once():
    one, other = (SimpleNamespace(name=name, chosen=False) for name in ("one", "other"))
    sections = [SimpleNamespace(conditions=conditions) for conditions in (one, one, other)]
    assert model.Study(sections).conditions == [one, other]


def test_groups_of_instances_are_named_by_their_problem():
    groups = model.plain_outline("mine", ["easy", "match:4,3"], None).groups
    assert {name: group.described for name, group in groups.items()} == {
        "files": "files instances",
        "match": "match instances",
    }


def test_figures_differ_up_to_the_level_of_significance():
    adjusted = {"min": 0.05, "median": 0.051, "max": 0.01}
    row = model.Beside(Pair("sa", "linear"), None, None, adjusted)
    assert row.different == ["min", "max"]
