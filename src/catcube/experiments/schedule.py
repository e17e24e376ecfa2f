"""The order of tasks: first one run of each configuration, then the longest runs first.

The runs of a campaign differ in length by a factor of a thousand. If the longest come last, one
core works while the others wait; so they come first, and short runs fill the gaps. The length of a
run is estimated from finished ones. Results do not depend on the order.
"""

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from catcube.experiments.configuration import Configuration
from catcube.experiments.task import Task

TASK_SECONDS = 0.1  # of tasks of short runs: long compared with the overhead of a task
TASK_RUNS = 200  # at most in a task


def singles(task: Task) -> list[Task]:
    """Split a task into tasks of single runs."""
    return [task._replace(numbers=(number,)) for number in task.numbers]


@dataclass
class Mean:
    """The mean time of finished runs."""

    runs: int = 0
    seconds: float = 0.0

    def add(self, runs: int, seconds: float) -> None:
        """Add the total time of some runs."""
        self.runs += runs
        self.seconds += seconds

    @property
    def value(self) -> float | None:
        """Seconds per run, if any is done."""
        return self.seconds / self.runs if self.runs else None


@dataclass
class _Group:
    """The runs of one configuration that are not yet handed out."""

    index: int
    configuration: Configuration
    left: int
    of_pair: Mean
    mean: Mean = field(default_factory=Mean)
    begun: bool = False
    numbers: Iterator[int] | None = None  # created on first use
    priority: float = math.inf  # of its valid entry in the heap

    @property
    def expected(self) -> float | None:
        """Expected seconds per run: the configuration's mean, or else the pair's."""
        return self.of_pair.value if self.mean.value is None else self.mean.value


class Schedule:
    """Hands out tasks; `numbers(index)` are the finished runs of a configuration."""

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
        self.learnt = 0.0  # seconds of all finished runs
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
        """Return the next task, or None if everything is handed out."""
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
        """Return the number of runs of a task: one if its length is unknown, few near the end."""
        if not group.begun or group.expected is None:
            return 1
        fitting = int(min(TASK_RUNS, TASK_SECONDS / max(group.expected, 1e-9)))
        return max(1, min(fitting, self.left // (2 * self.jobs), group.left))

    def _enter(self, group: _Group) -> None:
        """Put a group into the heap, instead of its older entry."""
        if group.left:
            group.priority = (group.expected or 0.0) if group.begun else math.inf
            heapq.heappush(self.heap, (-group.priority, group.index))

    def learn(self, index: int, runs: int, seconds: float) -> None:
        """Add the total time of runs of a configuration."""
        group = self.groups[index]
        self.learnt += seconds
        group.mean.add(runs, seconds)
        group.of_pair.add(runs, seconds)
        # Not at each small change, which would fill the heap with old entries.
        if group.begun and not math.isclose(group.mean.value or 0, group.priority, rel_tol=0.2):
            self._enter(group)

    def retry(self, task: Task) -> None:
        """Hand a task out again, before all others."""
        self.again.append(task)

    def seconds_left(self, under_way: Sequence[Task], elapsed: float) -> float | None:
        """Estimate the remaining time, if every run takes as long as those before it.

        Beside the runs there is the overhead of submitting them and of storing their results,
        which dominates if they are short: so the estimate is stretched by the ratio of the time
        `elapsed` to that of the runs made in it.
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
        # Those under way may be nearly done: counted in full, they do not stretch the estimate.
        begun = sum(min(seconds(task), elapsed) for task in list(under_way)[: self.jobs])
        stretch = max(1.0, elapsed * self.jobs / max(self.learnt + begun, 1e-9))
        return stretch * total / self.jobs
