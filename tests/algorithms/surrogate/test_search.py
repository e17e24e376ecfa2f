"""algorithm="surrogate" in minimize, maximize and Optimizer."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import catcube
from tests.problems.python.test_parallel import Backwards, Counting

SPACE = catcube.Space({"base": "ATCG", "digit": range(5), "one": ["only"], "idle": "xyz"})

SLOW = pytest.mark.compiled  # interpreted, a model takes seconds per point


def cost(point):
    return 3 * (point["base"] != "G") + point["digit"]


def minimized(function=cost, **arguments):
    settings = {"algorithm": "surrogate", "budget": 14, "seed": 1, "initial": 5, **arguments}
    return catcube.minimize(function, SPACE, **settings)


def points(result):
    return result.history.categories.tolist()


@SLOW
def test_the_same_seed_gives_the_same_points_and_none_twice():
    first, again = minimized(), minimized()
    assert points(first) == points(again)
    assert len(set(map(tuple, points(first)))) == first.nfev == 14
    assert first.fun == 0
    assert first.representation == "native"


def test_compiled_or_not_the_points_are_these():
    """As found with the JIT off: pins the search, and that compiled code does the same."""
    found = minimized(batch=2)
    assert [[row[0], row[1], row[3]] for row in points(found)] == GOLDEN


def test_compiled_or_not_it_walks_to_these_points_from_the_optimum():
    found = minimized(budget=30)
    assert [[row[0], row[1], row[3]] for row in points(found)][-len(WALK) :] == WALK


@SLOW
def test_ask_and_tell_gives_the_points_of_minimize():
    expected = minimized()
    optimizer = catcube.Optimizer(SPACE, algorithm="surrogate", budget=14, seed=1, initial=5)
    asked = []
    while not optimizer.done:
        batch = optimizer.ask()
        asked += [SPACE.encode(point).tolist() for point in batch]
        optimizer.tell(batch, [cost(point) for point in batch])
    assert asked == points(expected)
    assert optimizer.result.fun == expected.fun
    assert optimizer.result.model.predict(expected.x) == expected.model.predict(expected.x)


@SLOW
def test_known_values_are_data_and_not_asked_for():
    optimizer = catcube.Optimizer(SPACE, algorithm="surrogate", budget=6, seed=1, initial=2)
    known = [{"base": b, "digit": 3, "one": "only", "idle": "x"} for b in "ATCG"]
    optimizer.tell(known, [cost(point) for point in known])
    asked = []
    while not optimizer.done:
        asked += optimizer.ask()
        optimizer.tell(asked[-1:], [cost(asked[-1])])
    assert len(asked) == 6
    assert not any(point in known for point in asked)
    assert len(optimizer.result.model.left_out()[0]) == 10


@SLOW
def test_it_begins_with_the_initial_points():
    first = [{"base": b, "digit": 4, "one": "only", "idle": "z"} for b in "CG"]
    result = minimized(x0=first)
    assert points(result)[:2] == [SPACE.encode(point).tolist() for point in first]
    assert result.nfev == 14
    assert len(result.model.left_out()[0]) == 14


@SLOW
def test_noise_is_averaged_by_the_model():
    """The reported point has the best mean by the model, and that mean is near the truth."""
    random = np.random.default_rng(1)
    result = minimized(lambda point: cost(point) + random.normal(), noisy=True, budget=80)
    assert cost(result.x) <= 1
    assert abs(result.fun - cost(result.x)) < 1 < abs(min(result.history.values) - result.fun)


@SLOW
def test_constraints_hold_and_inactive_variables_do_not_count():
    space = catcube.Space(
        {"model": ["svm", "knn"], "C": range(5), "k": range(5), "seed": range(3)},
        only_if={"C": {"model": "svm"}, "k": {"model": "knn"}},
    )
    called = []

    def error(point):
        called.append(tuple(point.items()))
        return point.get("C", 7) + point.get("k", 3) - point["seed"]

    found = catcube.minimize(
        error,
        space,
        algorithm="surrogate",
        budget=15,
        seed=1,
        constraints=lambda point: point["seed"] != 2,
    )
    assert found.fun == 2
    assert len(set(called)) == len(called) == 15
    assert all(("C" in dict(p)) != ("k" in dict(p)) and dict(p)["seed"] < 2 for p in called)


@SLOW
def test_an_executor_has_one_point_more_than_workers_until_the_end():
    executor = Counting()
    result = minimized(executor=executor, workers=2)
    assert executor.under_way == [3] * 12 + [2, 1]
    assert result.calls == result.nfev == 14


@SLOW
@pytest.mark.parametrize("ending", [{}, {"target": 1}, {"noisy": True}])
def test_the_points_depend_on_seed_and_workers_only(ending):
    backwards = minimized(executor=Backwards(), workers=3, **ending)
    with ThreadPoolExecutor(3) as executor:
        forwards = minimized(executor=executor, **ending)
    assert points(backwards) == points(forwards)
    assert backwards.fun == forwards.fun
    assert ending == {"noisy": True} or len(set(map(tuple, points(forwards)))) == forwards.nfev


@SLOW
def test_an_executor_evaluates_every_point_of_a_small_space_once():
    space = {"a": range(3), "b": range(2)}
    settings = {"algorithm": "surrogate", "budget": 20, "seed": 1, "initial": 1, "workers": 4}
    result = catcube.minimize(lambda point: point["a"], space, executor=Backwards(), **settings)
    assert result.nfev == result.calls == len(set(map(tuple, points(result)))) == 6


@SLOW
def test_failed_points_do_not_end_the_run():
    def fragile(point):
        if point["base"] == "T":
            raise OSError("broken")
        return cost(point)

    result = minimized(fragile, catch=OSError)
    assert result.nfev == 14
    assert result.failed > 0
    assert result.fun <= 1


@SLOW
def test_a_function_that_raises_or_returns_nan_ends_the_run():
    with pytest.raises(ZeroDivisionError):
        minimized(lambda point: 1 / 0)
    with pytest.raises(ValueError, match="NaN"):
        minimized(lambda point: math.nan)


@SLOW
def test_target_callback_and_enumeration_end_it():
    assert minimized(target=0).status == 0
    small = catcube.minimize(
        lambda point: point["a"], {"a": range(3)}, algorithm="surrogate", budget=9, seed=1
    )
    assert (small.nfev, small.fun) == (3, 0)
    alone = catcube.minimize(
        lambda point: 5.0, {"a": ["only"]}, algorithm="surrogate", budget=9, seed=1
    )
    assert (alone.nfev, alone.fun) == (1, 5.0)


@SLOW
def test_other_representations_are_refused():
    with pytest.raises(ValueError, match="expected representation 'native'"):
        minimized(representation="direct")


@SLOW
def test_the_model_of_a_maximised_function_has_its_sign():
    result = catcube.maximize(
        lambda point: -cost(point), SPACE, algorithm="surrogate", budget=14, seed=1, initial=5
    )
    same = minimized().model
    mean, deviation = result.model.predict(result.x)
    assert (-mean, deviation) == pytest.approx(same.predict(result.x))


@SLOW
def test_the_model_predicts_and_says_what_matters():
    model = minimized(budget=24).model
    for point in ({"base": "A", "digit": 4}, {"base": "G", "digit": 2}):
        mean, deviation = model.predict({**point, "one": "only", "idle": "z"})
        assert abs(mean - cost(point)) < 0.5
        assert 0 <= deviation < 2
    importance = model.importance()
    assert sum(each.share for each in importance.values()) == pytest.approx(1)
    assert importance["one"] == (0, 0, 0)
    assert importance["idle"].high < 0.2 < min(importance["base"].low, importance["digit"].low)
    assert all(each.low <= each.share <= each.high for each in importance.values())
    values, means, deviations = model.left_out()
    assert np.corrcoef(values, means)[0, 1] > 0.9
    assert (deviations > 0).all()


@SLOW
@pytest.mark.parametrize("kind", ["plain", "failures", "heavy tails"])
def test_two_deviations_contain_most_values_that_were_not_seen(kind):
    """Of points drawn at random, and of neighbours of the best one."""
    random, space = np.random.default_rng(5), catcube.Space.repeat("x", range(4), 8)
    effects, pairs = random.normal(size=(8, 4)), random.normal(size=(7, 4, 4))

    def value(row):
        found = effects[np.arange(8), row].sum() + pairs[np.arange(7), row[:-1], row[1:]].sum()
        return float(np.exp(found / 2) if kind == "heavy tails" else found)

    def call(point):
        if kind == "failures" and random.random() < 0.3:
            raise OSError
        return value(space.encode(point))

    settings = {"algorithm": "surrogate", "budget": 80, "seed": 1}
    result = catcube.minimize(call, space, catch=OSError, **settings)
    rows = random.integers(4, size=(60, 8))
    rows[::2] = space.encode(result.x)
    rows[np.arange(0, 60, 2), random.integers(8, size=30)] = random.integers(4, size=30)
    predicted = [result.model.predict(space.decode(row)) for row in rows]
    inside = [abs(m - value(row)) <= 2 * d for row, (m, d) in zip(rows, predicted, strict=True)]
    assert np.mean(inside) >= 0.85  # 0.9 to 0.98 in the mean of many functions


@SLOW
def test_the_model_says_whether_the_order_of_categories_counts():
    space = catcube.Space.repeat("x", range(8), 3)
    settings = {"algorithm": "surrogate", "budget": 40, "seed": 1}
    ordered = catcube.minimize(
        lambda point: sum((v - 3) ** 2 for v in point.values()), space, **settings
    )
    hashed = catcube.minimize(
        lambda point: sum((5 * v + 2) * (3 * v + 1) % 11 for v in point.values()), space, **settings
    )
    assert ordered.model.ordinal > 0
    assert hashed.model.ordinal == 0


@SLOW
def test_the_model_is_drawn():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    bars, scatter = minimized().model.plot()
    assert len(bars.patches) == 4
    assert "predicted" in scatter.get_xlabel()
    pyplot.close("all")


@SLOW
def test_a_result_with_a_model_is_kept_without_it():
    result = minimized()
    assert catcube.Result.from_json(result.to_json()).model is None
    assert catcube.Result.from_json(result.to_json()).x == result.x


GOLDEN = [
    [3, 2, 2],
    [3, 3, 1],
    [2, 4, 0],
    [0, 0, 0],
    [1, 1, 1],
    [3, 0, 2],
    [1, 0, 2],
    [3, 1, 2],
    [3, 0, 0],
    [3, 4, 2],
    [3, 0, 1],
    [3, 1, 0],
    [3, 1, 1],
    [2, 0, 1],
]

WALK = [
    [3, 3, 2],
    [3, 1, 2],
    [3, 1, 0],
    [2, 1, 0],
    [0, 1, 1],
    [2, 1, 1],
    [2, 2, 1],
    [2, 0, 0],
    [2, 0, 2],
    [2, 1, 2],
]
