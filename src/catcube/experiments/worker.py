"""The work of a worker: a few runs of one configuration.

A task and its report are plain data and `perform` is a function of a module, so that any executor
can send them to another thread, process or machine.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import parent_process
from typing import NamedTuple

from catcube.experiments.kernels import prepare
from catcube.experiments.origin import Origin, origin_of
from catcube.experiments.plan import Configuration
from catcube.search.result import Result
from catcube.search.run import Run, execute
from catcube.search.watch import Watch

HANGS = 124  # the exit code of a worker that ends itself, as of timeout(1)
GRACE = 2.0  # seconds in which a run stops after a request, unless it hangs


class Task(NamedTuple):
    """Runs to make; `position` is that of the configuration in the plan."""

    position: int
    configuration: Configuration
    numbers: tuple[int, ...]
    attempt: int = 1
    before: str = ""  # the failure of the previous attempt

    def again(self, number: int, message: str) -> "Task":
        """Return the task of one of the runs, after it has failed."""
        return self._replace(numbers=(number,), attempt=self.attempt + 1, before=message)


class Report(NamedTuple):
    """The result of a task: runs, and the numbers and messages of failed ones."""

    runs: list[Result]
    failures: list[tuple[int, str]]
    seconds: float
    cpu: float  # seconds of it that the worker had the processor
    origin: Origin


class Cancellation:
    """The running runs of threads of this process; `stop` stops them all."""

    def __init__(self) -> None:
        self.stopped = False
        self._running: set[Watch] = set()

    @contextmanager
    def watch(self) -> Iterator[Watch]:
        """Yield a watch for a run that `stop` stops."""
        watch = Watch(threaded=False)
        self._running.add(watch)
        if self.stopped:  # checked after the watch is added, so that no run is missed
            watch.stop("interrupt")
        try:
            yield watch
        finally:
            self._running.discard(watch)

    def stop(self) -> None:
        """Stop all runs after their current evaluation."""
        self.stopped = True
        for watch in list(self._running):
            watch.stop("interrupt")


def perform(
    task: Task, cancellation: Cancellation | None = None, timeout: float | None = None
) -> Report:
    """Make the runs of a task; stopped runs are omitted.

    >>> from catcube.experiments.plan_file import shipped_plan
    >>> configuration = shipped_plan("fixed-target").configurations()[0]
    >>> report = perform(Task(0, configuration, (1, 2)))
    >>> [(run.run, run.value) for run in report.runs]
    [(1, 0.0), (2, 0.0)]
    """
    cancellation = cancellation or Cancellation()
    run = prepare(task.configuration)
    began, cpu = time.perf_counter(), time.thread_time()
    runs, failures = [], []
    for number in task.numbers:
        try:
            made = make(task.configuration, run, number, cancellation, timeout)
        except Exception as error:
            failures.append((number, in_words(error)))
        else:
            if made.ending == "time" and timeout is not None:
                failures.append((number, too_late(timeout)))
            elif made.ending != "interrupt":
                runs.append(made)
    seconds, cpu = time.perf_counter() - began, time.thread_time() - cpu
    return Report(runs, failures, seconds, cpu, origin_of(task.configuration))


def make(
    configuration: Configuration,
    run: Run,
    number: int,
    cancellation: Cancellation,
    timeout: float | None = None,
) -> Result:
    """Make the run of this number; raise the exception with which its objective failed."""
    seed = configuration.run_seed(number)
    with cancellation.watch() as watch, _limit(watch, timeout):
        result = execute(replace(run, seed=seed), watch)
    if result.failure is not None:
        raise result.failure
    return replace(result, instance=configuration.instance, run=number, model=None, history=None)


@contextmanager
def _limit(watch: Watch, timeout: float | None) -> Iterator[None]:
    """Stop the run inside the block after the time limit.

    A run that does not stop after a request, because its problem hangs, ends its process, if that
    is a worker.
    """
    over = threading.Event()

    def wait() -> None:
        if over.wait(timeout):
            return
        watch.stop("time")
        if not over.wait(GRACE) and parent_process() is not None:
            os._exit(HANGS)

    if timeout is not None:
        threading.Thread(target=wait, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def too_late(timeout: float | None) -> str:
    """Return the message about a run that has taken longer.

    >>> too_late(5.0)
    'no result in 5 s'
    """
    return f"no result in {timeout:g} s"


def in_words(error: BaseException) -> str:
    """Return the type and the message of an exception.

    >>> in_words(ValueError("no")), in_words(MemoryError())
    ('ValueError: no', 'MemoryError')
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@contextmanager
def safe_path() -> Iterator[None]:
    """Start processes that import nothing from the current folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
