"""Where one curve leads another, against the definition one evaluation after the other."""

from itertools import groupby

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from catcube.statistics import Curve, Lead, leads


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
    gaps = [round(40 * float(first.at(e) - second.at(e))) for e in range(1, budget + 1)]
    ahead = [(e, gap) for e, gap in enumerate(gaps, start=1) if abs(gap) > round(40 * tolerance, 9)]
    found = []
    for first_leads, group in groupby(ahead, key=lambda entry: entry[1] > 0):
        stretch = list(group)
        largest = max(abs(gap) for _, gap in stretch) / 40
        begin = stretch[0][0]
        if found:  # since when it is ahead without a break
            while (gaps[begin - 2] > 0) == first_leads and gaps[begin - 2] != 0:
                begin -= 1
            found[-1] = found[-1]._replace(end=begin)
        found.append(Lead(first_leads, begin, stretch[-1][0] + 1, largest))
    return found


@given(step_curves(20), step_curves(20), st.integers(1, 25), st.sampled_from([0, 0.03, 0.05, 0.1]))
def test_leads_are_what_their_words_say(first, second, budget, tolerance):
    assert leads(first, second, budget, tolerance) == leads_in_words(
        first, second, budget, tolerance
    )


def test_leads_that_change_many_times():
    first = Curve(np.array([1, 5, 9, 13, 17]), np.array([4, 8, 12, 20, 24]), 40)
    second = Curve(np.array([3, 7, 11, 15, 19]), np.array([5, 10, 15, 17, 25]), 40)
    for tolerance in (0, 0.03, 0.05):
        found = leads(first, second, 30, tolerance)
        assert found == leads_in_words(first, second, 30, tolerance)
        assert len(found) > 2


def test_a_lead_that_is_joined_is_the_last_one():
    first = Curve(np.array([1, 3]), np.array([8, 17]), 40)
    second = Curve(np.array([2, 4]), np.array([16, 25]), 40)
    assert leads(first, second, 9, tolerance=0.1) == [
        Lead(True, 1, 2, 8 / 40),
        Lead(False, 2, 10, 8 / 40),
    ]
