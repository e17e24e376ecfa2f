"""What bad workers do, in functions that other processes can import; each spoils one run."""

import os
import resource
import signal
import time
from concurrent.futures import ProcessPoolExecutor

from catcube.experiments import task as tasks
from catcube.experiments.task import perform
from catcube.search.watch import Watch

SPOILT = ("sa", "direct")


def is_spoilt(task):
    return task.configuration.pair == SPOILT and 2 in task.numbers


def killed(task, crew, limit):
    """As by the system when memory runs out."""
    if is_spoilt(task):
        os.kill(os.getpid(), signal.SIGKILL)
    return perform(task, crew, limit)


def killed_always(task, crew, limit):
    """By any run of the configuration."""
    if task.configuration.pair == SPOILT:
        os.kill(os.getpid(), signal.SIGKILL)
    return perform(task, crew, limit)


def hanging(task, crew, limit):
    """Inside of a run, and deaf to being stopped."""
    if is_spoilt(task):
        with limit.kept(Watch(beside=False)):
            time.sleep(1000)
    return perform(task, crew, limit)


def hanging_anywhere(task, crew, limit):
    """Not even in a run."""
    if is_spoilt(task):
        time.sleep(1000)
    return perform(task, crew, limit)


def greedy(task, crew, limit):
    """A run wants more memory than there may be."""
    if not is_spoilt(task):
        return perform(task, crew, limit)
    plain = tasks._finding

    def finding(configuration, run, number, *more):
        if number != 2:
            return plain(configuration, run, number, *more)
        before = resource.getrlimit(resource.RLIMIT_AS)
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**20, before[1]))
        try:
            return bytes(2**28)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)

    tasks._finding = finding
    try:
        return perform(task, crew, limit)
    finally:
        tasks._finding = plain


class Bad(ProcessPoolExecutor):
    """Processes that do something else than they are told."""

    def __init__(self, behaviour, *arguments, **named):
        super().__init__(*arguments, **named)
        self.behaviour = behaviour

    def submit(self, function, *arguments):
        return super().submit(self.behaviour, *arguments)
