"""Comparisons on one's own function, and on a suite with archived results."""

import numpy as np
import pytest

from catcube.cli.main import main
from catcube.problems import Match
from catcube.problems.suites import family_of, suite
from catcube.representations.registry import families
from catcube.statistics import Pair, compare_representations, value_tables
from catcube.studies.compare import SHOWN, add_archived, archive, compare, compare_with_best

SPACE = {f"x{number}": "ACGT" for number in range(20)}
MODULE = """
import numpy as np
from catcube import Representation

def backwards(N):
    k = (N - 1).bit_length()
    columns = [1 << bit for bit in reversed(range(k))]
    return Representation(columns, np.arange(2**k) % N, name="backwards", description="")
"""


def mismatches(point):
    return sum(label != "C" for label in point.values())


@pytest.fixture(scope="module")
def compared():
    return compare(mismatches, SPACE, algorithms=["rls", "sa"], budget=150, runs=8, seed=3)


def test_a_function_has_table_tests_and_effects_with_intervals(compared):
    assert len(compared.results) == 2 * 3 * 8
    assert list(compared.table) == value_tables(compared.results)["function"]
    assert compared.tests == compare_representations(
        compared.results, representations=("linear", "direct", "native")
    )
    tests = {(one.algorithm, one.second): one for one in compared.tests}
    for one in compared.effects:
        assert one.effect.low <= one.effect.mean <= one.effect.high
        test = tests[one.subject, one.second]  # on one instance both are the same
        assert (one.effect.p, one.p) == pytest.approx((test.p, test.adjusted))
    assert [(one.subject, one.second) for one in compared.effects] == [
        *(("rls", "direct"), ("sa", "direct"), ("rls", "native"), ("sa", "native"))
    ]
    assert "effect of the representation" in str(compared)


def test_a_comparison_as_frame_figures_and_report(compared, tmp_path):
    frame = compared.to_pandas()
    assert len(frame) == 48
    assert mismatches(frame["x"][0]) == frame["value"][0]
    assert [axes.get_xlabel() for axes in compared.plot().axes] == [
        "mean value (lower is better) and its 95 % interval"
    ]
    assert compared.plot("curves").axes
    with pytest.raises(ValueError, match="plot"):
        compared.plot("pie")
    report = compared.report(tmp_path)
    assert "rls-" in report.page.read_text(encoding="utf-8")
    assert (tmp_path / "tables" / "comparison-effects.csv") in report.tables


def test_problems_by_object_and_by_name():
    by_object = compare(Match(9, 4, seed=1), algorithms=["rls"], budget=60, runs=3)
    by_name = compare("match:9,4", algorithms=["rls"], budget=60, runs=3)
    assert len(by_object.results) == len(by_name.results) == 9
    boards = compare(
        "small-dimension-2-?", algorithms=["rls"], budget=2000, runs=2, target=0, jobs=2
    )
    assert {line.success_percent for line in boards.table} == {100}
    assert boards.effects[0].effect.units == 4
    assert boards.plot().axes[0].get_ylabel() == boards.plot("curves").axes[0].get_ylabel()
    with pytest.raises(ValueError, match=r"without a target to plot values, got 0"):
        boards.plot("values")
    with pytest.raises(ValueError, match="nothing"):
        compare("nothing")


@pytest.mark.parametrize(
    "wrong", [{"runs": 0}, {"budget": 0}, {"seed": -1}, {"algorithms": []}, {"representations": []}]
)
def test_a_comparison_of_nothing_is_refused(wrong):
    with pytest.raises(ValueError, match="expected"):
        compare(mismatches, SPACE, **wrong)


def test_a_single_run_has_no_interval():
    [effect] = compare(
        mismatches, SPACE, algorithms=["rls"], representations=["linear", "vt"], budget=9, runs=1
    ).effects
    assert np.isnan([effect.effect.low, effect.effect.high, effect.effect.equivalence]).all()


def test_the_archive_is_of_the_suite():
    known = archive("catcube-2026")
    assert list(known.samples) == suite("catcube-2026").instances
    assert len(known.conditions.pairs) == 110
    assert {sample.size for pairs in known.samples.values() for sample in pairs.values()} == {10}
    assert all(
        np.isfinite(sample).all() for pairs in known.samples.values() for sample in pairs.values()
    )


def test_better_runs_come_first_and_worse_ones_last():
    known, mine = archive("catcube-2026"), Pair("mine", "native")
    names = list(known.samples)[::5]
    for factor, rank in ((-1.0, 1), (1.0, 111)):
        new = {name: {mine: np.full(10, factor * 1e9)} for name in names}
        placed = add_archived("catcube-2026", new)
        assert {line.pair: line.rank for line in placed.ranks["all"]}[mine] == rank
        assert list(placed.outline.groups) == [*{family_of(name): 1 for name in names}]
        [effect] = compare_with_best(placed, [mine])
        assert effect.effect.mean == -factor
        assert effect.effect.units == 13  # families, of which there are ten or more
        assert effect.p < 0.05
        shown = add_archived("catcube-2026", new, SHOWN).conditions
        assert len(shown.pairs) == 34
        assert shown.complete


def test_the_command_places_a_representation_of_a_module(tmp_path, monkeypatch, capsys, request):
    (tmp_path / "my_codes.py").write_text(MODULE)
    request.addfinalizer(lambda: families.remove("backwards"))
    monkeypatch.chdir(tmp_path)
    command = ["compare", "my_codes:backwards", "-a", "rls", "--instances", "2", "-n", "1"]
    assert main([*command, "--out", "found"]) == 0
    printed = capsys.readouterr().out
    assert "ranks among 111 pairs" in printed
    assert "the report ranks 34 pairs" in printed
    assert "rls-backwards against " in printed
    assert (tmp_path / "found" / "report.html").exists()
    assert main([*command, "--out", "found"]) == 0  # nothing is run again


@pytest.mark.parametrize(
    ("names", "culprit"),
    [
        (["nothing"], "'nothing'"),
        (["nowhere:thing"], "nowhere"),
        (["math:pi"], "3.14"),
        (["sa", "native"], "both"),
        (["sa", "--suite", "none"], "'none'"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(names, culprit, capsys):
    assert main(["compare", *names]) == 2
    assert culprit in capsys.readouterr().err
