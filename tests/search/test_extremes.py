"""The Python interface at its extremes: labels, sizes and arguments of every kind."""

import enum
import itertools
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catcube import Optimizer, Space, minimize, penalized, representation
from catcube.algorithms import names as algorithm_names
from catcube.base import memory
from catcube.base.labels import MOST_LABELS
from catcube.base.seeds import derived_seed
from catcube.problems import Match
from catcube.representations.layout import layout_of, representations_of
from catcube.representations.registry import MOST_CATEGORIES, families
from catcube.search import checkpoint
from catcube.search.arguments import checked_cache, checked_count, checked_seed

# Labels


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = -7
    HIGH = -8


@dataclass(frozen=True)
class Layer:
    width: int
    kind: str


class Hostile:
    """Its repr fails, and it is equal to nothing, in the way of a numpy array."""

    def __repr__(self):
        raise RuntimeError("no repr")

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    __hash__ = object.__hash__


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
def test_labels_of_every_type_are_given_back(label_lists, data):
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


# Arguments

NUMBERS = [np.int64(7), 7.0, np.float32(7), Fraction(7), Decimal(7), np.array(7), np.uint8(7)]
NO_NUMBERS = [
    True, np.True_, "7", b"7", None, math.nan, math.inf, 7.5, 7j, [7], np.array([7]), Hostile(),
    np.array([7, 8]), Decimal("NaN"), Decimal("sNaN"), {}, 10**5000, -(10**5000),
]  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_numbers_of_every_type(number):
    assert checked_count("budget", number) == 7
    assert type(checked_count("budget", number)) is int
    assert checked_cache(number) == 7
    result = minimize(
        lambda point: 7, {"a": "xy"}, algorithm="rls", budget=9, target=number, seed=1
    )
    assert result.message == "the target was reached"


@pytest.mark.parametrize("wrong", NO_NUMBERS, ids=range(len(NO_NUMBERS)))
def test_what_is_no_number(wrong):
    def untouched(point):
        raise AssertionError("no evaluation before the arguments are checked")

    for name in ("budget", "restart", "target", "time_limit", "cache", "seed"):
        if name in ("seed", "cache") and isinstance(wrong, bool | np.bool_ | None):
            continue
        if name in ("budget", "target", "time_limit", "restart") and wrong is None:
            continue
        if name in ("target", "time_limit") and isinstance(wrong, float) and wrong == 7.5:
            continue
        with pytest.raises(ValueError, match="expected") as caught:
            minimize(untouched, {"a": "xy"}, **{name: wrong})
        assert len(str(caught.value)) < 300
    with pytest.raises((TypeError, ValueError)) as caught:
        Optimizer({"a": "xy"}, algorithm="rls", seed=1).ask(False if wrong is None else wrong)
    assert "expected an integer from 1" in str(caught.value)


@pytest.mark.parametrize("seed", [0, 2**64, 2**200, 2**4096 - 1, np.uint64(2**63), Level.LOW + 8])
def test_seeds_of_every_size(seed):
    assert checked_seed(seed) == int(seed)
    result = minimize(lambda point: 0, {"a": "xy"}, algorithm="rls", budget=3, seed=seed)
    assert result.seed == seed
    assert str(seed)[-5:] in repr(result)


@pytest.mark.parametrize("seed", [-1, True, np.True_, "1", 1.0, np.random.SeedSequence(1)])
def test_what_is_no_seed(seed):
    with pytest.raises(ValueError, match="expected an integer >= 0 as seed, got"):
        checked_seed(seed)
    with pytest.raises(ValueError, match=r"expected an integer below 2\^4096 as seed"):
        checked_seed(2**4096)


def test_names_that_are_no_text():
    assert derived_seed(1, "\udcff") != derived_seed(1, "\udcfe")  # files may be called so


# Sizes


@pytest.mark.parametrize("budget", [1, 10**12, 2**62 - 1, 1e6])
def test_a_budget_takes_no_memory(budget):
    result = minimize(Match(3, 3, seed=1), algorithm="rls", budget=budget, target=3, seed=1)
    assert result.success
    assert result.nfev <= budget


@pytest.mark.parametrize("name", sorted(families))
@pytest.mark.parametrize("N", [1, 2, 255, 257])
def test_many_labels(name, N):
    problem = Match(2, N, seed=1)
    result = minimize(problem, algorithm="rls", representation=name, budget=30, seed=1)
    assert result.fun == problem.evaluate(result.x)
    assert result.bits.size == 2 * representation(name, N).bits


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(families))
@pytest.mark.parametrize("N", [1000, 1023, 1024])
def test_a_thousand_labels(name, N):
    problem = Match(2, N, seed=1)
    for algorithm in ("rls", "ga", "mimic", "ea-1p1"):
        result = minimize(problem, algorithm=algorithm, representation=name, budget=300, seed=1)
        assert result.fun == problem.evaluate(result.x)


@pytest.mark.parametrize("N", [MOST_CATEGORIES + 1, 10**9, 10**5000], ids=["a", "b", "c"])
@pytest.mark.parametrize("name", ["linear", "direct"])
def test_too_many_categories(name, N):
    with pytest.raises(ValueError, match="expected at most 65,536 categories"):
        representation(name, N)


def test_a_table_that_is_too_large():
    with pytest.raises(ValueError, match=r"got 40,960,000: 'balanced' is not feasible"):
        representation("balanced", 5000)


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 2**27)


@pytest.mark.parametrize(
    ("algorithm", "parameters", "sentence"),
    [
        ("ltga", {}, "ltga on 12000 bits with population=500 needs about [01].* GB of memory, but"),
        ("p3", {}, "p3 on 12000 bits with hill_climber=True needs about"),
        ("ga", {"mu": 10**6}, "ga on 12000 bits with mu=1000000,.* needs about 3.* GB of memory"),
        ("mimic", {"population": 10**5}, "mimic on 12000 bits"),
        ("ga", {"mu": 10**13}, "ga on 12000 bits .* does not fit into memory"),
        ("ga", {"mu": 10**18}, "ga on 12000 bits .* does not fit into memory"),
        ("ea-10p1", {"mu": 10**6}, "a search on 12000 bits with 100000. points needs about"),
    ],
)
def test_algorithms_that_need_more_memory_than_there_is(
    algorithm, parameters, sentence, little_memory
):
    problem = Match(4000, 4, seed=1)
    with pytest.raises(ValueError, match=sentence):
        minimize(
            problem,
            algorithm=algorithm,
            representation="linear",
            budget=10,
            seed=1,
            **parameters,
        )


def test_spaces_that_need_more_memory_than_there_is(little_memory):
    with pytest.raises(ValueError, match=r"a space of 1000000 variables needs about 0\.5 GB"):
        Space.repeat("x", "ab", 10**6)
    space = Space.repeat("x", range(1024), 4000)
    with pytest.raises(ValueError, match="4092000 bits of 4000 variables needs about"):
        minimize(lambda point: 0, space, algorithm="rls", budget=1, seed=1)
    assert minimize(lambda point: 0, space, algorithm="rls", representation="direct", budget=1)


@pytest.mark.compiled  # it takes many evaluations until the pyramid grows
def test_memory_that_runs_out_in_a_run_does_not_take_the_result(monkeypatch):
    """The pyramid of P3 grows; what was found until then is not lost."""

    def refuse(needed, what):
        if "which must grow" in what:
            raise ValueError(f"{what} needs too much")

    monkeypatch.setattr("catcube.search.kernel.ensure", refuse)
    problem = Match(12, 6, seed=1)
    with pytest.raises(ValueError, match="p3, which must grow") as caught:
        minimize(
            problem,
            algorithm="p3",
            representation="linear",
            budget=10**7,
            seed=1,
            hill_climber=False,
        )
    partial = caught.value.partial_result
    assert partial.nfev > 100
    assert partial.fun == problem.evaluate(partial.x)


@pytest.mark.long
@pytest.mark.compiled  # a hundred thousand variables
@pytest.mark.parametrize("algorithm", algorithm_names())
def test_a_hundred_thousand_variables(algorithm):
    problem = Match(100_000, 4, seed=1)
    if algorithm in ("ltga", "p3"):  # a number for each pair of bits
        with pytest.raises(ValueError, match=r"on 300000 bits .* memory"):
            minimize(problem, algorithm=algorithm, representation="linear", budget=20, seed=1)
    else:
        result = minimize(problem, algorithm=algorithm, budget=20, seed=1)
        assert result.fun == problem.evaluate(result.x)
        assert result.nfev == 20


# What holds for every run


@st.composite
def runs(draw):
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    space = Space({f"x{index}": range(size) for index, size in enumerate(sizes)})
    values = draw(
        st.lists(st.one_of(st.integers(-3, 3), st.floats(allow_nan=False)), min_size=1, max_size=30)
    )
    multipliers = draw(st.lists(st.integers(0, 30), min_size=5, max_size=5))

    def cost(point):
        index = sum(a * b for a, b in zip(multipliers, point.values(), strict=False))
        return values[index % len(values)]

    arguments = {
        "algorithm": draw(st.sampled_from(algorithm_names())),
        "representation": draw(st.sampled_from(sorted(families))),
        "budget": draw(st.integers(1, 80)),
        "seed": draw(st.integers(0, 2**70)),
        "cache": draw(st.booleans()),
        "restart": draw(st.none() | st.integers(1, 30)),
        "target": draw(st.none() | st.integers(-3, 3)),
    }
    if arguments["algorithm"] in ("ga", "ltga", "umda", "pbil", "mimic"):
        name = "mu" if arguments["algorithm"] == "ga" else "population"
        arguments[name] = draw(st.integers(2, 20))
        if name == "population" and arguments["algorithm"] != "ltga":
            arguments["selection"] = draw(st.integers(1, arguments[name]))
        if name == "mu":
            arguments["tournament"] = draw(st.integers(0, 5))
    return cost, space, arguments


@given(runs())
def test_what_is_reported_is_what_was_found(run):
    cost, space, arguments = run
    seen = []

    def noted(point):
        seen.append(cost(point))
        return seen[-1]

    result = minimize(noted, space, **arguments)
    assert result.fun == cost(result.x)
    assert result.fun == min(seen)
    assert result.calls == len(seen)
    assert 1 <= result.nfev <= arguments["budget"]
    assert result.nfev == result.calls or arguments["cache"]
    evaluations, values = result.trace
    assert (np.diff(values) < 0).all()
    assert (np.diff(evaluations) > 0).all()
    assert values[-1] == result.fun
    assert evaluations[-1] == result.nfev_best <= result.nfev
    layout = layout_of(representations_of(space, arguments["representation"]))
    assert result.bits.size == layout.variable.size
    reached = arguments["target"] is not None and result.fun <= arguments["target"]
    assert reached == (result.message == "the target was reached")
    assert pickle.loads(pickle.dumps(result)).x == result.x
