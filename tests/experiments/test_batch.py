"""Batches: order, stopping, and runs that end with an exception."""

import time

import pytest
from msgspec.structs import replace

from catcube import minimize
from catcube.experiments.batch import execute_all, run_all
from catcube.experiments.campaign import run_campaign
from catcube.experiments.plan import Experiment, Plan
from catcube.problems import Match, PythonProblem, Sudoku
from catcube.space import Space

HARD = Sudoku.instance("sudoku-17hint-64")


def configurations(budgets):
    """Runs of random local search with these budgets."""
    (one,) = Experiment("test", {"hard": HARD}, ("rls",), ("linear",), 1, 1).configurations()
    return [replace(one, budget=budget) for budget in budgets]


def test_any_problem_can_be_run():
    problems = {"match": Match(6, 5, seed=1)}
    found = run_all(problems, ["rls"], ["unary"], budget=9999, runs=3, seed=2, target=0)
    assert [result.run for result in found] == [1, 2, 3]
    assert {result.value for result in found} == {0.0}


@pytest.mark.parametrize(("name", "chosen"), [("auto", "surrogate"), ("surrogate+sa",) * 2])
def test_minimize_repeats_a_run_by_what_its_result_names(name, chosen):
    problem = Match(6, 5, seed=1)
    (found,) = run_all({"match": problem}, [name], ["auto"], budget=60, runs=1, seed=2)
    assert (found.algorithm, found.representation) == (chosen, "native")
    named = {"algorithm": chosen, "representation": "native", "seed": found.seed}
    again = minimize(problem, budget=60, **named, **found.parameters)
    assert (again.x, again.trace.values.tolist()) == (found.x, found.trace.values.tolist())


def test_auto_is_one_rule_for_runs_and_plans():
    experiment = Experiment("one", {"qap:nug12": None}, ("auto",), ("auto",), 3000, 1)
    (one,) = experiment.configurations()
    assert (one.algorithm, one.representation) == ("surrogate+sa", "native")
    assert dict(one.parameters)["exchange"]
    assert one.build_run().prelude.evaluations == 2000


def test_a_store_cannot_keep_an_object(tmp_path):
    mine = Experiment("mine", {"match": Match(6, 5)}, ("rls",), ("linear",), 10, 1)
    with pytest.raises(ValueError, match="an instance by name or file"):
        run_campaign(Plan("mine", (mine,)), tmp_path / "a.sqlite")


def test_results_come_in_order_though_the_first_is_the_last_to_end():
    found = [result.evaluations for _, result in execute_all(configurations([3000, 1, 2, 3]), 2)]
    assert found == [3000, 1, 2, 3]


def test_closing_ends_the_running_runs():
    results = execute_all(configurations([10, 10**14, 10**14]), threads=2)
    assert next(results)[1].evaluations == 10
    began = time.perf_counter()
    results.close()
    assert time.perf_counter() - began < 5


def test_what_is_ready_comes_before_the_interrupt():
    """The second run is endless; Ctrl-C comes when the two after it are done."""
    results = execute_all(configurations([10, 10**14, 20, 30]), threads=2)
    assert next(results)[1].evaluations == 10
    time.sleep(1)
    assert results.throw(KeyboardInterrupt)[1].evaluations == 20
    assert next(results)[1].evaluations == 30
    with pytest.raises(KeyboardInterrupt):
        next(results)


def test_a_failing_objective_ends_the_batch():
    def broken(point):
        raise ZeroDivisionError("mine")

    problems = {"broken": PythonProblem(broken, Space({"x": "ab"}))}
    with pytest.raises(ZeroDivisionError, match="mine"):
        run_all(problems, ["rls"], ["linear"], budget=10, runs=1, seed=1, threads=1)


def test_no_runs_no_results():
    assert list(execute_all([])) == []
