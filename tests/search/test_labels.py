"""Labels of every type: returned as they are, saved, or refused."""

import itertools
import math
import os
import subprocess
import sys
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube import Optimizer, Space, minimize, penalized
from catcube.search import checkpoint
from catcube.space import MOST_LABELS
from tests.search.label_examples import Colour, Hostile, Layer, Level

FIXED = [
    None, math.nan, -0.0, math.inf, (1, (2, "x")), frozenset("ab"), b"\0\xff", Colour.RED, Colour,
    Level.HIGH, Layer(3, "dense"), np.float32(0.1), np.str_("numpy"), Decimal("1.10"), len,
    Fraction(1, 3), "x" * 10**6, "\ud800", "e\u0301", "é", "", "two\nlines", 10**5000, Ellipsis,
    Hostile(), 1 + 2j, range(3), type, NotImplemented,
]  # fmt: skip


labels = st.lists(
    st.one_of(
        st.integers(0, len(FIXED) - 1).map(lambda index: FIXED[index]),  # some have no repr
        st.text(max_size=3),
        st.integers(),
        st.floats(),
        st.binary(max_size=3),
        st.tuples(st.integers(), st.text(max_size=2)),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda label: (
        (id(label) if label != label else label) if not isinstance(label, Hostile) else id(label)
    ),
)


@given(st.lists(labels, min_size=1, max_size=3), st.data())
def test_labels_of_every_type_are_returned(label_lists, data):
    space = Space({f"x{index}": labels for index, labels in enumerate(label_lists)})
    seen = []
    result = minimize(
        lambda point: seen.append(point) or len(seen) % 5,
        space,
        algorithm="rls",
        budget=10,
        seed=data.draw(st.integers(0, 2**64)),
    )
    for point in [*seen, result.x]:
        for name, label in point.items():
            assert any(label is original for original in space[name])
    fixed = space.fix(result.x).decode([0] * len(space))
    assert all(fixed[name] is label for name, label in result.x.items())
    assert space.decode(space.encode(result.x)).keys() == fixed.keys()
    assert "message: the budget is used up" in repr(result)
    with Optimizer(space, algorithm="rls", seed=1) as optimizer:
        points = optimizer.ask()
        optimizer.tell(points, [2])
        assert all(points[0][name] is label for name, label in optimizer.best.x.items())


@pytest.mark.parametrize("label", FIXED, ids=range(len(FIXED)))
def test_a_search_with_any_label_is_saved_and_continued(label, tmp_path):
    space = Space({"thing": [label, "other"], "digit": range(3)})
    with Optimizer(space, algorithm="rls", seed=1, target=Fraction(-1, 2)) as optimizer:
        optimizer.tell(optimizer.ask(), [3])
        optimizer.save(tmp_path / "saved")
        points = optimizer.ask()
        kept = checkpoint.read(tmp_path / "saved")["space"] is not None
        with Optimizer.load(tmp_path / "saved", None if kept else space) as loaded:
            again = loaded.ask()
    assert repr_of(again) == repr_of(points)
    if not kept:
        assert again[0]["thing"] is points[0]["thing"]


def repr_of(points):
    return [(type(point["thing"]), point["digit"]) for point in points]


def test_two_surrogates_do_not_become_one_character(tmp_path):
    """JSON would give back another label than the one saved, and one that is there already."""
    pair = "\ud83d\ude00"
    space = Space({"thing": [pair, "😀"]})
    with Optimizer(space, algorithm="rls", seed=1) as optimizer:
        optimizer.ask()
        optimizer.save(tmp_path / "saved")
    with pytest.raises(ValueError, match="space="):
        Optimizer.load(tmp_path / "saved")
    with Optimizer.load(tmp_path / "saved", space) as loaded:
        assert loaded.space["thing"][0] is pair


def test_a_space_looks_the_same_in_every_process():
    """The order of a set differs from process to process."""
    made = "Space({'kinds': [frozenset('abcdefgh'), (1, frozenset('ijklmnop')), len, 10**5000]})"
    imports = "from catcube import Space; from catcube.search import checkpoint"
    code = f"{imports}; print(checkpoint.fingerprint({made}))"
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == checkpoint.fingerprint(eval(made))


class Unhashable:
    def __hash__(self):
        raise ZeroDivisionError


class Twice(Mapping):
    def __getitem__(self, name):
        return "xy"

    def __iter__(self):
        return iter(["a", "a"])

    def __len__(self):
        return 2


def broken():
    yield 1
    raise TypeError("of the generator")


@pytest.mark.parametrize(
    ("variables", "error", "sentence"),
    [
        ({"a": [Unhashable()]}, TypeError, "expected hashable labels"),
        ({"a": [[0] * 10**5]}, TypeError, "expected hashable labels"),
        ({"a": np.ones((40, 40))}, TypeError, "expected hashable labels"),
        ({"a": [True, 1.0]}, ValueError, r"has label 1.0 twice \(equal to True\)"),
        ({"a": [0.0, -0.0]}, ValueError, r"has label -0.0 twice \(equal to 0.0\)"),
        ({"a": ["x" * 10**6] * 2}, ValueError, "twice"),
        ({"x" * 10**6: []}, ValueError, "has no labels"),
        ({"a": itertools.count()}, ValueError, f"expected at most {MOST_LABELS:,} labels"),
        ({"a": range(10**15)}, ValueError, f"expected at most {MOST_LABELS:,} labels"),
        ({"a": broken()}, TypeError, "of the generator"),
        ({Hostile(): "xy"}, ValueError, "as the name of a variable, got a value of type Hostile"),
        ({"a": Hostile()}, TypeError, "got a value of type Hostile"),
        (Twice(), ValueError, "unique names of variables, got 'a' twice"),
        (Hostile(), TypeError, "a mapping from names to labels"),
    ],
    ids=itertools.count(),
)
def test_wrong_labels_are_refused_in_a_short_sentence(variables, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        Space(variables)
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("label", [math.nan, "x" * 10**6, Hostile(), 10**5000, [1]], ids=range(5))
def test_unknown_labels_are_refused_in_a_short_sentence(label):
    space = Space({"a": [math.nan, "y" * 10**6, Hostile(), 10**6000]})
    other = float("nan") if label is math.nan else label
    for act in (space.fix, space.encode):
        with pytest.raises(ValueError, match="unknown label of variable 'a'") as caught:
            act({"a": other})
        assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("count", ["3", 2.0, True, None, 0, -1, 10**15], ids=str)
def test_a_number_of_variables_that_is_none(count):
    with pytest.raises((TypeError, ValueError), match="variable"):
        Space.repeat("x", "ab", count)


def test_a_penalty_knows_nan_and_numbers_of_numpy():
    nan = math.nan
    allowed = penalized(lambda point: 0, [{"a": nan}], np.float32(3))
    assert allowed({"a": nan}) == 3.0
    assert allowed({"a": 1.0}) == 0
    assert penalized(lambda point: 0, [{"a": 1}], Fraction(1, 2))({"a": True}) == 0.5
    for penalty, error in [(10**400, ValueError), ("3", TypeError), (math.nan, ValueError)]:
        with pytest.raises(error, match="penalty"):
            penalized(lambda point: 0, [{"a": 1}], penalty)
    with pytest.raises(TypeError, match="expected a list of forbidden combinations, got 5"):
        penalized(lambda point: 0, 5, 1)
