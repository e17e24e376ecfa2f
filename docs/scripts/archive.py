"""Make the archived results of a suite, for `catcube compare`, of the store beyond-families.

`python docs/scripts/archive.py STORE` takes the final values of the runs of all pairs, and writes
src/catcube/data/archive/catcube-2026.npz: `values` (instance, pair, run), the names of `instances`
and `pairs` (algorithm, representation), and the `budget`.
"""

import sys
from pathlib import Path

import numpy as np

from catcube.experiments.store import Store
from catcube.problems.suites import suite

SUITE = "catcube-2026"
FILE = Path(__file__).parents[2] / "src" / "catcube" / "data" / "archive" / f"{SUITE}.npz"


def main(path: str) -> None:
    """Write the file; the store must be complete."""
    values: dict[str, dict[tuple[str, str], np.ndarray]] = {}
    with Store(path) as store:
        configurations = store.configurations()
        for index, rows, _ in store.run_arrays():
            configuration = configurations[index]
            if rows.size == configuration.runs:
                values.setdefault(configuration.instance, {})[configuration.pair] = rows["value"]
    pairs = list(dict.fromkeys(one.pair for one in configurations))
    instances = suite(SUITE).instances
    missing = [name for name in instances if len(values.get(name, ())) < len(pairs)]
    if missing:
        raise SystemExit(f"{len(missing)} instances are not complete, such as {missing[0]}")
    FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        FILE,
        values=np.array([[values[name][pair] for pair in pairs] for name in instances]),
        instances=np.array(instances),
        pairs=np.array(pairs),
        budget=np.array(configurations[0].budget),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
