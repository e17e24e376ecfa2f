"""Run a plan: make the runs that its store does not hold yet, with any executor.

First comes one run of each configuration, then the longest runs come first. The runs of a campaign
differ in length by a factor of a thousand: if the longest came last, one core would work while the
others wait. The length of a run is estimated from finished ones. Results do not depend on this.
"""

import math
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
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
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import pebble

from catcube.errors import BadValue, CatcubeError
from catcube.experiments.plan import Configuration, Plan
from catcube.experiments.worker import (
    HANGS,
    Cancellation,
    Origin,
    Report,
    Task,
    available_cores,
    compile_kernels,
    in_words,
    origin,
    origin_of,
    perform,
    safe_path,
    too_late,
)
from catcube.experiments.writer import Writer

ATTEMPTS = 2  # to make a run, before it counts as failed
DEATHS = 10  # of workers before the first finished run, before the campaign gives up
DEATHS_LATER = 100  # in a row, without a finished run in between
QUEUED = 3  # tasks per job in the executor: enough to keep it busy
INTERVAL = 0.2  # seconds between two updates of the progress
STARTING = 120.0  # seconds for a worker elsewhere to start and compile its kernels
TASK_SECONDS = 0.1  # of tasks of short runs: long compared with the overhead of a task
TASK_RUNS = 200  # at most in a task
SORTING = 1.0  # seconds after which the configurations are sorted again

ExecutorChoice: TypeAlias = "Executor | Callable[[], Executor] | None"


class CampaignError(CatcubeError, RuntimeError):
    """The executor is unusable; finished runs are in the store."""


class Progress(NamedTuple):
    """The progress of a campaign; evaluations are those of this session."""

    done: int
    total: int
    failed: int
    evaluations: int
    seconds: float


def run_campaign(
    plan: Plan,
    store: str | os.PathLike[str] | Writer,
    executor: ExecutorChoice = None,
    jobs: int | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    only: str | None = None,
    timeout: float | None = None,
    on_compile: Callable[[int], object] | None = None,
    interval: float = INTERVAL,
    starting: float = STARTING,
) -> Progress:
    """Make the runs of the plan, or of `only` one experiment, that the store does not hold.

    Parameters
    ----------
    plan : Plan
        The experiments.
    store : path or Writer
        The SQLite file of the results; it is created if there is none.
    executor : Executor or callable, optional
        By default `jobs` threads make the runs, or processes if there is a timeout. A function
        that returns an executor is called again if that one breaks, because a worker was killed.
    jobs : int, optional
        Simultaneous runs; by default one per core.
    on_progress : callable, optional
        Called with a `Progress` every `interval` seconds, and at the end.
    only : str, optional
        The name of an experiment of the plan.
    timeout : float, optional
        Seconds that a run may take. One that takes longer is stopped; a worker process that hangs
        is killed. On an executor of yours a task without an answer is abandoned after `starting`
        more seconds.
    on_compile : callable, optional
        Called with the number of kernels that must be compiled first, if there are any.

    Returns
    -------
    Progress
        The numbers of finished and failed runs.

    Notes
    -----
    A run that raises an exception, has no result in time or kills its worker is tried once more,
    then recorded as failed; calling `run_campaign` again retries it.

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
    if timeout is not None and not 0 < timeout < math.inf:
        raise BadValue(f"timeout: expected a number of seconds > 0, got {timeout!r}")
    jobs = jobs or available_cores()
    with ExitStack() as stack:
        writer = store if isinstance(store, Writer) else stack.enter_context(Writer(store, plan))
        workers = stack.enter_context(_Workers(executor, jobs, timeout, starting))
        campaign = _Campaign(writer, workers, jobs, on_progress, only, interval)
        try:
            campaign.run(on_compile)
        finally:  # after Ctrl-C or an error, finished runs are kept
            workers.stop()
            campaign.receive_ready()
        return campaign.progress()


class _Workers:
    """The executor of a campaign: threads, processes, or the user's."""

    def __init__(
        self, executor: ExecutorChoice, jobs: int, timeout: float | None, starting: float
    ) -> None:
        self.cancellation = Cancellation()
        self.jobs, self.timeout, self.starting = jobs, timeout, starting
        self.local = executor is None
        self.pool: Any = None  # of processes, in which a death concerns one task only
        self.make: Callable[[], Executor] | None = None
        self.executor = executor if isinstance(executor, Executor) else None
        if executor is None and timeout is None:
            self.make = lambda: ThreadPoolExecutor(jobs)
        elif executor is not None and not isinstance(executor, Executor):
            self.make = executor

    def __enter__(self) -> "_Workers":
        if self.make is not None:
            self.executor = self.make()
        elif self.executor is None:
            context = multiprocessing.get_context("spawn")
            self.pool = pebble.ProcessPool(self.jobs, context=context)
        return self

    def __exit__(self, *exception: object) -> None:
        if self.make is not None and self.executor is not None:
            self.executor.shutdown(wait=exception[0] is None, cancel_futures=True)

    def submit(self, task: Task) -> "Future[Report]":
        if self.pool is not None:
            with safe_path():
                hard = None if self.timeout is None else self.allowed(task)
                found: Future[Report] = self.pool.schedule(
                    perform, args=(task, None, self.timeout), timeout=hard
                )
            return found
        assert self.executor is not None
        cancellation = self.cancellation if self.local else None
        return self.executor.submit(perform, task, cancellation, self.timeout)

    def allowed(self, task: Task) -> float:
        """Return the seconds after which a task hangs without noticing it itself."""
        assert self.timeout is not None
        return self.timeout * len(task.numbers) + self.starting

    def replace(self) -> None:
        """Replace a broken executor by a new one."""
        if self.make is None:
            raise CampaignError("the executor is broken; run the same command again to resume")
        assert self.executor is not None
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self.make()

    def stop(self) -> None:
        """Stop the runs of this process and of its own workers."""
        self.cancellation.stop()
        if self.pool is not None:
            self.pool.stop()
            self.pool.join()
        elif self.local and self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)


class _Campaign:
    """Hands the runs of a plan to workers and keeps their results in the store."""

    def __init__(
        self,
        writer: Writer,
        workers: _Workers,
        jobs: int,
        on_progress: Callable[[Progress], object] | None,
        only: str | None,
        interval: float,
    ) -> None:
        self.writer, self.workers, self.jobs, self.interval = writer, workers, jobs, interval
        self.schedule = _Schedule(writer, jobs, only)
        self.in_flight: dict[Future[Report], Task] = {}
        self.submitted: dict[Future[Report], float] = {}  # the time
        self.alone: deque[Task] = deque()  # runs of dead workers: one by one
        self.lone: Task | None = None  # the one of them that is in flight
        # With a time limit no task is queued: its start would be unknown.
        self.limit = jobs if workers.timeout is not None else QUEUED * jobs
        self.on_progress = on_progress
        groups = self.schedule.groups.values()
        self.total = sum(group.configuration.runs for group in groups)
        self.done = self.total - self.schedule.left
        self.failed = self.evaluations = self.deaths = 0
        self.began = self.shown = time.monotonic()

    def run(self, on_compile: Callable[[int], object] | None) -> None:
        """Run until all tasks are done."""
        if self.schedule.left and self.workers.local:
            self.writer.session(origin())
            # All kernels before the first run: a compiling thread would delay short runs.
            groups = self.schedule.groups.values()
            waiting = (group.configuration for group in groups if group.left)
            compile_kernels(waiting, self.jobs, on_compile)
        self.began = time.monotonic()
        while self.hand_out() or self.in_flight:
            ready, _ = wait(self.in_flight, self.interval, FIRST_COMPLETED)
            for future in ready:
                if future in self.in_flight:  # else it was lost with a broken executor
                    self.receive(future)
            self.abandon_late()
            self.writer.flush_in_time()
            if time.monotonic() - self.shown >= self.interval:
                self.show()
        self.show()

    def hand_out(self) -> bool:
        """Submit tasks until the workers are busy; return whether there were any."""
        while self.lone is None and len(self.in_flight) < self.limit:
            if self.alone:
                if self.in_flight:
                    return True
                task = self.lone = self.alone.popleft()
            elif (next_task := self.schedule.next()) is not None:
                task = next_task
            else:
                return False
            try:
                future = self.workers.submit(task)
            except BrokenExecutor:
                self.replace_workers([task])
                continue
            self.in_flight[future] = task
            self.submitted[future] = time.monotonic()
        return True

    def receive(self, future: "Future[Report]") -> None:
        """Take the report of a worker, or its failure."""
        task = self.in_flight.pop(future)
        del self.submitted[future]
        try:
            report = future.result()
        except (BrokenExecutor, CancelledError):
            self.replace_workers([task])
            return
        except Exception as error:  # the whole task: it could not be sent, or its worker was lost
            message = in_words(error)
            if self.workers.pool and isinstance(error, (pebble.ProcessExpired, TimeoutError)):
                late = getattr(error, "exitcode", HANGS) == HANGS
                message = too_late(self.workers.timeout) if late else "its worker died"
                self.count_death()
            self.fail(task, [(number, message) for number in task.numbers], origin())
        else:
            self.keep(task, report)
        self.lone = None

    def keep(self, task: Task, report: Report) -> None:
        """Put the runs into the store."""
        self.check_origin(task, report.origin)
        if report.runs:
            session = self.writer.session(report.origin)
            self.writer.add(task.position, report.runs, session)
            self.schedule.learn(task.position, len(report.runs), report.seconds)
            self.done += len(report.runs)
            self.evaluations += sum(run.evaluations for run in report.runs)
            self.deaths = 0
        self.fail(task, report.failures, report.origin)

    def check_origin(self, task: Task, there: Origin) -> None:
        """Raise a CampaignError if a worker runs other code: runs must not be mixed."""
        here = origin_of(task.configuration)
        if there[:2] != here[:2]:
            raise CampaignError(
                f"expected workers with catcube {here.version}, sources {here.sources}, got one "
                f"with {there.version}, sources {there.sources}; its runs are not kept; install "
                "the same code everywhere, and run the same command again"
            )

    def fail(self, task: Task, failures: list[tuple[int, str]], origin: Origin) -> None:
        """Retry failed runs, or record them as failed."""
        for number, message in failures:
            if task.attempt < ATTEMPTS:
                self.schedule.again.append(task.again(number, message))
            else:
                twice = f"{message}, twice" if message == task.before else message
                session = self.writer.session(origin)
                self.writer.add_failure(task.position, number, twice, session)
                self.failed += 1

    def replace_workers(self, lost: list[Task]) -> None:
        """Replace a broken executor; its unfinished runs are tried once more, one by one."""
        for future, task in self.in_flight.items():
            ended = future.done() and not future.cancelled()
            if ended and future.exception() is None:
                self.keep(task, future.result())
            else:
                lost.append(task)
        self.in_flight.clear()
        self.submitted.clear()
        died = "its worker died"
        for task in lost:
            if task is self.lone:
                self.fail(task, [(number, died) for number in task.numbers], origin())
            else:
                self.alone += [task.again(number, died) for number in task.numbers]
        self.lone = None
        self.count_death()
        self.workers.replace()

    def count_death(self) -> None:
        self.deaths += 1
        if self.deaths >= (DEATHS_LATER if self.evaluations else DEATHS):
            raise CampaignError(
                f"workers have died {self.deaths} times without finishing a run; run the same "
                "command again to resume"
            )

    def abandon_late(self) -> None:
        """Abandon tasks of the user's executor that hang and cannot be stopped."""
        if self.workers.timeout is None or self.workers.pool is not None:
            return
        now = time.monotonic()
        for future, task in list(self.in_flight.items()):
            late = now - self.submitted[future] > self.workers.allowed(task)
            if late and not future.done():
                future.cancel()
                del self.in_flight[future], self.submitted[future]
                message = too_late(self.workers.timeout)
                self.fail(task, [(number, message) for number in task.numbers], origin())

    def receive_ready(self) -> None:
        """Keep the finished runs after an interruption."""
        for future, task in self.in_flight.items():
            future.cancel()
            if future.done() and not future.cancelled() and future.exception() is None:
                self.keep(task, future.result())
        self.in_flight.clear()
        self.writer.flush()

    def show(self) -> None:
        """Report the progress."""
        self.shown = time.monotonic()
        if self.on_progress is not None:
            self.on_progress(self.progress())

    def progress(self) -> Progress:
        """Return the progress."""
        seconds = time.monotonic() - self.began
        return Progress(self.done, self.total, self.failed, self.evaluations, seconds)


class _Group:
    """The runs of one configuration that are not yet handed out."""

    def __init__(self, index: int, configuration: Configuration, done: int) -> None:
        self.index, self.configuration = index, configuration
        self.left = configuration.runs - done
        self.numbers: Iterator[int] | None = None  # created on first use
        self.runs, self.seconds = 0, 0.0  # finished in this session

    @property
    def expected(self) -> float:
        """The mean seconds of a run; infinite before the first is finished."""
        return self.seconds / self.runs if self.runs else math.inf


class _Schedule:
    """The order of tasks: one run of each configuration, then the longest runs first."""

    def __init__(self, writer: Writer, jobs: int, only: str | None) -> None:
        self.writer, self.jobs = writer, jobs
        self.again: deque[Task] = deque()
        counts = writer.counts()
        self.groups = {
            index: _Group(index, configuration, counts[index])
            for index, configuration in enumerate(writer.plan.configurations())
            if only in (None, configuration.experiment)
        }
        self.left = sum(group.left for group in self.groups.values())
        self.probes = deque(group for group in self.groups.values() if group.left)
        self.rest: list[_Group] = []  # the longest last
        self.sorted = -math.inf  # the time

    def next(self) -> Task | None:
        """Return the next task, or None if everything is handed out."""
        if self.again:
            return self.again.popleft()
        if self.probes:
            group = self.probes.popleft()
            self.rest.append(group)
            return self._task(group, 1)
        if time.monotonic() - self.sorted > SORTING:
            self.rest.sort(key=lambda group: group.expected)
            self.sorted = time.monotonic()
        while self.rest and not self.rest[-1].left:
            self.rest.pop()
        if not self.rest:
            return None
        group = self.rest[-1]
        fitting = int(min(TASK_RUNS, TASK_SECONDS / max(group.expected, 1e-9)))
        # Few near the end, so that all workers end at about the same time.
        return self._task(group, max(1, min(fitting, self.left // (2 * self.jobs))))

    def _task(self, group: _Group, size: int) -> Task:
        if group.numbers is None:
            done = self.writer.numbers(group.index)
            every = range(1, group.configuration.runs + 1)
            group.numbers = (number for number in every if number not in done)
        numbers = tuple(islice(group.numbers, size))
        group.left -= len(numbers)
        self.left -= len(numbers)
        return Task(group.index, group.configuration, numbers)

    def learn(self, index: int, runs: int, seconds: float) -> None:
        """Add the total time of runs of a configuration."""
        self.groups[index].runs += runs
        self.groups[index].seconds += seconds
