"""Workers that hang, die or have other code: nothing of theirs is kept, nothing else is lost."""

import math
import multiprocessing
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

from catcube.experiments import campaign
from catcube.experiments import writer as writing
from catcube.experiments.campaign import CampaignError, run_campaign
from catcube.experiments.store import Store
from tests.experiments import worker_examples
from tests.experiments.worker_examples import SPOILT, Bad, is_spoilt
from tests.experiments.worker_plans import ENDLESS, PLAN, failures, table


@pytest.mark.compiled
def test_a_run_that_takes_too_long_is_stopped_and_recorded(tmp_path, undisturbed):
    path = tmp_path / "a.sqlite"
    progress = run_campaign(ENDLESS, path, jobs=2, timeout=0.5)
    assert (progress.done, progress.failed) == (20, 4)
    assert table(path) == undisturbed
    assert {failure[-1] for failure in failures(path)} == {"no result in 0.5 s, twice"}


@pytest.mark.parametrize("timeout", [0, -1.0, math.nan, math.inf])
def test_a_limit_that_is_none_is_refused(tmp_path, timeout):
    with pytest.raises(ValueError, match="timeout"):
        run_campaign(PLAN, tmp_path / "a.sqlite", timeout=timeout)
    assert not (tmp_path / "a.sqlite").exists()


class Silent(ThreadPoolExecutor):
    """As a cluster that has lost a task: it never hears of it again."""

    def submit(self, function, task, *more):
        if is_spoilt(task):
            self.lost = Future()
            return self.lost
        return super().submit(function, task, *more)


def test_a_task_that_is_never_answered_is_cancelled(tmp_path):
    path = tmp_path / "a.sqlite"
    executor = Silent(2)
    options = {"jobs": 2, "timeout": 0.3, "starting": 0.3, "interval": 0.05}
    assert run_campaign(PLAN, path, executor, **options).done == 19
    assert failures(path) == [(*SPOILT, 2, "no result in 0.3 s, twice")]
    assert executor.lost.cancelled()


# Deaths


@pytest.mark.compiled
@pytest.mark.long  # each process takes seconds to start
@pytest.mark.parametrize(
    ("name", "message"),
    [("killed", "its worker died, twice"), ("greedy", "MemoryError, twice")],
)
def test_a_bad_run_in_another_process_is_the_only_one_that_fails(
    tmp_path, undisturbed, name, message
):
    path = tmp_path / "a.sqlite"
    behaviour = getattr(worker_examples, name)
    context = multiprocessing.get_context("spawn")
    progress = run_campaign(PLAN, path, lambda: Bad(behaviour, 2, mp_context=context), jobs=2)
    assert (progress.done, progress.failed) == (19, 1)
    assert failures(path) == [(*SPOILT, 2, message)]
    assert run_campaign(PLAN, path).done == 20
    assert table(path) == undisturbed


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "message"),
    [("hanging", "no result in 1 s, twice"), ("killed", "its worker died, twice")],
)
def test_own_processes_with_a_time_limit(tmp_path, undisturbed, monkeypatch, name, message):
    """With a time limit, runs are made in processes that can be killed."""
    path = tmp_path / "a.sqlite"
    monkeypatch.setattr(campaign, "perform", getattr(worker_examples, name))
    progress = run_campaign(PLAN, path, jobs=2, timeout=1.0)
    assert (progress.done, progress.failed) == (19, 1)
    assert failures(path) == [(*SPOILT, 2, message)]
    monkeypatch.undo()
    assert run_campaign(PLAN, path).done == 20
    assert table(path) == undisturbed


class Mortal(Executor):
    """Breaks for good when it is to make a run of one of these pairs, as pools of processes do."""

    def __init__(self, pairs):
        self.pairs, self.broken = pairs, False

    def submit(self, function, task, *more):
        future = Future()
        self.broken |= task.configuration.pair in self.pairs
        if self.broken:
            future.set_exception(BrokenProcessPool("gone"))
        else:
            future.set_result(function(task, *more))
        return future


def test_configurations_that_kill_every_worker_do_not_end_the_campaign(tmp_path, undisturbed):
    path = tmp_path / "a.sqlite"
    pairs = [("sa", "direct"), ("rls", "linear")]
    progress = run_campaign(PLAN, path, lambda: Mortal(pairs), jobs=2)
    assert (progress.done, progress.failed) == (10, 10)
    assert {failure[:2] for failure in failures(path)} == set(pairs)
    assert {failure[-1] for failure in failures(path)} == {"its worker died, twice"}
    run_campaign(PLAN, path)
    assert (table(path), failures(path)) == (undisturbed, [])


def test_a_worker_with_other_code_ends_the_campaign(tmp_path):
    class Other(Executor):
        def submit(self, function, *arguments):
            future, report = Future(), function(*arguments)
            future.set_result(report._replace(origin=report.origin._replace(sources="abc")))
            return future

    with pytest.raises(CampaignError, match="sources abc"):
        run_campaign(PLAN, tmp_path / "a.sqlite", Other())
    assert len(table(tmp_path / "a.sqlite")) == 1


def test_a_clock_that_is_set_back_changes_nothing(tmp_path, monkeypatch):
    now = 2e9

    def backwards():
        nonlocal now
        now -= 1000.0
        return now

    monkeypatch.setattr(writing.time, "time", backwards)
    path = tmp_path / "a.sqlite"
    began = time.monotonic()
    run_campaign(PLAN, path)
    taken = time.monotonic() - began
    with Store(path) as store:
        runs = np.concatenate([rows for _, rows, _ in store.parts()])
        [session] = store.sessions()
    assert session[1] <= runs["finished"].min()
    assert runs["finished"].max() - session[1] <= taken
    assert (runs["seconds"] >= 0).all()
