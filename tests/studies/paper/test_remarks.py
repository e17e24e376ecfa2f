"""Remarks on published tables beside ours: pairs that moved far."""

import pytest

from catcube.statistics import Line, Pair, summary
from catcube.studies.analysis.reference import Beside
from catcube.studies.paper.levels import Levels
from catcube.studies.paper.remarks import remarks

SAME = summary([1.0, 2.0, 3.0])


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
    lines = (Line("sa", "linear", rank, SAME) for rank in (ours, published))
    found = remarks("fixed-budget-ranks", [Beside(Pair("sa", "linear"), *lines, adjusted)])
    sentence = f"fixed-budget-ranks: sa-linear moves from rank {published} to {ours}."
    assert (sentence in found) == moved


def test_levels_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot assign"):
        object.__new__(Levels).budget = 1
