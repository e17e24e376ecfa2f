"""Faults of the statistics that no other test noticed."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.statistics import Curve, Lead, confidence_interval, leads


def step_curves(last):
    """Curves of up to eight steps of 1 to 4 of 40 triples, up to the evaluation `last`."""
    moments = st.sets(st.integers(1, last), min_size=1, max_size=8).map(sorted)
    return st.tuples(moments, st.lists(st.integers(1, 4), min_size=8, max_size=8)).map(
        lambda drawn: Curve(
            np.array(drawn[0]), np.cumsum(drawn[1][: len(drawn[0])]).astype(np.int64), 40
        )
    )


def leads_in_words(first, second, budget, tolerance):
    """The definition of `leads`, one evaluation after the other."""
    gaps = [float(first.at(e) - second.at(e)) for e in range(1, budget + 1)]
    counted = []
    begin = 1
    for sign, stretch in groupby(gaps, key=np.sign):
        own = [abs(gap) for gap in stretch]
        if sign != 0 and max(own) > tolerance:
            counted.append(Lead(bool(sign > 0), begin, begin + len(own), max(own)))
        begin += len(own)
    whole = []
    for ahead, group in groupby(counted, key=lambda lead: lead.first):
        parts = list(group)
        largest = max(part.gap for part in parts)
        whole.append(Lead(ahead, parts[0].begin, parts[-1].end, largest))
    return whole


@given(step_curves(20), step_curves(20), st.integers(1, 25), st.sampled_from([0, 0.03, 0.06]))
def test_leads_are_what_their_words_say(first, second, budget, tolerance):
    assert leads(first, second, budget, tolerance) == leads_in_words(
        first, second, budget, tolerance
    )


def test_leads_that_change_many_times():
    first = Curve(np.array([1, 5, 9, 13, 17]), np.array([4, 8, 12, 20, 24]), 40)
    second = Curve(np.array([3, 7, 11, 15, 19]), np.array([5, 10, 15, 17, 25]), 40)
    for tolerance in (0, 0.03, 0.06):
        found = leads(first, second, 30, tolerance)
        assert found == leads_in_words(first, second, 30, tolerance)
        assert len(found) > 2


def test_an_interval_has_seed_0_unless_another_is_given():
    sample = [3, 5, 4, 6, 4, 5, 7, 4, 11]
    for statistic in ("mean", "median"):
        assert confidence_interval(sample, statistic) == confidence_interval(
            sample, statistic, seed=0
        )
    assert confidence_interval(sample, "mean") != confidence_interval(sample, "mean", seed=1)
    assert confidence_interval([2.5], "mean") == (2.5, 2.5)
    with pytest.raises(ValueError, match="finite"):
        confidence_interval([])
