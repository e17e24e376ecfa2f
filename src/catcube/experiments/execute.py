"""Making the runs of a plan that its store does not hold yet, with any executor."""

import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from typing import NamedTuple

from catcube.batch import available_cores
from catcube.experiments.compilation import compile_kernels
from catcube.experiments.origin import Origin, origin
from catcube.experiments.plan import Plan
from catcube.experiments.schedule import Schedule, singles
from catcube.experiments.task import Report, Task
from catcube.experiments.workers import CampaignError, Given, Workers
from catcube.experiments.writer import Writer

ATTEMPTS = 2  # to make a run, before it counts as failed
BREAKS = 10  # of the executor without any run finished in between, before the campaign gives up
QUEUED = 3  # tasks a job that are handed to the executor at a time: enough to keep it busy
INTERVAL = 0.2  # seconds between two looks at the progress


class Standing(NamedTuple):
    """How far a campaign is; evaluations are those of this session."""

    done: int
    total: int
    failed: int
    evaluations: int
    seconds: float
    seconds_left: float | None


def run_campaign(
    plan: Plan,
    store_path: str | os.PathLike[str],
    executor: Given = None,
    jobs: int | None = None,
    on_progress: Callable[[Standing], object] | None = None,
    only: str | None = None,
) -> Standing:
    """Make all runs of the plan, or of `only` one experiment, that the store does not hold.

    By default they are made by `jobs` threads, one a core. An executor may be given instead, or a
    function that makes one: then a broken one (a worker was killed) is replaced, and the runs it
    had are made again, one at a time: one that breaks it all the same is noted as failed.
    `jobs` then tells how many workers it has. A run that raises an exception is tried once more,
    then noted as failed; starting again tries it again.

    >>> import tempfile
    >>> from catcube.experiments.plan_file import shipped_plan
    >>> from catcube.experiments.store import Store
    >>> plan = shipped_plan("fixed-target").scaled(runs=2, budget=100, instances=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     standing = run_campaign(plan, f"{folder}/mine.sqlite")
    ...     with Store(f"{folder}/mine.sqlite") as store:
    ...         runs = list(store.runs())
    >>> standing.done, len(runs), runs[0].instance, runs[0].algorithm, runs[0].representation
    (44, 44, 'small-dimension-1-a', 'rls', 'linear')
    """
    if only is not None:
        plan.checked_experiment(only)
    jobs = jobs or available_cores()
    with Writer(store_path, plan) as writer, Workers(executor, jobs) as workers:
        campaign = _Campaign(writer, workers, jobs, on_progress, only)
        try:
            campaign.run()
        finally:  # Ctrl-C, or anything else: what is ready is kept
            workers.stop()
            campaign.receive_ready()
        return campaign.standing()


class _Campaign:
    """The state of a campaign between its store and its workers."""

    def __init__(
        self,
        writer: Writer,
        workers: Workers,
        jobs: int,
        on_progress: Callable[[Standing], object] | None,
        only: str | None,
    ) -> None:
        configurations = writer.plan.configurations()
        counts = writer.counts()
        self.writer, self.workers, self.jobs = writer, workers, jobs
        self.schedule = Schedule(
            configurations, lambda place: counts[place], writer.numbers, jobs, only
        )
        self.under_way: dict[Future[Report], Task] = {}
        self.suspects: deque[Task] = deque()  # single runs, one of which may kill its worker
        self.suspected: Task | None = None  # the one under way, alone
        self.limit = QUEUED * jobs
        self.on_progress = on_progress
        groups = self.schedule.groups.values()
        self.total = sum(group.configuration.runs for group in groups)
        self.done = self.total - self.schedule.left
        self.failed = self.evaluations = self.breaks = 0
        self.began = self.shown = time.monotonic()

    def run(self) -> None:
        """Until nothing is left to do."""
        if self.schedule.left and self.workers.local:
            self.writer.session(origin())
            # Each kernel before the first run: a compiling thread would hold up short runs.
            groups = self.schedule.groups.values()
            waiting = (group.configuration for group in groups if group.left)
            compile_kernels(waiting, self.jobs)
        self.began = time.monotonic()
        while self.hand_out() or self.under_way:
            ready, _ = wait(self.under_way, INTERVAL, FIRST_COMPLETED)
            for future in ready:
                if future in self.under_way:  # else it was lost with the others
                    self.receive(future)
            self.writer.flush_in_time()
            if time.monotonic() - self.shown >= INTERVAL:
                self.show()
        self.show()

    def hand_out(self) -> bool:
        """Give the workers enough to do; whether there was anything."""
        while len(self.under_way) < self.limit and self.suspected is None:
            if self.suspects:
                if self.under_way:
                    return True
                task = self.suspected = self.suspects.popleft()
            elif (next_task := self.schedule.next()) is not None:
                task = next_task
            else:
                return False
            try:
                self.under_way[self.workers.submit(task)] = task
            except BrokenExecutor:
                self.suspected = None
                self.suspects += singles(task)
                self.replace_workers()
        return True

    def receive(self, future: Future[Report]) -> None:
        """Take what a worker has found, or what went wrong."""
        task = self.under_way.pop(future)
        alone, self.suspected = self.suspected is task, None
        try:
            report = future.result()
        except (BrokenExecutor, CancelledError):
            if not alone:
                self.suspects += singles(task)
            elif task.attempt < ATTEMPTS:
                self.suspects.append(task._replace(attempt=task.attempt + 1))
            else:
                self.fail(task, [(task.numbers[0], "its worker died, every time")], origin())
            self.replace_workers()
        except Exception as error:  # the whole task: it could not be sent, its worker was lost
            message = f"{type(error).__name__}: {error}"
            self.fail(task, [(number, message) for number in task.numbers], origin())
        else:
            self.keep(task, report)

    def keep(self, task: Task, report: Report) -> None:
        """Put the runs into the store."""
        if report.findings:
            session = self.writer.session(report.origin)
            self.writer.add(task.place, report.findings, session)
            self.schedule.learn(task.place, len(report.findings), report.seconds)
            self.done += len(report.findings)
            self.evaluations += sum(own.evaluations for own in report.findings)
            self.breaks = 0
        self.fail(task, report.failures, report.origin)

    def fail(self, task: Task, failures: list[tuple[int, str]], origin: Origin) -> None:
        """Have failed runs tried again, or note them."""
        for number, message in failures:
            if task.attempt < ATTEMPTS:
                again = task._replace(numbers=(number,), attempt=task.attempt + 1)
                self.schedule.retry(again)
            else:
                session = self.writer.session(origin)
                self.writer.add_failure(task.place, number, message, session)
                self.failed += 1

    def replace_workers(self) -> None:
        """All tasks of a broken executor that are not done are handed out again, one by one."""
        self.breaks += 1
        lost = dict(self.under_way)
        self.under_way.clear()
        for future, task in lost.items():
            ended = future.done() and not future.cancelled()
            if ended and future.exception() is None:
                self.keep(task, future.result())
            else:
                self.suspects += singles(task)
        if self.breaks > BREAKS:
            raise CampaignError(
                f"workers have died {self.breaks} times without finishing any run; start again to "
                "go on where it ended"
            )
        self.workers.replace()

    def receive_ready(self) -> None:
        """At an untimely end: keep what is done, and leave the rest for the next time."""
        for future, task in self.under_way.items():
            future.cancel()
            if future.done() and not future.cancelled() and future.exception() is None:
                self.keep(task, future.result())
        self.under_way.clear()
        self.writer.flush()

    def show(self) -> None:
        """Tell about the progress."""
        self.shown = time.monotonic()
        if self.on_progress is not None:
            self.on_progress(self.standing())

    def standing(self) -> Standing:
        """How far it is."""
        return Standing(
            self.done,
            self.total,
            self.failed,
            self.evaluations,
            time.monotonic() - self.began,
            self.schedule.seconds_left(
                [*self.under_way.values(), *self.suspects], time.monotonic() - self.began
            ),
        )
