"""Checks of every algorithm: counting, ending, recording and randomness."""

import copy
import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from catcube.algorithms import algorithm
from catcube.algorithms.algorithm import Algorithm
from catcube.engine.compiled.jit import JIT
from catcube.problems import Match, Problem, PythonProblem, Sudoku
from catcube.representations.layout import categories_of
from catcube.representations.registry import NATIVE
from catcube.space import Space
from catcube.testing.runs import (
    RecordedFunction,
    constant,
    cost,
    ensure,
    executed,
    improvements,
    lookup,
    prepared,
    run_of,
    run_with,
    same,
    with_native,
)

BUDGET = 600 if JIT else 120
SPACE = Space({"base": "ATCG", "digit": range(9), "flag": [True, False], "one": ["label"]})
BOARD = "1...\n..3.\n.4..\n...2"


def length(method: Algorithm) -> int:
    """Return the evaluations of a run: fewer if the algorithm is Python code."""
    return BUDGET if method.compiled else BUDGET // 12


def found(method: str | Algorithm) -> Algorithm:
    """Return the algorithm to check."""
    return algorithm(method) if isinstance(method, str) else method


def description(method: Algorithm) -> None:
    """Check that name, title and reference are one line, and parameters have range and meaning."""
    for what in ("name", "title", "reference"):
        text = getattr(method, what)
        ensure(text and "\n" not in text, f"{what}: expected one line, got {text!r}")
    for parameter in method.described():
        ensure(parameter.info.text, f"the parameter {parameter.name} has no description")
        ensure(
            parameter.type in (int, float, bool), f"{parameter.name}: expected int, float or bool"
        )
        ensure(
            type(parameter.default) is parameter.type,
            f"expected a default of type {parameter.type.__name__}, got {parameter}",
        )
        default: Any = parameter.default
        ensure(
            parameter.info.accepts(default),
            f"expected a default {parameter.info.range}, got {parameter}",
        )
    for preset in (None, *method.presets):
        method.resolve(preset, {})


def budget(method: Algorithm, representation: str = "linear") -> None:
    """Check that it makes as many evaluations as the budget, fewer only if it has converged."""
    for preset in (None, *method.presets):
        for most in (1, 2, 3, 10, 11, 101, 250):
            function = RecordedFunction(cost)
            outcome = run_with(
                representation, method, PythonProblem(function, SPACE), most, preset=preset
            )
            calls = len(function.values)
            ensure(
                calls == outcome.evaluations,
                f"with a budget of {most}: expected {calls} counted evaluations, got "
                f"{outcome.evaluations}",
            )
            ensure(calls <= most, f"with a budget of {most}: got {calls} evaluations")
            ensure(
                calls == most or outcome.ending == "converged",
                f"with a budget of {most}: ended after {calls} evaluations ({outcome.ending})",
            )


def trace(method: Algorithm, representation: str = "linear") -> None:
    """Check that improvements decrease strictly, from the first evaluation to the best value."""
    for seed in range(3):
        outcome = run_with(
            representation, method, Match(10, 6, seed=seed), length(method), seed=seed
        )
        evaluations, values = outcome.trace
        ensure(evaluations[0] == 1, "the first improvement is not the first evaluation")
        ensure((np.diff(evaluations) > 0).all(), "the evaluations of improvements do not increase")
        ensure((np.diff(values) < 0).all(), "an improvement is not better than the one before")
        last = (evaluations[-1], values[-1])
        ensure(
            last == (outcome.evaluations_to_best, outcome.value),
            f"expected the last improvement {(outcome.evaluations_to_best, outcome.value)}, "
            f"got {last}",
        )


def target(method: Algorithm, representation: str = "linear") -> None:
    """Check that a target, or a smaller budget, ends a run at a prefix of the longer one.

    A schedule that follows the budget (a parameter `over_budget`) is switched off.
    """
    problem = Sudoku(BOARD)
    fixed = {
        parameter.name: False for parameter in method.described() if parameter.name == "over_budget"
    }
    run = partial(run_with, representation, method, problem)
    longer = run(length(method), fixed)
    for index, (evaluation, value) in list(enumerate(improvements(longer)))[-4:]:
        for what, outcome in [
            (f"a target of {value}", run(length(method), fixed, target=value)),
            (f"a budget of {evaluation}", run(evaluation, fixed)),
        ]:
            ensure(
                outcome.evaluations == evaluation,
                f"with {what}: expected {evaluation} evaluations, got {outcome.evaluations}",
            )
            ensure(
                improvements(outcome) == improvements(longer)[: index + 1],
                f"with {what}: the improvements are not the first ones of the longer run",
            )
    missed = run(length(method), fixed, target=-1.0)
    ensure(same(missed, longer), "a target that is not reached changes the run")


def seeds(method: Algorithm, representation: str = "linear") -> None:
    """Check that the same seed gives the same run, and other seeds give others."""
    problem, other = Match(8, [3, 1, 5, 2, 9, 4, 6, 16]), Match(5, 3)
    first = [
        run_with(representation, method, problem, length(method), seed=seed) for seed in range(4)
    ]
    for seed in reversed(range(4)):
        run_with(representation, method, other, length(method) // 4, seed=seed)
        np.random.default_rng()
        again = run_with(representation, method, problem, length(method), seed=seed)
        ensure(same(first[seed], again), f"two runs with seed {seed} differ")
    distinct = {tuple(improvements(outcome)) for outcome in first}
    ensure(len(distinct) > 1, "runs with different seeds are equal")


def tiny(method: Algorithm, representation: str = "linear") -> None:
    """Check one bit, none, constant functions and the smallest budgets."""
    for labels in ("ab", "a"):
        for most in (1, 2, 3, 60):
            function = RecordedFunction(lambda point: float(point["only"] != "a"))
            problem = PythonProblem(function, Space({"only": labels}))
            outcome = run_with(representation, method, problem, most)
            ensure(
                outcome.value == min(function.values),
                f"{len(labels) - 1} bits: expected the best of {sorted(set(function.values))}, "
                f"got {outcome.value}",
            )
    for value in (0.0, -3.0, 1e308, -1e308, math.inf, -math.inf):
        for most in (1, 2, 3, 150):
            outcome = run_with(
                representation,
                method,
                PythonProblem(RecordedFunction(partial(constant, value)), SPACE),
                most,
            )
            ensure(
                improvements(outcome) == [(1, value)],
                f"expected one improvement of a constant {value}, got {improvements(outcome)}",
            )


def best(method: Algorithm) -> None:
    """Check that it returns the best point, also if most values are infinite or overflow."""
    random = np.random.default_rng(7)
    for representation in with_native(method, "linear", "direct", "unary", "balanced"):
        for scale in (1.0, math.inf, 1.7e308):
            sizes = random.integers(1, 5, 4)
            values = random.permutation(int(sizes.prod())) - 0.5
            values[random.random(values.size) < 0.5] *= scale / max(values.max(), 1)
            space = Space({f"x{k}": range(size) for k, size in enumerate(sizes)})
            function = RecordedFunction(lookup(values, sizes))
            problem = PythonProblem(function, space)
            run = prepared(method, problem, 150, representation=representation)
            outcome = executed(run)
            lowest = min(function.values)
            value = problem.evaluate(categories_of(run.layout, outcome.solution))
            ensure(
                outcome.value == lowest == value,
                f"expected the best value {lowest}, got {outcome.value} and a point of value "
                f"{value} ({representation})",
            )


def whole_evaluations(method: Algorithm) -> None:
    """Check that incremental and whole evaluations give the same run."""
    problems: list[Problem] = [Match(8, [3, 1, 5, 2, 9, 4, 6, 16]), Sudoku(BOARD)]
    for problem in problems:
        whole = copy.copy(problem)
        whole.prepare = whole.change = whole.commit = None  # type: ignore[misc]
        for representation in with_native(method, "linear", "direct", "vt"):
            one, other = (
                run_of(method, variant, length(method), representation=representation)
                for variant in (problem, whole)
            )
            ensure(
                same(one, other),
                f"on {problem.name} ({representation}) whole evaluations give another run",
            )


def ends_of_ranges(method: Algorithm, representation: str = "linear") -> None:
    """Check runs with every parameter at the ends of its range, if it fits the others."""
    for parameter in method.described():
        ends = [parameter.info.low] * (not parameter.info.low_open)
        if parameter.info.high is not None and parameter.info.high <= 1000:
            ends += [parameter.info.high] * (not parameter.info.high_open)
        for end in [False, True] if parameter.type is bool else ends:
            try:
                method.resolve(None, {parameter.name: end})
            except (ValueError, TypeError):  # it does not fit the others
                continue
            run_with(representation, method, Match(6, 4), 150, {parameter.name: end})


def native(method: Algorithm) -> None:
    """Check the native search; without one, check that it is refused."""
    if method.native is None:
        try:
            prepared(method, Match(3, 3), 1, representation=NATIVE)
        except ValueError:
            return
        ensure(False, "expected a ValueError for native, since there is no native search")
    for check in (seeds, budget, trace, target, tiny, ends_of_ranges):
        check(method, NATIVE)


CHECKS = (
    description,
    seeds,
    budget,
    trace,
    target,
    tiny,
    best,
    whole_evaluations,
    ends_of_ranges,
    native,
)


def outlines(names: list[str]) -> dict[str, list[Any]]:
    """Return results of some runs of these algorithms as plain data, to compare two processes."""
    problems = (Match(8, [3, 1, 5, 2, 9, 4, 6, 16]), Sudoku(BOARD))
    return {
        name: [
            [
                *map(list, improvements(outcome)),
                outcome.evaluations,
                outcome.iterations,
                outcome.solution.tolist(),
            ]
            for outcome in (run_of(algorithm(name), problem, 250) for problem in problems)
        ]
        for name in names
    }


_PROGRAM = """
import importlib, json, sys
package, *names = json.loads(sys.argv[1])
importlib.import_module(package)
from catcube.testing.algorithms import outlines
print(json.dumps(outlines(names)))
"""


def interpreted(package: str, names: Sequence[str]) -> None:
    """Check that compiled and interpreted runs of the algorithms of a package are equal."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", _PROGRAM, json.dumps([package, *names])],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    if run.returncode != 0:
        last = run.stderr.strip().splitlines()[-1:]
        raise AssertionError(f"the interpreted runs failed: {' '.join(last)}")
    theirs = json.loads(run.stdout)
    ours = json.loads(json.dumps(outlines(list(names))))
    for name in names:
        ensure(ours[name] == theirs[name], f"compiled and interpreted runs of {name!r} differ")
