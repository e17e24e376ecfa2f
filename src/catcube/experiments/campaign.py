"""The state of a campaign: tasks handed to the workers, runs received from them."""

import time
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from typing import NamedTuple

from catcube.experiments.acceptance import fault_of
from catcube.experiments.compilation import compile_kernels
from catcube.experiments.isolation import KILLERS, Isolation
from catcube.experiments.origin import Origin, origin, origin_of
from catcube.experiments.schedule import Schedule, singles
from catcube.experiments.store.writer import Writer
from catcube.experiments.task import Report, Task, in_words
from catcube.experiments.workers import CampaignError, Workers

ATTEMPTS = 2  # to make a run, before it counts as failed
BREAKS = 10  # of the executor without a finished run in between, before the campaign gives up
QUEUED = 3  # tasks per job in the executor: enough to keep it busy
INTERVAL = 0.2  # seconds between two updates of the progress


class Progress(NamedTuple):
    """The progress of a campaign; evaluations are those of this session."""

    done: int
    total: int
    failed: int
    evaluations: int
    seconds: float
    seconds_left: float | None


class Campaign:
    """Hands the runs of a plan to workers and keeps their results in the store."""

    def __init__(
        self,
        writer: Writer,
        workers: Workers,
        jobs: int,
        on_progress: Callable[[Progress], object] | None,
        only: str | None,
    ) -> None:
        configurations = writer.plan.configurations()
        counts = writer.counts()
        self.writer, self.workers, self.jobs = writer, workers, jobs
        self.schedule = Schedule(
            configurations, lambda index: counts[index], writer.numbers, jobs, only
        )
        self.under_way: dict[Future[Report], Task] = {}
        self.submitted: dict[Future[Report], float] = {}  # the time
        self.isolation = Isolation()
        self.finished: Task | None = None  # a successful run
        self.proof: Task | None = None  # the same, repeated to test the workers
        self.stopped = False
        # With a time limit no task is queued: its start would be unknown.
        self.limit = jobs if workers.timeout is not None else QUEUED * jobs
        self.on_progress = on_progress
        groups = self.schedule.groups.values()
        self.total = sum(group.configuration.runs for group in groups)
        self.done = self.total - self.schedule.left
        self.failed = self.evaluations = self.breaks = 0
        self.began = self.shown = time.monotonic()

    def run(self) -> None:
        """Run until all tasks are done."""
        if self.schedule.left and self.workers.local:
            self.writer.session(origin())
            # All kernels before the first run: a compiling thread would delay short runs.
            groups = self.schedule.groups.values()
            waiting = (group.configuration for group in groups if group.left)
            compile_kernels(waiting, self.jobs)
        self.began = time.monotonic()
        while self.hand_out() or self.under_way:
            ready, _ = wait(self.under_way, INTERVAL, FIRST_COMPLETED)
            for future in ready:
                if future in self.under_way:  # else it was lost with a broken executor
                    self.receive(future)
            self.abandon_late()
            self.writer.flush_in_time()
            if time.monotonic() - self.shown >= INTERVAL:
                self.show()
        self.show()

    def hand_out(self) -> bool:
        """Submit tasks until the workers are busy; return whether there were any."""
        while len(self.under_way) < self.limit and self.isolation.alone is None:
            if self.isolation.waiting:
                if self.under_way:
                    return True
                task = self.isolation.take()
            elif (next_task := self.schedule.next()) is not None:
                task = next_task
                if self.isolation.has_killed(task):
                    self.isolation.defer(task)
                    continue
            elif self.isolation.deferred:
                self.isolation.resume()
                self.skip_killers()
                continue
            else:
                return False
            try:
                future = self.workers.submit(task)
            except BrokenExecutor:
                self.isolation.returned(task)
                if task is not self.proof:
                    self.isolation.add(task)
                self.replace_workers()
            else:
                self.under_way[future] = task
                self.submitted[future] = time.monotonic()
        return True

    def receive(self, future: Future[Report]) -> None:
        """Take the report of a worker, or its failure."""
        task = self.under_way.pop(future)
        seconds = time.monotonic() - self.submitted.pop(future)
        alone = self.isolation.returned(task)
        try:
            report = future.result()
        except (BrokenExecutor, CancelledError):
            if task is self.proof:
                raise CampaignError(
                    f"workers have died {self.breaks + 1} times, also in a run that succeeded "
                    "before; run the same command again to resume"
                ) from None
            if alone:
                limit = self.workers.limit
                late = limit is not None and seconds > limit.seconds
                message = limit.exceeded() if limit and late else "its worker died"
                if task.attempt < ATTEMPTS:  # at once, with fresh workers
                    again = task._replace(attempt=task.attempt + 1, before=message)
                    self.isolation.add_first(again)
                else:
                    self.isolation.condemn(task)
                    self.fail(task, [(task.numbers[0], message)], origin())
                    self.skip_killers()
            else:
                self.isolation.add(task)
            self.replace_workers()
        except Exception as error:  # the whole task: it could not be sent, or its worker was lost
            self.fail(task, [(number, in_words(error)) for number in task.numbers], origin())
        else:
            self.keep(task, report)

    def keep(self, task: Task, report: Report) -> None:
        """Put the runs into the store, if the report is plausible."""
        if task is self.proof:
            self.breaks = 0  # the workers are fine: the runs kill them
            return
        fault = fault_of(report, task)
        if fault is not None:
            message = f"its worker returned an invalid report: {fault}"
            self.fail(task, [(number, message) for number in task.numbers], origin())
            return
        self.check_origin(task, report.origin)
        if report.findings:
            session = self.writer.session(report.origin)
            self.writer.add(task.position, report.findings, session)
            self.schedule.learn(task.position, len(report.findings), report.seconds)
            self.done += len(report.findings)
            self.evaluations += sum(finding.evaluations for finding in report.findings)
            self.breaks = 0
            self.finished = task._replace(numbers=(report.findings[0].number,))
        self.fail(task, report.failures, report.origin)
        reported = {finding.number for finding in report.findings} | {
            failure for failure, _ in report.failures
        }
        if not self.stopped:
            omitted = [number for number in task.numbers if number not in reported]
            self.fail(
                task, [(number, "its worker did not report it") for number in omitted], origin()
            )

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
        if task is self.proof:
            return
        for number, message in failures:
            if task.attempt < ATTEMPTS:
                again = task._replace(numbers=(number,), attempt=task.attempt + 1, before=message)
                self.schedule.retry(again)
            else:
                twice = f"{message}, twice" if message == task.before else message
                self.note(task.position, number, twice, origin)

    def note(self, index: int, number: int, message: str, origin: Origin) -> None:
        """Record a failed run."""
        session = self.writer.session(origin)
        self.writer.add_failure(index, number, message, session)
        self.failed += 1

    def skip_killers(self) -> None:
        """Record the untried runs of configurations that kill workers as failed."""
        for task in self.isolation.skipped():
            message = f"not tried: {KILLERS} other runs of this configuration had no result either"
            self.note(task.position, task.numbers[0], message, origin())

    def abandon_late(self) -> None:
        """Abandon tasks that hang and cannot be stopped."""
        if self.workers.timeout is None:
            return
        now = time.monotonic()
        for future, task in list(self.under_way.items()):
            late = now - self.submitted[future] > self.workers.allowed(task)
            if late and not future.done() and self.workers.abandon(future):
                del self.under_way[future], self.submitted[future]
                self.isolation.returned(task)
                limit = self.workers.limit
                assert limit is not None
                if len(task.numbers) > 1:  # it is unknown which of them hangs
                    for single in singles(task):
                        self.schedule.retry(single)
                else:
                    self.fail(task, [(task.numbers[0], limit.exceeded())], origin())

    def replace_workers(self) -> None:
        """Replace a broken executor; its unfinished tasks are submitted again, one by one."""
        self.breaks += 1
        lost = dict(self.under_way)
        self.under_way.clear()
        self.submitted.clear()
        for future, task in lost.items():
            self.isolation.returned(task)
            ended = future.done() and not future.cancelled()
            if ended and future.exception() is None:
                self.keep(task, future.result())
            elif task is not self.proof:
                self.isolation.add(task)
        if self.breaks > BREAKS:
            if self.finished is None or self.breaks > 2 * BREAKS:
                raise CampaignError(
                    f"workers have died {self.breaks} times without finishing a run; run the same "
                    "command again to resume"
                )
            # Test the workers with a run that succeeded before.
            self.proof = self.finished._replace(attempt=1)
            self.isolation.add_first(self.proof)
        self.workers.replace()

    def receive_ready(self) -> None:
        """Keep the finished runs after an interruption."""
        self.stopped = True
        for future, task in self.under_way.items():
            future.cancel()
            if future.done() and not future.cancelled() and future.exception() is None:
                self.keep(task, future.result())
        self.under_way.clear()
        self.writer.flush()

    def show(self) -> None:
        """Report the progress."""
        self.shown = time.monotonic()
        if self.on_progress is not None:
            self.on_progress(self.progress())

    def progress(self) -> Progress:
        """Return the progress."""
        return Progress(
            self.done,
            self.total,
            self.failed,
            self.evaluations,
            time.monotonic() - self.began,
            self.schedule.seconds_left(
                [*self.under_way.values(), *self.isolation.all()], time.monotonic() - self.began
            ),
        )
