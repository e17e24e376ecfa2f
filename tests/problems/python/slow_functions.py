"""Functions for other processes; without imports of the package, so that those start quickly."""

import os
import time


def cost(point):
    return abs(point["digit"] - 7) + "GCTA".index(point["base"]) * 3 + point["flag"]


def slow_cost(point):
    time.sleep(0.002)
    return cost(point)


def slower_cost(point):
    time.sleep(0.01)
    return cost(point)


def own_process(point):
    return float(os.getpid())
