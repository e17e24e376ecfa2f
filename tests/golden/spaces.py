"""Runs on spaces of all kinds, with values that are no integers, as hashes."""

from hashlib import sha256

from catcube import Space
from catcube.algorithms import algorithm as algorithm_named
from catcube.algorithms import names
from catcube.problems import PythonProblem
from catcube.testing.algorithms import run_algorithm

BUDGET = 60
SEED = 64

SPACES = {
    "two categories": dict.fromkeys("abcdefghi", (False, True)),
    "from 2 to 9": {f"v{n}": range(n) for n in range(2, 10)},
    "from 10 to 64": {f"v{n}": range(n) for n in (10, 17, 32, 33, 64)},
    "labels": {
        "base": "ATCG",
        "größe": ["klein", "mittel", "groß"],
        "number": [0.1, -2.5, 1e300, 7],
        "anything": [None, ("a", 1), frozenset([3]), b"x", ...],
        "nothing to choose": ["only"],
    },
    "one variable": {"digit": range(1, 10)},
    "no choice": {"a": [1], "b": ["x"]},
}
REPRESENTATIONS = ["linear", "direct", "compact"]


def cost(space):
    """A function of the indices of the categories: rugged, and only by operations that are exact
    or rounded the same way everywhere."""
    index_of = {
        name: {label: k for k, label in enumerate(labels)} for name, labels in space.items()
    }

    def value(point):
        total, before = 0.0, 1
        for name, label in point.items():
            index = index_of[name][label]
            total += (index * 7 + before * 3) % 11 / 7 - 1 / (1 + index)
            before = index
        return total

    return value


def space_hashes(algorithm):
    """By space and representation: the point found, its value, and the course of the run."""
    return {
        f"{name}, {representation}": _hash(algorithm, space, representation)
        for name, space in SPACES.items()
        for representation in REPRESENTATIONS
    }


def _hash(algorithm, space, representation):
    result = run_algorithm(  # not `minimize`, which calls a function only once at each point
        algorithm_named(algorithm),
        PythonProblem(cost(space), Space(space)),
        BUDGET,
        {"over_budget": False} if algorithm == "sa" else {},  # the default of then
        representation=representation,
        seed=SEED,
    )
    content = [
        list(result.x.items()),
        result.fun,
        result.nfev,
        result.nfev_best,
        result.trace.evaluations.tolist(),
        result.trace.values.tolist(),
    ]
    return sha256(repr(content).encode()).hexdigest()[:16]


def hashes():
    return {algorithm: space_hashes(algorithm) for algorithm in names()}
