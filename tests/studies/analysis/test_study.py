"""Analyses of made-up stores: whole, under way, of any plan."""

import math
from dataclasses import replace

import numpy as np
import pytest

from catcube.base.database import DatabaseError
from catcube.experiments.campaign import run_campaign
from catcube.experiments.plan import Plan
from catcube.experiments.store import Store
from catcube.statistics import (
    Pair,
    compare_representations,
    ecdf,
    expected_running_time,
    fixed_budget_ranks,
    fixed_target_ranks,
    friedman,
    runtime_tables,
    runtime_to,
    value_tables,
)
from catcube.studies import analyse
from catcube.studies.analysis.sections import Ecdf, FixedBudget, FixedTarget
from tests.studies.analysis.analysis_stores import experiment, finding, write

LINEAR, DIRECT = Pair("rls", "linear"), Pair("rls", "direct")


def varied(configuration, number):
    """Different values and runtimes, the same each time."""
    seed = configuration.run_seed(number)
    return finding(number, float(seed % 5), 2 + seed % 97)


def without(*left_out):
    """All runs but the last one of these instances and pairs."""

    def made(configuration, number):
        last = number == configuration.runs
        key = (configuration.instance, *configuration.pair)
        return None if last and key in left_out else varied(configuration, number)

    return made


def results(path):
    with Store(path) as store:
        return list(store.runs())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return write(tmp_path_factory.mktemp("whole") / "a.sqlite", [experiment()], varied)


def test_a_plan_without_target_is_looked_at_in_two_ways(whole):
    budget, course = analyse([whole]).sections
    assert isinstance(budget, FixedBudget)
    assert isinstance(course, Ecdf)
    runs = results(whole)
    assert budget.tables == value_tables(runs)
    assert budget.ranks == {"all": fixed_budget_ranks(runs)}
    assert budget.comparisons == compare_representations(runs)
    assert budget.blocks["representation"] == friedman(runs, factor="representation")
    assert budget.blocks["algorithm"] == friedman(runs, factor="algorithm")
    values = [
        run.value
        for run in runs
        if run.instance == "a" and (run.algorithm, run.representation) == LINEAR
    ]
    mean = budget.means["a"][LINEAR]
    assert (mean.mean, mean.runs) == (np.mean(values), 4)
    assert mean.interval.low <= mean.mean <= mean.interval.high


def test_the_curves_are_those_of_the_traces(whole):
    course = analyse([whole]).sections[1]
    runs = list(results(whole))
    wanted = ecdf(runs)
    assert course.instances == ("a", "b")
    assert set(course.curves) == set(wanted)
    for pair, curve in course.curves.items():
        assert curve.evaluations.tolist() == wanted[pair].evaluations.tolist()
        assert curve.reached.tolist() == wanted[pair].reached.tolist()
        assert course.area(curve) == wanted[pair].area(1000)
    finals = [curve.final for curve in course.curves.values()]
    assert finals == sorted(finals)  # best last
    single = ecdf(run for run in runs if run.instance == "b")
    assert course.by_instance["b"][DIRECT].reached.tolist() == single[DIRECT].reached.tolist()
    assert set(course.leads) == {pair for pair in course.curves if pair.representation == "direct"}


@pytest.mark.parametrize("target", [0.0, 2.0])
def test_a_plan_with_a_target_is_fixed_target(tmp_path, target):
    path = write(tmp_path / "a.sqlite", [experiment(target=target)], varied)
    [section] = analyse([path]).sections
    assert isinstance(section, FixedTarget)
    runs = results(path)
    assert section.tables == runtime_tables(runs, target)
    assert section.ranks == {
        "all": fixed_target_ranks(runs, target)
    }  # the boards are no small ones
    assert section.comparisons == compare_representations(runs, runtime_to(target))
    ranks = friedman(runs, runtime_to(target), factor="representation")
    assert section.blocks["representation"] == ranks
    found = [
        run for run in runs if run.instance == "b" and (run.algorithm, run.representation) == DIRECT
    ]
    assert section.expected_running_times["b"][DIRECT] == expected_running_time(found, target)
    for instance, table in section.tables.items():
        reached = {line.pair: line.summary for line in table if line.success_percent}
        assert set(section.medians[instance]) == set(reached)
        for pair, (low, high) in section.medians[instance].items():
            assert reached[pair].min <= low <= reached[pair].median <= high <= reached[pair].max


def test_a_target_that_is_never_reached(tmp_path):
    path = write(
        tmp_path / "a.sqlite", [experiment(target=0.0)], lambda _, number: finding(number, 7.0)
    )
    [section] = analyse([path]).sections
    assert section.medians == {"a": {}, "b": {}}
    assert section.expected_running_times["a"][LINEAR] == math.inf
    assert {line.rank for line in section.ranks["all"]} == {1}


def test_conditions_tell_what_is_there_and_what_is_missing(tmp_path):
    path = write(
        tmp_path / "a.sqlite", [experiment(seed=7)], without(("a", *DIRECT)), failed=[(1, 4)]
    )
    conditions = analyse([path]).sections[0].conditions
    assert (conditions.experiment, conditions.instances, conditions.budget, conditions.runs) == (
        "mine",
        ("a", "b"),
        1000,
        4,
    )
    assert (conditions.target, conditions.seed, len(conditions.pairs), conditions.complete) == (
        None,
        7,
        6,
        False,
    )
    assert (conditions.done, conditions.total, conditions.failed) == (47, 48, 1)
    assert (conditions.evaluations, conditions.seconds) == (47_000, 47 / 4)
    assert [(one.instance, one.pair, one.runs) for one in conditions.missing] == [("a", DIRECT, 1)]
    [session] = conditions.sessions
    assert (session.version, session.sources, session.runs) == ("1.0", "abc", 47)
    assert session.machine == {"python": "3.11", "cores": "2"}
    assert session.began == conditions.began <= conditions.finished


@pytest.mark.parametrize(("better", "counted"), [(7.0, 0), (1.0, 1)])
def test_a_lead_counts_if_it_is_more_than_a_percent(tmp_path, better, counted):
    """Of 50 targets × 4 runs; in the last run direct reaches one target more, or four more."""

    def made(configuration, number):
        last = better if configuration.representation == "direct" else 10.0
        return finding(number, (0.0, 10.0, 10.0, last)[number - 1])

    planned = experiment(instances=("a",), algorithms=("rls",))
    _, course = analyse([write(tmp_path / "a.sqlite", [planned], made)]).sections
    [found] = course.leads.values()
    assert len(found) == counted


def test_under_way_complete_pairs_are_shown_and_complete_instances_ranked(tmp_path, whole):
    path = write(tmp_path / "a.sqlite", [experiment()], without(("a", *DIRECT)))
    budget, course = analyse([path]).sections
    finished = analyse([whole]).sections[0]
    assert budget.tables["b"] == finished.tables["b"]
    assert DIRECT not in {line.pair for line in budget.tables["a"]}
    assert len(budget.tables["a"]) == 5
    assert {line.pair: line.summary.max for line in budget.ranks["all"]} == {
        line.pair: line.rank for line in budget.tables["b"]
    }
    assert budget.effects[0].effect.units == 1
    assert len(budget.comparisons) == 5
    assert course.instances == ("b",)
    assert DIRECT not in course.by_instance["a"]
    assert (
        course.curves[DIRECT].reached.tolist() == course.by_instance["b"][DIRECT].reached.tolist()
    )


@pytest.mark.parametrize("target", [None, 0.0])
def test_an_experiment_without_any_run(tmp_path, target):
    path = write(tmp_path / "a.sqlite", [experiment(target=target)], lambda *_: None)
    for section in analyse([path]).sections:
        conditions = section.conditions
        assert (conditions.done, conditions.began, conditions.finished, conditions.sessions) == (
            0,
            None,
            None,
            (),
        )
        assert [one.runs for one in conditions.missing] == [4] * 12
        if isinstance(section, Ecdf):
            assert (section.curves, section.leads, section.instances) == ({}, {}, ())
        else:
            assert (section.tables, section.ranks, section.winner) == ({}, {}, None)


@pytest.mark.parametrize(
    "changes",
    [
        {"instances": ("a",)},
        {"algorithms": ("rls",), "representations": ("linear",)},
        {"runs": 1},
        {"instances": ("a",), "algorithms": ("rls",), "representations": ("gray",), "runs": 1},
        {"budget": 1},
        {"representations": ("linear",)},  # three pairs, as few as Friedman's test takes
    ],
)
def test_small_plans(tmp_path, changes):
    for target in (None, 1.0):
        planned = experiment(target=target, **changes)
        path = write(tmp_path / f"{target}.sqlite", [planned], varied)
        for section in analyse([path]).sections:
            assert section.conditions.complete
            if isinstance(section, FixedBudget):
                assert len(section.ranks["all"]) == len(section.conditions.pairs)
                assert set(section.blocks) == {
                    name
                    for name in ("representation", "algorithm")
                    if len(changes.get(f"{name}s", ("one", "two"))) > 1
                }


def test_sections_are_in_the_order_of_the_paper(tmp_path, whole):
    first = write(
        tmp_path / "a.sqlite",
        [
            experiment("zebra", algorithms=("rls",)),
            experiment("fixed-target", algorithms=("rls",), target=0.0),
            experiment("fixed-budget", algorithms=("rls",)),
        ],
        varied,
    )
    second = write(
        tmp_path / "b.sqlite",
        [
            experiment("ape", algorithms=("rls",), target=0.0),
            experiment("ecdf", algorithms=("rls",)),
        ],
        varied,
    )
    study = analyse([first, second])
    assert [
        (type(section).__name__, section.conditions.experiment) for section in study.sections
    ] == [
        ("FixedBudget", "fixed-budget"),
        ("Ecdf", "ecdf"),
        ("FixedTarget", "fixed-target"),
        ("FixedBudget", "zebra"),
        ("Ecdf", "zebra"),
        ("FixedTarget", "ape"),
    ]
    assert study.reference is not None
    assert analyse([whole]).reference is None


def test_an_experiment_in_two_stores_is_refused(whole):
    with pytest.raises(ValueError, match=r"'mine' is in both .*a\.sqlite and .*a\.sqlite"):
        analyse([whole, whole])


def test_what_is_no_store_is_refused(tmp_path):
    with pytest.raises(DatabaseError, match="no such file"):
        analyse([tmp_path / "no.sqlite"])


def test_a_campaign_that_was_run(tmp_path):
    path = tmp_path / "a.sqlite"
    planned = experiment(algorithms=("rls",), budget=50, runs=3, target=0.0)
    run_campaign(Plan("real", (planned,)), path)
    [section] = analyse([path]).sections
    assert section.conditions.complete
    assert section.tables == runtime_tables(results(path))
    assert set(section.conditions.sessions[0].machine) >= {"python", "numpy", "numba"}


def test_chosen_budgets_and_targets_are_read_from_the_traces(tmp_path):
    def made(configuration, number):
        trace = np.array([1, 10, 40]), np.array([9.0, 5.0, float(number)])
        return replace(finding(number, float(number), 40), trace=trace)

    planned = experiment(instances=("a",), algorithms=("rls",), runs=3)
    path = write(tmp_path / "a.sqlite", [planned], made)
    study = analyse([path], budgets=[1, 39, 10**9], targets=[5, 2])
    chosen = [section for section in study.sections if section.conditions.chosen]
    assert [section.conditions.budget for section in chosen[:2]] == [1, 39]
    assert [section.samples["a"][LINEAR].tolist() for section in chosen] == [
        [9.0] * 3,
        [5.0] * 3,
        [10.0] * 3,
        [40.0, 40.0, np.inf],
    ]
    assert chosen[3].penalized["a"][LINEAR] == (80 + 10 * 1000) / 3
    assert chosen[3].expected_running_times["a"][LINEAR] == pytest.approx(
        (80 + float(next(run for run in results(path)).evaluations)) / 2
    )
    assert [one.chosen for one in study.conditions] == [False]
    with pytest.raises(ValueError, match="budgets"):
        analyse([path], budgets=[0])


def test_the_winner_and_the_representation_have_effects(tmp_path):
    def made(configuration, number):
        better = configuration.pair == ("sa", "linear")
        return finding(number, number + (0.0 if better else 20.0), 5)

    names = ("a", "b", "c", "d")
    path = write(tmp_path / "a.sqlite", [experiment(instances=names, runs=5)], made)
    budget = analyse([path]).sections[0]
    assert budget.winner.first == "sa-linear"
    assert budget.winner.effect.mean == 1.0
    assert budget.winner.p == pytest.approx(5 * budget.winner.effect.p)
    effects = {one.subject: one.effect.mean for one in budget.effects}
    assert effects["sa"] == 1.0
    assert effects[""] == np.mean([value for name, value in effects.items() if name])
