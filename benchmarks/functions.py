"""What the search adds to the time of a user's Python function."""

import time
from statistics import median

from benchmarks.cost import Effort, compile_first, paper_run
from benchmarks.page import number, table
from catcube.base.seeds import derive_seed
from catcube.problems import PythonProblem
from catcube.representations.layout import bit_layout, resolve_representations
from catcube.search.run import execute
from catcube.space import Space

VARIABLES = (1, 10, 56, 200)
ALGORITHMS = ("rls", "ga")


def first_label(point):
    """Nearly the cheapest function there is."""
    return point["x0"]


def subsection(effort: Effort) -> str:
    """By the number of variables, for an algorithm that flips bits and one that does not."""
    rows = []
    nanoseconds = _own_time(effort)
    for size in VARIABLES:
        space = Space({f"x{i}": [float(label) for label in range(9)] for i in range(size)})
        problem = PythonProblem(first_label, space)
        layout = bit_layout(resolve_representations(space, "linear"))
        costs = [_beyond(problem, layout, name, effort) - nanoseconds for name in ALGORITHMS]
        rows.append([str(size), *(number(cost) for cost in costs)])
    heads = ["variables", *(f"{name}, ns" for name in ALGORITHMS)]
    return f"""\
### A Python function

The table has the CPU time per evaluation in addition to that of the function itself
({number(nanoseconds)} ns here), for variables of 9 categories with linear, as the median of
{effort.repeats} repeats. It includes the call, a new dict of labels for the function, and the
search. rls changes one variable per evaluation, ga many.

{table(heads, rows)}"""


def _own_time(effort: Effort) -> float:
    """Return the nanoseconds of the function called by Python."""
    times = effort.evaluations(200_000)
    point = {"x0": 1.0}
    spent = []
    for _ in range(effort.repeats):
        began = time.thread_time()
        for _ in range(times):
            first_label(point)
        spent.append(time.thread_time() - began)
    return 1e9 * median(spent) / times


def _beyond(problem, layout, name, effort) -> float:
    """Return the nanoseconds of an evaluation, the time of the function included."""
    budget = effort.evaluations(20_000)
    spent = []
    compile_first(paper_run(problem, layout, name, budget, effort.seed))
    for repeat in range(effort.repeats):
        seed = derive_seed(effort.seed, "function", name, repeat)
        began = time.thread_time()
        outcome = execute(paper_run(problem, layout, name, budget, seed))
        spent.append((time.thread_time() - began) / outcome.evaluations)
    return 1e9 * median(spent)
