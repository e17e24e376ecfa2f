"""Functions as practitioners have them: teams, failures, calls that hang or die."""

import os
import signal
import time

import numpy as np

from catcube import Space

PEOPLE, TEAMS = 12, 3
TEAM_SPACE = Space.repeat("p", range(TEAMS), PEOPLE)
_random = np.random.default_rng(5)
AFFINITY = np.triu(_random.normal(size=(PEOPLE, PEOPLE)), 1)


def affinity(point):
    """The cost of teams: the negative sum over all pairs in a common team."""
    team = np.array(list(point.values()))
    return float(-(AFFINITY * (team[:, None] == team)).sum())


def unbalanced(point):
    """How many people are missing in teams of equal size."""
    sizes = np.bincount(list(point.values()), minlength=TEAMS)
    return float(np.maximum(PEOPLE // TEAMS - sizes, 0).sum())


def slow(point):
    time.sleep(0.02)
    return affinity(point)


def hanging(point):
    if point["p0"] == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)
    return affinity(point)


def dying(point):
    if point["p0"] == 1:
        os._exit(3)
    return affinity(point)


def straggling(point):
    time.sleep(0.4 if sum(point.values()) % 10 == 0 else 0.01)
    return affinity(point)


class Flaky:
    """Fails at a fifth of the points, always at the same ones, or the first time only."""

    def __init__(self, once=False):
        self.once = once
        self.failed = set()

    def __call__(self, point):
        key = tuple(point.values())
        if hash(key) % 5 == 0 and not (self.once and key in self.failed):
            self.failed.add(key)
            raise OSError("flaky")
        return affinity(point)


class TwoArguments(Exception):  # noqa: N818
    """An exception that pickle cannot restore."""

    def __init__(self, sentence, place):
        super().__init__(sentence)


def refusing(point):
    if point["p0"] == 1:
        raise TwoArguments("refused by the function", "p0")
    return affinity(point)


def out_of_time(point):
    raise TimeoutError("by the function")
