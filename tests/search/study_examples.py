"""A slow function that notes its calls, and searches of it to be killed."""

import os
import random
import time

import catcube

SPACE = catcube.Space({f"x{k}": range(6) for k in range(5)})
BUDGET = 30


class Slow:
    """A function that writes a line before it sleeps, and returns a value."""

    def __init__(self, log, seconds=0.01):
        self.log = log
        self.seconds = seconds

    def __call__(self, point):
        number = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(number, f"{list(point.values())}\n".encode())
        os.close(number)
        time.sleep(self.seconds * (0.5 + random.random()))
        if point["x4"] == 5 and point["x3"] < 2:
            raise ArithmeticError("no value here")
        return value(point)


def value(point):
    return sum((point[f"x{k}"] - k) ** 2 for k in range(5)) + 3 * (point["x0"] == point["x1"])


def search(path, log, seconds=0.01, **options):
    """Search as a user would, in a process of its own."""
    arguments = {"budget": BUDGET, "seed": 1, "catch": ArithmeticError, "study": path} | options
    return catcube.minimize(Slow(log, seconds), SPACE, **arguments)


def warm():
    """Compile and import what a search needs, in the process that is forked for each."""
    catcube.minimize(value, SPACE, budget=15, seed=1)


if os.environ.get("STUDY_EXAMPLES_WARM"):  # when a fork server imports this module
    warm()
