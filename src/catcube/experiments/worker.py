"""Tasks of workers: a few runs of one configuration.

A task and its report are plain data, and `run_task` is a function at the top level of a module, so
that any executor can send them to another thread, process or machine.
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

EXIT_TIMEOUT = 124  # exit code of a worker that hangs, as of timeout(1)
GRACE_SECONDS = 2.0  # time for a run to stop; after it, the run hangs


class Task(NamedTuple):
    """Numbers of runs to execute; `position` is that of the configuration in the plan."""

    position: int
    configuration: Configuration
    numbers: tuple[int, ...]
    attempt: int = 1
    previous_message: str = ""  # the failure of the previous attempt

    def retry(self, number: int, message: str) -> "Task":
        """Return a task that repeats one of the runs after a failure."""
        return self._replace(numbers=(number,), attempt=self.attempt + 1, previous_message=message)


class Report(NamedTuple):
    """The result of a task: its runs, and the numbers and messages of failed ones."""

    runs: list[Result]
    failures: list[tuple[int, str]]
    seconds: float
    cpu: float  # CPU seconds
    origin: Origin


class Cancellation:
    """A means to stop all runs in threads of this process."""

    def __init__(self) -> None:
        self.stopped = False
        self._running: set[Watch] = set()

    @contextmanager
    def watch(self) -> Iterator[Watch]:
        """Yield a watch for a run, through which `stop` stops it."""
        watch = Watch(threaded=False)
        self._running.add(watch)
        if self.stopped:  # checked after adding the watch, so that no run is missed
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


def run_task(
    task: Task, cancellation: Cancellation | None = None, timeout: float | None = None
) -> Report:
    """Execute the runs of a task and return its report, which omits stopped runs.

    >>> from catcube.experiments.plan_file import shipped_plan
    >>> configuration = shipped_plan("fixed-target").configurations()[0]
    >>> report = run_task(Task(0, configuration, (1, 2)))
    >>> [(run.run, run.value) for run in report.runs]
    [(1, 0.0), (2, 0.0)]
    """
    cancellation = cancellation or Cancellation()
    run = prepare(task.configuration)
    began, cpu = time.perf_counter(), time.thread_time()
    runs, failures = [], []
    for number in task.numbers:
        try:
            made = run_once(task.configuration, run, number, cancellation, timeout)
        except Exception as error:
            failures.append((number, describe_error(error)))
        else:
            if made.ending == "time" and timeout is not None:
                failures.append((number, timeout_message(timeout)))
            elif made.ending != "interrupt":
                runs.append(made)
    seconds, cpu = time.perf_counter() - began, time.thread_time() - cpu
    return Report(runs, failures, seconds, cpu, origin_of(task.configuration))


def run_once(
    configuration: Configuration,
    run: Run,
    number: int,
    cancellation: Cancellation,
    timeout: float | None = None,
) -> Result:
    """Execute the run of this number; raise the exception of its objective, if any."""
    seed = configuration.run_seed(number)
    with cancellation.watch() as watch, _time_limit(watch, timeout):
        result = execute(replace(run, seed=seed), watch)
    if result.failure is not None:
        raise result.failure
    return replace(result, instance=configuration.instance, run=number, model=None, history=None)


@contextmanager
def _time_limit(watch: Watch, timeout: float | None) -> Iterator[None]:
    """Stop the run inside the block after the time limit.

    If the run does not stop, because its problem hangs, and the process is a worker, end the
    process.
    """
    over = threading.Event()

    def wait() -> None:
        if over.wait(timeout):
            return
        watch.stop("time")
        if not over.wait(GRACE_SECONDS) and parent_process() is not None:
            os._exit(EXIT_TIMEOUT)

    if timeout is not None:
        threading.Thread(target=wait, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def timeout_message(timeout: float | None) -> str:
    """Return the message about a run that exceeded the time limit.

    >>> timeout_message(5.0)
    'no result in 5 s'
    """
    return f"no result in {timeout:g} s"


def describe_error(error: BaseException) -> str:
    """Return the type and the message of an exception.

    >>> describe_error(ValueError("no")), describe_error(MemoryError())
    ('ValueError: no', 'MemoryError')
    """
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@contextmanager
def without_current_folder() -> Iterator[None]:
    """Prevent processes started inside the block from importing files of the current folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
