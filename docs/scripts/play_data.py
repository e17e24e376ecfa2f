"""Write the data of the pages to play with: docs/assets/representations.js and sudoku-race.js.

`python docs/scripts/play_data.py` writes both; they are scripts, not JSON, so that the pages also
work from a disk, where a browser refuses to fetch files.
"""

import json
from pathlib import Path
from typing import Any

from catcube import minimize
from catcube.problems import Sudoku
from catcube.representations import families, representation

ASSETS = Path(__file__).parents[1] / "assets"
SIZES = range(2, 17)
PUZZLE, BUDGET, SEEDS = "sudoku-easy-56", 300_000, range(1, 22)
ALGORITHM = {"algorithm": "rls", "preset": "paper"}


def representations() -> dict[str, dict[int, dict[str, Any]]]:
    """Return columns, weights, modulus, table and redundancy of every family for small N."""
    return {
        name: {
            N: {
                "columns": code.columns.tolist(),
                "weights": code.weights.tolist(),
                "modulus": code.modulus,
                "table": code.table.tolist(),
                "redundancy": list(code.redundancy()),
            }
            for N in SIZES
            for code in [representation(name, N)]
        }
        for name in families.builtin()
    }


def race() -> dict[str, Any]:
    """Return the board, and every improvement of a run with each of two representations.

    Of 21 runs it is the one with the median value. A run is a function of its arguments, and this
    algorithm does not depend on the budget: the board after an improvement is that of a run that
    ends there.
    """
    problem = Sudoku.instance(PUZZLE)
    runs = {}
    for name in ("direct", "linear"):
        options: dict[str, Any] = {**ALGORITHM, "representation": name}
        made = [minimize(problem, budget=BUDGET, seed=seed, **options) for seed in SEEDS]
        median = sorted(made, key=lambda run: run.fun)[len(made) // 2]
        options["seed"] = median.seed
        frames = []
        for evaluation, value in zip(*median.trace, strict=True):
            found = minimize(problem, budget=int(evaluation), **options)
            assert found.fun == value
            cells = problem.complete(found.x).cells.ravel().tolist()
            frames.append([int(evaluation), int(value), "".join(map(str, cells))])
        runs[name] = frames
    givens = "".join(map(str, problem.board.cells.ravel().tolist()))
    return {"name": PUZZLE, "budget": BUDGET, "givens": givens, "runs": runs}


def as_script(name: str, data: Any) -> str:
    """Return a script that defines one constant."""
    return f"const {name} = {json.dumps(data, separators=(',', ':'))};\n"


FILES = {
    "representations.js": ("REPRESENTATIONS", representations),
    "sudoku-race.js": ("RACE", race),
}


def main() -> None:
    """Write the files."""
    for file, (name, data) in FILES.items():
        (ASSETS / file).write_text(as_script(name, data()), encoding="utf-8")
        print(ASSETS / file)


if __name__ == "__main__":
    main()
