"""Statements about curves: made-up levels of runs that do what the paper says, and that do not."""

from types import SimpleNamespace

import numpy as np
import pytest

from catcube.statistics import Curve, Pair, Trace, ecdf
from catcube.studies.paper.levels import read_levels
from catcube.studies.paper.statements import STATEMENTS, Evidence
from catcube.studies.paper.statements import ecdf as ecdf_statements
from catcube.studies.paper.statements.evidence import both
from tests.studies.analysis.analysis_stores import experiment, write
from tests.studies.analysis.analysis_stores import finding as made
from tests.studies.paper.statement_examples import budget_section, levels, values

BY_ID = {statement.id: statement for statement in STATEMENTS}
START = [(1, 0.02), (30, 0.1)]
DIRECT = [*START, (1e5, 0.8), (1e7, 0.9)]
AHEAD = [*START, (1e5, 0.85), (1e7, 0.95)]
CROSSING = [*START, (3e3, 0.15), (2e4, 0.85), (1e7, 0.97)]
LTGA_DIRECT = [*START, (924, 0.30), (4e5, 0.7), (6e5, 0.85), (1e6, 0.9), (1e7, 0.905)]
LTGA_LINEAR = [*START, (924, 0.31), (1500, 0.4), (4.5e5, 0.75), (1e6, 0.76), (1e7, 0.885)]


def evidence(algorithm, linear, direct, **more):
    curves = dict(zip(both(algorithm), (linear, direct), strict=True))
    return Evidence(levels=levels(curves), **more)


def condition(identity, part, found):
    return BY_ID[identity].check(found, part).condition


def test_diverging_curves():
    true, p = condition("E1", "rls", evidence("rls", AHEAD, DIRECT))
    assert true
    assert p < 1e-6
    true, p = condition("E1", "rls", evidence("rls", DIRECT, AHEAD))
    assert not true
    assert p < 1e-6
    true, p = condition("E1", "rls", evidence("rls", CROSSING, DIRECT))  # from below
    assert not true
    assert p < 1e-6
    assert condition("E1", "rls", evidence("rls", DIRECT, DIRECT)).p > 0.01


def test_crossing_from_below():
    assert condition("E2", "hc", evidence("hc", CROSSING, DIRECT)) == (True, pytest.approx(0))
    true, p = condition("E2", "hc", evidence("hc", AHEAD, DIRECT))  # never behind
    assert not true
    assert p < 1e-6
    small = [*CROSSING[:-1], (1e7, 0.912)]
    true, p = condition("E2", "mimic", evidence("mimic", small, DIRECT))
    assert true
    assert p < 0.05
    true, p = condition("E2", "mimic", evidence("mimic", CROSSING, DIRECT))  # by far too much
    assert not true
    assert p < 0.05


def test_a_lead_between_two_numbers_of_evaluations():
    found = evidence("ltga", LTGA_LINEAR, LTGA_DIRECT)
    for part in BY_ID["E4"].parts:
        true, p = condition("E4", part, found)
        assert true, part
        assert p < 1e-6, part
    early = [(1, 0.02), (2, 0.3), *LTGA_LINEAR[2:]]
    found = BY_ID["E4"].check(evidence("ltga", early, LTGA_DIRECT), BY_ID["E4"].parts[0])
    (true, p), (begin, _, _) = found.condition, found[1]
    assert not true
    assert p < 0.05
    assert begin < 924 / 3


def test_what_comes_after_a_lead():
    stays = [*LTGA_LINEAR[:-2], (1e6, 0.92), (1e7, 0.95)]
    _, then, goes_on, catches_up = BY_ID["E4"].parts
    found = evidence("ltga", stays, LTGA_DIRECT)
    for part in (then, catches_up):
        true, p = condition("E4", part, found)
        assert not true, part
        assert p < 0.05, part
    rising = [*LTGA_DIRECT[:-1], (1e7, 0.99)]
    true, p = condition("E4", goes_on, evidence("ltga", LTGA_LINEAR, rising))
    assert not true
    assert p < 0.05
    behind = [*LTGA_LINEAR[:-1], (1e7, 0.77)]
    true, p = condition("E4", catches_up, evidence("ltga", behind, LTGA_DIRECT))
    assert not true
    assert p < 0.05


def test_p3_is_overtaken_and_others_are_not():
    assert condition("C2", "p3", evidence("p3", DIRECT, AHEAD)) == (True, pytest.approx(0))
    assert not condition("C2", "p3", evidence("p3", DIRECT, DIRECT)).true
    assert condition("C2", "ga", evidence("ga", DIRECT, DIRECT)) == (True, 0.0)
    true, p = condition("C2", "ga", evidence("ga", DIRECT, AHEAD))
    assert not true
    assert p < 1e-6


def test_a_clear_advantage_is_one_in_both_experiments():
    better, worse = (budget_section(values(advantage=advantage)) for advantage in (9, -9))
    assert condition("C1", "rls", evidence("rls", AHEAD, DIRECT, budget=better)).true
    for linear, section in ((AHEAD, worse), (DIRECT, better)):
        true, p = condition("C1", "rls", evidence("rls", linear, DIRECT, budget=section))
        assert not true
        assert p < 0.05
    # MIMIC is an exception, and has none where linear ends just as high.
    assert condition("C1", "mimic", evidence("mimic", DIRECT, DIRECT, budget=better)).true


def test_levels_are_those_of_the_curves(tmp_path):
    draw = np.random.default_rng(1)
    runs = {}

    def one(configuration, number):
        value, moment = float(draw.integers(0, 60)), int(draw.integers(2, 900))
        key = configuration.instance, *configuration.pair, number
        runs[key] = Trace(*key, [1, moment], [100.0, value])
        return made(number, value, moment)

    path = write(tmp_path / "a.sqlite", [experiment("mine"), experiment("other")], one)
    curves = ecdf([trace for key, trace in runs.items()])  # the second experiment has the last word
    found = read_levels(path, "other")
    assert found.budget == 1000
    for pair, curve in curves.items():
        assert found.runs[pair].shape == (2, 4, found.grid.size)
        assert np.allclose(found.runs[pair].mean(axis=(0, 1)), curve.at(found.grid))
        assert found.curve(pair).at(found.grid) == pytest.approx(curve.at(found.grid), abs=1e-3)
        assert found.final(pair).mean() == pytest.approx(curve.final)
        whole = found.mean(pair, 1, 1000).mean()
        assert whole == pytest.approx(curve.area(1000), abs=0.01)
    assert Pair("rls", "linear") in found.runs


@pytest.mark.parametrize(("late", "agrees"), [(720, False), (920, True)])
def test_only_a_lead_after_the_crossing_counts_for_catching_up(monkeypatch, late, agrees):
    """Direct leads early by 0.6, then linear; what counts is the lead of direct after 10^5."""
    linear = Curve(np.array([1, 1000, 500_000]), np.array([0, 620, late - 100]), 1000)
    direct = Curve(np.array([1, 100, 200_000]), np.array([0, 600, late]), 1000)
    curve_pair = SimpleNamespace(
        levels=SimpleNamespace(budget=10**6),
        within=lambda condition: condition(linear, direct),
        final=(0.1,),
        description=str,
    )
    monkeypatch.setattr(ecdf_statements, "_curve_pair", lambda *_: curve_pair)
    outcome = ecdf_statements.almost_catches_up(None, "sa", end=10**5)
    assert outcome.condition == agrees
