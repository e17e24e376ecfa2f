"""Plans: the shipped ones, what a file may say, and one sentence for what it may not."""

import pickle
from collections import ChainMap

import pytest

from catcube import algorithms
from catcube.experiments.plan import Configuration
from catcube.experiments.plan_file import read_plan, shipped_plan, shipped_plans
from catcube.problems import Match
from catcube.problems.sudoku import instances

GOOD = {
    "instances": '["sudoku-easy-56"]',
    "algorithms": '["rls", "sa"]',
    "representations": '["linear"]',
    "budget": "1000",
    "runs": "3",
}


def written(path, *tables):
    """A plan file of these tables of keys and TOML values."""
    lines = []
    for table in tables:
        lines += ["[[experiment]]", *(f"{key} = {value}" for key, value in table.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "collection", "budget", "runs", "target"),
    [
        ("fixed-budget", "high", 300_000, 20, None),
        ("ecdf", "high", 10_000_000, 20, None),
        ("fixed-target", "small", 1_000_000, 100, 0.0),
    ],
)
def test_the_experiments_of_the_paper(name, collection, budget, runs, target):
    (experiment,) = shipped_plan(name).experiments
    assert experiment.name == name
    assert list(experiment.instances) == instances.names(collection)
    assert experiment.algorithms == tuple(algorithms.names())
    assert len(experiment.algorithms) == 11
    assert experiment.representations == ("linear", "direct")
    assert (experiment.budget, experiment.runs, experiment.target) == (budget, runs, target)
    assert experiment.preset == "paper"
    of_sa = next(
        configuration
        for configuration in experiment.configurations()
        if configuration.algorithm == "sa"
    )
    method = algorithms.algorithm("sa")
    paper = method.resolve("paper", {})._asdict()
    # What was added to it since is left out while it is as it was: runs keep their keys.
    assert dict(of_sa.parameters) == {
        name: value for name, value in paper.items() if ChainMap(*method.added).get(name) != value
    }
    assert method.from_key(dict(of_sa.parameters))._asdict() == paper


def test_the_shipped_plans():
    beyond = ["categories", "defaults", "families", "long", "order", "rates", "size", "variables"]
    paper = ["ecdf", "fixed-budget", "fixed-target"]
    assert shipped_plans() == [*(f"beyond-{name}" for name in beyond), *paper]
    with pytest.raises(ValueError, match="did you mean 'fixed-budget'"):
        shipped_plan("fixed-buget")


@pytest.mark.parametrize(("file", "name"), [("-x.toml", "x"), ("=+1.toml", "1")])
def test_a_file_may_have_a_name_that_no_experiment_may_have(tmp_path, file, name):
    (unnamed,) = read_plan(written(tmp_path / file, GOOD)).experiments
    assert unnamed.name == name
    (named,) = read_plan(written(tmp_path / file, GOOD | {"name": '"mine"'})).experiments
    assert named.name == "mine"


def test_everything_a_file_may_say(tmp_path):
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "très petit.txt").write_text("1..4 ..1. .1.. 4..1")
    first = GOOD | {
        "name": '"first one"',
        "instances": '["boards/très petit.txt", "small-dimension-2-?"]',
        "algorithms": '"all"',
        "budget": "1e3",
        "seed": "5",
        "target": "-0.5",
        "restart": "100",
        "preset": '"paper"',
        "parameters": "{ patience = 20 }",
    }
    plan = read_plan(written(tmp_path / "mine.toml", first, GOOD))
    one, two = plan.experiments
    assert (plan.name, one.name, two.name) == ("mine", "first one", "mine")
    assert list(one.instances) == ["très petit", *(f"small-dimension-2-{sign}" for sign in "abcd")]
    assert (one.budget, one.seed, one.target, one.restart) == (1000, 5, -0.5, 100)
    assert dict(one.configurations()[0].parameters)["patience"] == 20
    assert plan.total_runs == 3 * (5 * 11 + 2)
    plan.check_experiment("mine")
    with pytest.raises(ValueError, match="did you mean 'mine'"):
        plan.check_experiment("mines")


def test_shuffled_runs_have_other_keys_and_the_rest_keep_theirs(tmp_path):
    (plain, *_) = read_plan(written(tmp_path / "a.toml", GOOD)).configurations()
    (shuffled, *_) = read_plan(
        written(tmp_path / "a.toml", GOOD | {"shuffled": "true"})
    ).configurations()
    assert "shuffled" not in plain.to_json()
    assert (plain.shuffled, plain.shuffling_seed) == (False, None)
    assert shuffled.digest != plain.digest
    assert Configuration.from_json(shuffled.to_json()) == shuffled
    assert shuffled.build_run().layout.table.size > plain.build_run().layout.table.size


REFUSED = {
    "unknown key": ({"budgte": "3"}, "budgte"),
    "empty list": ({"algorithms": "[]"}, "algorithms"),
    "no list": ({"instances": '"a"'}, "instances"),
    "not a list": ({"algorithms": '"sa"'}, "algorithms"),
    "not a name": ({"representations": "[3]"}, "representations"),
    "twice": ({"algorithms": '["sa", "sa"]'}, "different names, got ['sa'"),
    "unknown algorithm": ({"algorithms": '["sb"]'}, "unknown algorithm 'sb', did you"),
    "unknown representation": ({"representations": '["liner"]'}, "did you mean 'linear'?"),
    "unknown instance": ({"instances": '["sudoku-esy-56"]'}, "did you mean 'sudoku-easy-56'?"),
    "too few arguments": ({"instances": '["match:3"]'}, "argument: 'categories'"),
    "no match": ({"instances": '["x-*"]'}, "'x-*'"),
    "no file": ({"instances": '["b/c.txt"]'}, "no such file"),
    "truth as a number": ({"budget": "true"}, "budget"),
    "text as a number": ({"runs": '"3"'}, "runs"),
    "no runs": ({"runs": "0"}, "runs"),
    "half a run": ({"runs": "1.5"}, "runs"),
    "negative seed": ({"seed": "-1"}, "seed"),
    "infinite target": ({"target": "inf"}, "target"),
    "empty name": ({"name": '""'}, "name"),
    "unknown preset": ({"preset": '"papre"'}, "unknown preset 'papre', did you mean 'paper'?"),
    "unknown parameter": ({"parameters": "{ patiense = 3 }"}, "did you mean 'patience'?"),
    "bad parameter": ({"parameters": '{ patience = "x" }'}, "patience"),
    "no truth value": ({"shuffled": "1"}, "shuffled"),
    "no parameters": ({"parameters": "3"}, "parameters"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_errors_name_the_file_and_the_key(tmp_path, case):
    change, sentence = REFUSED[case]
    path = written(tmp_path / "mine.toml", GOOD | change)
    with pytest.raises(ValueError) as caught:
        read_plan(path)
    assert str(caught.value).startswith(f"{path}: experiment 1: ")
    assert sentence in str(caught.value)


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_key_is_named(tmp_path, key):
    path = written(tmp_path / "mine.toml", {name: GOOD[name] for name in GOOD if name != key})
    with pytest.raises(ValueError, match=f"experiment 1: .*missing.*{key}"):
        read_plan(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Object missing required field `experiment`"),
        ("experiment = 3", "Expected `array`"),
        ("experiment = []", "Expected `array` of length >= 1"),
        ("experiment = [3]", "experiment 1: Expected `object`"),
        ("experimnt = 3", "unknown key 'experimnt', did you mean 'experiment'?"),
        ("budget = ", "not a TOML file"),
        (b"\xff", "line 1, column 1: expected UTF-8 text"),
    ],
)
def test_what_is_no_plan_at_all(tmp_path, text, sentence):
    path = tmp_path / "mine.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError) as caught:
        read_plan(path)
    assert str(caught.value).startswith(f"{path}: {sentence}")


def test_names_must_not_mean_two_things(tmp_path):
    with pytest.raises(ValueError, match="different names"):
        read_plan(written(tmp_path / "mine.toml", GOOD, GOOD))
    (tmp_path / "sudoku-easy-56.txt").write_text("1..4 ..1. .1.. 4..1")
    other = GOOD | {"name": '"b"', "instances": '["sudoku-easy-56.txt"]'}
    with pytest.raises(ValueError, match="two different instances are named 'sudoku-easy-56'"):
        read_plan(written(tmp_path / "mine.toml", GOOD, other))


def test_scaling_only_makes_smaller():
    plan = shipped_plan("fixed-target")
    small = plan.scaled(runs=7, budget=50, instances=10).experiments[0]
    assert (small.runs, small.budget) == (7, 50)
    assert list(small.instances) == [f"small-dimension-{r}-a" for r in range(1, 11)]
    assert plan.scaled(runs=10**6, budget=10**9, instances=10**3) == plan
    with pytest.raises(ValueError, match="runs: expected at least 1, got 0"):
        plan.scaled(runs=0)


def test_a_configuration_travels_and_its_digest_means_something():
    first, other = shipped_plan("fixed-target").configurations()[:2]
    assert pickle.loads(pickle.dumps(first)) == first
    assert Configuration.from_json(first.to_json()) == first
    assert first.digest != other.digest
    assert len({one.digest for one in shipped_plan("fixed-target").configurations()}) == 880
    assert shipped_plan("fixed-target").scaled(runs=1).configurations()[0].digest == first.digest
    assert shipped_plan("fixed-target").scaled(budget=1).configurations()[0].digest != first.digest


@pytest.mark.parametrize(
    ("name", "digest", "seed"),
    [
        ("ecdf", "38b0ed961d595396", 4892230618145093140),
        ("fixed-budget", "5caa68794171056e", 4892230618145093140),
        ("fixed-target", "6ddd24681d4b223d", 4411887164928670754),
    ],
)
def test_stores_made_long_ago_can_be_continued(name, digest, seed):
    first = shipped_plan(name).configurations()[0]
    assert (first.digest, first.run_seed(1)) == (digest, seed)


def test_a_problem_is_an_instance_without_a_board(tmp_path):
    table = GOOD | {"instances": '["match:5,3,seed=2", "match:*,4", "small-dimension-1-a"]'}
    plan = read_plan(written(tmp_path / "mine.toml", table))
    boards = plan.experiments[0].instances
    assert list(boards) == ["match:5,3,seed=2", "match:100,4", "small-dimension-1-a"]
    first = plan.configurations()[0]
    assert (first.instance, first.content) == ("match:5,3,seed=2", "")
    assert first.build_run().problem.hidden == Match(5, 3, seed=2).hidden
