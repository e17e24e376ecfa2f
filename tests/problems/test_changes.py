"""`change` and `commit` of every problem agree with whole evaluations, compiled and interpreted."""

import pytest

from catcube.problems import make
from catcube.problems.registry import kinds
from catcube.testing.problems import changes

SMALL = [
    "colouring:random,8,0.5,3",
    "csp:6,3,8,0.4",
    "ehrlich:8,4,2,2",
    "factors:random,6,3,8",
    "hiff:7,3",
    "latin:holes,5,12",
    "leadingones:6,3",
    "match:6,3",
    "nk:6,3,2",
    "onemax:6,4",
    "onemax:6,4,metric=ring",
    "onemax:6,4,metric=hamming",
    "pest",
    "potts:torus,3,3,3",
    "qap:nug12",
    "sudoku:12..34122143432.",
    "trap:7,3,3",
    "trap:6,3,3,overlap=1",
    "words:4,4,3",
    "words:4,4,3,reverse=true",
    "words:4,4,3,gc=true",
    "words:4,4,3,reverse=true,gc=true",
]


@pytest.mark.parametrize("text", SMALL)
def test_random_changes(text):
    assert changes(lambda: make(text)) is None  # raises an AssertionError where one is wrong


def test_every_shipped_kind_of_problem_is_among_them():
    assert {text.partition(":")[0] for text in SMALL} == set(kinds.builtin())
