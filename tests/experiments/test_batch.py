"""Batches: order, stopping, and jobs whose outcome is an exception."""

import time
from concurrent.futures import Future
from dataclasses import replace

import pytest

from catcube.experiments import batch
from catcube.experiments.batch import execute_all, plan, row
from catcube.problems import Match, Sudoku
from catcube.problems.python.callback import PythonProblem
from catcube.space import Space

HARD = Sudoku.instance("sudoku-17hint-64")


def jobs(budgets):
    """Runs of random local search with these budgets."""
    made = plan({"hard": HARD}, ["rls"], ["linear"], budget=1, runs=len(budgets), seed=1)
    return [
        job._replace(run=replace(job.run, budget=budget))
        for job, budget in zip(made, budgets, strict=True)
    ]


def test_any_problem_can_be_run():
    made = plan(
        {"match": Match(6, 5, seed=1)}, ["rls"], ["unary"], budget=9999, runs=3, seed=2, target=0
    )
    found = [row(job, outcome) for job, outcome in execute_all(made)]
    assert [row.run for row in found] == [1, 2, 3]
    assert {row.value for row in found} == {0.0}


def test_outcomes_come_in_order_though_the_first_is_the_last_to_end():
    found = [outcome.evaluations for _, outcome in execute_all(jobs([3000, 1, 2, 3]), threads=2)]
    assert found == [3000, 1, 2, 3]


def test_closing_ends_the_runs_under_way():
    outcomes = execute_all(jobs([10, 10**14, 10**14]), threads=2)
    assert next(outcomes)[1].evaluations == 10
    began = time.perf_counter()
    outcomes.close()
    assert time.perf_counter() - began < 5


def test_what_is_ready_comes_before_the_interrupt(monkeypatch):
    done = []
    make = batch._outcome

    def noted(run, crew):
        outcome = make(run, crew)
        done.append(run.budget)
        return outcome

    monkeypatch.setattr(batch, "_outcome", noted)
    outcomes = execute_all(jobs([10, 10**14, 20, 30]), threads=2)
    assert next(outcomes)[1].evaluations == 10

    def interrupted(future, timeout=None):  # Ctrl-C, when the two jobs after it are done
        while not {20, 30} <= set(done):
            time.sleep(0.01)
        time.sleep(0.1)  # their futures know
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(Future, "result", interrupted)
    assert [next(outcomes)[1].evaluations for _ in range(2)] == [20, 30]
    with pytest.raises(KeyboardInterrupt):
        next(outcomes)


def test_a_failing_objective_ends_the_batch():
    def broken(point):
        raise ZeroDivisionError("mine")

    made = plan(
        {"broken": PythonProblem(broken, Space({"x": "ab"}), False)},
        ["rls"],
        ["linear"],
        budget=10,
        runs=1,
        seed=1,
    )
    with pytest.raises(ZeroDivisionError, match="mine"):
        list(execute_all(made, threads=1))


def test_no_jobs_no_outcomes():
    assert list(execute_all([])) == []
