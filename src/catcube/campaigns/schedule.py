"""What to do next: first one run of everything, then the longest runs first.

The runs of a campaign differ in length by a factor of a thousand. If the longest come last, one
core works while the others wait; so they come first, and short runs fill the gaps. How long a
run takes is learnt from those that are done. What is found does not depend on the order.
"""

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from catcube.campaigns.configuration import Configuration
from catcube.campaigns.task import Task

TASK_SECONDS = 0.1  # that tasks of short runs should last: long beside the cost of a task
TASK_RUNS = 200  # at most in a task


def singles(task: Task) -> list[Task]:
    """The runs of a task, each as a task by itself."""
    return [task._replace(numbers=(number,)) for number in task.numbers]


@dataclass
class Mean:
    """The mean time of the runs that are done."""

    runs: int = 0
    seconds: float = 0.0

    def add(self, runs: int, seconds: float) -> None:
        """Some runs took so long together."""
        self.runs += runs
        self.seconds += seconds

    @property
    def value(self) -> float | None:
        """Seconds a run, if any is done."""
        return self.seconds / self.runs if self.runs else None


@dataclass
class _Group:
    """The runs of one configuration that are left to hand out."""

    index: int
    configuration: Configuration
    left: int
    of_pair: Mean
    mean: Mean = field(default_factory=Mean)
    begun: bool = False
    numbers: Iterator[int] | None = None  # made when it is first needed
    priority: float = math.inf  # of its valid entry in the heap

    @property
    def expected(self) -> float | None:
        """Expect so many seconds a run: the configuration's mean, or else the pair's."""
        return self.of_pair.value if self.mean.value is None else self.mean.value


class Schedule:
    """Hands out tasks; `numbers(index)` tells which runs of a configuration are done already."""

    def __init__(
        self,
        configurations: Sequence[Configuration],
        done: Callable[[int], int],
        numbers: Callable[[int], set[int]],
        jobs: int,
        only: str | None = None,
    ) -> None:
        self.done_numbers = numbers
        self.jobs = jobs
        self.learnt = 0.0  # seconds of all runs that were made by now
        self.again: deque[Task] = deque()
        pairs: dict[tuple[str, str, str], Mean] = {}
        self.groups = {
            index: _Group(
                index,
                configuration,
                configuration.runs - done(index),
                pairs.setdefault((configuration.experiment, *configuration.pair), Mean()),
            )
            for index, configuration in enumerate(configurations)
            if only in (None, configuration.experiment)
        }
        self.left = sum(group.left for group in self.groups.values())
        # Sorted, hence a heap: all have the same priority.
        self.heap = [(-math.inf, index) for index, group in self.groups.items() if group.left]

    def next(self) -> Task | None:
        """The next task, or None if everything is handed out."""
        if self.again:
            return self.again.popleft()
        while self.heap:
            priority, index = heapq.heappop(self.heap)
            group = self.groups[index]
            if group.left and -priority == group.priority:
                return self._task(group)
        return None

    def _task(self, group: _Group) -> Task:
        if group.numbers is None:
            done = self.done_numbers(group.index)
            every = range(1, group.configuration.runs + 1)
            group.numbers = (number for number in every if number not in done)
        size = self._size(group)
        numbers = tuple(number for _, number in zip(range(size), group.numbers, strict=False))
        group.left -= len(numbers)
        self.left -= len(numbers)
        group.begun = True
        self._enter(group)
        return Task(group.index, group.configuration, numbers)

    def _size(self, group: _Group) -> int:
        """How many runs a task has: one if nobody knows how long it takes, few near the end."""
        if not group.begun or group.expected is None:
            return 1
        fitting = int(min(TASK_RUNS, TASK_SECONDS / max(group.expected, 1e-9)))
        return max(1, min(fitting, self.left // (2 * self.jobs), group.left))

    def _enter(self, group: _Group) -> None:
        """Put a group into the heap, in place of its older entry."""
        if group.left:
            group.priority = (group.expected or 0.0) if group.begun else math.inf
            heapq.heappush(self.heap, (-group.priority, group.index))

    def learn(self, index: int, runs: int, seconds: float) -> None:
        """Runs of a configuration took so long."""
        group = self.groups[index]
        self.learnt += seconds
        group.mean.add(runs, seconds)
        group.of_pair.add(runs, seconds)
        # Not at each small change, so that the heap does not fill with old entries.
        if group.begun and not math.isclose(group.mean.value or 0, group.priority, rel_tol=0.2):
            self._enter(group)

    def retry(self, task: Task) -> None:
        """Hand a task out again, before all others."""
        self.again.append(task)

    def seconds_left(self, under_way: Sequence[Task], elapsed: float) -> float | None:
        """How long the jobs will still take, if every run takes as long as those before it.

        Beside the runs there is the work of handing them out and of keeping what they find, which
        is most of the work if they are short: so the estimate is stretched by as much as the
        time `elapsed` was longer than the runs that were made in it.
        """
        known = [
            expected for group in self.groups.values() if (expected := group.expected) is not None
        ]
        if not known:
            return None
        usual = sum(known) / len(known)

        def seconds(task: Task) -> float:
            return len(task.numbers) * (self.groups[task.position].expected or usual)

        total = sum(
            group.left * (usual if group.expected is None else group.expected)
            for group in self.groups.values()
            if group.left
        )
        total += sum(seconds(task) for task in (*under_way, *self.again))
        # Those under way may be nearly done: counted in full, they never stretch the estimate.
        begun = sum(min(seconds(task), elapsed) for task in list(under_way)[: self.jobs])
        stretch = max(1.0, elapsed * self.jobs / max(self.learnt + begun, 1e-9))
        return stretch * total / self.jobs
