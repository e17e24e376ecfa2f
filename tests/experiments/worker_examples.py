"""What bad workers do, in functions that other processes can import; each spoils one run."""

import os
import resource
import signal
import time

from catcube.experiments import worker
from catcube.experiments.worker import run_task

SPOILT = ("sa", "direct")


def is_spoilt(task):
    return task.configuration.pair == SPOILT and 2 in task.numbers


def killed(task, *more):
    """As by the system when memory runs out."""
    if is_spoilt(task):
        os.kill(os.getpid(), signal.SIGKILL)
    return run_task(task, *more)


def hanging(task, *more):
    """Inside of a run, and deaf to being stopped."""
    return _instead(lambda: time.sleep(1000), task, *more)


def greedy(task, *more):
    """A run wants more memory than there may be."""

    def allocate():
        before = resource.getrlimit(resource.RLIMIT_AS)
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**20, before[1]))
        try:
            return bytes(2**28)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)

    return _instead(allocate, task, *more)


def _instead(function, task, *more):
    """Make the runs of a task, but call a function in place of the second one."""
    plain = worker.execute

    def execute(run, watch):
        spoilt = is_spoilt(task) and run.seed == task.configuration.run_seed(2)
        return function() if spoilt else plain(run, watch)

    worker.execute = execute
    try:
        return run_task(task, *more)
    finally:
        worker.execute = plain
