"""`catcube study`: state, best point and history of a study, as text, CSV or a page."""

import math
import shutil
import sys
from argparse import Namespace
from collections.abc import Sequence

from catcube.base.text import visible
from catcube.cli import UNSOLVED
from catcube.cli.input import checking
from catcube.cli.output import exact_bytes
from catcube.search.study import VALUE, Study

HEIGHT = 10  # lines of the curve


def command(arguments: Namespace) -> int:
    """Print a study; the exit code is 0 if a point has a value."""
    with checking():
        study = Study(arguments.study)
        if arguments.html is not None:
            print(f"wrote {visible(str(study.to_html(arguments.html)))}")
        elif arguments.csv:
            with exact_bytes():
                study.to_csv(sys.stdout)
        else:
            print(text(study))
        return 0 if study.best is not None else UNSOLVED


def text(study: Study) -> str:
    """Describe a study: points by state, runs, best point, and the best value over time."""
    counts = ", ".join(f"{count:,} {state}" for state, count in study.counts().items() if count)
    lines = [f"{study.path}: {study.direction}, {counts or 'no points'}"]
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
    return "\n".join(map(visible, lines))


def curve(values: Sequence[float], maximize: bool, width: int, height: int = HEIGHT) -> list[str]:
    """Draw the best value so far (#) and the values (·) as lines of text.

    >>> for line in curve([4.0, 1.0, 3.0, 0.0], False, 4, 5):
    ...     print(line)
             4 |#
               |  ·
               |
               | ##
             0 |   #
                1 to 4
    """
    finite = [(k, value) for k, value in enumerate(values) if math.isfinite(value)]
    if not finite:
        return []
    low, high = _limits(sorted(value for _, value in finite), maximize)
    width = min(width, len(values))
    cells = [[" "] * width for _ in range(height)]

    def mark(k: int, value: float, sign: str) -> None:
        value = min(max(value, low), high)
        share = (value - low) / (high - low) if high > low else 0.5
        cells[round((1 - share) * (height - 1))][k * width // len(values)] = sign

    for k, value in finite:
        mark(k, value, "·")
    best = None
    for k, value in enumerate(values):
        if math.isfinite(value) and (best is None or (value > best if maximize else value < best)):
            best = value
        if best is not None:
            mark(k, best, "#")
    titles = {0: f"{high:.4g}", height - 1: f"{low:.4g}"}
    lines = [f"{titles.get(k, ''):>10} |{''.join(row)}" for k, row in enumerate(cells)]
    return [*(line.rstrip() for line in lines), f"{'':12}1 to {len(values)}"]


def _limits(ordered: list[float], maximize: bool) -> tuple[float, float]:
    """Return the ends of the axis; a few bad values far off are drawn at its end."""
    low, high, last = ordered[0], ordered[-1], len(ordered) - 1
    tenth, ninth = ordered[round(0.1 * last)], ordered[round(0.9 * last)]
    spread = ninth - tenth
    if spread > 0 and maximize:
        low = max(low, tenth - spread)
    elif spread > 0:
        high = min(high, ninth + spread)
    return low, high
