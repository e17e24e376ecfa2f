"""The executor that makes the runs: threads of this process, or whatever was given."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import partial
from typing import Self, TypeAlias

from catcube.campaigns.task import GRACE, Limit, Report, Task, perform
from catcube.campaigns.threads import Crew, Threads

Given: TypeAlias = "Executor | Callable[[], Executor] | None"

STARTING = 120.0  # seconds in which a worker elsewhere has started and compiled its kernels


class CampaignError(RuntimeError):
    """The executor is of no use any more; what was found until then is in the store."""


class Workers:
    """The executor, whoever made it."""

    def __init__(self, given: Given, jobs: int, timeout: float | None = None) -> None:
        self.crew = Crew()
        self.timeout = timeout
        self.local = given is None
        self.make: Callable[[], Executor] | None = None
        if given is None:
            self.make = partial(Threads, jobs)
        elif not isinstance(given, Executor):
            self.make = given
        self.executor = given if isinstance(given, Executor) else None

    def __enter__(self) -> Self:
        if self.make is not None:
            self.executor = self.make()
        return self

    def __exit__(self, *exception: object) -> None:
        if self.make is not None and self.executor is not None:
            self.executor.shutdown(wait=exception[0] is None, cancel_futures=True)

    @property
    def limit(self) -> Limit | None:
        """Of each run."""
        if self.timeout is None:
            return None
        return Limit(self.timeout, ends_process=isinstance(self.executor, ProcessPoolExecutor))

    def submit(self, task: Task) -> Future[Report]:
        """Have a task done."""
        assert self.executor is not None
        crew = self.crew if self.local else None
        return self.executor.submit(perform, task, crew, self.limit)

    def allowed(self, task: Task) -> float:
        """Seconds after which a task that has begun hangs, and does not notice it itself."""
        assert self.timeout is not None
        waiting = 2 * GRACE if self.local else STARTING
        return self.timeout * len(task.numbers) + waiting

    def leave(self, future: Future[Report]) -> bool:
        """Have nothing more to do with a task that hangs; False if its end is still to come."""
        if isinstance(self.executor, ProcessPoolExecutor):
            for process in list((self.executor._processes or {}).values()):
                process.kill()  # the pool breaks, and its futures tell
            return False
        if isinstance(self.executor, Threads):
            self.executor.leave_one()
        else:
            future.cancel()
        return True

    def replace(self) -> None:
        """A new executor in place of the broken one."""
        if self.make is None:
            raise CampaignError("the executor is broken; run the same command again to resume")
        assert self.executor is not None
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self.make()

    def stop(self) -> None:
        """End the runs under way, if they are in threads of this process."""
        self.crew.stop()
        if self.local and self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)
