"""Minimise a slow function in two processes.

Processes can call the function because it is defined at the top level of a module.
"""

import time

import catcube

space = catcube.Space(
    {"solver": ["lu", "qr", "cg"], "tiles": [1, 2, 4, 8, 16], "order": range(1, 7)}
)


def seconds(point):
    """Return the time that a solver would take with these settings."""
    time.sleep(0.005)
    return {"lu": 9, "qr": 12, "cg": 4}[point["solver"]] / point["order"] + abs(point["tiles"] - 4)


if __name__ == "__main__":
    print(catcube.minimize(seconds, space, budget=40, workers=2, seed=1))
