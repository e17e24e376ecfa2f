"""The runs of a store as CSV or Parquet, in the order of the plan."""

import csv
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TextIO

from catcube.errors import BadValue
from catcube.experiments.batch import Row
from catcube.experiments.store.store import Store, StoredRun

# The columns of `catcube run --csv`, with further ones before the seconds.
FURTHER = ("iterations", "ending", "experiment")
COLUMNS = (*Row._fields[:-1], *FURTHER, Row._fields[-1])
ROWS = 10_000  # of a Parquet file that are written at a time


def write_csv(store: Store, file: TextIO, seconds: bool = True) -> None:
    """Write a line for each run, with the shortest exact values.

    Without the seconds, the same plan always gives the same bytes.
    """
    lines = csv.writer(file, lineterminator="\n")
    columns = _columns(seconds)
    lines.writerow(columns)
    for run in store.runs():
        cells = {name: getattr(run, name) for name in columns}
        value = run.value
        cells["value"] = int(value) if value.is_integer() else repr(value)
        if seconds:
            cells["seconds"] = f"{run.seconds:.6f}"
        lines.writerow(cells.values())


def write_parquet(store: Store, path: str | os.PathLike[str], seconds: bool = True) -> None:
    """Write the same columns, and the improvements of each run as two lists; needs pyarrow.

    Without the seconds, the same plan gives the same bytes with the same version of pyarrow.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise BadValue("Parquet needs pyarrow: pip install '.[formats]'") from error
    kinds = {"value": pyarrow.float64(), "seconds": pyarrow.float64()} | dict.fromkeys(
        ("instance", "algorithm", "representation", "ending", "experiment"), pyarrow.string()
    )
    schema = pyarrow.schema(
        [(name, kinds.get(name, pyarrow.int64())) for name in _columns(seconds)]
        + [
            ("improvement_evaluations", pyarrow.list_(pyarrow.int64())),
            ("improvement_values", pyarrow.list_(pyarrow.float64())),
        ]
    )
    with parquet.ParquetWriter(path, schema) as writer:
        for part in _parts(store.runs()):
            rows = [_parquet_row(run, _columns(seconds)) for run in part]
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))


def _columns(seconds: bool) -> tuple[str, ...]:
    return COLUMNS if seconds else COLUMNS[:-1]


def _parquet_row(run: StoredRun, columns: tuple[str, ...]) -> dict[str, Any]:
    evaluations, values = run.trace
    return {name: getattr(run, name) for name in columns} | {
        "improvement_evaluations": evaluations,
        "improvement_values": values,
    }


def _parts(runs: Iterable[StoredRun]) -> Iterator[list[StoredRun]]:
    """Yield parts that need little memory."""
    remaining = iter(runs)
    while part := list(islice(remaining, ROWS)):
        yield part
