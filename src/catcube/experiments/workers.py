"""The executor that makes the runs: threads of this process, or whatever was given."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Self, TypeAlias

from catcube.experiments.task import Crew, Report, Task, perform

Given: TypeAlias = "Executor | Callable[[], Executor] | None"


class CampaignError(RuntimeError):
    """The executor is of no use any more; what was found until then is in the store."""


class Workers:
    """The executor, whoever made it."""

    def __init__(self, given: Given, jobs: int) -> None:
        self.crew = Crew()
        self.make: Callable[[], Executor] | None = None
        self.perform: Callable[[Task], Report] = perform
        if given is None:
            self.make = partial(ThreadPoolExecutor, jobs)
            self.perform = partial(perform, crew=self.crew)
        elif not isinstance(given, Executor):
            self.make = given
        self.local = given is None
        self.executor = given if isinstance(given, Executor) else None

    def __enter__(self) -> Self:
        if self.make is not None:
            self.executor = self.make()
        return self

    def __exit__(self, *exception: object) -> None:
        if self.make is not None and self.executor is not None:
            self.executor.shutdown(wait=exception[0] is None, cancel_futures=True)

    def submit(self, task: Task) -> Future[Report]:
        """Have a task done."""
        assert self.executor is not None
        return self.executor.submit(self.perform, task)

    def replace(self) -> None:
        """A new executor in place of the broken one."""
        if self.make is None:
            raise CampaignError("the executor is broken; start again to go on where it ended")
        assert self.executor is not None
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self.make()

    def stop(self) -> None:
        """End the runs under way, if they are in threads of this process."""
        self.crew.stop()
        if self.local and self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)
