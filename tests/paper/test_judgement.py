"""Published tables beside ours: nothing differs from itself, and what is shifted does."""

import numpy as np
import pytest

from catcube.analysis import analyse, judgement, repetition
from catcube.analysis.judgement import chance, judged, judged_runtimes, judged_values
from catcube.analysis.model import Conditions
from catcube.analysis.repetition import places_of, repeated_medians, repeated_places
from catcube.paper.claims import ALGORITHMS
from catcube.paper.published import published
from catcube.statistics import (
    Pair,
    rank_summaries,
    ranks,
    runtime_sample_ranks,
    runtime_sample_tables,
    sample_tables,
    summary,
    table,
)
from tests.analysis.analysis_stores import experiment, finding, write

PAIRS = [Pair(name, own) for name in ALGORITHMS for own in ("linear", "direct")]
EASY = "fixed-budget-values-easy-56"


def conditions(name, instances, **changes):
    budget, target, runs = judgement.PAPER[name]
    settings = {"budget": budget, "target": target, "runs": runs} | changes
    return Conditions(
        experiment=name,
        instances=tuple(instances),
        pairs=tuple(PAIRS),
        seed=1,
        done=0,
        total=0,
        failed=0,
        evaluations=0,
        seconds=0.0,
        began=None,
        finished=None,
        missing=(),
        sessions=(),
        **settings,
    )


def values(instances, runs=20):
    """Pair by pair ten worse, with a spread of about four."""
    draw = np.random.default_rng(3)
    return {
        instance: {
            pair: np.rint(draw.normal(10 * place + 20, 4, runs)) for place, pair in enumerate(PAIRS)
        }
        for instance in instances
    }


def as_published(monkeypatch, tables):
    monkeypatch.setattr(judgement, "published", tables.__getitem__)


def budget_tables(samples):
    tables = sample_tables(samples)
    return tables, table(rank_summaries(tables.values()))


def test_a_table_equal_to_ours_differs_nowhere_and_a_shifted_one_does(monkeypatch):
    instances = [f"sudoku-{number}" for number in range(9)] + ["sudoku-easy-56"]
    samples = values(instances)
    tables, over_all = budget_tables(samples)
    own = conditions("fixed-budget", instances)
    as_published(monkeypatch, {"fixed-budget-ranks": over_all, EASY: tables["sudoku-easy-56"]})
    same = judged_values(own, samples, tables, over_all, instances)
    assert list(same) == ["fixed-budget-ranks", EASY]
    assert {one.adjusted for lines in same.values() for one in lines} == {1.0}

    shifted = {
        name: [
            line._replace(summary=line.summary._replace(median=line.summary.median + by))
            if line.pair == PAIRS[4]
            else line
            for line in lines
        ]
        for name, lines, by in (
            ("fixed-budget-ranks", over_all, 5),
            (EASY, tables["sudoku-easy-56"], 9),
        )
    }
    as_published(monkeypatch, shifted)
    other = judged_values(own, samples, tables, over_all, instances)
    for lines in other.values():
        assert [one.pair for one in lines if one.significant] == [PAIRS[4]]
    assert judged_values(own, samples, tables, over_all, instances) == other  # the same draws


def test_another_budget_is_shown_and_not_tested():
    samples = values(["sudoku-easy-56"])
    tables, over_all = budget_tables(samples)
    own = conditions("fixed-budget", samples, budget=1000)
    found = judged_values(own, samples, tables, over_all, list(samples))
    assert list(found) == ["fixed-budget-ranks", EASY]
    assert {one.adjusted for lines in found.values() for one in lines} == {None}
    assert not any(one.significant for lines in found.values() for one in lines)


def runtimes(instances):
    draw = np.random.default_rng(5)
    return {
        instance: {
            pair: np.rint(draw.gamma(4, 30 * (place + 2), 100)) + 1
            for place, pair in enumerate(PAIRS)
        }
        for instance in instances
    }


def test_runtimes_and_groups_of_ranks(monkeypatch):
    monkeypatch.setattr(repetition, "REPETITIONS", 400)
    instances = [f"small-dimension-{r}-{letter}" for r in range(1, 11) for letter in "ab"]
    samples = runtimes(instances)
    samples[instances[0]][PAIRS[0]][:10] = np.inf
    tables = runtime_sample_tables(samples)
    groups = {
        group: runtime_sample_ranks(
            {name: samples[name] for name in instances if int(name.split("-")[2]) in numbers}
        )
        for group, numbers in judgement.GROUPS.items()
    }
    wanted = {f"fixed-target-ranks-{group}": lines for group, lines in groups.items()}
    wanted |= {name: tables[board] for name, (board, _) in judgement.BOARDS.items()}
    as_published(monkeypatch, wanted)
    own = conditions("fixed-target", instances)
    found = judged_runtimes(own, samples, tables, groups, instances)
    assert list(found) == list(wanted)
    assert {one.adjusted for lines in found.values() for one in lines} == {1.0}

    late = wanted["fixed-target-runtimes-8-a"]
    line = late[3]._replace(summary=late[3].summary._replace(median=1e6))
    as_published(monkeypatch, wanted | {"fixed-target-runtimes-8-a": [line, *late[4:]]})
    found = judged_runtimes(own, samples, tables, groups, instances)
    lines = found["fixed-target-runtimes-8-a"]
    assert [one.pair for one in lines if one.significant] == [line.pair]
    assert sum(one.published is None and one.adjusted is None for one in lines) == 3

    # One to five erased cells: "all" is not to be compared, "low" is.
    few = {name: samples[name] for name in instances[:10]}
    found = judged_runtimes(own, few, runtime_sample_tables(few), groups, list(few))
    tested = {name for name, lines in found.items() if lines[0].adjusted is not None}
    assert "fixed-target-ranks-low" in tested
    assert not tested & {"fixed-target-ranks-all", "fixed-target-ranks-medium"}


def test_only_the_papers_experiment_is_beside_the_paper(tmp_path):
    path = write(
        tmp_path / "a.sqlite",
        [
            experiment("fixed-budget", ("sudoku-easy-56",), ("rls",)),
            experiment("mine", ("sudoku-easy-56",), ("rls",)),
        ],
        lambda configuration, number: finding(number, float(number)),
    )
    study = analyse([path])
    assert list(study.sections[0].published) == ["fixed-budget-ranks", EASY]
    lines = study.sections[0].published[EASY]
    assert len(lines) == len(published(EASY))
    assert [one.ours is None for one in lines] == [False] * 2 + [True] * 20
    assert study.sections[1].published == {}


def test_chance_counts_couples():
    draw = np.random.default_rng(1)
    repeated = np.append(draw.integers(0, 9, 40) / 2, [np.inf] * 3)
    for difference in (0.5, 2.0, 3.5, 9.0, np.inf):
        couples = [(a, b) for place, a in enumerate(repeated) for b in repeated[:place]]
        with np.errstate(invalid="ignore"):
            wanted = sum(a != b and abs(a - b) >= difference for a, b in couples)
        assert chance(repeated, 1.0, 1.0 + difference) == (wanted + 1) / (len(couples) + 1)
    assert chance(repeated, np.inf, np.inf) == 1.0


def test_what_differs_by_chance_is_seldom_significant():
    """Two experiments of the same kind: at most about one table in twenty may show anything."""
    draw = np.random.default_rng(8)
    alarms = 0
    for _ in range(40):
        ours, theirs = draw.normal(50, 9, (2, 6, 20))
        own, other = (
            table({pair: summary(sample) for pair, sample in zip(PAIRS, samples, strict=False)})
            for samples in (ours, theirs)
        )
        repeated = {
            pair: repeated_medians([sample], 20, draw)
            for pair, sample in zip(PAIRS, ours, strict=False)
        }
        alarms += any(one.significant for one in judged(own, other, repeated))
    assert alarms <= 5


def test_repeated_medians_are_those_of_drawing_every_run():
    draw = np.random.default_rng(2)
    sample = np.sort(np.append(draw.integers(1, 50, 17), [np.inf] * 3)).astype(float)
    found = repeated_medians([sample], 20, draw)
    drawn = sample[draw.integers(20, size=(4000, 20))]
    slow = [np.median(one[np.isfinite(one)]) for one in drawn]
    levels = [0.05, 0.25, 0.5, 0.75, 0.95]
    assert np.quantile(found, levels) == pytest.approx(np.quantile(slow, levels), abs=2.5)
    assert found.mean() == pytest.approx(np.mean(slow), abs=0.5)


def test_repetitions_that_cannot_vary_have_the_places_of_the_tables():
    instances = [
        {pair: np.full(5, float(place % 4)) for place, pair in enumerate(PAIRS[:6])},
        {pair: np.full(5, float(-place)) for place, pair in enumerate(PAIRS[:6])},
    ]
    instances[1][PAIRS[2]] = np.full(5, np.inf)
    wanted = [
        [line.place for pair in PAIRS[:6] for line in own if line.pair == pair]
        for own in runtime_sample_tables(dict(enumerate(instances))).values()
    ]
    places = repeated_places(instances, ["a", "b"], 5, np.random.default_rng(1))
    assert (places == np.array(wanted)).all()
    mixed = repeated_places(instances, ["a", "a"], 5, np.random.default_rng(1))
    assert {tuple(own) for own in mixed[:, 0].tolist()} == {tuple(own) for own in wanted}


def test_places_are_ranks():
    keys = np.random.default_rng(1).integers(0, 3, (3, 7, 6)).astype(float)
    for number, row in enumerate(places_of(keys)):
        wanted = ranks({place: tuple(keys[:, number, place]) for place in range(6)})
        assert row.tolist() == [wanted[place] for place in range(6)]
