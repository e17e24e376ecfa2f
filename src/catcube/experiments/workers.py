"""The executor that makes the runs: threads of this process, or the user's."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import partial
from typing import Self, TypeAlias

from catcube.errors import CatcubeError
from catcube.experiments.task import GRACE, Limit, Report, Task, perform
from catcube.experiments.threads import Crew, Threads

ExecutorChoice: TypeAlias = "Executor | Callable[[], Executor] | None"

STARTING = 120.0  # seconds for a worker elsewhere to start and compile its kernels


class CampaignError(CatcubeError, RuntimeError):
    """The executor is unusable; finished runs are in the store."""


class Workers:
    """The executor of a campaign."""

    def __init__(self, executor: ExecutorChoice, jobs: int, timeout: float | None = None) -> None:
        self.crew = Crew()
        self.timeout = timeout
        self.local = executor is None
        self.make: Callable[[], Executor] | None = None
        if executor is None:
            self.make = partial(Threads, jobs)
        elif not isinstance(executor, Executor):
            self.make = executor
        self.executor = executor if isinstance(executor, Executor) else None

    def __enter__(self) -> Self:
        if self.make is not None:
            self.executor = self.make()
        return self

    def __exit__(self, *exception: object) -> None:
        if self.make is not None and self.executor is not None:
            self.executor.shutdown(wait=exception[0] is None, cancel_futures=True)

    @property
    def limit(self) -> Limit | None:
        """The time limit of each run."""
        if self.timeout is None:
            return None
        return Limit(self.timeout, ends_process=isinstance(self.executor, ProcessPoolExecutor))

    def submit(self, task: Task) -> Future[Report]:
        """Submit a task."""
        assert self.executor is not None
        crew = self.crew if self.local else None
        return self.executor.submit(perform, task, crew, self.limit)

    def allowed(self, task: Task) -> float:
        """Return the seconds after which a task hangs without noticing it itself."""
        assert self.timeout is not None
        waiting = 2 * GRACE if self.local else STARTING
        return self.timeout * len(task.numbers) + waiting

    def abandon(self, future: Future[Report]) -> bool:
        """Abandon a task that hangs; return False if its future still ends."""
        if isinstance(self.executor, ProcessPoolExecutor):
            for process in list((self.executor._processes or {}).values()):
                process.kill()  # the pool breaks, and its futures fail
            return False
        if isinstance(self.executor, Threads):
            self.executor.replace_one()
        else:
            future.cancel()
        return True

    def replace(self) -> None:
        """Replace a broken executor by a new one."""
        if self.make is None:
            raise CampaignError("the executor is broken; run the same command again to resume")
        assert self.executor is not None
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self.make()

    def stop(self) -> None:
        """Stop the runs under way, if they are in threads of this process."""
        self.crew.stop()
        if self.local and self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)
