"""The verdicts on the paper's statements: the rule, and a second judge of the committed stores."""

from collections import Counter

import numpy as np
import pytest

from catcube.statistics import Curve, Pair
from catcube.studies import analyse
from catcube.studies.analysis.model import LEAD_MARGIN, LEVEL
from catcube.studies.paper import rule, statements
from catcube.studies.paper.comparison import MOVED, REPETITIONS
from catcube.studies.paper.rule import DirectedTest, Evidence, combine_tests
from catcube.studies.paper.statements import STATEMENTS, TEXTS, distance_from_sigmoid, steps
from tests import ROOT
from tests.studies.paper.second_judge import Judge, read
from tests.studies.paper.statement_examples import PUZZLES, budget_section, values

ELEVEN, FOUR = ("B1", "B2", "B3", "T4", "T6", "T8", "C1", "C2"), ("E2", "E4", "T2")
PARTS = dict.fromkeys(("B4", "B5", "T1", "T5", "T9", "T10"), 1) | dict.fromkeys(FOUR, 4)
PARTS |= dict.fromkeys(ELEVEN, 11) | {"E0": 3, "E1": 5, "E3": 2, "T3": 2, "T7": 2}


@pytest.fixture(scope="module")
def committed(tmp_path_factory):
    """The study of the committed stores, and the rows in them."""
    folder = tmp_path_factory.mktemp("stores")
    rows = read(folder, ROOT / "docs" / "results" / "data")
    return analyse(sorted(folder.glob("*.sqlite"))), rows


def test_a_second_judge_comes_to_the_same_verdicts(committed):
    study, rows = committed
    second = Judge(rows).verdicts()
    parts = {
        (statement.id, part.about): part
        for statement in study.reference.statements
        for part in statement.parts
    }
    assert set(second) == set(parts)
    for name, (verdict, evidence) in second.items():
        part = parts[name]
        assert part.verdict == verdict, name
        if part.p is None:
            flips = f"changes if {' or '.join(evidence)}" if evidence else "the same if halved"
            assert flips in part.tolerance, name
        elif name[0] in ("B1", "T2"):  # other permutations
            assert part.p == pytest.approx(evidence, abs=0.02), name
        else:
            assert part.p == pytest.approx(evidence, rel=1e-6), name


def test_known_verdicts(committed):
    study, _ = committed
    found = {
        (statement.id, part.about): part.verdict
        for statement in study.reference.statements
        for part in statement.parts
    }
    assert found["T4", "mimic"] == "contradicted"  # direct is ahead on 36 of 40 boards
    assert found["T8", "mimic"] == found["T9", "mimic"] == "holds"
    assert found["T6", "pbil"] == found["T6", "umda"] == "holds"
    assert found["C1", "ga"] == "holds"
    assert found["T1", "all pairs"] == found["T5", "all pairs"] == "disagrees"
    assert Counter(found.values())["not measured"] == 0


def test_an_exception_says_what_is_shown_instead(committed):
    study, _ = committed
    reasons = {
        (statement.id, part.about): part.reason
        for statement in study.reference.statements
        for part in statement.parts
    }
    assert reasons["T8", "mimic"].endswith("; direct is better")
    assert reasons["C1", "p3"].endswith("; direct is better in one of the two")
    assert reasons["C2", "rls"].endswith("; linear is better")
    assert reasons["C2", "mimic"].endswith("; nothing is shown")


def test_each_finding_is_counted_once_and_what_holds_was_tested(committed):
    study, _ = committed
    for statement in study.reference.statements:
        for part in statement.parts:
            tested = part.verdict in ("holds", "too close to call", "contradicted")
            assert (part.p is not None) == tested == (not part.tolerance)
            assert len(part.figures) == len(statement.columns)


def test_one_definition_of_a_lead(committed):
    study, rows = committed
    [section] = [one for one in study.sections if hasattr(one, "leads")]
    second = Judge(rows)
    for pair, leads in section.leads.items():
        known = second.leads(pair.algorithm)
        assert [(one.first, one.begin, one.end) for one in leads] == [(*k[:3],) for k in known]
    by_id = {statement.id: statement for statement in study.reference.statements}
    lead = next(one for one in section.leads[Pair("ltga", "direct")] if one.first)
    assert by_id["E4"].parts[0].figures[:2] == (lead.begin, lead.end - 1)
    [mimic] = section.leads[Pair("mimic", "direct")]
    assert f"[{mimic.begin:,}, {mimic.end - 1:,}]" in by_id["E2"].parts[3].reason


def test_the_parts_of_each_statement():
    assert {statement.id: len(statement.parts) for statement in STATEMENTS} == PARTS
    judged = statements.judge_all(Evidence())
    assert {part.verdict for one in judged for part in one.parts} == {"not measured"}


def test_constants_are_stated():
    text = " ".join(TEXTS["basis"])
    assert f"at most {LEVEL:.0%}".replace("%", " %") in text
    assert f"more than {LEAD_MARGIN:.0%}".replace("%", " %") in text
    assert f"({REPETITIONS:,} times)" in TEXTS["about_tables"]
    assert f"differs by {MOVED} or more" in TEXTS["about_tables"]


def verdicts(section, identity):
    evidence = Evidence({"fixed-budget": section})
    [statement] = [one for one in STATEMENTS if one.id == identity]
    return {part.about: part for part in statement.evaluate(evidence).parts}


def test_linear_ahead_holds_and_direct_ahead_contradicts():
    found = verdicts(budget_section(values()), "B3")
    assert found["rls"].verdict == "holds"
    assert found["mimic"].verdict == "contradicted"
    assert found["rls"].p == pytest.approx(11 * 2 / 2**10)
    none = verdicts(budget_section(values(advantage=0)), "B3")
    assert {part.verdict for part in none.values()} == {"too close to call"}


def test_an_exception_holds_unless_linear_is_shown_ahead():
    for advantage, verdict in ((9, "holds"), (0, "holds"), (-9, "contradicted")):
        found = verdicts(budget_section(values(advantage)), "B2")
        assert found["mimic"].verdict == verdict


def test_almost_never_has_a_tolerance():
    samples = values()
    seldom = verdicts(budget_section(samples), "B5")["all pairs"]
    assert (seldom.verdict, seldom.p) == ("agrees", None)
    assert "the same if halved or doubled" in seldom.tolerance
    for instance in PUZZLES:
        for sample in samples[instance].values():
            sample[:2] = 0  # one of ten
    often = verdicts(budget_section(samples), "B5")["all pairs"]
    assert often.verdict == "disagrees"
    assert "changes if doubled" in often.tolerance


def test_several_conditions_are_as_strong_as_the_weakest():
    assert combine_tests([DirectedTest(1, 0.01), DirectedTest(2, 0.04)])[:2] == (1, 0.04)
    mixed = [DirectedTest(1, 0.001), DirectedTest(-1, 0.04), DirectedTest(-1, 0.02)]
    assert combine_tests(mixed)[:2] == (-1, 0.06)
    assert combine_tests([DirectedTest(0, 1.0), DirectedTest(1, 0.01)])[:2] == (0, 1.0)


def test_without_success_a_pair_is_behind():
    test = rule.signed_rank_test([1, 2, 3, np.inf], [np.inf, np.inf, np.inf, np.inf])
    assert test.direction > 0
    assert test.finding == "ahead on 3 and 0 of 4 instances"


def test_exchanging_runs_shows_what_differs():
    first, second = np.arange(20.0), np.arange(20.0) + 15
    shown = rule.permutation_test(first, second, lambda rows: rows.mean(axis=1))
    assert shown.direction == 15
    assert shown.p < 0.001
    assert rule.permutation_test(first, first, lambda rows: rows.mean(axis=1))[:2] == (0, 1.0)


def test_shapes_of_curves():
    moments = np.rint(10 ** np.linspace(0, 6, 600)).astype(np.int64)
    moments = np.unique(moments)
    sigmoid = 1 / (1 + np.exp(-3 * (np.log10(moments) - 3)))
    staircase = (np.floor(np.log10(moments) * 3) + 1) / 20
    curves = [
        Curve(moments, np.rint(10_000 * levels).astype(np.int64), 10_000)
        for levels in (sigmoid, staircase)
    ]
    distances = [distance_from_sigmoid(curve, 10**6) for curve in curves]
    assert distances[0] < 0.003
    assert distances[1] > 0.02
    assert steps(curves[0], 100, 5_000) == 1
    assert steps(curves[1], 100, 5_000) >= 4
