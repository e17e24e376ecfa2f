"""Random runs of all algorithms through all representations, with parameters at their limits."""

import hashlib
from itertools import pairwise
from zlib import crc32

import numpy as np

from catcube import Space
from catcube.algorithms import algorithm, names
from catcube.problems import Match, PythonProblem, Sudoku
from catcube.problems.sudoku import complete_board, erase
from catcube.representations import families
from catcube.representations.layout import bit_layout, resolve_representations
from catcube.search.run import Execution, Run
from tests.problems.problem_examples import Weighted

EVERY = len(names()) * (len(families) + 1)
"""So many successive numbers meet every algorithm with every representation, and with a mixture."""

SIZES = [1, 2, 3, 17, 64, 65]
VALUES = [0.0, 1.0, 2.0, 2.5, 3.0, 1e9, -1e308, 1.7e308, np.inf]


def random_run(number, scale=1):
    """The run of this number; `scale` makes it longer, and its problem larger."""
    draw = np.random.default_rng(number)
    method = algorithm(names()[number % len(names())])
    problem = _problem(draw, scale)
    representation = [*families, None][number // len(names()) % (len(families) + 1)]
    if representation is None:
        representation = {name: str(draw.choice(list(families))) for name in problem.space.names}
    return Run(
        problem=problem,
        layout=bit_layout(resolve_representations(problem.space, representation)),
        algorithm=method,
        parameters=method.resolve(None, _parameters(method, draw)),
        budget=int(draw.choice([1, 2, int(draw.integers(3, 80)), 60 * scale])),
        target=float(draw.choice([0, -1])) if draw.random() < 0.3 else None,
        seed=number,
        restart=int(draw.integers(1, 30)) if draw.random() < 0.3 else None,
    )


def _problem(draw, scale):
    kind = draw.choice(["match", "sudoku", "weighted", "python", "rows"])
    if kind == "sudoku":
        board = complete_board(box=2, seed=int(draw.integers(1000)))
        return Sudoku(erase(board, int(draw.integers(1, 17)), seed=int(draw.integers(1000))))
    shape = draw.choice(["one", "few", "many"])
    if shape == "one":
        sizes = [int(draw.integers(1, 65))]
    elif shape == "few":
        sizes = draw.choice([1, 2, 3, 4, 5, 9, 16, 17, 33, 64], int(draw.integers(2, 6))).tolist()
    else:  # numbers of bits around whole words
        sizes = [2] * int(draw.choice([63, 64, 65, 127, 128, 129])) if scale > 1 else [3] * 22
    if kind == "match":
        return Match(len(sizes), sizes, seed=int(draw.integers(1000)))
    if kind == "weighted":
        return Weighted(len(sizes), max(sizes), seed=int(draw.integers(1000)))
    space = Space({f"x{k}": range(size) for k, size in enumerate(sizes)})
    if kind == "python":
        return PythonProblem(lambda point: _scattered(point.values()), space)
    return PythonProblem(lambda rows: [_scattered(row) for row in rows], space, vectorized=True)


def _scattered(categories):
    """A value that says nothing about those of its neighbours; many are equal, some extreme."""
    return VALUES[crc32(bytes(int(category) for category in categories)) % len(VALUES)]


def _parameters(method, draw):
    """Small numbers and both ends of ranges."""
    settings = {}
    for parameter in method.describe():
        low, high = parameter.info.low, parameter.info.high
        if parameter.type is bool:
            settings[parameter.name] = bool(draw.random() < 0.5)
        elif parameter.type is int:
            settings[parameter.name] = max(int(low), int(draw.choice([*SIZES, int(low)])))
        else:
            ends = [low] * (not parameter.info.low_open) + [high] * (not parameter.info.high_open)
            ends = [float(end) for end in ends if end is not None]
            settings[parameter.name] = float(draw.choice([parameter.default, *ends]))
    if "selection" in settings:
        settings["selection"] = min(settings["selection"], settings["population"])
    return settings


def outline(outcome):
    """What a run found, in a few letters, if it did not fail."""
    if outcome.failure is not None:
        raise outcome.failure
    assert all(later < earlier for earlier, later in pairwise(outcome.trace.values.tolist()))
    text = repr(
        [
            outcome.solution.tolist(),
            outcome.value,
            outcome.evaluations,
            outcome.iterations,
            outcome.trace.evaluations.tolist(),
            outcome.trace.values.tolist(),
            outcome.ending,
        ]
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plain(run):
    """The outline of a run as it is."""
    return outline(Execution(run).result())
