"""Checks of algorithms: counting, stopping, recording and randomness.

The functions before `description` are helpers, which the checks of problems use, too.
"""

import copy
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from catcube.algorithms import algorithm
from catcube.algorithms.algorithm import Algorithm
from catcube.engine.compiled.jit import JIT
from catcube.problems import Match, Problem, PythonProblem, Sudoku
from catcube.representations.layout import build_layout, decode_points
from catcube.representations.registry import NATIVE
from catcube.search.result import Result
from catcube.search.run import Run, execute
from catcube.space import Space

BUDGET = 600 if JIT else 120
SPACE = Space({"base": "ATCG", "digit": range(9), "flag": [True, False], "one": ["label"]})
BOARD = "1...\n..3.\n.4..\n...2"


def ensure(condition: object, sentence: str) -> None:
    """Raise an AssertionError unless a condition is true, even where `assert` is disabled.

    >>> ensure(1 + 1 == 3, "one and one is not three")
    Traceback (most recent call last):
    AssertionError: one and one is not three
    """
    if not condition:
        raise AssertionError(sentence)


def ensure_equal(what: str, got: object, expected: object) -> None:
    """Raise an AssertionError unless two values are equal.

    >>> ensure_equal("one and one", 1 + 1, 3)
    Traceback (most recent call last):
    AssertionError: one and one: expected 3, got 2
    """
    ensure(got == expected, f"{what}: expected {expected}, got {got}")


def ensure_one_line(thing: object, *names: str) -> None:
    """Raise an AssertionError unless each of these attributes is a non-empty line of text."""
    for name in names:
        text = getattr(thing, name)
        ensure(text and "\n" not in text, f"{name}: expected one line, got {text!r}")


def run_algorithm(
    method: Algorithm,
    problem: Problem,
    budget: int,
    given: Mapping[str, Any] | None = None,
    *,
    preset: str | None = None,
    representation: str = "linear",
    target: float | None = None,
    seed: int = 5,
) -> Result:
    """Return the result of a run; an exception in the run is raised."""
    layout = build_layout(problem.space, representation)
    parameters = method.resolve(preset, given or {})
    outcome = execute(Run(problem, layout, method, parameters, budget, target, seed))
    if outcome.failure is not None:
        raise outcome.failure
    return outcome


def improvements(outcome: Result) -> list[tuple[int, float]]:
    """Return the improvements of a run as pairs of evaluation and value."""
    return list(zip(*(array.tolist() for array in outcome.trace), strict=True))


def summarize(outcome: Result) -> list[Any]:
    """Return everything about a run that must be equal in a repetition of it."""
    found = outcome.evaluations, outcome.iterations, outcome.solution.tolist()
    return [*map(list, improvements(outcome)), *found]


def ensure_same_without_changes(
    method: Algorithm, problem: Problem, budget: int, representation: str, seed: int = 5
) -> None:
    """Raise an AssertionError unless a run is the same without incremental evaluation."""
    whole = copy.copy(problem)
    whole.prepare = whole.change = whole.commit = None  # type: ignore[misc] # of this copy
    run = partial(run_algorithm, method, budget=budget, representation=representation, seed=seed)
    where = f"a run of {method.name} on {problem.name} ({representation})"
    same = summarize(run(problem)) == summarize(run(whole))
    ensure(same, f"{where} differs without `change`")


def record_values(
    function: Callable[[Mapping[str, Any]], float], space: Space
) -> tuple[PythonProblem, list[float]]:
    """Return a function as a problem, and the list to which its values are appended."""
    values: list[float] = []

    def call(point: Mapping[str, Any]) -> float:
        values.append(function(point))
        return values[-1]

    return PythonProblem(call, space), values


def cost(point: Mapping[str, Any]) -> float:
    """Return the value of a point of `SPACE`."""
    return float(abs(point["digit"] - 7) + "GCTA".index(point["base"]) * 3 + point["flag"])


def constant(value: float, point: Mapping[str, Any]) -> float:
    """Return the same value for every point."""
    return value


def lookup(values: Any, sizes: Any) -> Callable[[Mapping[str, Any]], float]:
    """Return the function whose values are in a table."""
    return lambda point: float(values[np.ravel_multi_index(tuple(point.values()), tuple(sizes))])


def with_native(method: Algorithm, *names: str) -> list[str]:
    """Return the names of representations, and "native" if the algorithm supports it."""
    return [*names, NATIVE] if method.native else [*names]


def run_length(method: Algorithm) -> int:
    """Return the budget of a run: smaller if the algorithm is written in Python."""
    return BUDGET if method.compiled else BUDGET // 12


def resolve(method: str | Algorithm) -> Algorithm:
    """Return an algorithm given by name or as an object."""
    return algorithm(method) if isinstance(method, str) else method


def description(method: Algorithm) -> None:
    """Check name, title, reference, and the descriptions and defaults of the parameters."""
    ensure_one_line(method, "name", "title", "reference")
    for parameter in method.describe():
        ensure(parameter.info.text, f"the parameter {parameter.name} has no description")
        ensure_equal(f"type of the default {parameter}", type(parameter.default), parameter.type)
        fits = parameter.info.accepts(parameter.default)
        ensure(fits, f"expected a default {parameter.info.range}, got {parameter}")
    for preset in (None, *method.presets):
        method.resolve(preset, {})


def budget(method: Algorithm, representation: str = "linear") -> None:
    """Check that a run makes as many evaluations as the budget, unless it has converged."""
    for preset in (None, *method.presets):
        for most in (1, 2, 3, 10, 11, 101, 250):
            problem, values = record_values(cost, SPACE)
            outcome = run_algorithm(
                method, problem, most, preset=preset, representation=representation
            )
            calls, when = len(values), f"with a budget of {most}"
            ensure_equal(f"{when}: counted evaluations", outcome.evaluations, calls)
            ensure(calls <= most, f"{when}: got {calls} evaluations")
            ended = calls == most or outcome.ending == "converged"
            ensure(ended, f"{when}: ended after {calls} evaluations ({outcome.ending})")


def target(method: Algorithm, representation: str = "linear") -> None:
    """Check that a run with a target, or a smaller budget, is a prefix of the longer run.

    A schedule over the budget (a parameter `over_budget`) is switched off.
    """
    names = [parameter.name for parameter in method.describe()]
    fixed = {name: False for name in names if name == "over_budget"}
    run = partial(run_algorithm, method, Sudoku(BOARD), given=fixed, representation=representation)
    longer = run(run_length(method))
    for index, (evaluation, value) in list(enumerate(improvements(longer)))[-4:]:
        for what, outcome in [
            (f"a target of {value}", run(run_length(method), target=value)),
            (f"a budget of {evaluation}", run(evaluation)),
        ]:
            ensure_equal(f"with {what}: evaluations", outcome.evaluations, evaluation)
            expected = improvements(longer)[: index + 1]
            ensure_equal(f"with {what}: improvements", improvements(outcome), expected)
    missed = run(run_length(method), target=-1.0)
    ensure(summarize(missed) == summarize(longer), "a target that is not reached changes the run")


def seeds(method: Algorithm, representation: str = "linear") -> None:
    """Check that equal seeds give equal runs, and different seeds different ones."""
    problem, other = Match(8, [3, 1, 5, 2, 9, 4, 6, 16]), Match(5, 3)
    run = partial(run_algorithm, method, representation=representation)
    first = [summarize(run(problem, run_length(method), seed=seed)) for seed in range(4)]
    for seed in reversed(range(4)):
        run(other, run_length(method) // 4, seed=seed)
        again = summarize(run(problem, run_length(method), seed=seed))
        ensure(first[seed] == again, f"two runs with seed {seed} differ")
    ensure(any(one != first[0] for one in first), "runs with different seeds are equal")


def small_cases(method: Algorithm, representation: str = "linear") -> None:
    """Check spaces with one bit and with none, constant functions, and small budgets."""
    run = partial(run_algorithm, method, representation=representation)
    for labels in ("ab", "a"):
        for most in (1, 2, 3, 60):
            space = Space({"only": labels})
            problem, values = record_values(lambda point: float(point["only"] != "a"), space)
            what = f"{len(labels) - 1} bits: best value"
            ensure_equal(what, run(problem, most).value, min(values))
    for value in (0.0, -3.0, 1e308, -1e308, math.inf, -math.inf):
        problem = PythonProblem(partial(constant, value), SPACE)
        for most in (1, 2, 3, 150):
            found = improvements(run(problem, most))
            ensure_equal(f"improvements of a constant {value}", found, [(1, value)])


def best(method: Algorithm) -> None:
    """Check that the best point is returned, even if most values are infinite or huge."""
    random = np.random.default_rng(7)
    for representation in with_native(method, "linear", "direct", "unary", "balanced"):
        for scale in (1.0, math.inf, 1.7e308):
            sizes = random.integers(1, 5, 4)
            values = random.permutation(int(sizes.prod())) - 0.5
            values[random.random(values.size) < 0.5] *= scale / max(values.max(), 1)
            space = Space({f"x{k}": range(size) for k, size in enumerate(sizes)})
            problem, seen = record_values(lookup(values, sizes), space)
            outcome = run_algorithm(method, problem, 150, representation=representation)
            lowest = min(seen)
            point = decode_points(build_layout(space, representation), outcome.solution)
            ensure_equal(f"best value ({representation})", outcome.value, lowest)
            ensure_equal(f"its value ({representation})", problem.evaluate(point), lowest)


def whole_evaluations(method: Algorithm) -> None:
    """Check that a run is the same with and without incremental evaluation."""
    problems: list[Problem] = [Match(8, [3, 1, 5, 2, 9, 4, 6, 16]), Sudoku(BOARD)]
    for problem in problems:
        for representation in with_native(method, "linear", "direct", "vt"):
            ensure_same_without_changes(method, problem, run_length(method), representation)


def range_limits(method: Algorithm, representation: str = "linear") -> None:
    """Check runs with each parameter at the limits of its range, where the others allow it."""
    for parameter in method.describe():
        ends = [parameter.info.low] * (not parameter.info.low_open)
        if parameter.info.high is not None and parameter.info.high <= 1000:
            ends += [parameter.info.high] * (not parameter.info.high_open)
        for end in [False, True] if parameter.type is bool else ends:
            given = {parameter.name: end}
            try:
                method.resolve(None, given)
            except (ValueError, TypeError):  # not allowed by the other parameters
                continue
            run_algorithm(method, Match(6, 4), 150, given, representation=representation)


def native(method: Algorithm) -> None:
    """Check the search on categories, or that it is an error if it is not supported."""
    if not method.native:
        try:
            run_algorithm(method, Match(3, 3), 1, representation=NATIVE)
        except ValueError:
            return
        ensure(False, "expected a ValueError for native, since there is no native search")
    for check in (seeds, budget, target, small_cases, range_limits):
        check(method, NATIVE)


CHECKS = (
    *(description, seeds, budget, target, small_cases),
    *(best, whole_evaluations, range_limits, native),
)


def summarize_runs(names: Sequence[str]) -> dict[str, list[Any]]:
    """Return summaries of some runs of these algorithms, to be compared between processes."""
    problems = (Match(8, [3, 1, 5, 2, 9, 4, 6, 16]), Sudoku(BOARD))
    return {
        name: [summarize(run_algorithm(algorithm(name), problem, 250)) for problem in problems]
        for name in names
    }


_PROGRAM = """
import importlib, json, sys
package, *names = json.loads(sys.argv[1])
importlib.import_module(package)
from catcube.testing.algorithms import summarize_runs
print(json.dumps(summarize_runs(names)))
"""


def check_interpreted(package: str, names: Sequence[str]) -> None:
    """Check that the algorithms of a package give the same runs compiled and interpreted."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", _PROGRAM, json.dumps([package, *names])],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    last = run.stderr.strip().splitlines()[-1:]
    ensure(run.returncode == 0, f"the interpreted runs failed: {' '.join(last)}")
    theirs, ours = json.loads(run.stdout), summarize_runs(names)
    for name in names:
        ensure(ours[name] == theirs[name], f"compiled and interpreted runs of {name!r} differ")
