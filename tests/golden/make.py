"""Write down what every algorithm does on small problems, to notice when it changes.

    python -m tests.golden.make            everything
    python -m tests.golden.make rls sa     the trajectories of some algorithms
    python -m tests.golden.make campaigns  the hashes of whole campaigns
    python -m tests.golden.make spaces     the hashes of runs on spaces of all kinds

The trajectories hold integers only, and hashes are those of what is exported: both are the same on
every machine, compiled or not. A changed file means that the same seed no longer gives the same
run: say so in the changelog.
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np

from catcube import minimize
from catcube.problems import Match, Sudoku
from tests.golden import fingerprint, spaces
from tests.naive.search import ALGORITHMS

FOLDER = Path(__file__).parent

BUDGET = 2000
SEED = 20210
REPRESENTATIONS = ["linear", "direct"]
PRESETS = ["default", "paper"]


def mixed():
    """Ten variables of 1 to 16 categories, and a hidden assignment that no generator draws."""
    sizes = np.array([2, 3, 16, 1, 9, 5, 4, 7, 12, 10])
    problem = Match(10, sizes)
    problem.integers = 7 * np.arange(10) % sizes
    return problem


PROBLEMS = {
    "match": mixed,
    "sudoku-box-2": lambda: Sudoku("1...\n..3.\n.4..\n...2"),
    "small-dimension-8-a": lambda: Sudoku.instance("small-dimension-8-a"),
}

# What was the default when the trajectories were made.
FORMER = {"sa": {"over_budget": False}}

CASES = [
    (problem, representation, preset)
    for problem in PROBLEMS
    for representation in REPRESENTATIONS
    for preset in PRESETS
]
NATIVE_CASES = [(problem, "native", preset) for problem in PROBLEMS for preset in PRESETS]


def trajectory(algorithm, problem, representation, preset):
    """What a run did, in integers."""
    result = minimize(
        PROBLEMS[problem](),
        algorithm=algorithm,
        representation=representation,
        preset=None if preset == "default" else preset,
        budget=BUDGET,
        seed=SEED,
        **(FORMER.get(algorithm, {}) if preset == "default" else {}),
    )
    values = [int(value) for value in result.trace.values]
    assert values == result.trace.values.tolist(), "a value is no integer"
    native = representation == "native"
    best = result.categories.astype("<i8") if native else result.solution
    return {
        "value": int(result.fun),
        "evaluations": result.nfev,
        "evaluations_to_best": result.nfev_best,
        "categories" if native else "bits": zlib.crc32(best.tobytes()),
        "trace": [result.trace.evaluations.tolist(), values],
    }


def key(problem, representation, preset):
    """The name of a case in a file."""
    return f"{problem}, {representation}, {preset}"


def file_of(algorithm, representation):
    """The file with the trajectories of an algorithm on bits, or on categories."""
    folder = FOLDER / "native" if representation == "native" else FOLDER
    return folder / f"{algorithm}.json"


def write_trajectories(algorithm):
    for cases in (CASES, NATIVE_CASES):
        lines = [
            f"{json.dumps(key(*case))}: {json.dumps(trajectory(algorithm, *case))}"
            for case in cases
        ]
        path = file_of(algorithm, cases[0][1])
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        print(f"{path}: {len(lines)} trajectories")


def campaign_hashes():
    return {name: fingerprint.campaign_hashes(name) for name in fingerprint.CAMPAIGNS}


HASHES = {"campaigns": campaign_hashes, "spaces": spaces.hashes}


def write_hashes(name):
    path = hashes_file(name)
    path.write_text(json.dumps(HASHES[name](), indent=1) + "\n")
    print(f"{path}: hashes of {name}")


def hashes_file(name):
    return FOLDER / "hashes" / f"{name}.json"


def main(wanted):
    for name in wanted or [*ALGORITHMS, *HASHES]:
        if name in HASHES:
            write_hashes(name)
        else:
            write_trajectories(name)


if __name__ == "__main__":
    main(sys.argv[1:])
