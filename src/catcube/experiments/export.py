"""Export of runs as CSV or Parquet, in the order of the plan."""

import csv
import json
import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TextIO

from catcube.base.optional import import_optional
from catcube.experiments.plan import Configuration, build_problem
from catcube.experiments.store import DamageError, Store
from catcube.experiments.trace import is_consistent
from catcube.representations.layout import count_bits
from catcube.search.result import Result

COLUMNS = (
    *("experiment", "instance", "algorithm", "representation", "run", "seed"),
    *("value", "evaluations_to_best", "evaluations", "iterations", "ending"),
    *("budget", "target", "parameters", "n", "N", "bits", "categories", "seconds"),
)
"""The columns of a table of runs.

`n` is the number of variables, `N` the largest number of categories of a variable, and `categories`
the best point as category indices. The other names are those of `catcube.Result`.
"""

ROWS = 10_000  # of a Parquet file that are written at a time
IMPROVEMENTS = 2**21  # the same


class Dimensions(NamedTuple):
    """The numbers of variables, of categories (the largest), and of bits of a search."""

    n: int
    N: int
    bits: int


@lru_cache(maxsize=1024)
def dimensions_of(configuration: Configuration) -> Dimensions:
    """Return the dimensions of the search of a configuration.

    >>> from catcube.experiments.plan import Experiment
    >>> mine = Experiment("mine", {"match:3,9": None}, ("rls",), ("linear",), budget=1, runs=1)
    >>> dimensions_of(mine.configurations()[0])
    Dimensions(n=3, N=9, bits=45)
    """
    space = build_problem(configuration.content, configuration.instance)[0].space
    bits = count_bits(space, configuration.representation)
    return Dimensions(len(space), int(space.cardinalities.max()), bits)


def row_of(configuration: Configuration, run: Result) -> dict[str, Any]:
    """Return the row of a run, by column."""
    shared = [name for name in COLUMNS if name in Result.__dataclass_fields__]
    return {
        **{name: getattr(run, name) for name in shared},
        **dimensions_of(configuration)._asdict(),
        "experiment": configuration.experiment,
        "parameters": json.dumps(dict(configuration.parameters), sort_keys=True),
        "categories": " ".join(map(str, run.categories.tolist())),
    }


class CsvWriter:
    """Writes a line for each run; values are exact and as short as possible."""

    def __init__(self, file: TextIO, columns: tuple[str, ...] = COLUMNS) -> None:
        self._lines = csv.writer(file, lineterminator="\n")
        self._columns = columns
        self._lines.writerow(columns)

    def write(self, configuration: Configuration, run: Result) -> None:
        """Write the line of a run of the configuration."""
        cells = row_of(configuration, run)
        cells["value"], cells["target"] = (
            format_number(run.value),
            format_number(configuration.target),
        )
        cells["seconds"] = f"{run.seconds:.6f}"
        self._lines.writerow(cells[name] for name in self._columns)


def format_number(value: float | None) -> str:
    """Format a value exactly and as short as possible; None as the empty string.

    >>> format_number(4.0), format_number(0.1), format_number(None)
    ('4', '0.1', '')
    """
    if value is None:
        return ""
    value = float(value)
    return str(int(value)) if value.is_integer() else repr(value)


def write_csv(store: Store, file: TextIO, seconds: bool = True) -> None:
    """Write a line for each run; without `seconds` the bytes depend only on the plan."""
    store.configurations()  # raises an error before anything is written
    writer = CsvWriter(file, _columns(seconds))
    for configuration, run in _runs(store, traces=False):
        writer.write(configuration, run)


def write_parquet(store: Store, path: str | os.PathLike[str], seconds: bool = True) -> None:
    """Write the same columns and the improvements of each run, as two lists; needs pyarrow.

    Without `seconds` the bytes depend only on the plan and on the version of pyarrow.
    """
    pyarrow, parquet = import_optional("pyarrow"), import_optional("pyarrow.parquet")
    texts = ("experiment", "instance", "algorithm", "representation", "ending", "parameters")
    whole, real = pyarrow.int64(), pyarrow.float64()
    kinds = {
        **dict.fromkeys(_columns(seconds), whole),
        **dict.fromkeys(("value", "target", *(["seconds"] if seconds else [])), real),
        **dict.fromkeys(texts, pyarrow.string()),
        "categories": pyarrow.list_(whole),
        "improvement_evaluations": pyarrow.list_(whole),
        "improvement_values": pyarrow.list_(real),
    }
    schema = pyarrow.schema(list(kinds.items()))
    with parquet.ParquetWriter(path, schema) as writer:
        rows: list[dict[str, Any]] = []
        improvements = 0
        for configuration, run in _runs(store):
            evaluations, values = improvements_of(store, run)
            cells = row_of(configuration, run) | {
                "categories": run.categories,
                "improvement_evaluations": evaluations,
                "improvement_values": values,
            }
            rows.append({name: cells[name] for name in kinds})
            improvements += len(values)
            if len(rows) >= ROWS or improvements >= IMPROVEMENTS:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
                rows, improvements = [], 0
        writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))


class UniqueNames:
    """Makes names unique by appending numbers.

    >>> unique = UniqueNames()
    >>> [unique(name) for name in ("ranks", "levels", "ranks", "ranks")]
    ['ranks', 'levels', 'ranks-2', 'ranks-3']
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def __call__(self, name: str) -> str:
        """Return the name, with a number if it was used before."""
        number, free = 1, name
        while free in self._taken:
            number += 1
            free = f"{name}-{number}"
        self._taken.add(free)
        return free


def improvements_of(store: Store, run: Result) -> tuple[Any, Any]:
    """Return evaluations and values of the improvements of a run; raise an error if implausible."""
    evaluations, values = run.trace
    whole = is_consistent(run.trace, run.value, run.evaluations_to_best, run.evaluations)
    if not whole or not evaluations.size:
        raise DamageError(
            store.path,
            f"the improvements of run {run.run} of {run.algorithm!r}, {run.representation!r} on "
            f"{run.instance!r}",
        )
    return evaluations, values


def _columns(seconds: bool) -> tuple[str, ...]:
    return COLUMNS if seconds else COLUMNS[:-1]


def _runs(store: Store, traces: bool = True) -> Iterator[tuple[Configuration, Result]]:
    with store.snapshot():
        for index, configuration in enumerate(store.configurations()):
            for run in store.runs_of(index, traces):
                yield configuration, run
