"""`catcube study`: print a study as text or CSV, or write its page."""

import shutil
import sys
from argparse import Namespace
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import escape
from catcube.cli import UNSOLVED
from catcube.cli.output import exact_bytes
from catcube.search.study import VALUE, Study

HEIGHT = 10  # lines of the curve


def command(arguments: Namespace) -> int:
    """Print a study; the exit code is 0 if a point has a value."""
    study = Study(arguments.study)
    if arguments.html is not None:
        print(f"wrote {escape(str(study.to_html(arguments.html)))}")
    elif arguments.format == "csv":
        with exact_bytes():
            study.to_csv(sys.stdout)
    else:
        print(text(study))
    return 0 if study.best is not None else UNSOLVED


def text(study: Study) -> str:
    """Format a study: points by state, runs, best point, and a curve of the values."""
    lines = [f"{study.path}: {study.direction}, {study.describe()}"]
    for run in study.runs:
        settings = {name: run[name] for name in ("algorithm", "budget", "version") if name in run}
        words = ", ".join(f"{name} {value}" for name, value in settings.items())
        lines.append(f"run {run['run']}: {words}, seed {run.get('used')}")
    if (best := study.best) is not None:
        lines += ["", f"best value {best.value!r}, point {best.id}"]
        width = max(len(name) for name in best.x)
        lines += [f"    {name:{width}}  {label}" for name, label in best.x.items()]
        values = [row.value for row in study.rows if row.state == VALUE]
        columns = min(shutil.get_terminal_size().columns, 100) - 14
        lines += ["", *curve(values, study.direction == "maximize", columns)]
    return "\n".join(map(escape, lines))


def curve(values: Sequence[float], maximize: bool, width: int, height: int = HEIGHT) -> list[str]:
    """Draw the values (·) and the best value so far (#) as lines of text.

    >>> for line in curve([4.0, 1.0, 3.0, 0.0], False, 4, 5):
    ...     print(line)
             4 |#
               |  ·
               |
               | ##
             0 |   #
                1 to 4
    """
    sign = -1 if maximize else 1
    costs = sign * np.array(values)
    costs[~np.isfinite(costs)] = np.inf
    best = np.minimum.accumulate(costs)
    if not np.isfinite(best[-1:]).any():
        return []
    low, high = best[-1], _highest(costs[costs < np.inf])
    width = min(width, len(values))
    cells = np.full((height, width), " ")
    for heights, mark in ((costs, "·"), (best, "#")):
        for k in np.flatnonzero(heights < np.inf):
            above = min(heights[k], high) / 2 - low / 2  # halves do not overflow
            share = above / (high / 2 - low / 2) if high > low else 0.5
            row = round((share if maximize else 1 - share) * (height - 1))
            cells[row, k * width // len(values)] = mark
    top, bottom = (-low, -high) if maximize else (high, low)
    titles = {0: f"{top:.4g}", height - 1: f"{bottom:.4g}"}
    lines = [f"{titles.get(k, ''):>10} |{''.join(row)}" for k, row in enumerate(cells)]
    return [*(line.rstrip() for line in lines), f"{'':12}1 to {len(values)}"]


def _highest(costs: NDArray[np.float64]) -> float:
    """Return the end of the axis, at which outliers are drawn."""
    tenth, ninth = (float(np.quantile(costs, q, method="nearest")) for q in (0.1, 0.9))
    highest = float(costs.max())
    return min(highest, ninth + (ninth - tenth)) if ninth > tenth else highest
