"""minimize(): forms of objectives, the result, arguments, callbacks, time, reproducibility."""

import enum
import subprocess
import sys
import threading
import time
from itertools import pairwise

import numba
import numpy as np
import pytest

import catcube
from catcube import Space, minimize, representation
from catcube.algorithms import algorithm, names
from catcube.engine.compiled.jit import JIT
from catcube.problems import Match

SPACE = Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})


def cost(point):
    return abs(point["digit"] - 7) + "GCTA".index(point["base"]) * 3 + point["flag"]


def cost_of_rows(rows):
    return abs(rows[:, 1] - 6) + (3 - rows[:, 0]) * 3 + 1 - rows[:, 2]


def cost_of_categories(categories):
    return abs(categories[1] - 6) + (3 - categories[0]) * 3 + 1 - categories[2]


FORMS = {
    "function": (cost, {}),
    "vectorized": (cost_of_rows, {"vectorized": True}),
    "compiled": (catcube.compiled(cost_of_categories), {}),
    "numba": (numba.njit(cost_of_categories), {}),
}


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
    assert result.bits.tolist() == plain.bits.tolist()


def test_the_space_may_be_a_plain_dict():
    assert (
        minimize(cost, dict(SPACE), budget=300, seed=1).x
        == minimize(cost, SPACE, budget=300, seed=1).x
    )


def test_a_shipped_problem():
    problem = Match(20, 9, seed=1)
    result = minimize(problem, target=0, seed=1)
    assert result.x == problem.hidden
    assert minimize(problem, problem.space, target=0, seed=1).x == problem.hidden


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


def test_the_function_gets_a_dict_of_its_own():
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


def test_the_vectorized_function_gets_an_array_of_its_own():
    kept = []

    def spoiling(rows):
        assert rows.shape == (1, 3)
        assert rows.dtype == np.int64
        value = cost_of_rows(rows)
        rows[:] = -1
        kept.append(rows)
        return value

    options = {"algorithm": "sa", "budget": 200, "seed": 1, "vectorized": True}
    plain = minimize(cost_of_rows, SPACE, **options)
    assert minimize(spoiling, SPACE, **options).trace.values.tolist() == plain.trace.values.tolist()
    assert all((rows == -1).all() for rows in kept)


def test_fields_of_the_result():
    result = minimize(
        cost, SPACE, algorithm="rls", representation="direct", budget=300, seed=11, patience=20
    )
    assert cost(result.x) == result.fun == 0.0
    assert (result.nfev, result.success, result.status) == (300, True, 1)
    assert result.nit == 299  # all but the first point
    assert result.message == "the budget is used up"
    assert result.bits.size == 2 + 4 + 1
    assert set(result.bits.tolist()) <= {0, 1}
    assert result.trace.evaluations[-1] == result.nfev_best
    assert 0 < result.seconds < 30
    assert (result.seed, result.algorithm, result.representation) == (11, "rls", "direct")
    assert result.parameters == {"patience": 20}


def test_the_result_in_words():
    result = minimize(cost, SPACE, algorithm="rls", budget=300, target=0, seed=11)
    lines = dict(line.strip().split(": ", 1) for line in repr(result).splitlines())
    assert lines.pop("seconds")
    assert lines == {
        "message": "the target was reached",
        "success": "True",
        "fun": "0",
        "x": "{'base': 'G', 'digit': 7, 'flag': False}",
        "nfev": f"{result.nfev} (best found at {result.nfev})",
        "algorithm": "rls, patience=50",
        "representation": "linear (19 bits)",
        "seed": "11",
    }
    long = repr(minimize(Match(100, 9, seed=1), algorithm="sa", budget=10, seed=1))
    assert "…" in long
    assert max(map(len, long.splitlines())) < 200


def test_a_representation_for_each_variable():
    by_variable = {"base": "gray", "digit": representation("compact", 9), "flag": "direct"}
    result = minimize(cost, SPACE, algorithm="sa", representation=by_variable, budget=500, seed=1)
    assert result.bits.size == 2 + 11 + 1
    assert result.representation == "by variable"
    assert result.fun == 0.0
    one = minimize(Match(4, 9, seed=1), representation=representation("vt", 9), budget=9, seed=1)
    assert (one.representation, one.bits.size) == ("vt", 32)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"algorithm": "rsl"}, ValueError, "unknown algorithm 'rsl', did you mean 'rls'?"),
        ({"algorithm": "zzz"}, ValueError, "unknown algorithm 'zzz' (known: 'rls', "),
        ({"algorithm": "SA"}, ValueError, "unknown algorithm 'SA', did you mean 'sa'?"),
        (
            {"representation": "lineal"},
            ValueError,
            "unknown representation 'lineal', did you mean 'linear'? (known: 'balanced', ",
        ),
        ({"algorithm": ["sa"]}, TypeError, "expected the name of an algorithm, got ['sa']"),
        ({"preset": ["paper"]}, TypeError, "expected the name of a preset, got ['paper']"),
        ({"callback": 5}, TypeError, "expected a function as callback, got 5"),
        ({"representation": 3}, TypeError, "a name or a Representation, got 3"),
        ({"representation": {"base": "gray"}}, ValueError, "got none for 'digit'"),
        (
            {"representation": {"bass": "gray"}},
            ValueError,
            "unknown variable 'bass', did you mean 'base'?",
        ),
        (
            {"representation": representation("linear", 4)},
            ValueError,
            "of 9 categories for variable 'digit', got 'linear' of 4",
        ),
        ({"preset": "papre"}, ValueError, "unknown preset 'papre', did you mean 'paper'?"),
        (
            {"patients": 3},
            TypeError,
            "rls has no parameter 'patients', accepted with their defaults: patience=50",
        ),
        ({"patience": 0}, ValueError, "rls: patience: expected a value >= 1, got 0"),
        ({"patience": 1.5}, ValueError, "rls: patience: expected an integer, got 1.5"),
        ({"patience": "many"}, ValueError, "rls: patience: expected an integer, got 'many'"),
        ({"patience": True}, ValueError, "rls: patience: expected an integer, got True"),
        ({"patience": None}, ValueError, "rls: patience: expected an integer, got None"),
        *(
            ({"budget": budget}, ValueError, f"an integer from 1 to 2^62 as budget, got {budget!r}")
            for budget in (0, -1, 1.5, "10", True, float("nan"), float("inf"), 2**62, 2**64)
        ),
        *(
            ({"restart": restart}, ValueError, "expected an integer from 1 to 2^62 as restart")
            for restart in (0, -1, 1.5, "10", True)
        ),
        *(
            ({"target": target}, ValueError, f"expected a finite number as target, got {target!r}")
            for target in ("0", float("nan"), [0], 1j, True)
        ),
        *(
            ({"time_limit": limit}, ValueError, "expected a number of seconds > 0 as time limit")
            for limit in (0, -1, "1", float("nan"), True)
        ),
        *(
            ({"seed": seed}, ValueError, f"expected an integer >= 0 as seed, got {seed!r}")
            for seed in (-1, 1.0, "1", True, [1])
        ),
    ],
)
def test_wrong_arguments(arguments, error, sentence):
    def untouched(point):
        raise AssertionError("no evaluation before the arguments are checked")

    with pytest.raises(error) as caught:
        minimize(untouched, SPACE, **{"algorithm": "rls", **arguments})
    assert sentence in str(caught.value)


def test_wrong_parameters_of_every_algorithm():
    for name in names():
        with pytest.raises(TypeError) as caught:
            minimize(cost, SPACE, algorithm=name, zebra=1)
        for parameter in algorithm(name).described():
            assert f"{parameter.name}={parameter.default!r}" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ((3, SPACE), TypeError, "expected a function or a problem, got 3"),
        ((cost,), ValueError, "expected a space for the function"),
        ((cost, 3), TypeError, "expected a mapping from names to labels"),
        ((Match(2, 3, seed=1), SPACE), ValueError, "expected no space beside that of the problem"),
    ],
)
def test_wrong_objectives_and_spaces(arguments, error, sentence):
    with pytest.raises(error, match=sentence):
        minimize(*arguments)


@pytest.mark.parametrize(
    ("arguments", "same"),
    [
        ({"budget": 1e2, "patience": 50.0}, {"budget": 100, "patience": 50}),
        ({"budget": np.int32(100), "seed": np.uint8(7)}, {"budget": 100, "seed": 7}),
    ],
)
def test_numbers_of_any_type(arguments, same):
    result, expected = (
        minimize(cost, SPACE, algorithm="rls", **{"seed": 7, **either})
        for either in (arguments, same)
    )
    assert result.trace.values.tolist() == expected.trace.values.tolist()
    assert result.parameters == expected.parameters
    assert type(result.parameters["patience"]) is int


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


def test_without_a_seed_one_is_drawn_and_told():
    first, second = (minimize(Match(9, 9, seed=1), algorithm="sa", budget=200) for _ in range(2))
    assert first.seed != second.seed
    again = minimize(Match(9, 9, seed=1), algorithm="sa", budget=200, seed=first.seed)
    assert again.bits.tolist() == first.bits.tolist()


def test_the_same_run_in_another_process():
    code = (
        "from catcube import minimize; from catcube.problems import Match;"
        "r = minimize(Match(9, 9, seed=1), algorithm='sa', budget=500, seed=2**100);"
        "print(r.trace.evaluations.tolist(), r.trace.values.tolist(), r.bits.tolist())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    here = minimize(Match(9, 9, seed=1), algorithm="sa", budget=500, seed=2**100)
    values = (here.trace.evaluations.tolist(), here.trace.values.tolist(), here.bits.tolist())
    assert printed.strip() == " ".join(map(str, values))


def test_runs_inside_an_objective():
    def outer(point):
        inner = minimize(cost, SPACE, budget=5 + point["digit"], seed=point["digit"])
        problem = minimize(Match(3, 4, seed=1), budget=5, seed=point["digit"])
        return inner.fun + problem.fun

    digits = {"digit": range(1, 10)}
    expected = {digit: outer({"digit": digit}) for digit in range(1, 10)}
    result = minimize(outer, digits, budget=40, seed=1)
    assert result.fun == min(expected.values())
    assert expected[result.x["digit"]] == result.fun


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
        assert results[seed].bits.tolist() == alone.bits.tolist()


PYTHON_AND_COMPILED = pytest.mark.parametrize("objective", [cost, Match(30, 9, seed=1)])


def run_long(objective, **options):
    space = SPACE if callable(objective) else None
    return minimize(objective, space, algorithm="rls", budget=10**12, seed=1, **options)


@PYTHON_AND_COMPILED
def test_the_callback_sees_the_run(objective):
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 4

    result = run_long(objective, callback=callback)
    assert len(seen) == 4
    assert (result.message, result.success) == ("the callback asked to stop", False)
    evaluations = [progress.evaluations for progress in seen]
    assert evaluations == sorted(set(evaluations))
    values = [progress.value for progress in seen]
    assert values == sorted(values, reverse=True)
    assert all(a.seconds < b.seconds for a, b in pairwise(seen))
    assert result.nfev >= evaluations[-1]
    assert result.fun <= values[-1]


@PYTHON_AND_COMPILED
def test_a_slow_callback_is_not_asked_again(objective):
    seen = []

    def callback(progress):
        seen.append(progress)
        time.sleep(0.1)
        return True

    run_long(objective, callback=callback)
    assert len(seen) == 1


@PYTHON_AND_COMPILED
def test_only_true_stops(objective):
    seen = []
    result = run_long(objective, callback=lambda p: seen.append(p) or 1, time_limit=0.3)
    assert result.message == "the time limit was reached"
    assert len(seen) > 1


@PYTHON_AND_COMPILED
def test_what_the_callback_raises_is_raised(objective):
    raised = KeyError("mine")

    def callback(progress):
        raise raised

    with pytest.raises(KeyError) as caught:
        run_long(objective, callback=callback)
    assert caught.value is raised
    assert raised.partial_result.nfev > 0
    assert raised.partial_result.message == "the callback asked to stop"


@PYTHON_AND_COMPILED
def test_the_time_limit(objective):
    began = time.perf_counter()
    result = run_long(objective, time_limit=0.3)
    assert 0.3 <= time.perf_counter() - began < 0.3 + 0.5 + (0 if JIT else 1)
    assert (result.message, result.status, result.success) == (
        "the time limit was reached",
        3,
        False,
    )
    assert 0.3 <= result.seconds < 0.8
    assert result.nfev > 100


@pytest.mark.compiled
def test_a_compiled_run_leaves_other_threads_alone():
    """It does not hold the GIL: this thread goes on while another one runs."""
    results = []
    thread = threading.Thread(
        target=lambda: results.append(run_long(Match(30, 9, seed=1), time_limit=1.0))
    )
    thread.start()
    steps, longest, last = 0, 0.0, time.perf_counter()
    while thread.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        steps += 1
    assert results[0].nfev > 10**5
    assert steps > 50
    assert longest < 0.5
