"""Workers that hang, die, lie or have other code: nothing of theirs is kept, nothing else lost."""

import io
import math
import multiprocessing
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import numpy as np
import pytest

from catcube.campaigns import task, threads, workers
from catcube.campaigns.acceptance import fault_of
from catcube.campaigns.execute import run_campaign
from catcube.campaigns.origin import Origin
from catcube.campaigns.plan import Experiment, Plan
from catcube.campaigns.store import writer as writing
from catcube.campaigns.store.export import write_csv
from catcube.campaigns.store.store import Store
from catcube.campaigns.store.trace import packed_trace
from catcube.campaigns.task import Limit, Task, perform
from catcube.campaigns.threads import Threads
from catcube.campaigns.workers import CampaignError
from catcube.problems.sudoku import instances
from catcube.search.watch import Watch
from tests.campaigns import worker_examples
from tests.campaigns.worker_examples import SPOILT, Bad, is_spoilt

FIRST = Experiment(
    name="first",
    boards={"small-dimension-5-a": instances.load("small-dimension-5-a")},
    algorithms=("sa", "rls"),
    representations=("linear", "direct"),
    budget=200,
    runs=5,
    seed=3,
)
PLAN = Plan("test", (FIRST,))
TASK = Task(0, PLAN.configurations()[0], (1, 2, 3))
ENDLESS = Plan("test", (FIRST, replace(FIRST, name="endless", budget=10**14, runs=1)))


def table(path):
    """The exported rows without their seconds, which are last."""
    text = io.StringIO()
    with Store(path) as store:
        write_csv(store, text)
    return [line.rpartition(",")[0] for line in text.getvalue().splitlines()]


def failures(path):
    with Store(path) as store:
        return [(*failure[2:4], failure[4], failure[5]) for failure in store.failures()]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "a.sqlite"
    run_campaign(PLAN, path)
    return table(path)


@pytest.fixture(scope="module")
def report():
    return perform(TASK)


# Reports


def changed(report, **changes):
    """With another second run."""
    findings = list(report.findings)
    findings[1] = findings[1]._replace(**changes)
    return report._replace(findings=findings)


def trace_of(evaluations, values):
    return packed_trace(np.array(evaluations), np.array(values, np.float64))


NONSENSE = {
    "nothing": (lambda report: None, "expected a report, got NoneType"),
    "a tuple": (lambda report: tuple(report), "expected a report, got tuple"),
    "findings of another kind": (lambda report: report._replace(findings=[1]), "expected a report"),
    "findings that are none": (lambda report: report._replace(findings=None), "expected a report"),
    "an integer for a value": (lambda report: changed(report, value=3), "expected a report"),
    "numbers of numpy": (
        lambda report: changed(report, evaluations=np.int64(200)),
        "expected a report",
    ),
    "True for a number": (lambda report: changed(report, number=True), "expected a report"),
    "failures of another kind": (
        lambda report: report._replace(failures=[("x", 1)]),
        "expected a report",
    ),
    "seconds that are none": (
        lambda report: report._replace(seconds=math.nan),
        "expected a report",
    ),
    "no origin": (lambda report: report._replace(origin=None), "expected a report"),
    "a foreign number": (lambda report: changed(report, number=7), "runs 1, 2, 3, got 1, 7, 3"),
    "a number twice": (lambda report: changed(report, number=1), "runs 1, 2, 3, got 1, 1, 3"),
    "found and failed": (lambda report: report._replace(failures=[(3, "no")]), "got 1, 2, 3, 3"),
    "another seed": (lambda report: changed(report, seed=1), "run 2: expected the seed"),
    "no number": (
        lambda report: changed(report, value=math.nan),
        "run 2: expected a number as value, got NaN",
    ),
    "too many evaluations": (
        lambda report: changed(report, evaluations=201),
        "expected at most 200 evaluations",
    ),
    "no evaluation": (lambda report: changed(report, evaluations=0), "of 0"),
    "the best one later": (
        lambda report: changed(report, evaluations_to_best=201),
        "after 201 of 200",
    ),
    "the best one never": (lambda report: changed(report, evaluations_to_best=0), "after 0 of 200"),
    "another ending": (
        lambda report: changed(report, ending="target"),
        "expected the ending 'budget'",
    ),
    "an unknown ending": (lambda report: changed(report, ending="x"), "got 'x'"),
    "an early end": (
        lambda report: changed(report, evaluations=199),
        "expected the ending 'converged'",
    ),
    "negative iterations": (lambda report: changed(report, iterations=-1), "got -1"),
    "many iterations": (lambda report: changed(report, iterations=2**63), "iterations"),
    "negative seconds": (lambda report: changed(report, seconds=-1.0), "got -1.0 s"),
    "another value": (
        lambda report: changed(report, value=report.findings[1].value + 1),
        "are inconsistent",
    ),
    "infinity": (lambda report: changed(report, value=math.inf), "are inconsistent"),
    "no improvement": (lambda report: changed(report, trace=trace_of([], [])), "are inconsistent"),
    "a trace of noise": (lambda report: changed(report, trace=b"noise"), "cannot be read"),
    "a trace cut off": (
        lambda report: changed(report, trace=report.findings[1].trace[:-3]),
        "cannot",
    ),
    "the trace of another": (
        lambda report: changed(report, trace=report.findings[0].trace),
        "run 2: its improvements are inconsistent",
    ),
    "a trace that gets worse": (
        lambda report: changed(
            report,
            value=2.0,
            evaluations_to_best=9,
            trace=trace_of([1, 5, 9], [3.0, 4.0, 2.0]),
        ),
        "run 2: its improvements are inconsistent",
    ),
    "a trace that goes back": (
        lambda report: changed(
            report,
            value=2.0,
            evaluations_to_best=9,
            trace=trace_of([5, 1, 9], [4.0, 3.0, 2.0]),
        ),
        "run 2: its improvements are inconsistent",
    ),
}


def test_a_true_report_is_accepted(report):
    assert fault_of(report, TASK) is None
    assert fault_of(report._replace(findings=[], failures=[(2, "no")]), TASK) is None


def test_a_run_that_found_nothing_but_infinity_is_accepted(report):
    nothing = changed(report, value=math.inf, evaluations_to_best=0, trace=trace_of([], []))
    assert fault_of(nothing, TASK) is None
    late = changed(report, value=7.0, evaluations_to_best=9, trace=trace_of([9], [7.0]))
    assert fault_of(late, TASK) is None


@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_is_seen(report, kind):
    spoil, sentence = NONSENSE[kind]
    assert sentence in fault_of(spoil(report), TASK)


class Lying(ThreadPoolExecutor):
    """Spoils the reports of a task with run 2 of SA with direct, some times."""

    def __init__(self, spoil, times):
        super().__init__(2)
        self.spoil, self.times = spoil, times

    def submit(self, function, task, *more):
        def lie():
            report = function(task, *more)
            if not is_spoilt(task) or self.times == 0:
                return report
            self.times -= 1
            return self.spoil(report)

        return super().submit(lie)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda report: "what?",
        lambda report: report._replace(
            findings=[one._replace(value=-1.0) for one in report.findings]
        ),
        lambda report: report._replace(findings=[]),
    ],
)
def test_nonsense_is_tried_again_and_then_told(tmp_path, undisturbed, spoil):
    path = tmp_path / "a.sqlite"
    assert run_campaign(PLAN, path, Lying(spoil, times=1), jobs=2).failed == 0
    assert table(path) == undisturbed
    path = tmp_path / "b.sqlite"
    progress = run_campaign(PLAN, path, Lying(spoil, times=100), jobs=2)
    assert (progress.done, progress.failed) == (19, 1)
    [(*pair, number, message)] = failures(path)
    assert (*pair, number) == (*SPOILT, 2)
    assert message.startswith(
        ("its worker returned an invalid report: ", "its worker did not report it")
    )
    assert message.endswith(", twice")
    assert run_campaign(PLAN, path)[:3] == (20, 20, 0)
    assert (table(path), failures(path)) == (undisturbed, [])


def test_a_worker_with_other_code_ends_the_campaign(tmp_path, undisturbed):
    path = tmp_path / "a.sqlite"
    other = Origin("0.0.9", "fedc", "{}")
    with pytest.raises(CampaignError, match=r"got one with 0\.0\.9, sources fedc"):
        run_campaign(
            PLAN, path, Lying(lambda report: report._replace(origin=other), times=100), jobs=2
        )
    with Store(path) as store:
        assert all(session[3] != "fedc" for session in store.sessions())
    assert set(table(path)) <= set(undisturbed)
    run_campaign(PLAN, path)
    assert table(path) == undisturbed


# Time


def test_a_run_that_takes_too_long_is_stopped_and_told(tmp_path, undisturbed):
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
    monkeypatch.setattr("catcube.campaigns.campaign.INTERVAL", 0.05)
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
    monkeypatch.setattr("catcube.campaigns.campaign.INTERVAL", 0.05)
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
