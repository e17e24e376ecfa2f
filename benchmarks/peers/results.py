"""The file of results: one line for a run and a budget, only ever added to."""

import csv
import os
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """The best value after so many calls; none if the run came to its limit of seconds before."""

    method: str
    task: str
    budget: int
    seed: int
    value: float | None
    milliseconds: float | None
    release: str

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What makes it one of its kind."""
        return self.method, self.task, self.budget, self.seed


def read(path: Path) -> Iterator[Row]:
    """Yield all rows; a line that is not whole, as after a kill, is none."""
    if not path.exists():
        return
    with path.open(newline="", encoding="utf-8") as file:
        for cells in csv.reader(file):
            if len(cells) != len(Row._fields) or cells[0] == Row._fields[0]:
                continue
            method, task, budget, seed, value, milliseconds, release = cells
            yield Row(
                method,
                task,
                int(budget),
                int(seed),
                float(value) if value else None,
                float(milliseconds) if milliseconds else None,
                release,
            )


def append(path: Path, rows: Iterable[Row]) -> None:
    """Add rows, all at once and for good."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if not path.exists():
        writer.writerow(Row._fields)
    for row in rows:
        value = "" if row.value is None else f"{row.value:.12g}"
        milliseconds = "" if row.milliseconds is None else f"{row.milliseconds:.4g}"
        writer.writerow([*row[:4], value, milliseconds, row.release])
    path.parent.mkdir(parents=True, exist_ok=True)
    torn = path.exists() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if torn else "") + text.getvalue())
        file.flush()
        os.fsync(file.fileno())
