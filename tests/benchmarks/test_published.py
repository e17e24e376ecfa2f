"""Published results beside ours: the functions are as described, and the table is right."""

import math

import numpy as np
import pytest

from tests import ROOT


@pytest.fixture(autouse=True)
def project(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.mark.parametrize(
    ("length", "states", "motifs", "elements"), [(25, 5, 1, 25), (15, 20, 2, 5)]
)
def test_points_to_begin_with_have_no_banned_transition(length, states, motifs, elements):
    from benchmarks.published import ehrlich

    task, points = ehrlich(length, states, motifs, elements, 4)(3)
    assert points.shape == (4, length)
    assert all(0 <= task(point) <= 1 for point in points)
    others = np.random.default_rng(1).integers(states, size=(20, length))
    failed = [math.isinf(task(point)) for point in others]
    assert any(failed) == (states > 5)  # five letters are all within the band


def test_table_has_means_of_what_is_maximised_and_minimised_and_medians_beside_medians():
    from benchmarks.peers.results import Row
    from benchmarks.published import CASES, FIRST, PEST, SETTING, tables

    motif = next(case.name for case in CASES if case.maximised)
    rows = [
        *(Row(SETTING, PEST, 80, seed, value, 1.0, "") for seed, value in enumerate((12, 13, 17))),
        Row(SETTING, PEST, 100, 0, 12.5, 1.0, ""),
        Row(SETTING, PEST, 100, 1, 13.5, 1.0, ""),
        Row(SETTING, motif, 310, 0, 0.25, 1.0, ""),
        Row(FIRST, motif, 10, 0, 0.75, 0.0, ""),
    ]
    lines = tables(rows).splitlines()
    assert any(f"| {PEST} | 80 | median 13.000 |  | 3 | medians: Optuna GP" in x for x in lines)
    assert f"| {PEST} | 100 | 13.000 ± 0.500 |  | 2 | none found |" in lines
    assert any(f"| {motif} | 310 | 0.750 ± 0.000 | 0.250 | 1 | Bounce 1," in line for line in lines)


def test_a_random_order_of_values_is_one_for_each_variable():
    from benchmarks.families.judged import ackley
    from benchmarks.published import shuffled

    mixed, _ = shuffled(1)
    zero = np.argmin(
        [[mixed(np.where(np.arange(20) == i, c, 0)) for c in range(11)] for i in range(20)], axis=1
    )
    assert mixed(zero) == pytest.approx(ackley(20, 11)(np.full(20, 5)), abs=1e-12)
    assert len(set(zero.tolist())) > 1
