"""Making the runs of a plan that its store does not hold yet, with any executor."""

import math
import os
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

from catcube.campaigns.acceptance import fault_of
from catcube.campaigns.compilation import compile_kernels
from catcube.campaigns.origin import Origin, origin, origin_of
from catcube.campaigns.plan import Plan
from catcube.campaigns.schedule import Schedule, singles
from catcube.campaigns.store.writer import Writer
from catcube.campaigns.suspects import KILLERS, Suspects
from catcube.campaigns.task import Report, Task, in_words
from catcube.campaigns.threads import available_cores
from catcube.campaigns.workers import CampaignError, Given, Workers

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
    timeout: float | None = None,
) -> Standing:
    """Make all runs of the plan, or of `only` one experiment, that the store does not hold.

    By default they are made by `jobs` threads, one a core. An executor may be given instead, or a
    function that makes one: then a broken one (a worker was killed) is replaced, and the runs it
    had are made again, one at a time: one that breaks it all the same is noted as failed.
    `jobs` then tells how many workers it has. A run that raises an exception, has no result after
    `timeout` seconds or comes back as nonsense is tried once more, then noted as failed; starting
    again tries it again.

    >>> import tempfile
    >>> from catcube.campaigns.plan_file import shipped_plan
    >>> from catcube.campaigns.store.store import Store
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
    if timeout is not None and not 0 < timeout < math.inf:
        raise ValueError(f"timeout must be a number of seconds > 0, not {timeout!r}")
    jobs = jobs or available_cores()
    with Writer(store_path, plan) as writer, Workers(executor, jobs, timeout) as workers:
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
            configurations, lambda index: counts[index], writer.numbers, jobs, only
        )
        self.under_way: dict[Future[Report], Task] = {}
        self.handed_out: dict[Future[Report], float] = {}  # when
        self.suspects = Suspects()
        self.finished: Task | None = None  # a run that went well
        self.proof: Task | None = None  # the same, made again to see whether workers still can
        self.stopped = False
        # With a time limit none waits for its turn: nobody could tell when it began.
        self.limit = jobs if workers.timeout is not None else QUEUED * jobs
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
            self.leave_late()
            self.writer.flush_in_time()
            if time.monotonic() - self.shown >= INTERVAL:
                self.show()
        self.show()

    def hand_out(self) -> bool:
        """Give the workers enough to do; whether there was anything."""
        while len(self.under_way) < self.limit and self.suspects.alone is None:
            if self.suspects.waiting:
                if self.under_way:
                    return True
                task = self.suspects.take()
            elif (next_task := self.schedule.next()) is not None:
                task = next_task
                if self.suspects.has_killed(task):
                    self.suspects.put_off(task)
                    continue
            elif self.suspects.put_off_for_now:
                self.suspects.resume()
                self.skip_killers()
                continue
            else:
                return False
            try:
                future = self.workers.submit(task)
            except BrokenExecutor:
                self.suspects.returned(task)
                if task is not self.proof:
                    self.suspects.add(task)
                self.replace_workers()
            else:
                self.under_way[future] = task
                self.handed_out[future] = time.monotonic()
        return True

    def receive(self, future: Future[Report]) -> None:
        """Take what a worker has found, or what went wrong."""
        task = self.under_way.pop(future)
        seconds = time.monotonic() - self.handed_out.pop(future)
        alone = self.suspects.returned(task)
        try:
            report = future.result()
        except (BrokenExecutor, CancelledError):
            if task is self.proof:
                raise CampaignError(
                    f"workers have died {self.breaks + 1} times, also in a run that went well "
                    "before; run the same command again to resume"
                ) from None
            if alone:
                limit = self.workers.limit
                late = limit is not None and seconds > limit.seconds
                message = limit.exceeded() if limit and late else "its worker died"
                if task.attempt < ATTEMPTS:  # at once, with workers that have done nothing else
                    again = task._replace(attempt=task.attempt + 1, before=message)
                    self.suspects.add_first(again)
                else:
                    self.suspects.condemn(task)
                    self.fail(task, [(task.numbers[0], message)], origin())
                    self.skip_killers()
            else:
                self.suspects.add(task)
            self.replace_workers()
        except Exception as error:  # the whole task: it could not be sent, its worker was lost
            self.fail(task, [(number, in_words(error)) for number in task.numbers], origin())
        else:
            self.keep(task, report)

    def keep(self, task: Task, report: Report) -> None:
        """Put the runs into the store, if they can be true."""
        if task is self.proof:
            self.breaks = 0  # the workers are well: it is the runs that kill them
            return
        fault = fault_of(report, task)
        if fault is not None:
            message = f"its worker returned nonsense: {fault}"
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
        told = {finding.number for finding in report.findings} | {
            failure for failure, _ in report.failures
        }
        if not self.stopped:
            left_out = [number for number in task.numbers if number not in told]
            self.fail(task, [(number, "its worker left it out") for number in left_out], origin())

    def check_origin(self, task: Task, there: Origin) -> None:
        """Runs of other code are not mixed with ours, which nobody would notice."""
        here = origin_of(task.configuration)
        if there[:2] != here[:2]:
            raise CampaignError(
                f"a worker has other code: catcube {there.version} with the sources "
                f"{there.sources}, here it is {here.version} with {here.sources}; its runs are not "
                "kept; have the same code everywhere, and run the same command again"
            )

    def fail(self, task: Task, failures: list[tuple[int, str]], origin: Origin) -> None:
        """Have failed runs tried again, or note them."""
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
        """A run has failed for good."""
        session = self.writer.session(origin)
        self.writer.add_failure(index, number, message, session)
        self.failed += 1

    def skip_killers(self) -> None:
        """Do not try all runs of a configuration that kill their workers."""
        for task in self.suspects.skipped():
            message = f"not tried: {KILLERS} other runs of this configuration had no result either"
            self.note(task.position, task.numbers[0], message, origin())

    def leave_late(self) -> None:
        """Have nothing more to do with tasks that hang and cannot be stopped."""
        if self.workers.timeout is None:
            return
        now = time.monotonic()
        for future, task in list(self.under_way.items()):
            late = now - self.handed_out[future] > self.workers.allowed(task)
            if late and not future.done() and self.workers.leave(future):
                del self.under_way[future], self.handed_out[future]
                self.suspects.returned(task)
                limit = self.workers.limit
                assert limit is not None
                if len(task.numbers) > 1:  # nobody knows which of them it is
                    for single in singles(task):
                        self.schedule.retry(single)
                else:
                    self.fail(task, [(task.numbers[0], limit.exceeded())], origin())

    def replace_workers(self) -> None:
        """All tasks of a broken executor that are not done are handed out again, one by one."""
        self.breaks += 1
        lost = dict(self.under_way)
        self.under_way.clear()
        self.handed_out.clear()
        for future, task in lost.items():
            self.suspects.returned(task)
            ended = future.done() and not future.cancelled()
            if ended and future.exception() is None:
                self.keep(task, future.result())
            elif task is not self.proof:
                self.suspects.add(task)
        if self.breaks > BREAKS:
            if self.finished is None or self.breaks > 2 * BREAKS:
                raise CampaignError(
                    f"workers have died {self.breaks} times without finishing any run; start again "
                    "to go on where it ended"
                )
            # Are they of any use? A run that went well before must go well again.
            self.proof = self.finished._replace(attempt=1)
            self.suspects.add_first(self.proof)
        self.workers.replace()

    def receive_ready(self) -> None:
        """At an untimely end: keep what is done, and leave the rest for the next time."""
        self.stopped = True
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
                [*self.under_way.values(), *self.suspects.all()], time.monotonic() - self.began
            ),
        )
