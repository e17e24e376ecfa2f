"""Published tables beside ours: nothing differs from itself, and what is shifted does."""

import numpy as np
import pytest

from catcube.statistics import Line, Pair, ranks, runtime_tables, summary, table
from catcube.studies import analyse
from catcube.studies.analysis.model import PublishedRow
from catcube.studies.paper import comparison
from catcube.studies.paper.comparison import (
    align_tables,
    compare_tables,
    extreme_p_value,
    ranks_by_keys,
    remarks,
    repetition_p_value,
    resample_ranks,
    success_p_value,
)
from catcube.studies.paper.published import published_table
from tests.studies.analysis.analysis_stores import experiment, finding, write
from tests.studies.paper.statement_examples import PAIRS, budget_section, target_section

EASY = "fixed-budget-values-easy-56"


def values(instances, runs=20):
    """Pair by pair ten worse, with a spread of about four."""
    draw = np.random.default_rng(3)
    return {
        instance: {
            pair: np.rint(draw.normal(10 * index + 20, 4, runs)) for index, pair in enumerate(PAIRS)
        }
        for instance in instances
    }


def adjusted(found):
    return {p for rows in found.values() for row in rows for p in row.adjusted.values()}


def shifted(lines, pair, figure, by):
    return [
        line._replace(summary=line.summary._replace(**{figure: getattr(line.summary, figure) + by}))
        if line.pair == pair
        else line
        for line in lines
    ]


def test_a_table_equal_to_ours_differs_nowhere_and_a_shifted_one_does():
    samples = values([f"sudoku-{number}" for number in range(9)] + ["sudoku-easy-56"])
    section = budget_section(samples)
    same = {"fixed-budget-ranks": section.ranks["all"], EASY: section.tables["sudoku-easy-56"]}
    known = same.__getitem__
    found = compare_tables(section, tested=True, known=known)
    assert list(found) == ["fixed-budget-ranks", EASY]
    assert adjusted(found) == {1.0}
    assert len(found[EASY][0].adjusted) == 5

    lines, expected = same[EASY], {}
    shifts = {"q1": 9, "median": 9, "q3": -9, "min": 25, "max": -25}
    for pair, (figure, by) in zip(PAIRS[4:], shifts.items(), strict=False):
        lines, expected[pair] = shifted(lines, pair, figure, by), [figure]
    known = (same | {EASY: lines}).__getitem__
    found = compare_tables(section, tested=True, known=known)
    assert {row.pair: row.different for row in found[EASY] if row.different} == expected
    assert compare_tables(section, tested=True, known=known) == found  # the same draws
    other = {"fixed-budget-ranks": shifted(section.ranks["all"], PAIRS[4], "median", 5)}
    known = (same | other).__getitem__
    rows = compare_tables(section, tested=True, known=known)["fixed-budget-ranks"]
    assert {row.pair: row.different for row in rows if row.different} == {PAIRS[4]: ["median"]}


def test_another_scale_is_shown_and_not_tested():
    found = compare_tables(budget_section(values(["sudoku-easy-56"])), tested=False)
    assert list(found) == ["fixed-budget-ranks", EASY]
    assert adjusted(found) == set()
    assert not any(row.different for rows in found.values() for row in rows)


def runtimes(instances):
    draw = np.random.default_rng(5)
    return {
        instance: {
            pair: np.rint(draw.gamma(4, 30 * (index + 2), 100)) + 1
            for index, pair in enumerate(PAIRS)
        }
        for instance in instances
    }


def test_runtimes_groups_of_ranks_and_success():
    samples = runtimes([f"small-dimension-{r}-{letter}" for r in range(1, 11) for letter in "ab"])
    samples["small-dimension-8-a"][PAIRS[0]][:10] = np.inf
    section = target_section(samples)
    same = {f"fixed-target-ranks-{group}": lines for group, lines in section.ranks.items()}
    same |= {
        name: section.tables[board] for name, board in comparison.BOARDS.items() if "target" in name
    }
    known = same.__getitem__
    found = compare_tables(section, tested=True, known=known)
    assert list(found) == list(same)
    assert adjusted(found) == {1.0}
    assert all(len(row.adjusted) == 6 for rows in found.values() for row in rows)

    late = same["fixed-target-runtimes-8-a"]
    line = late[3]._replace(summary=late[3].summary._replace(median=1e6))
    known = (same | {"fixed-target-runtimes-8-a": [line, *late[4:]]}).__getitem__
    rows = compare_tables(section, tested=True, known=known)["fixed-target-runtimes-8-a"]
    assert {row.pair: row.different for row in rows if row.different} == {line.pair: ["median"]}
    assert sum(row.published is None and not row.adjusted for row in rows) == 3

    lucky = [line._replace(success_percent=100) for line in late]
    known = (same | {"fixed-target-runtimes-8-a": lucky}).__getitem__
    samples["small-dimension-8-a"][PAIRS[0]][:25] = np.inf
    found = compare_tables(target_section(samples), tested=True, known=known)
    rows = found["fixed-target-runtimes-8-a"]
    assert {row.pair for row in rows if "success" in row.different} == {PAIRS[0]}


def test_only_the_papers_experiment_is_beside_the_paper(tmp_path):
    path = write(
        tmp_path / "a.sqlite",
        [
            experiment("fixed-budget", ("sudoku-easy-56",), ("rls",)),
            experiment("mine", ("sudoku-easy-56",), ("rls",)),
        ],
        lambda configuration, number: finding(number, float(number)),
    )
    reference = analyse([path]).reference
    assert [table.name for table in reference.tables["fixed-budget"]] == [
        "fixed-budget-ranks",
        EASY,
    ]
    rows = reference.tables["fixed-budget"][1].rows
    assert len(rows) == len(published_table(EASY))
    assert [row.ours is None for row in rows] == [False] * 2 + [True] * 20
    assert list(reference.tables) == ["fixed-budget"]
    assert reference.statements == ()
    [notice] = reference.notices
    assert notice.startswith(
        "Not judged, because not at the paper’s scale: fixed-budget (instances, "
    )


def test_extremes_are_counted():
    ten = np.arange(10.0)
    # The two smallest of twenty runs are both ours: 10/20 · 9/19, two-sided.
    assert extreme_p_value([ten], 10, least=1.5) == pytest.approx(2 * 10 / 20 * 9 / 19)
    assert extreme_p_value([ten], 10, least=2) == extreme_p_value([ten], 10, least=1.5)
    assert extreme_p_value([ten], 10, least=-5) == 1.0
    halves = extreme_p_value([ten, ten + 100], 10, least=1.5)
    assert halves == pytest.approx(min(1, 10 / 20 * 9 / 19 + 1))
    with_failures = np.append(ten, np.inf)
    assert extreme_p_value([with_failures], 10, least=1.5) == extreme_p_value([ten], 10, least=1.5)


def test_success_is_compared_with_the_nearest_number_that_a_percent_stands_for():
    # 99 % of 2,000 is anything from 1,980 to 1,999.
    assert success_p_value(1999, 2000, 99, 2000) == 1.0
    assert success_p_value(1980, 2000, 99, 2000) == 1.0
    assert success_p_value(1940, 2000, 99, 2000) < 0.05
    assert success_p_value(2000, 2000, 98, 2000) < 1e-4
    assert success_p_value(100, 100, 97, 100) == pytest.approx(0.2462, abs=1e-3)


def test_chance_counts_couples():
    draw = np.random.default_rng(1)
    repeated = np.append(draw.integers(0, 9, 40) / 2, [np.inf] * 3)
    for difference in (0.5, 2.0, 3.5, 9.0, np.inf):
        couples = [(a, b) for index, a in enumerate(repeated) for b in repeated[:index]]
        with np.errstate(invalid="ignore"):
            wanted = sum(a != b and abs(a - b) >= difference for a, b in couples)
        assert repetition_p_value(repeated, 1.0, 1.0 + difference) == (wanted + 1) / (
            len(couples) + 1
        )
    assert repetition_p_value(repeated, np.inf, np.inf) == 1.0


def test_what_differs_by_chance_is_seldom_significant():
    """Two experiments of the same kind: at most about one table in twenty may show anything."""
    draw = np.random.default_rng(8)
    alarms = 0
    for _ in range(40):
        ours, theirs = draw.normal(50, 9, (2, 6, 20))
        our_table, other = (
            table({pair: summary(sample) for pair, sample in zip(PAIRS, samples, strict=False)})
            for samples in (ours, theirs)
        )
        samples = {pair: [sample] for pair, sample in zip(PAIRS, ours, strict=False)}
        tests = comparison.board_tests(samples, our_table, other, 20, draw)
        alarms += any(row.different for row in align_tables(our_table, other, tests))
    assert alarms <= 5


def test_repetitions_that_cannot_vary_have_the_ranks_of_the_tables():
    instances = [
        {pair: np.full(5, float(index % 4)) for index, pair in enumerate(PAIRS[:6])},
        {pair: np.full(5, float(-index)) for index, pair in enumerate(PAIRS[:6])},
    ]
    instances[1][PAIRS[2]] = np.full(5, np.inf)
    wanted = [
        [line.rank for pair in PAIRS[:6] for line in lines if line.pair == pair]
        for lines in runtime_tables(dict(enumerate(instances))).values()
    ]
    repeated = resample_ranks(instances, ["a", "b"], 5, np.random.default_rng(1))
    assert (repeated == np.array(wanted)).all()
    mixed = resample_ranks(instances, ["a", "a"], 5, np.random.default_rng(1))
    assert {tuple(ranks) for ranks in mixed[:, 0].tolist()} == {tuple(ranks) for ranks in wanted}


def test_ranks_by_keys_are_ranks():
    keys = np.random.default_rng(1).integers(0, 3, (3, 7, 6)).astype(float)
    for number, row in enumerate(ranks_by_keys(keys)):
        wanted = ranks({index: tuple(keys[:, number, index]) for index in range(6)})
        assert row.tolist() == [wanted[index] for index in range(6)]


@pytest.mark.parametrize(
    ("ours", "published", "adjusted", "moved"),
    [
        (12, 2, {"min": 1.0}, True),
        (2, 12, {"min": 1.0}, True),
        (11, 2, {"min": 1.0}, False),
        (12, 2, {}, False),  # not compared
    ],
)
def test_a_pair_has_moved_if_its_rank_differs_by_ten(ours, published, adjusted, moved):
    same = summary([1.0, 2.0, 3.0])
    lines = (Line("sa", "linear", rank, same) for rank in (ours, published))
    found = remarks("fixed-budget-ranks", [PublishedRow(Pair("sa", "linear"), *lines, adjusted)])
    sentence = f"fixed-budget-ranks: sa-linear moves from rank {published} to {ours}."
    assert (sentence in found) == moved
