"""Functions for other processes; without imports of the package, so that those start quickly."""

import os
import threading
import time


def cost(point):
    return abs(point["digit"] - 7) + "GCTA".index(point["base"]) * 3 + point["flag"]


def slow_cost(point):
    time.sleep(0.002)
    return cost(point)


class Watched:
    """The function above, which notes how many threads were at work in it at the same time."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.at_work = self.most = 0
        self.lock = threading.Lock()

    def __call__(self, point):
        with self.lock:
            self.at_work += 1
            self.most = max(self.most, self.at_work)
        time.sleep(self.seconds)
        with self.lock:
            self.at_work -= 1
        return cost(point)


def process_number(point):
    return float(os.getpid())
