"""The cost of evaluating a whole point, and of its parts."""

import time
from statistics import median

import numpy as np

from benchmarks.cost import Effort
from benchmarks.page import number, table
from catcube.engine.compiled.entry import PythonEntry, call_prepare, call_value
from catcube.engine.compiled.jit import njit
from catcube.engine.compiled.packed import words_for
from catcube.engine.decode import decode
from catcube.engine.point import evaluate_solution, point_at, start
from catcube.engine.recorder import new_recorder
from catcube.engine.rng import initial_state, random_words
from catcube.engine.search import Search
from catcube.problems import Sudoku
from catcube.representations.layout import bit_layout, resolve_representations
from catcube.search.memory import new_points

INSTANCE = "sudoku-easy-56"
REPRESENTATIONS = ("linear", "direct", "unary")
POINTS = 256


@njit
def fill(search, samples):
    """Random points."""
    n = search.layout.variable.size
    for k in range(samples.shape[0]):
        random_words(search.random, n, samples[k])


@njit
def decoding(search, samples, times):
    """Decode packed bits to categories."""
    point = point_at(search, 0)
    for _ in range(times):
        for k in range(samples.shape[0]):
            decode(search.layout, samples[k], point, False)
    return 0.0


@njit
def value(search, samples, times):
    """Evaluate categories."""
    point = point_at(search, 0)
    total = 0.0
    for _ in range(times * samples.shape[0]):
        total += call_value(search.functions.value, point.frame)
    return total


@njit
def preparation(search, samples, times):
    """Fill the counts that make a flip cheap."""
    point = point_at(search, 0)
    for _ in range(times * samples.shape[0]):
        call_prepare(search.functions.prepare, point.frame)
    return 0.0


@njit
def evaluation(search, samples, times):
    """Decoding, value, and the recorder."""
    point = point_at(search, 0)
    total = 0.0
    for _ in range(times):
        for k in range(samples.shape[0]):
            total += evaluate_solution(search, point, samples[k])
    return total


@njit
def restart(search, samples, times):
    """Draw a uniform point, evaluated and ready for flips."""
    point = point_at(search, 0)
    total = 0.0
    for _ in range(times * samples.shape[0]):
        total += start(search, point)
    return total


PARTS = {
    "decoding": decoding,
    "value": value,
    "both, and the recorder (an evaluation of ga, pbil, umda, mimic)": evaluation,
    "counts that make flips cheap": preparation,
    "a restart: random bits and all of the above": restart,
}


def subsection(effort: Effort) -> str:
    """Return the parts of a full evaluation of a Sudoku."""
    figures = {
        representation: _figures(representation, effort) for representation in REPRESENTATIONS
    }
    rows = [
        [name, *(number(figures[representation][name]) for representation in REPRESENTATIONS)]
        for name in PARTS
    ]
    heads = [
        "ns per point",
        *(
            f"{representation}, {figures[representation]['bits']} bits"
            for representation in REPRESENTATIONS
        ),
    ]
    return f"""\
### A whole point

The table has the parts of an evaluation of {INSTANCE} from packed bits, as the median of
{effort.repeats} repeats.

{table(heads, rows)}"""


def _figures(representation: str, effort: Effort) -> dict[str, float]:
    problem = Sudoku.instance(INSTANCE)
    layout = bit_layout(resolve_representations(problem.space, representation))
    n = int(layout.first_bit[-1])
    objective = problem.objective(lambda: None)
    silent = PythonEntry("notify", lambda: None)
    search = Search(
        layout=layout,
        functions=objective.functions,
        points=new_points(layout, objective, 1),
        recorder=new_recorder(n, 2**62, -np.inf, walking=True, notify=silent.address),
        random=initial_state(effort.seed),
        packed=np.zeros(words_for(n) + 1, np.uint64),
        initial=np.zeros((0, words_for(n) + 1), np.uint64),
    )
    samples = np.zeros((POINTS, words_for(n) + 1), np.uint64)
    fill(search, samples)
    times = effort.evaluations(1_000_000) // POINTS
    figures: dict[str, float] = {"bits": n}
    for name, kernel in PARTS.items():
        kernel(search, samples, 1)
        spent = []
        for _ in range(effort.repeats):
            began = time.thread_time()
            kernel(search, samples, times)
            spent.append(time.thread_time() - began)
        figures[name] = 1e9 * median(spent) / (times * POINTS)
    return figures
