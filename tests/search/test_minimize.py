"""minimize(): forms of objectives, the result, arguments, callbacks, time, reproducibility."""

import enum
import subprocess
import sys
import threading

import pytest

import catcube
from catcube import minimize, representation
from catcube.algorithms import names
from catcube.problems import Match
from tests.search.minimize_examples import FORMS, SPACE, cost


@pytest.mark.parametrize(
    "form",
    ["function", "vectorized", "compiled", pytest.param("numba", marks=pytest.mark.compiled)],
)
def test_every_form_of_objective(form):
    function, options = FORMS[form]
    result = minimize(function, SPACE, algorithm="sa", budget=400, seed=3, **options)
    plain = minimize(cost, SPACE, algorithm="sa", budget=400, seed=3)
    assert result.x == {"base": "G", "digit": 7, "flag": False}
    assert result.fun == 0.0
    assert result.trace.evaluations.tolist() == plain.trace.evaluations.tolist()
    assert result.trace.values.tolist() == plain.trace.values.tolist()
    assert result.solution.tolist() == plain.solution.tolist()


@pytest.mark.parametrize("name", names())
def test_a_space_of_one_point_is_searched_and_left(name):
    result = minimize(lambda point: 3.0, {"only": ["a"]}, algorithm=name, budget=50, seed=1)
    assert (result.x, result.fun, result.nfev, result.ending) == ({"only": "a"}, 3, 1, "converged")


def test_a_compiled_function_can_be_called_and_named():
    @catcube.compiled
    def total(categories):
        """The sum."""
        return categories.sum()

    assert total([1, 2, 3]) == 6
    assert repr(total) == "compiled(total)"
    assert total.__doc__ == "The sum."
    assert minimize(total, SPACE, budget=300, seed=1).fun == 0.0
    assert minimize(total, SPACE, budget=300, seed=1).x["base"] == "A"


def test_labels_are_the_very_objects():
    class Colour(enum.Enum):
        RED = 1
        BLUE = 2

    things = [object(), object(), object()]
    numbers = [10**30, 10**30 + 1]
    space = {"thing": things, "colour": Colour, "number": numbers}
    seen = []

    def function(point):
        seen.append(point)
        return (point["thing"] is not things[1]) + (point["colour"] is not Colour.BLUE)

    result = minimize(function, space, budget=100, seed=1)
    assert result.x["thing"] is things[1]
    assert result.x["colour"] is Colour.BLUE
    assert any(result.x["number"] is number for number in numbers)
    for point in seen:
        assert any(point["thing"] is thing for thing in things)
        assert list(point) == ["thing", "colour", "number"]


def test_the_function_gets_a_new_dict():
    kept = []

    def spoiling(point):
        value = cost(point)
        kept.append(dict(point))
        point["base"] = "spoilt"
        point.clear()
        return value

    plain, calls = minimize(cost, SPACE, budget=200, seed=1), []
    spoilt = minimize(spoiling, SPACE, budget=200, seed=1)
    assert spoilt.trace.values.tolist() == plain.trace.values.tolist()
    minimize(lambda point: calls.append(point) or cost(point), SPACE, budget=200, seed=1)
    assert calls == kept  # a point that is kept does not change later


def test_fields_of_the_result():
    result = minimize(
        cost, SPACE, algorithm="rls", representation="direct", budget=300, seed=11, patience=20
    )
    assert cost(result.x) == result.fun == 0.0
    assert (result.nfev, result.success, result.status) == (72, True, 2)  # all points
    assert result.nit > 72
    assert result.message == "the algorithm has converged"
    assert result.bits == 2 + 4 + 1
    assert set(result.solution.tolist()) <= {0, 1}
    assert result.trace.evaluations[-1] == result.nfev_best
    assert 0 < result.seconds < 30
    assert (result.seed, result.algorithm, result.representation) == (11, "rls", "direct")
    assert result.parameters == {"patience": 20}


def test_the_result_in_words():
    whole = repr(minimize(Match(100, 9, seed=1), algorithm="sa", budget=10, seed=1))
    assert all(f"x{k} = " in whole for k in range(100))
    assert all(f"{name}: " in whole for name in ("message", "fun", "nfev", "algorithm", "seed"))


def test_a_representation_for_each_variable():
    by_variable = {"base": "gray", "digit": representation("compact", 9), "flag": "direct"}
    result = minimize(cost, SPACE, algorithm="sa", representation=by_variable, budget=500, seed=1)
    assert result.bits == 2 + 11 + 1
    assert result.representation == "by variable"
    assert result.fun == 0.0
    one = minimize(Match(4, 9, seed=1), representation=representation("vt", 9), budget=9, seed=1)
    assert (one.representation, one.bits) == ("vt", 32)


def test_the_seed_decides():
    runs = [
        minimize(Match(9, 9, seed=1), algorithm="sa", budget=200, seed=seed)
        for seed in (1, 1, 2, 2**200)
    ]
    traces = [run.trace.evaluations.tolist() for run in runs]
    assert traces[0] == traces[1]
    assert len({str(trace) for trace in traces}) == 3
    assert runs[3].seed == 2**200


@pytest.mark.parametrize("name", names())
def test_restarts(name):
    """The first part is the run without restarts; the budget is kept; the best of all parts."""
    problem = Match(12, 6, seed=1)
    points = []

    def function(point):
        points.append(point)
        return problem.evaluate(point)

    options = {"algorithm": name, "seed": 2}
    once = minimize(function, problem.space, budget=150, **options)
    first, points = points, []
    result = minimize(function, problem.space, budget=1000, restart=150, **options)
    assert points[:150] == first[: once.nfev]
    assert result.nfev == len(points) == 1000
    values = [problem.evaluate(point) for point in points]
    assert result.fun == problem.evaluate(result.x) == min(values)
    assert result.nfev_best == values.index(min(values)) + 1
    # It begins anew: the parts are not copies, and a part begins as badly as the first.
    parts = [values[start : start + 150] for start in range(0, 900, 150)]
    assert all(part != parts[0] for part in parts[1:])
    assert all(part[0] > min(values) for part in parts)


def test_a_converged_algorithm_begins_anew():
    settings = {"algorithm": "ltga", "population": 4, "budget": 2000, "seed": 1}
    once = minimize(Match(5, 4, seed=1), **settings)
    assert once.message == "the algorithm has converged"
    assert once.nfev < 1000
    assert minimize(Match(5, 4, seed=1), restart=10**6, **settings).nfev == 2000


def test_without_a_seed_one_is_drawn_and_reported():
    first, second = (minimize(Match(9, 9, seed=1), algorithm="sa", budget=200) for _ in range(2))
    assert first.seed != second.seed
    again = minimize(Match(9, 9, seed=1), algorithm="sa", budget=200, seed=first.seed)
    assert again.solution.tolist() == first.solution.tolist()


def test_the_same_run_in_another_process():
    code = (
        "from catcube import minimize; from catcube.problems import Match;"
        "r = minimize(Match(9, 9, seed=1), algorithm='sa', budget=500, seed=2**100);"
        "print(r.trace.evaluations.tolist(), r.trace.values.tolist(), r.solution.tolist())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    here = minimize(Match(9, 9, seed=1), algorithm="sa", budget=500, seed=2**100)
    values = (here.trace.evaluations.tolist(), here.trace.values.tolist(), here.solution.tolist())
    assert printed.strip() == " ".join(map(str, values))


@pytest.mark.parametrize("form", ["function", "compiled"])
def test_runs_in_several_threads(form):
    function, options = FORMS[form]
    results = {}

    def run(seed):
        results[seed] = minimize(function, SPACE, algorithm="sa", budget=1000, seed=seed, **options)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(4):
        alone = minimize(function, SPACE, algorithm="sa", budget=1000, seed=seed, **options)
        assert results[seed].trace.values.tolist() == alone.trace.values.tolist()
        assert results[seed].solution.tolist() == alone.solution.tolist()
