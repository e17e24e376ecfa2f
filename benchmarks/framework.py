"""The paper's own C++ framework: nanoseconds per evaluation of sudoku-easy-56, one thread.

Two of its releases were measured on a quiet machine, with the paper's settings; the file has one
line for each algorithm, representation and release.
"""

import csv
from pathlib import Path

FILE = Path(__file__).parent / "data" / "framework-speed.csv"
PROCESSOR = "AMD EPYC"
"""Of the machine on which the framework was measured."""


def framework_speed() -> dict[str, dict[str, dict[str, float]]]:
    """Read the figures: by algorithm, then release, then representation.

    >>> framework_speed()["p3"]["0.26"]["direct"]
    10995.0
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    with FILE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            releases = found.setdefault(row["algorithm"], {})
            release = releases.setdefault(row["release"], {})
            release[row["representation"]] = float(row["ns_per_evaluation"])
    return found


def about_machines(processor: str) -> str:
    """Say on what the framework was measured, and whether this is such a machine.

    >>> about_machines("AMD EPYC (x86_64)")
    'The framework was measured on the same kind of processor (AMD EPYC).'
    """
    if processor.startswith(PROCESSOR):
        return f"The framework was measured on the same kind of processor ({PROCESSOR})."
    return (
        f"The framework was measured on another kind of processor ({PROCESSOR}), so that the "
        "ratios are of machines, too."
    )
