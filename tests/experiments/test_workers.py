"""Workers that hang, die or have other code: nothing of theirs is kept, nothing else is lost."""

import math
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from catcube.experiments import campaign
from catcube.experiments.campaign import run_campaign
from catcube.experiments.writer import CampaignError
from tests.experiments import worker_examples
from tests.experiments.worker_examples import SPOILT, is_spoilt
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
    options = {"jobs": 2, "timeout": 1.0, "starting": 2.0, "interval": 0.05}
    assert run_campaign(PLAN, path, executor, **options).done == 19
    assert failures(path) == [(*SPOILT, 2, "no result in 1 s, twice")]
    assert executor.lost.cancelled()


# Deaths


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hanging", "no result in 1 s, twice"),
        ("killed", "its worker died, twice"),
        ("greedy", "MemoryError, twice"),
    ],
)
def test_own_processes_with_a_time_limit(tmp_path, undisturbed, monkeypatch, name, message):
    """With a time limit, runs are made in processes that can be killed."""
    path = tmp_path / "a.sqlite"
    monkeypatch.setattr(campaign, "run_task", getattr(worker_examples, name))
    progress = run_campaign(PLAN, path, jobs=2, timeout=1.0)
    assert (progress.done, progress.failed) == (19, 1)
    assert failures(path) == [(*SPOILT, 2, message)]
    monkeypatch.undo()
    assert run_campaign(PLAN, path).done == 20
    assert table(path) == undisturbed


def test_a_worker_with_other_code_ends_the_campaign(tmp_path):
    class Other(Executor):
        def submit(self, function, *arguments):
            future, report = Future(), function(*arguments)
            future.set_result(report._replace(origin=report.origin._replace(sources="abc")))
            return future

    with pytest.raises(CampaignError, match="sources abc"):
        run_campaign(PLAN, tmp_path / "a.sqlite", Other())
    assert len(table(tmp_path / "a.sqlite")) == 1
