"""Execution of a plan: the runs that its store does not hold yet, with any executor.

First comes one run of each configuration, then the longest runs. The runs of a campaign differ in
length by a factor of a thousand: if the longest came last, one core would work while the others
wait. The length of a run is estimated from finished ones. The order does not affect the results.
"""

import math
import multiprocessing
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import pebble

from catcube.experiments.kernels import available_cores, compile_kernels
from catcube.experiments.origin import Origin, origin, origin_of
from catcube.experiments.plan import Configuration, Plan
from catcube.experiments.worker import (
    EXIT_TIMEOUT,
    Cancellation,
    Report,
    Task,
    describe_error,
    run_task,
    timeout_message,
    without_current_folder,
)
from catcube.experiments.writer import CampaignError, Writer
from catcube.search.arguments import as_seconds

ATTEMPTS = 2  # at a run before it counts as failed
MAX_DEATHS = 30  # deaths of workers without a finished run in between that end the campaign
TASKS_PER_JOB = 3  # submitted to the executor: enough to keep it busy
INTERVAL = 0.2  # seconds between two updates of the progress
START_SECONDS = 120.0  # seconds for a remote worker to start and compile its kernels
TASK_SECONDS = 0.1  # length of a task with short runs: long compared with its overhead
TASK_RUNS = 200  # maximum number of runs in a task
SORT_INTERVAL = 1.0  # seconds after which the configurations are sorted again
DIED = "its worker died"


class CampaignProgress(NamedTuple):
    """The progress of a campaign; evaluations are those of this session."""

    done: int
    total: int
    failed: int
    evaluations: int
    seconds: float
    remaining: float = 0.0  # seconds, estimated from the runs of this session


def run_campaign(
    plan: Plan,
    store: str | os.PathLike[str] | Writer,
    executor: Executor | None = None,
    jobs: int | None = None,
    on_progress: Callable[[CampaignProgress], object] | None = None,
    only: str | None = None,
    timeout: float | None = None,
    on_compile: Callable[[int], object] | None = None,
    interval: float = INTERVAL,
    starting: float = START_SECONDS,
) -> CampaignProgress:
    """Execute the runs of a plan, or of `only` one experiment, that the store does not hold yet.

    Parameters
    ----------
    plan : Plan
        The experiments.
    store : path or Writer
        The SQLite file of the results; it is created if it does not exist.
    executor : Executor, optional
        By default `jobs` threads, or `jobs` processes if there is a timeout.
    jobs : int, optional
        The number of concurrent runs; by default one per core.
    on_progress : callable, optional
        Called with a `CampaignProgress` every `interval` seconds, and at the end.
    only : str, optional
        The name of an experiment of the plan.
    timeout : float, optional
        Time limit of a run in seconds. A longer run is stopped; a worker process that hangs is
        killed. With your own executor, a task without an answer is abandoned after another
        `starting` seconds.
    on_compile : callable, optional
        Called with the number of kernels that must be compiled first, if there are any.

    Returns
    -------
    CampaignProgress
        The numbers of finished and failed runs.

    Notes
    -----
    A run that raises an exception, exceeds the time limit or kills its worker is tried once more
    and then recorded as failed. Calling `run_campaign` again retries it.

    Examples
    --------
    >>> import tempfile
    >>> from catcube.experiments.plan_file import shipped_plan
    >>> from catcube.experiments.store import Store
    >>> plan = shipped_plan("fixed-target").scaled(runs=2, budget=100, instances=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     progress = run_campaign(plan, f"{folder}/mine.sqlite")
    ...     with Store(f"{folder}/mine.sqlite") as store:
    ...         runs = list(store.runs())
    >>> progress.done, len(runs), runs[0].instance, runs[0].algorithm, runs[0].representation
    (44, 44, 'small-dimension-1-a', 'rls', 'linear')
    """
    if only is not None:
        plan.check_experiment(only)
    as_seconds("timeout", timeout)
    jobs = jobs or available_cores()
    with ExitStack() as stack:
        writer = store if isinstance(store, Writer) else stack.enter_context(Writer(store, plan))
        schedule = _Schedule(writer, jobs, only)
        settings = jobs, timeout, starting, interval, on_progress
        campaign = _Campaign(writer, schedule, executor, *settings)
        try:
            campaign.run(on_compile)
        except BrokenExecutor as error:
            raise CampaignError(f"the executor is broken ({describe_error(error)})") from error
        finally:  # keeps finished runs after Ctrl-C or an error
            campaign.end()
        return campaign.progress()


class _Processes(Executor):
    """Processes on this machine; if one dies, only its task fails."""

    def __init__(self, jobs: int, allowance: Callable[[Task], float]) -> None:
        self.pool = pebble.ProcessPool(jobs, context=multiprocessing.get_context("spawn"))
        self.allowance = allowance

    def submit(self, function: Any, task: Task, *more: Any) -> "Future[Any]":  # type: ignore[override]
        with without_current_folder():
            scheduled: Future[Any] = self.pool.schedule(
                function, args=(task, *more), timeout=self.allowance(task)
            )
        return scheduled

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.pool.stop()  # type: ignore[no-untyped-call]
        self.pool.join()


@dataclass
class _Campaign:
    """Submits the runs of a plan to workers and stores their results."""

    writer: Writer
    schedule: "_Schedule"
    user_executor: Executor | None  # the executor of the caller
    jobs: int
    timeout: float | None
    starting: float
    interval: float
    on_progress: Callable[[CampaignProgress], object] | None

    def __post_init__(self) -> None:
        threads, self.owns_executor = self.timeout is None, self.user_executor is None
        self.cancellation = Cancellation() if self.owns_executor and threads else None
        if self.user_executor is not None:
            self.executor = self.user_executor
        else:
            ours = ThreadPoolExecutor if threads else partial(_Processes, allowance=self.allowance)
            self.executor = ours(self.jobs)
        # With a time limit no task is queued, because its start would be unknown.
        self.limit = TASKS_PER_JOB * self.jobs if threads else self.jobs
        self.in_flight: dict[Future[Report], tuple[Task, float]] = {}  # with the time of submission
        self.total = sum(one.configuration.runs for one in self.schedule.groups.values())
        self.done = self.total - self.schedule.waiting_runs
        self.failed = self.evaluations = self.deaths = 0
        self.began = self.last_report = time.monotonic()

    def run(self, on_compile: Callable[[int], object] | None) -> None:
        """Run until all tasks are done."""
        if self.schedule.waiting_runs and self.owns_executor:
            self.writer.session(origin())
            # Compile before the first run: a compiling thread would delay short runs.
            groups = self.schedule.groups.values()
            waiting = (group.configuration for group in groups if group.waiting_runs)
            compile_kernels(waiting, self.jobs, on_compile)
        self.began = time.monotonic()
        while self.submit_tasks() or self.in_flight:
            ready, _ = wait(self.in_flight, self.interval, FIRST_COMPLETED)
            for future in ready:
                self.receive(future)
            self.abandon_overdue()
            self.writer.flush_in_time()
            if time.monotonic() - self.last_report >= self.interval:
                self.report_progress()
        self.report_progress()

    def submit_tasks(self) -> bool:
        """Submit tasks until the workers are busy; return whether there were any."""
        while len(self.in_flight) < self.limit:
            task = self.schedule.next()
            if task is None:
                return False
            future = self.executor.submit(run_task, task, self.cancellation, self.timeout)
            self.in_flight[future] = task, time.monotonic()
        return True

    def receive(self, future: "Future[Report]") -> None:
        """Store the report of a finished task, or record its failure."""
        task, _ = self.in_flight.pop(future)
        try:
            report = future.result()
        except BrokenExecutor:
            raise
        except (Exception, CancelledError) as error:  # its worker was lost, or it cannot be sent
            self.retry(task, [(number, self.explain(error)) for number in task.numbers], origin())
        else:
            self.store_report(task, report)

    def explain(self, error: BaseException) -> str:
        """Return why a task has failed as a whole; count the deaths of workers."""
        if not isinstance(error, (pebble.ProcessExpired, TimeoutError)):
            return describe_error(error)
        self.deaths += 1
        if self.deaths >= MAX_DEATHS:
            raise CampaignError(f"{self.deaths} workers have died without finishing a run")
        in_time = getattr(error, "exitcode", EXIT_TIMEOUT) != EXIT_TIMEOUT
        return DIED if in_time else timeout_message(self.timeout)

    def store_report(self, task: Task, report: Report) -> None:
        """Store the runs of a report; raise an error if the worker runs different code."""
        here, there = origin_of(task.configuration), report.origin
        if there[:2] != here[:2]:
            raise CampaignError(
                f"expected workers with catcube {here.version}, sources {here.sources}, got one "
                f"with {there.version}, sources {there.sources}; its runs are not kept; install "
                "the same code everywhere"
            )
        if report.runs:
            self.writer.add(task.position, report.runs, self.writer.session(report.origin))
            self.schedule.add_times(task.position, len(report.runs), report.seconds, report.cpu)
            self.done += len(report.runs)
            self.evaluations += sum(run.evaluations for run in report.runs)
            self.deaths = 0
        self.retry(task, report.failures, report.origin)

    def retry(self, task: Task, failures: list[tuple[int, str]], origin: Origin) -> None:
        """Schedule failed runs again, one by one; after the last attempt record them as failed."""
        for number, message in failures:
            if task.attempt < ATTEMPTS:
                self.schedule.retries.append(task.retry(number, message))
            else:
                twice = f"{message}, twice" if message == task.previous_message else message
                session = self.writer.session(origin)
                self.writer.add_failure(task.position, number, twice, session)
                self.failed += 1

    def allowance(self, task: Task) -> float:
        """Return the seconds after which a task is overdue."""
        return (self.timeout or 0.0) * len(task.numbers) + self.starting

    def abandon_overdue(self) -> None:
        """Abandon overdue tasks of the user's executor, which cannot be stopped."""
        for future, (task, submitted) in list(self.in_flight.items()):
            late = time.monotonic() - submitted > self.allowance(task)
            if self.timeout is not None and not self.owns_executor and late and not future.done():
                future.cancel()
                del self.in_flight[future]
                message = timeout_message(self.timeout)
                self.retry(task, [(number, message) for number in task.numbers], origin())

    def end(self) -> None:
        """Stop the runs of this process and of its own workers; store the finished ones."""
        if self.cancellation is not None:
            self.cancellation.stop()
        if self.owns_executor:
            self.executor.shutdown(wait=True, cancel_futures=True)
        for future, (task, _) in self.in_flight.items():
            future.cancel()
            if future.done() and not future.cancelled() and future.exception() is None:
                self.store_report(task, future.result())
        self.in_flight.clear()
        self.writer.flush()

    def report_progress(self) -> None:
        """Report the progress."""
        self.last_report = time.monotonic()
        if self.on_progress is not None:
            self.on_progress(self.progress())

    def progress(self) -> CampaignProgress:
        """Return the progress."""
        seconds = time.monotonic() - self.began
        counts = self.done, self.total, self.failed, self.evaluations
        waiting = (task for task, _ in self.in_flight.values())
        return CampaignProgress(*counts, seconds, self.schedule.seconds_left(waiting) / self.jobs)


@dataclass
class _Group:
    """The runs of one configuration that are not submitted yet."""

    index: int
    configuration: Configuration
    waiting_runs: int
    numbers: Iterator[int] | None = None  # created on first use
    runs: int = 0  # finished in this session
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def expected(self) -> float:
        """The mean seconds of a run; infinite before the first is finished."""
        return self.seconds / self.runs if self.runs else math.inf


class _Schedule:
    """The order of tasks: one run of each configuration, then the longest runs first."""

    def __init__(self, writer: Writer, jobs: int, only: str | None) -> None:
        self.writer, self.jobs = writer, jobs
        self.retries: deque[Task] = deque()
        counts = writer.counts()
        self.groups = {
            index: _Group(index, configuration, configuration.runs - counts[index])
            for index, configuration in enumerate(writer.plan.configurations())
            if only in (None, configuration.experiment)
        }
        self.waiting_runs = sum(group.waiting_runs for group in self.groups.values())
        self.probes = deque(group for group in self.groups.values() if group.waiting_runs)
        self.rest: list[_Group] = []  # the longest last
        self.sorted = -math.inf  # the time

    def next(self) -> Task | None:
        """Return the next task; None if all runs are submitted."""
        if self.retries:
            return self.retries.popleft()
        if self.probes:
            group = self.probes.popleft()
            self.rest.append(group)
            return self._task(group, 1)
        if time.monotonic() - self.sorted > SORT_INTERVAL:
            self.rest.sort(key=lambda group: group.expected)
            self.sorted = time.monotonic()
        while self.rest and not self.rest[-1].waiting_runs:
            self.rest.pop()
        if not self.rest:
            return None
        group = self.rest[-1]
        fitting = int(min(TASK_RUNS, TASK_SECONDS / max(group.expected, 1e-9)))
        # Small tasks near the end, so that all workers finish at about the same time.
        return self._task(group, max(1, min(fitting, self.waiting_runs // (2 * self.jobs))))

    def _task(self, group: _Group, size: int) -> Task:
        if group.numbers is None:
            done = self.writer.numbers(group.index)
            every = range(1, group.configuration.runs + 1)
            group.numbers = (number for number in every if number not in done)
        numbers = tuple(islice(group.numbers, size))
        group.waiting_runs -= len(numbers)
        self.waiting_runs -= len(numbers)
        return Task(group.index, group.configuration, numbers)

    def seconds_left(self, in_flight: Iterable[Task]) -> float:
        """Estimate the total time of the unfinished runs.

        CPU time is estimated by configuration if possible, and its ratio to elapsed time from all
        runs, because on a busy machine elapsed times of single runs vary too much.
        """
        left = Counter({index: group.waiting_runs for index, group in self.groups.items()})
        for task in in_flight:
            left[task.position] += len(task.numbers)
        groups = self.groups.values()
        seconds, cpu = sum(one.seconds for one in groups), sum(one.cpu for one in groups)
        mean = cpu / max(sum(one.runs for one in groups), 1)
        each = [one.cpu / one.runs if one.runs else mean for one in groups]
        waiting = sum(left[index] * run for index, run in zip(self.groups, each, strict=True))
        return waiting * seconds / max(cpu, 1e-9)

    def add_times(self, index: int, runs: int, seconds: float, cpu: float) -> None:
        """Add the total times of finished runs of a configuration."""
        self.groups[index].runs += runs
        self.groups[index].seconds += seconds
        self.groups[index].cpu += cpu
