"""The cost of an evaluation for every algorithm, beside that of the paper's own framework.

Two releases of the paper's C++ framework were measured on a quiet machine, with the paper's
settings, on sudoku-easy-56 in one thread; `data/framework-speed.csv` has one line for each
algorithm, representation and release.
"""

import csv
from pathlib import Path
from statistics import median

from benchmarks.cost import (
    EVALUATIONS,
    OTHERWISE,
    Effort,
    compile_first,
    cost,
    draws,
    paper_run,
    repeated,
)
from benchmarks.page import number, pair, table
from catcube.algorithms import names
from catcube.base.provenance import machine
from catcube.base.seeds import derive_seed
from catcube.problems import Sudoku
from catcube.representations.layout import build_layout

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


INSTANCE = "sudoku-easy-56"
REPRESENTATIONS = ("linear", "direct")
MEASURED = (*REPRESENTATIONS, "native")


def section(effort: Effort) -> str:
    """Return the table of all algorithms."""
    problem = Sudoku.instance(INSTANCE)
    layouts = {name: build_layout(problem.space, name) for name in MEASURED}
    figures = {
        name: [
            _figures(problem, layouts[representation], representation, name, effort)
            for representation in MEASURED
        ]
        for name in names()
    }
    # After the algorithms, when the processor is as busy as it was with them.
    yardstick = draws(effort)
    framework = framework_speed()
    releases = sorted({release for times in framework.values() for release in times})
    rows = []
    for name, costs in figures.items():
        medians = [median(times) for times in costs]
        theirs = framework.get(name, {})
        quicker = [
            min(times[one] for times in theirs.values()) for one in REPRESENTATIONS if theirs
        ]
        faster = [their / our for their, our in zip(quicker, medians, strict=False)]
        rows.append(
            [
                name,
                *(f"{number(times[0])} ({number(median(times))})" for times in costs),
                pair([time / median(yardstick) for time in medians[:2]], 2),
                *(_framework(theirs.get(release)) for release in releases),
                pair(faster, 2) if faster else "–",
            ]
        )
    bits = " / ".join(
        str(layouts[representation].first_bit[-1]) for representation in REPRESENTATIONS
    )
    heads = [
        "algorithm",
        "linear, ns",
        "direct, ns",
        "native, ns",
        "in random draws",
        *(f"framework {release}, ns" for release in releases),
        "times faster",
    ]
    return f"""\
The table has nanoseconds of CPU time per evaluation on {INSTANCE}, with one thread and the
settings of the paper: the minimum and (in brackets) the median of {effort.repeats} repeats with
different seeds. Two figures with a slash are for linear / direct ({bits} bits), from the
medians. Native is a search on the categories of the {len(problem.space)} variables, without bits.

{table(heads, rows)}

One random draw of 64 bits took {number(yardstick[0])} ns ({number(median(yardstick))}). The
framework is that of the paper, HNCO, in C++, in {len(releases)} of its releases; *times faster* is
relative to the faster one. {about_machines(machine()["processor"])}"""


def _framework(costs: dict[str, float] | None) -> str:
    return " / ".join(f"{costs[one]:,.0f}" for one in REPRESENTATIONS) if costs else "–"


def _figures(problem, layout, representation, name, effort):
    budget = effort.evaluations(EVALUATIONS.get(name, OTHERWISE))

    def once(repeat: int) -> float:
        seed = derive_seed(effort.seed, INSTANCE, name, representation, repeat)
        return cost(paper_run(problem, layout, name, budget, seed), effort.seconds).nanoseconds

    compile_first(paper_run(problem, layout, name, budget, effort.seed))
    return repeated(once, effort.repeats)
