"""Spaces: labels come back as given, mistakes are named, large spaces stay fast."""

import copy
import enum
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube.space import Space

LABELS = st.one_of(
    st.text(max_size=4),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.tuples(st.integers(0, 3), st.text(max_size=2)),
    st.binary(max_size=2),
)
SPACES = st.dictionaries(
    st.text(min_size=1, max_size=5),
    # keys of a dict: exactly the lists without duplicates in the sense of the space
    st.lists(LABELS, min_size=1, max_size=20).map(lambda labels: list(dict.fromkeys(labels))),
    min_size=1,
    max_size=8,
)


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@given(SPACES, st.data())
def test_decode_and_encode_are_inverse_and_keep_the_objects(variables, data):
    space = Space(variables)
    categories = [data.draw(st.integers(0, len(labels) - 1)) for labels in variables.values()]
    point = space.decode(categories)
    assert list(point) == list(variables)
    for name, category in zip(variables, categories, strict=True):
        assert point[name] is variables[name][category]
    encoded = space.encode(point)
    assert encoded.dtype == np.int64
    assert encoded.tolist() == categories
    assert space.decode(encoded).keys() == point.keys()


@given(SPACES)
def test_size_cardinalities_and_pickle(variables):
    space = Space(variables)
    assert space.cardinalities.tolist() == [len(labels) for labels in variables.values()]
    assert space.size == math.prod(len(labels) for labels in variables.values())
    assert space == Space(space)
    again = pickle.loads(pickle.dumps(space))
    assert again.names == space.names
    assert repr(again.labels) == repr(space.labels)


def test_it_is_an_immutable_mapping():
    space = Space({"base": "ATCG", "digit": range(1, 10)})
    assert space.names == ("base", "digit")
    assert dict(space.items()) == {"base": tuple("ATCG"), "digit": tuple(range(1, 10))}
    with pytest.raises(KeyError, match="did you mean 'base'"):
        space["bass"]
    with pytest.raises(AttributeError):
        space.names = ()
    with pytest.raises(AttributeError):
        del space.labels
    with pytest.raises(ValueError, match="read-only"):
        space.cardinalities[0] = 3
    with pytest.raises(TypeError):
        hash(space)


def test_equality_takes_order_into_account():
    assert Space({"a": "xy", "b": "z"}) == Space({"a": ["x", "y"], "b": ("z",)})
    assert Space({"a": "xy", "b": "z"}) != Space({"b": "z", "a": "xy"})
    assert Space({"a": "xy"}) != Space({"a": "yx"})
    assert Space({"a": "xy"}) != {"a": ("x", "y")}


def test_labels_are_the_objects_given():
    one = np.int64(1)
    marker = object()
    space = Space({"mixed": [one, "1", marker, 2.5, None, (1, 2)], "digit": range(1, 4)})
    point = space.decode(np.array([0, 2]))
    assert point["mixed"] is one
    assert type(point["digit"]) is int
    assert space.decode([2, 0])["mixed"] is marker
    for copied in (copy.copy(space), copy.deepcopy(space)):
        assert copied.decode([2, 0])["mixed"] is marker


def test_kinds_of_iterables():
    assert Space({"c": Colour})["c"] == (Colour.RED, Colour.GREEN)
    assert Space({"c": (letter for letter in "ab")})["c"] == ("a", "b")
    assert Space({"c": {"x": 1, "y": 2}.keys()})["c"] == ("x", "y")
    assert Space({"c": [None]}).decode([0]) == {"c": None}
    assert all(type(label) is np.int32 for label in Space({"c": np.arange(3, dtype="i4")})["c"])


def test_two_nan_objects_are_two_labels_and_one_object_twice_is_not():
    one, other = float("nan"), float("nan")
    space = Space({"x": [one, other]})
    assert space.encode({"x": other}).tolist() == [1]
    with pytest.raises(ValueError, match="'x' has label nan twice"):
        Space({"x": [one, one]})


@pytest.mark.parametrize(
    ("variables", "error", "message"),
    [
        ({}, ValueError, "at least one variable"),
        ([("a", "xy")], TypeError, "mapping from names to labels"),
        ("ab", TypeError, "mapping from names to labels"),
        ({"a": []}, ValueError, "labels of variable 'a', got 0"),
        ({"a": "xyx"}, ValueError, "'a' has label 'x' twice"),
        ({"a": [1, 2, True]}, ValueError, r"'a' has label True twice \(equal to 1\)"),
        ({"a": [0, -0.0]}, ValueError, r"'a' has label -0.0 twice \(equal to 0\)"),
        ({"a": [1, [2]]}, TypeError, r"hashable labels of variable 'a', got \[2\]"),
        ({"a": np.zeros((2, 2))}, TypeError, "expected hashable labels"),
        ({"a": {1, 2}}, ValueError, "labels of variable 'a'"),
        ({"a": {"x": 1}}, ValueError, "labels of variable 'a'"),
        ({"a": 9}, TypeError, "labels of variable 'a', got 9"),
        ({1: "xy"}, ValueError, "non-empty string as the name of a variable, got 1"),
        ({"": "xy"}, ValueError, "non-empty string as the name of a variable, got ''"),
    ],
)
def test_a_wrong_space_is_refused_by_name(variables, error, message):
    with pytest.raises(error, match=message):
        Space(variables)


@pytest.mark.parametrize(
    ("categories", "error", "message"),
    [
        ([0], ValueError, "each of 2 variables, got 1"),
        ([4, 0], ValueError, r"variable 'base' from 0 to 3, got 4"),
        ([0, -1], ValueError, r"variable 'flag' from 0 to 1, got -1"),
        (np.array([0, 2]), ValueError, "variable 'flag' from 0 to 1, got 2"),
        ([0, 1.0], TypeError, "'flag', got 1.0"),
        (np.zeros((2, 2), dtype=int), TypeError, "integer category of variable 'base'"),
        (["A", True], TypeError, "integer category of variable 'base'"),
        (3, TypeError, "sequence of integer categories, got 3"),
    ],
)
def test_wrong_categories_are_refused(categories, error, message):
    with pytest.raises(error, match=message):
        Space({"base": "ATCG", "flag": [True, False]}).decode(categories)


@pytest.mark.parametrize(
    ("point", "error", "message"),
    [
        ({"base": "A"}, ValueError, "lacks a label for variable 'flag'"),
        ({}, ValueError, "lacks a label for variable 'base' and 1 more"),
        ({"base": "A", "flog": True}, ValueError, "variable 'flog', did you mean 'flag'"),
        ({"base": "A", "flag": True, "x": 1}, ValueError, "unknown variable 'x'"),
        ({"base": "a", "flag": True}, ValueError, "'base' 'a', did you mean 'A'"),
        ({"base": "A", "flag": []}, ValueError, r"unknown label of variable 'flag' \[\]"),
        (["A", True], TypeError, "mapping from names to labels"),
    ],
)
def test_a_wrong_point_is_refused(point, error, message):
    with pytest.raises(error, match=message):
        Space({"base": "ATCG", "flag": [True, False]}).encode(point)


def test_repeat():
    space = Space.repeat("cell", (digit for digit in range(1, 10)), 81)
    assert len(space) == 81
    assert space.names[0] == "cell0"
    assert space.names[-1] == "cell80"
    assert space["cell80"] == tuple(range(1, 10))
    assert space.size == 9**81
    with pytest.raises(ValueError, match="at least one variable, got 0"):
        Space.repeat("cell", "ab", 0)
    with pytest.raises(ValueError, match="non-empty string"):
        Space.repeat("", "ab", 2)


def test_messages_about_a_hundred_thousand_variables_are_short():
    space = Space.repeat("x", range(9), 100_000)
    point = space.decode(np.zeros(100_000, dtype=np.int64))
    assert space.encode(point).sum() == 0
    assert len(repr(space)) < 80
    with pytest.raises(ValueError, match="unknown variable") as caught:
        space.encode({**point, "y": 0})
    assert len(str(caught.value)) < 500


def test_fixed_variables():
    thing = object()
    space = Space({"base": "ATCG", "thing": [thing, 2], "self": "ab"})
    fixed = space.fix({"thing": thing}, self="b")
    assert fixed["thing"] == (thing,)
    assert (fixed.names, fixed.size) == (space.names, 4)
    assert fixed.decode([2, 0, 0]) == {"base": "C", "thing": thing, "self": "b"}
    assert space.fix() == space
    assert fixed.fix(thing=thing) == fixed
    assert Space({"digit": range(3)}).fix(digit=True)["digit"] == (1,)  # the label that was given
    assert type(Space({"digit": range(3)}).fix(digit=True)["digit"][0]) is int


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        ({"bass": "A"}, ValueError, "unknown variable 'bass', did you mean 'base'"),
        ({"base": "a"}, ValueError, "'base' 'a', did you mean 'A'"),
        ({"base": []}, ValueError, r"unknown label of variable 'base' \[\]"),
        (["base"], TypeError, "a mapping from names to labels"),
    ],
)
def test_what_cannot_be_fixed(labels, error, message):
    with pytest.raises(error, match=message):
        Space({"base": "ATCG", "flag": [True, False]}).fix(labels)
