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


def test_table_has_means_of_what_is_maximised_and_minimised():
    from benchmarks.peers.results import Row
    from benchmarks.published import CASES, FIRST, SETTING, tables

    pest, motif = CASES[0].name, CASES[2].name
    rows = [
        Row(SETTING, pest, 100, 0, 12.5, 1.0, ""),
        Row(SETTING, pest, 100, 1, 13.5, 1.0, ""),
        Row(SETTING, motif, 310, 0, 0.25, 1.0, ""),
        Row(FIRST, motif, 10, 0, 0.75, 0.0, ""),
    ]
    lines = tables(rows).splitlines()
    assert f"| {pest} | 100 | 13.000 ± 0.500 |  | 2 | none found |" in lines
    assert any(f"| {motif} | 310 | 0.750 ± 0.000 | 0.250 | 1 | Bounce 1," in line for line in lines)
