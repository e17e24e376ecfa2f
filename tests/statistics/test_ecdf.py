"""ECDF against counting all triples, and where curves cross."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.statistics import Curve, Pair, ecdf, log_grid
from tests.statistics.traces import traced

LAST = 12


@st.composite
def traces(draw):
    """Runs of two pairs on two instances; few values and evaluations, so that ties abound."""
    found = []
    for instance in draw(st.sampled_from([["a"], ["a", "b"]])):
        for name in ("linear", "direct"):
            for run in range(draw(st.integers(1, 2))):
                values = sorted(draw(st.sets(st.integers(0, 9), min_size=1)), reverse=True)
                moments = st.sets(
                    st.integers(2, LAST), min_size=len(values) - 1, max_size=len(values) - 1
                )
                evaluations = [1, *sorted(draw(moments))]
                found.append(traced(instance, "sa", name, run, evaluations, values))
    return found


def proportion(runs, name, count, evaluations):
    """Reached triples over all triples, in fractions."""
    reached = total = 0
    for run in runs:
        if run.representation != name:
            continue
        peers = [other for other in runs if other.instance == run.instance]
        worst = max(other.trace[1][0] for other in peers)
        best = min(other.trace[1][-1] for other in peers)
        for number in range(count):
            target = worst - Fraction(worst - best) * Fraction(number, count - 1)
            total += 1
            reached += any(
                value <= target and moment <= evaluations
                for moment, value in zip(*run.trace, strict=True)
            )
    return Fraction(reached, total)


@given(traces(), st.sampled_from([2, 4, 7, 50]))
def test_a_curve_counts_the_reached_triples(runs, count):
    curves = ecdf(runs, count)
    assert set(curves) == {Pair("sa", "linear"), Pair("sa", "direct")}
    for pair, curve in curves.items():
        wanted = [proportion(runs, pair[1], count, moment) for moment in range(LAST + 2)]
        assert [Fraction(p).limit_denominator(1000) for p in curve.at(range(LAST + 2))] == wanted
        assert curve.final == float(wanted[-1])
        assert (np.diff(curve.reached) > 0).all()


def test_both_ends_are_targets():
    curves = ecdf(
        [traced("a", "sa", "linear", 1, [1, 3], [10, 0]), traced("a", "sa", "direct", 1, [1], [10])]
    )
    assert curves[Pair("sa", "direct")].final == 1 / 50  # only the worst value
    assert curves[Pair("sa", "linear")].at([2, 3]).tolist() == [1 / 50, 1]


def test_thirds_and_sevenths_are_not_missed_by_rounding():
    # A target at every integer from 7 to 0 when 8 are wanted, and more in between for 50.
    run = traced("a", "sa", "linear", 1, range(1, 9), range(7, -1, -1))
    for count in (8, 50, 64, 99):
        hits = ecdf([run], count)[Pair("sa", "linear")].at(range(1, 9)) * count
        wanted = [sum(7 * i <= k * (count - 1) for i in range(count)) for k in range(8)]
        assert hits == pytest.approx(wanted)


def test_a_range_without_width_is_reached_at_once():
    curve = ecdf([traced("a", "sa", "linear", 1, [1], [4])])[Pair("sa", "linear")]
    assert curve.at([0, 1]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("evaluations", "values"),
    [([1, 2], [3]), ([], []), ([1, 2], [3, 3]), ([2, 2], [4, 3]), ([1, 2], [3, 4])],
)
def test_what_is_no_trace_is_refused(evaluations, values):
    with pytest.raises(ValueError, match="trace"):
        ecdf([traced("a", "sa", "linear", 1, evaluations, values)])


def test_one_target_has_no_range():
    with pytest.raises(ValueError, match="at least 2 targets"):
        ecdf([], count=1)


@given(traces(), st.sampled_from([5, 12, 1000]))
def test_the_area_is_that_of_the_steps(runs, budget):
    for curve in ecdf(runs, 7).values():
        ends = np.log(np.arange(1, budget + 1))
        levels = curve.at(np.arange(1, budget))
        assert curve.area(budget) == pytest.approx(np.sum(levels * np.diff(ends)) / ends[-1])


def test_an_empty_area_is_refused():
    with pytest.raises(ValueError, match="at least 2 evaluations"):
        Curve(np.array([1]), np.array([1]), 1).area(1)


@pytest.mark.parametrize("budget", [1, 2, 999, 10_000_000])
def test_a_grid_has_both_ends_and_no_number_twice(budget):
    grid = log_grid(budget)
    assert (grid[0], grid[-1]) == (1, budget)
    assert (np.diff(grid) > 0).all()
