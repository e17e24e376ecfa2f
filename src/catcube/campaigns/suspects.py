"""Runs that were under way when a worker died: one of them may have killed it.

They are made again one at a time. Configurations whose runs kill a worker all the same come last,
so that they cannot keep the others from being made, and only a few of their runs are tried.
"""

from collections import deque

from catcube.campaigns.schedule import singles
from catcube.campaigns.task import Task

KILLERS = 3  # runs of a configuration that may kill their workers before the others are not tried


class Suspects:
    """Single runs, to be made while nothing else is."""

    def __init__(self) -> None:
        self.waiting: deque[Task] = deque()
        self.put_off_for_now: list[Task] = []
        self.alone: Task | None = None  # the one under way
        self.killers: dict[int, set[int]] = {}  # runs that have killed their workers, by index
        self.resumed = False

    def add(self, task: Task) -> None:
        """The runs of a task are suspect."""
        if self.has_killed(task) and not self.resumed:
            self.put_off(task)
        else:
            self.waiting += singles(task)

    def add_first(self, task: Task) -> None:
        """A single run that is to be made before all others."""
        self.waiting.appendleft(task)

    def take(self) -> Task:
        """The next one, which is under way then."""
        self.alone = self.waiting.popleft()
        return self.alone

    def returned(self, task: Task) -> bool:
        """A task has come back, from whatever; whether it was the suspect one."""
        if task is not self.alone:
            return False
        self.alone = None
        return True

    def condemn(self, task: Task) -> None:
        """It was alone, and its worker died: others of its configuration are put off."""
        self.killers.setdefault(task.position, set()).add(task.numbers[0])
        if not self.resumed:
            kept = deque(suspect for suspect in self.waiting if suspect.position != task.position)
            self.put_off_for_now += [
                suspect for suspect in self.waiting if suspect.position == task.position
            ]
            self.waiting = kept

    def has_killed(self, task: Task) -> bool:
        """Whether a run of the same configuration has killed its worker."""
        return task.position in self.killers

    def put_off(self, task: Task) -> None:
        """Its runs come after everything else."""
        self.put_off_for_now += singles(task)

    def resume(self) -> None:
        """Nothing else is left to do: now those that were put off."""
        self.resumed = True
        self.waiting += self.put_off_for_now
        self.put_off_for_now = []

    def skipped(self) -> list[Task]:
        """Those that need not be tried, since enough others of their configuration were."""
        found: list[Task] = []
        kept: deque[Task] = deque()
        for task in self.waiting:
            killers = self.killers.get(task.position, set())
            skip = len(killers) >= KILLERS and task.numbers[0] not in killers
            (found if skip else kept).append(task)
        self.waiting = kept
        return found

    def all(self) -> list[Task]:
        """All that are to be made, but for the one under way."""
        return [*self.waiting, *self.put_off_for_now]
