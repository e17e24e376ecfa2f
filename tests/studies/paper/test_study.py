"""What is judged: experiments at the paper's scale, and only those."""

import pytest
from msgspec.structs import replace

from catcube.studies import analyse
from catcube.studies.paper.published import GROUPS, erased_cells, paper_outline
from catcube.studies.paper.study import compare_with_paper, scale_difference
from catcube.studies.scales import PAPER as SCALES
from tests.studies.analysis.analysis_stores import experiment, finding, write
from tests.studies.paper.statement_examples import budget_section, values

EXPERIMENTS = tuple(SCALES["full"].sizes)
CONFIGURATIONS = SCALES["full"].plan("fixed-target").configurations()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_shipped_plans_are_at_the_papers_scale_and_smaller_ones_are_not(name):
    assert scale_difference(name, SCALES["full"].plan(name).configurations()) == ""
    for scale in ("smoke", "small"):
        assert scale_difference(name, SCALES[scale].plan(name).configurations()) != ""


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"runs": 99}, "runs"),
        ({"runs": 101}, "runs"),
        ({"budget": 999_999}, "budget"),
        ({"target": None}, "target"),
        ({"restart": 5}, "restart"),
        ({"parameters": (("patience", 7),)}, "parameters"),
        ({"content": "1234"}, "content"),
        ({"seed": 77}, ""),
    ],
)
def test_each_condition_counts_but_the_seed(changes, named):
    [first, *rest] = CONFIGURATIONS
    assert scale_difference("fixed-target", [replace(first, **changes), *rest]) == named
    everywhere = [replace(configuration, **changes) for configuration in CONFIGURATIONS]
    assert scale_difference("fixed-target", everywhere) == named


def test_all_instances_and_all_pairs_have_to_be_there():
    fewer = [
        configuration
        for configuration in CONFIGURATIONS
        if configuration.instance != "small-dimension-9-d"
    ]
    assert scale_difference("fixed-target", fewer) == "instances"
    without = [
        configuration for configuration in CONFIGURATIONS if configuration.pair != ("p3", "direct")
    ]
    assert scale_difference("fixed-target", without) == "pairs"
    more = [*CONFIGURATIONS, replace(CONFIGURATIONS[0], representation="gray")]
    assert scale_difference("fixed-target", more) == "pairs"
    hole = CONFIGURATIONS[1:]  # one pair on one instance
    assert scale_difference("fixed-target", hole) == "instances, pairs"


def test_what_is_not_at_scale_is_not_judged():
    section = budget_section(values())
    judged = compare_with_paper([section], {"fixed-budget": ""})
    assert {part.verdict for part in judged.statements[2].parts} <= {"holds", "contradicted"}
    assert judged.notices == []
    assert judged.scales == {"fixed-budget": "This is the paper’s scale."}
    other = compare_with_paper([section], {"fixed-budget": "runs"})
    assert other.statements == ()
    assert other.notices == ["Not judged, because not at the paper’s scale: fixed-budget (runs)."]
    assert other.scales == {
        "fixed-budget": "The paper: 10 instances, 20 runs, 300,000 evaluations."
    }
    assert not any(row.adjusted for table in other.tables["fixed-budget"] for row in table.rows)


def test_runs_that_are_missing_are_named(tmp_path):
    path = write(
        tmp_path / "a.sqlite",
        [experiment("ecdf", ("sudoku-easy-56",), ("rls",))],
        lambda configuration, number: finding(number, 2.0) if number > 1 else None,
    )
    [notice] = analyse([path]).reference.notices
    assert "runs missing" in notice


def test_small_boards_are_low_or_medium():
    boards = [f"small-dimension-{erased}-a" for erased in range(1, 11)]
    groups = paper_outline("fixed-target", boards, 0.0).groups
    assert [len(groups[name].instances) for name in ("low", "medium")] == [5, 5]
    assert {erased_cells(name) for name in groups["low"].instances} == set(GROUPS["low"])
    assert groups["medium"].described == "the boards with 6 to 10 erased cells"
    assert "low" not in paper_outline("fixed-target", [*boards, "easy"], 0.0).groups
    assert paper_outline("fixed-budget", ["easy"], None).views == ("budget",)
    assert paper_outline("fixed-budget", ["easy"], 0.0).views == ("target",)
