"""Workers that hang, die, lie or have other code: nothing of theirs is kept, nothing else lost."""

import math
import multiprocessing
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import numpy as np
import pytest

from catcube.experiments import task, threads, workers
from catcube.experiments.execute import run_campaign
from catcube.experiments.plan import Plan
from catcube.experiments.store import writer as writing
from catcube.experiments.store.store import Store
from catcube.experiments.task import Limit
from catcube.experiments.threads import Threads
from catcube.experiments.workers import CampaignError
from catcube.search.watch import Watch
from tests.experiments import worker_examples
from tests.experiments.worker_examples import SPOILT, Bad, is_spoilt
from tests.experiments.worker_plans import ENDLESS, FIRST, PLAN, failures, table


def test_a_run_that_takes_too_long_is_stopped_and_recorded(tmp_path, undisturbed):
    path = tmp_path / "a.sqlite"
    progress = run_campaign(ENDLESS, path, jobs=2, timeout=0.5)
    assert (progress.done, progress.failed) == (20, 4)
    assert table(path) == undisturbed
    assert {failure[-1] for failure in failures(path)} == {"no result in 0.5 s, twice"}


@pytest.mark.parametrize("timeout", [0, -1.0, math.nan, math.inf])
def test_a_limit_that_is_none_is_refused(tmp_path, timeout):
    with pytest.raises(ValueError, match="timeout: expected a number of seconds > 0"):
        run_campaign(PLAN, tmp_path / "a.sqlite", timeout=timeout)
    assert not (tmp_path / "a.sqlite").exists()


def test_a_thread_that_hangs_is_left_behind(tmp_path, monkeypatch, undisturbed):
    monkeypatch.setattr(workers, "GRACE", 0.2)
    monkeypatch.setattr(threads, "PATIENCE", 0.2)
    monkeypatch.setattr("catcube.experiments.campaign.INTERVAL", 0.05)
    release = threading.Event()
    finding = task._finding
    hung = []

    def hang(configuration, run, number, *more):
        if configuration.pair == SPOILT and number == 2:
            hung.append(threading.current_thread())
            release.wait()
        return finding(configuration, run, number, *more)

    monkeypatch.setattr(task, "_finding", hang)
    path = tmp_path / "a.sqlite"
    try:
        progress = run_campaign(PLAN, path, jobs=2, timeout=0.3)
        assert (progress.done, progress.failed) == (19, 1)
        assert failures(path) == [(*SPOILT, 2, "no result in 0.3 s, twice")]
        assert all(thread.daemon for thread in hung)  # they do not keep the process from ending
    finally:
        release.set()
    for thread in hung:
        thread.join()
    monkeypatch.undo()
    run_campaign(PLAN, path)
    assert table(path) == undisturbed


class Silent(ThreadPoolExecutor):
    """As a cluster that has lost a task: it never hears of it again."""

    def submit(self, function, task, *more):
        if is_spoilt(task):
            self.lost = Future()
            return self.lost
        return super().submit(function, task, *more)


def test_a_task_that_is_never_answered_is_cancelled(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "STARTING", 0.3)
    monkeypatch.setattr("catcube.experiments.campaign.INTERVAL", 0.05)
    path = tmp_path / "a.sqlite"
    executor = Silent(2)
    assert run_campaign(PLAN, path, executor, jobs=2, timeout=0.3).done == 19
    assert failures(path) == [(*SPOILT, 2, "no result in 0.3 s, twice")]
    assert executor.lost.cancelled()


def test_a_limit_does_not_end_a_process_that_is_nobodys_child(monkeypatch):
    monkeypatch.setattr(task, "GRACE", 0.05)
    watch = Watch(beside=False)
    with Limit(0.05, ends_process=True).kept(watch):
        time.sleep(0.3)
    assert watch.reason == "time"


# Deaths


def pool(behaviour):
    context = multiprocessing.get_context("spawn")
    return lambda: Bad(behaviour, 2, mp_context=context)


@pytest.mark.compiled
@pytest.mark.long  # each process takes seconds to start
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("killed", "its worker died, twice"),
        ("greedy", "MemoryError, twice"),
        ("hanging", "no result in 2 s, twice"),
    ],
)
def test_a_bad_run_in_another_process_is_the_only_one_that_fails(
    tmp_path, undisturbed, name, message
):
    path = tmp_path / "a.sqlite"
    behaviour = getattr(worker_examples, name)
    timeout = 2.0 if name == "hanging" else None
    progress = run_campaign(PLAN, path, pool(behaviour), jobs=2, timeout=timeout)
    assert (progress.done, progress.failed) == (19, 1)
    assert failures(path) == [(*SPOILT, 2, message)]
    assert run_campaign(PLAN, path).done == 20
    assert table(path) == undisturbed


@pytest.mark.compiled
@pytest.mark.long
def test_a_process_that_hangs_and_does_not_end_itself_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "STARTING", 30.0)
    path = tmp_path / "a.sqlite"
    progress = run_campaign(PLAN, path, pool(worker_examples.hanging_anywhere), 2, timeout=1.0)
    assert (progress.done, progress.failed) == (19, 1)
    assert failures(path) == [(*SPOILT, 2, "no result in 1 s, twice")]


@pytest.mark.compiled
@pytest.mark.long
def test_processes_killed_by_every_run_of_a_configuration(tmp_path):
    path = tmp_path / "a.sqlite"
    progress = run_campaign(PLAN, path, pool(worker_examples.killed_always), jobs=2)
    assert (progress.done, progress.failed) == (15, 5)


class Mortal(Executor):
    """Breaks for good when it is to make a run of one of these pairs, as pools of processes do."""

    deaths = 0

    def __init__(self, pairs):
        self.pairs, self.broken = pairs, False

    def submit(self, function, task, *more):
        future = Future()
        if not self.broken and task.configuration.pair in self.pairs:
            self.broken = True
            Mortal.deaths += 1
        if self.broken:
            future.set_exception(BrokenProcessPool("gone"))
        else:
            future.set_result(function(task, *more))
        return future


def test_configurations_that_kill_every_worker_do_not_end_the_campaign(tmp_path, monkeypatch):
    many = Plan("test", (replace(FIRST, runs=20),))
    run_campaign(many, tmp_path / "whole.sqlite")
    whole = table(tmp_path / "whole.sqlite")
    path = tmp_path / "a.sqlite"
    pairs = [("sa", "direct"), ("rls", "linear")]
    monkeypatch.setattr(Mortal, "deaths", 0)
    progress = run_campaign(many, path, lambda: Mortal(pairs), jobs=2)
    assert (progress.done, progress.failed) == (40, 40)
    assert table(path) == [row for row in whole if tuple(row.split(",")[1:3]) not in pairs]
    failed = failures(path)
    assert {failure[:2] for failure in failed} == set(pairs)
    messages = [failure[-1] for failure in failed]
    assert messages.count("its worker died, twice") == 6
    assert (
        messages.count("not tried: 3 other runs of this configuration had no result either") == 34
    )
    assert Mortal.deaths < 30
    run_campaign(many, path)
    assert (table(path), failures(path)) == (whole, [])


class Doomed(Executor):
    """Makes a few runs, and from then on dies whatever it is given."""

    left = 0

    def submit(self, function, task, *more):
        future = Future()
        Doomed.left -= 1
        if Doomed.left >= 0:
            future.set_result(function(task, *more))
        else:
            future.set_exception(BrokenProcessPool("gone"))
        return future


def test_workers_that_die_of_anything_end_the_campaign(tmp_path, monkeypatch, undisturbed):
    monkeypatch.setattr(Doomed, "left", 7)
    path = tmp_path / "a.sqlite"
    with pytest.raises(CampaignError, match="died 12 times, also in a run that succeeded before"):
        run_campaign(PLAN, path, Doomed, jobs=2)
    assert 0 < len(table(path)) - 1 < 20
    run_campaign(PLAN, path)
    assert (table(path), failures(path)) == (undisturbed, [])


# Clocks


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


# Threads


def test_threads_are_an_executor():
    with Threads(2) as executor:
        assert list(executor.map(pow, [2, 3], [4, 2])) == [16, 9]
        failing = executor.submit(int, "x")
        with pytest.raises(ValueError, match="invalid literal"):
            failing.result()
    with pytest.raises(RuntimeError, match="shut down"):
        executor.submit(int)


def test_what_waits_for_a_thread_can_be_cancelled():
    begun, release = threading.Event(), threading.Event()
    executor = Threads(1)
    futures = [executor.submit(lambda: begun.set() or release.wait()), executor.submit(int)]
    begun.wait()
    executor.shutdown(wait=False, cancel_futures=True)
    assert futures[1].cancelled()
    release.set()
    assert futures[0].result() is True
