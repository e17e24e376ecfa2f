"""The plain data of an analysis."""

from types import SimpleNamespace

from catcube.statistics import Pair
from catcube.studies.analysis import model, sections


def test_the_conditions_of_an_experiment_with_two_views_are_there_once():
    one, other = (SimpleNamespace(name=name, chosen=False) for name in ("one", "other"))
    views = [SimpleNamespace(conditions=conditions) for conditions in (one, one, other)]
    assert sections.Study(views).conditions == [one, other]


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
