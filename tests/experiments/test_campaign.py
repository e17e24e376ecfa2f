"""Campaigns: the rows of a batch, whoever makes them, and failures that stay single."""

import multiprocessing
import time
from collections import Counter
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import pytest

from catcube.experiments import batch
from catcube.experiments.campaign import run_campaign
from catcube.experiments.plan import Experiment, Plan, build_problem
from catcube.experiments.store import Store
from catcube.experiments.writer import CampaignError
from catcube.problems.sudoku import instances
from tests.experiments.worker_plans import table

NAMES = ("small-dimension-5-a", "sudoku-easy-56")
SETTINGS = {"budget": 500, "runs": 4, "seed": 3, "target": 0.0, "preset": "paper"}
FIRST = Experiment(
    name="first",
    instances={name: instances.load(name) for name in NAMES},
    algorithms=("sa", "rls"),
    representations=("linear", "direct"),
    parameters={"patience": 20},
    **SETTINGS,
)
SECOND = replace(FIRST, name="second", algorithms=("rls",), runs=7, seed=4, parameters={})
PLAN = Plan("test", (FIRST, SECOND))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "a.sqlite"
    progress = run_campaign(PLAN, path)
    assert (progress.done, progress.total, progress.failed) == (60, 60, 0)
    return table(path)


def test_the_rows_are_those_of_a_batch(tmp_path):
    path = tmp_path / "a.sqlite"
    run_campaign(Plan("test", (FIRST,)), path, jobs=3)
    results = batch.run_all(
        {name: build_problem(str(board), name)[0] for name, board in FIRST.instances.items()},
        FIRST.algorithms,
        FIRST.representations,
        parameters=FIRST.parameters,
        **SETTINGS,
    )
    with Store(path) as store:
        runs = list(store.runs())
    names = ("run", "seed", "value", "evaluations_to_best", "evaluations", "iterations", "ending")
    for run, result in zip(runs, results, strict=True):
        assert [getattr(run, name) for name in names] == [getattr(result, name) for name in names]
        for one, other in zip(
            (*run.trace, run.categories), (*result.trace, result.categories), strict=True
        ):
            assert one.tolist() == other.tolist()


def test_one_experiment_and_then_the_others(tmp_path, undisturbed):
    path = tmp_path / "a.sqlite"
    assert run_campaign(PLAN, path, only="second")[:2] == (28, 28)
    assert table(path) == [undisturbed[0], *undisturbed[33:]]
    assert run_campaign(PLAN, path).done == 60
    assert table(path) == undisturbed
    again = run_campaign(PLAN, path)
    assert (again.done, again.evaluations) == (60, 0)


def test_progress_is_reported(tmp_path):
    """On a busy machine, where only the first run of each configuration does not wait."""

    class Busy(Executor):
        def submit(self, function, task, *more):
            future, runs = Future(), len(task.numbers)
            seconds = 0.02 if 1 in task.numbers else 2.0 * runs
            future.set_result(function(task, *more)._replace(seconds=seconds, cpu=float(runs)))
            return future

    seen, path = [], tmp_path / "a.sqlite"
    run_campaign(PLAN, path, Busy(), jobs=1, on_progress=seen.append, interval=1e-6)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert seen[-1].done == seen[-1].total == 60
    for progress in seen:
        left = 2.0 * (60 - progress.done)
        assert progress.done < 36 or left / 2 <= progress.remaining <= left


class Failing(Executor):
    """Reports runs for which `fails(number, attempts before)` holds as failed."""

    def __init__(self, fails):
        self.fails, self.attempts = fails, Counter()

    def submit(self, function, task, *more):
        future, report = Future(), function(task, *more)
        kept = []
        for run in report.runs:
            key = task.configuration.key(run.run)
            if task.configuration.pair == ("sa", "direct") and self.fails(
                run.run, self.attempts[key]
            ):
                report.failures.append((run.run, "ZeroDivisionError: mine"))
            else:
                kept.append(run)
            self.attempts[key] += 1
        future.set_result(report._replace(runs=kept))
        return future


def test_a_run_that_fails_once_is_made_again(tmp_path, undisturbed):
    failing = Failing(lambda number, before: number % 2 and before == 0)
    assert run_campaign(PLAN, tmp_path / "a.sqlite", failing).failed == 0
    assert table(tmp_path / "a.sqlite") == undisturbed


def test_a_run_that_fails_twice_is_noted_and_the_others_go_on(tmp_path, undisturbed):
    path = tmp_path / "a.sqlite"
    failing = Failing(lambda number, before: number == 3)
    progress = run_campaign(PLAN, path, failing)
    assert (progress.done, progress.failed) == (58, 2)
    assert sorted(failing.attempts.values())[-3:] == [1, 2, 2]
    with Store(path) as store:
        assert store.failures() == [
            ("first", name, "sa", "direct", 3, "ZeroDivisionError: mine, twice") for name in NAMES
        ]
    assert run_campaign(PLAN, path)[:3] == (60, 60, 0)
    with Store(path) as store:
        assert store.failures() == []
    assert table(path) == undisturbed


class Broken(ThreadPoolExecutor):
    """Breaks as a pool of processes does, when a few tasks are done."""

    def __init__(self, tasks):
        super().__init__(2)
        self.tasks = tasks

    def submit(self, function, *arguments, **named):
        self.tasks -= 1
        if self.tasks == -3:
            raise BrokenProcessPool("gone")
        if self.tasks < 0:
            future = Future()
            future.set_exception(BrokenProcessPool("gone"))
            return future
        return super().submit(function, *arguments, **named)


def test_a_broken_executor_that_was_given_ends_the_campaign_and_nothing_is_lost(
    tmp_path, undisturbed
):
    path = tmp_path / "a.sqlite"
    with pytest.raises(CampaignError, match="the executor is broken"):
        run_campaign(PLAN, path, Broken(11))
    assert 5 <= len(table(path)) - 1 < 60  # but for those under way
    assert run_campaign(PLAN, path).done == 60
    assert table(path) == undisturbed


def test_an_interrupt_keeps_what_is_done(tmp_path, undisturbed):
    path = tmp_path / "a.sqlite"

    def interrupt(progress):
        if progress.done >= 4:
            raise KeyboardInterrupt

    quick = Plan("test", (SECOND, replace(FIRST, budget=10**14, target=None, runs=1)))
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_campaign(quick, path, jobs=2, on_progress=interrupt)
    assert time.monotonic() - began < 30  # the runs of 10^14 evaluations were stopped
    rows = table(path)
    assert len(rows) > 4
    assert set(rows) <= set(undisturbed)


@pytest.mark.long
def test_processes_give_the_same_rows_though_one_is_killed(tmp_path):
    longer = tuple(
        replace(experiment, budget=200_000, target=None) for experiment in PLAN.experiments
    )
    plan, killed = Plan("test", longer), []

    def kill(progress):
        if not killed and progress.done >= 2:
            killed.append(multiprocessing.active_children()[0])
            killed[0].kill()

    path, other = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    options = {"jobs": 2, "timeout": 100.0, "on_progress": kill, "interval": 0.01}
    assert run_campaign(plan, path, **options).done == 60
    assert killed
    run_campaign(plan, other)
    assert table(path) == table(other)


def test_long_runs_are_handed_out_first_and_short_ones_together(tmp_path):
    """The order in which an executor gets the runs, if those of two configurations are long."""
    asked = []

    class Executed(Executor):
        def submit(self, function, task, *more):
            asked.append((task.position, task.numbers))
            future = Future()
            seconds = 10.0 if task.position in (3, 5) else 1e-5
            future.set_result(function(task, *more)._replace(seconds=seconds * len(task.numbers)))
            return future

    assert run_campaign(PLAN, tmp_path / "a.sqlite", Executed(), jobs=1).done == 60
    assert asked[:12] == [(position, (1,)) for position in range(12)]
    assert sorted(position for position, _ in asked[12:18]) == [3, 3, 3, 5, 5, 5]
    assert any(len(numbers) > 1 for _, numbers in asked)
