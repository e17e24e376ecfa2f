"""Runs that were under way when a worker died: one of them may have killed it.

They are repeated one at a time. Configurations whose runs kill a worker again come last, so that
they do not block the others, and only a few of their runs are tried.
"""

from collections import deque

from catcube.experiments.schedule import singles
from catcube.experiments.task import Task

KILLERS = 3  # runs of a configuration that may kill their workers before the others are skipped


class Isolation:
    """Single runs, to be made one at a time."""

    def __init__(self) -> None:
        self.waiting: deque[Task] = deque()
        self.deferred: list[Task] = []
        self.alone: Task | None = None  # the one under way
        self.killers: dict[int, set[int]] = {}  # runs that have killed their workers, by index
        self.resumed = False

    def add(self, task: Task) -> None:
        """Add the runs of a task."""
        if self.has_killed(task) and not self.resumed:
            self.defer(task)
        else:
            self.waiting += singles(task)

    def add_first(self, task: Task) -> None:
        """Add a single run to be made before all others."""
        self.waiting.appendleft(task)

    def take(self) -> Task:
        """Return the next run and mark it as under way."""
        self.alone = self.waiting.popleft()
        return self.alone

    def returned(self, task: Task) -> bool:
        """Note that a task is no longer under way; return whether it was the isolated one."""
        if task is not self.alone:
            return False
        self.alone = None
        return True

    def condemn(self, task: Task) -> None:
        """Record that a run has killed its worker; defer others of its configuration."""
        self.killers.setdefault(task.position, set()).add(task.numbers[0])
        if not self.resumed:
            kept = deque(other for other in self.waiting if other.position != task.position)
            self.deferred += [other for other in self.waiting if other.position == task.position]
            self.waiting = kept

    def has_killed(self, task: Task) -> bool:
        """Return whether a run of the same configuration has killed its worker."""
        return task.position in self.killers

    def defer(self, task: Task) -> None:
        """Add runs to be made after everything else."""
        self.deferred += singles(task)

    def resume(self) -> None:
        """Make the deferred runs now."""
        self.resumed = True
        self.waiting += self.deferred
        self.deferred = []

    def skipped(self) -> list[Task]:
        """Remove and return the runs of configurations with enough killed workers."""
        found: list[Task] = []
        kept: deque[Task] = deque()
        for task in self.waiting:
            killers = self.killers.get(task.position, set())
            skip = len(killers) >= KILLERS and task.numbers[0] not in killers
            (found if skip else kept).append(task)
        self.waiting = kept
        return found

    def all(self) -> list[Task]:
        """Return all waiting runs."""
        return [*self.waiting, *self.deferred]
