"""What exchanges of categories (`exchange` of sa) gain and cost: python -m benchmarks.exchanges."""

import statistics
from collections.abc import Callable, Mapping

import numpy as np

from catcube import Space, minimize
from catcube.problems import Sudoku, make
from catcube.problems.sudoku import instances

SEEDS = 20
CASES = {
    "qap:nug12": 20_000,
    "qap:random,20": 50_000,
    "latin:holes,10,42": 50_000,
    "onemax:100,4": 3_000,
    "nk:60,3,4": 20_000,
    "colouring:queen,8,colours=9": 50_000,
    "potts:torus,12,12,4": 50_000,
}


def teams(people: int, size: int, penalty: float) -> tuple[Callable[..., float], Space]:
    """Return the value of a division of people into teams, which should have the same size."""
    drawn = np.triu(np.random.default_rng(7).normal(size=(people, people)), 1)
    liking, count = drawn + drawn.T, people // size

    def value(point: Mapping[str, int]) -> float:
        team = np.fromiter(point.values(), int, people)
        missing = np.maximum(size - np.bincount(team, minlength=count), 0).sum()
        return float(penalty * missing - (liking * (team[:, None] == team)).sum() / 2)

    return value, Space({f"person {k}": range(count) for k in range(people)})


def main() -> None:
    """Print mean values, standard errors and the least nanoseconds per evaluation."""
    cases = [("24 people in teams of 6", teams(24, 6, 10.0), 10_000)]
    cases.append(("sudoku-easy-56", (Sudoku(instances.load("sudoku-easy-56")),), 50_000))
    cases += [(name, (make(name),), budget) for name, budget in CASES.items()]
    print("| problem | evaluations | single | with exchanges | ns single | ns with |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, problem, budget in cases:
        values: dict[bool, list[float]] = {False: [], True: []}
        costs: dict[bool, list[float]] = {False: [], True: []}
        for seed in range(SEEDS):
            for wanted in (False, True):
                result = minimize(
                    *problem,
                    algorithm="sa",
                    representation="native",
                    budget=budget,
                    seed=seed,
                    exchange=wanted,
                )
                values[wanted].append(result.fun)
                costs[wanted].append(1e9 * result.seconds / result.nfev)
        cells = [
            f"{statistics.mean(found):.2f} ± {statistics.stdev(found) / SEEDS**0.5:.2f}"
            for found in values.values()
        ]
        cells += [f"{min(found):,.0f}" for found in costs.values()]
        print(f"| {name} | {budget:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
