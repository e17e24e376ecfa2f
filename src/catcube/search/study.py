"""Study: one file that stores every point of an expensive function, its state and its value.

The file is a SQLite database with one row a point, which any later version and any other program
can read. Each call of the function is two transactions: its point is *running* before the call,
and has a value, has failed or is infeasible after it. A process that is killed loses the calls
that were running, nothing else.
"""

import csv
import json
import math
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from catcube import __version__
from catcube.base import database
from catcube.base.database import DatabaseError
from catcube.base.optional import optional
from catcube.base.text import count, expect, quoted
from catcube.errors import BadType, BadValue
from catcube.search.result import free_title
from catcube.search.stored_space import (
    categories_of,
    conditions_to_json,
    key_of,
    label_to_json,
    space_from_json,
    space_to_json,
)
from catcube.space import Space

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from catcube.algorithms.surrogate.model import SurrogateModel

FORMAT = 1
APPLICATION = 0x43617453  # "CatS": marks a study among other SQLite files
RUNNING, VALUE, FAILED, INFEASIBLE = "running", "value", "failed", "infeasible"
_TIMES = ("state", "value", "message", "seconds", "began", "ended", "run")

SCHEMA = files("catcube.search").joinpath("study.sql").read_text(encoding="utf-8")


class Row(NamedTuple):
    """A point of a study."""

    id: int
    x: dict[str, Any]
    state: str
    value: float
    message: str
    began: float
    ended: float
    seconds: float
    run: int | None
    process: int | None

    @property
    def fun(self) -> float:
        """The value, by the name that scipy uses."""
        return self.value


class Study:
    """All points of an expensive function, their states and values, in one file.

    Parameters
    ----------
    path
        The file. `minimize`, `maximize` and `Optimizer` create it (`study=`), and so does `add`.
    space
        Needed to create the file, and for labels that JSON cannot hold: without it, these are
        given as their `repr`. It must be the space of the study.
    maximize
        Whether larger values are better; only needed to create the file.

    Examples
    --------
    >>> import catcube, tempfile, os
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "tuning.sqlite")
    >>> study = catcube.Study(path, {"base": "ATCG", "digit": range(1, 10)})
    >>> study.add([{"base": "G", "digit": 3}, {"base": "T", "digit": 7}], [4.0, 1.5])
    2
    >>> catcube.Study(path).best.x, study.best.value
    ({'base': 'T', 'digit': 7}, 1.5)
    >>> study
    Study('tuning.sqlite': 2 values, best 1.5)
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        space: Space | Mapping[str, Iterable[Any]] | None = None,
        *,
        maximize: bool | None = None,
    ) -> None:
        expect(isinstance(path, str | os.PathLike), "the path of a file", path, BadType)
        self.path = Path(path)
        given = None if space is None else space if isinstance(space, Space) else Space(space)
        self._lock = threading.RLock()
        self._writing: dict[int, sqlite3.Connection] = {}  # by process
        self._wanted = None if maximize is None else "maximize" if maximize else "minimize"
        self._direction: str | None = None  # in the file
        if not _is_new(self.path):
            self._examine(given)
        elif given is None:
            raise DatabaseError(f"{self.path}: no such study; to begin one, give its space")
        else:
            self.space = given

    def _examine(self, space: Space | None) -> None:
        """Check an existing file, and read what it says of the study."""
        with self.reading() as connection:
            _check(self.path, connection)
            self._read_about(connection, space)

    def _read_about(self, connection: sqlite3.Connection, space: Space | None) -> None:
        """Read space and direction, which must be those given."""
        about = dict(connection.execute("SELECT name, value FROM study"))
        self.space = space_from_json(self.path, about, space)
        self._direction = about["direction"]
        same = self._wanted in (None, self._direction)
        expect(same, f"a study to {self._wanted}", self._direction, where=f"{self.path}: ")

    @property
    def direction(self) -> str:
        """Whether values are to be minimised or maximised: "minimize" or "maximize"."""
        if self._direction is None and not _is_new(self.path):  # a search has created it
            self._examine(self.space)
        return self._direction or self._wanted or "minimize"

    def __repr__(self) -> str:
        best = self.best
        ending = "" if best is None else f", best {best.value:g}"
        return f"Study({self.path.name!r}: {self.describe()}{ending})"

    def describe(self) -> str:
        """Return the number of points by state, in words."""
        words = [
            count(number, VALUE) if state == VALUE else f"{number:,} {state}"
            for state, number in self.counts().items()
            if number
        ]
        return ", ".join(words) or "no points"

    def __len__(self) -> int:
        return sum(self.counts().values())

    def counts(self) -> dict[str, int]:
        """Return the number of points by state."""
        found = dict(self._query("SELECT state, COUNT(*) FROM point GROUP BY state"))
        return {state: found.get(state, 0) for state in (VALUE, FAILED, INFEASIBLE, RUNNING)}

    @property
    def rows(self) -> list[Row]:
        """All points in the order in which they began."""
        return self._rows("")

    @property
    def best(self) -> Row | None:
        """The best point with a value, the first of equal ones; None if there is none."""
        order = "DESC" if self.direction == "maximize" else "ASC"
        rows = self._rows(f"WHERE state = '{VALUE}' ORDER BY value {order}, id LIMIT 1")
        return rows[0] if rows else None

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The settings of each run that worked on the study, in order."""
        rows = self._query("SELECT id, began, settings FROM run ORDER BY id")
        with self._errors():
            return [
                {"run": number, "began": began, **json.loads(settings)}
                for number, began, settings in rows
            ]

    def data(self) -> tuple[list[dict[str, Any]], NDArray[np.float64]]:
        """Return all finished points and their values: NaN where a value is not known."""
        rows = self._rows(f"WHERE state IN ('{VALUE}', '{FAILED}') ORDER BY finished")
        return [row.x for row in rows], np.array([row.value for row in rows], np.float64)

    def add(self, points: Any, values: Iterable[Any] | str | None = None) -> int:
        """Add points whose values are known, such as past experiments.

        Parameters
        ----------
        points
            A list of points (dicts of labels), or a pandas DataFrame with a column for each
            variable; other columns are ignored.
        values
            One number for each point, or the name of a column (by default "value"). NaN or None:
            the point has failed.

        Returns
        -------
        int
            The number of new points. A point that was added before with the same value is not added
            again, so a program may add the same table each time it starts.

        Examples
        --------
        >>> import pandas, tempfile, os
        >>> frame = pandas.DataFrame({"base": list("ATG"), "value": [3.0, 1.0, float("nan")]})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     study = Study(os.path.join(folder, "past.sqlite"), {"base": "ATCG"})
        ...     study.add(frame), study.add(frame), study
        (3, 0, Study('past.sqlite': 2 values, 1 failed, best 1))
        """
        given, numbers = _read_table(self.space, points, values)
        encoded = [self.texts(self.space.encode(point)) for point in given]
        now, new = time.time(), 0
        with self.transaction() as connection:
            for (text, categories), value in zip(encoded, numbers, strict=True):
                failed = math.isnan(value)
                known = connection.execute(
                    "SELECT 1 FROM point WHERE categories = ? AND run IS NULL AND value IS ?",
                    (categories, None if failed else value),
                ).fetchone()
                if known is None:
                    new += 1
                    row = {"point": text, "categories": categories, "value": value}
                    row |= {"state": FAILED if failed else VALUE, "began": now, "ended": now}
                    insert_point(connection, row)
        return new

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a table with one row per point: a column per variable, then state and value.

        If a variable has the name of a column of the study, that column gets an underscore.
        """
        pandas = optional("pandas")
        titles, rows = self._table()
        frame = pandas.DataFrame(rows, columns=titles)
        for title in titles[-len(_TIMES) :]:
            if title.rstrip("_") in ("began", "ended"):
                frame[title] = pandas.to_datetime(frame[title], unit="s", utc=True)
        return frame

    def to_csv(self, file: TextIO) -> None:
        """Write a table with one row per point, as `to_pandas` returns it."""
        titles, rows = self._table()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(titles)
        for row in rows:
            writer.writerow(["" if _is_missing(cell) else cell for cell in row])

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write a page with the history of the values, the points and the importance of variables.

        The page is self-contained: it can be sent, and opened without a network.
        """
        from catcube.base.files import replace_file
        from catcube.search.study_page import page

        return replace_file(Path(path), page(self).encode("utf-8", "backslashreplace"))

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Draw all values in the order of the points, and the best so far."""
        if axes is None:
            _, axes = optional("matplotlib.pyplot").subplots(figsize=(7, 4), layout="constrained")
        rows = [row for row in self.rows if row.state != RUNNING]
        found = [(k, row.value) for k, row in enumerate(rows, 1) if row.state == VALUE]
        lost = [k for k, row in enumerate(rows, 1) if row.state != VALUE]
        if found:
            numbers, values = np.array(found).T
            better = np.maximum if self.direction == "maximize" else np.minimum
            axes.plot(numbers, values, "o", markersize=3, alpha=0.6, label="value")
            axes.step(numbers, better.accumulate(values), where="post", label="best so far")
            if lost:
                edge = [float(values.max())] * len(lost)
                axes.plot(lost, edge, "x", markersize=4, color="0.5", label="no value")
            axes.legend()
        axes.set_xlabel("point")
        axes.set_ylabel("value")
        return axes

    def model(self) -> "SurrogateModel":
        """Return a model of all values: `predict`, `importance`, `plot`."""
        from catcube.algorithms.surrogate.model import SurrogateModel

        points, values = self.data()
        finite = [k for k, value in enumerate(values) if math.isfinite(value)]
        expect(finite, "values to make a model of", "none", where=f"{self.path}: ")
        rows = np.array([self.space.encode(points[k]) for k in finite], np.int32)
        active = self.space.active if self.space.conditions else None
        sign = -1.0 if self.direction == "maximize" else 1.0
        return SurrogateModel(self.space, rows, sign * values[finite], sign, active)

    def texts(self, categories: Sequence[int] | NDArray[np.int64]) -> tuple[str, str]:
        """Return the labels and the indices of a point as JSON."""
        point = {}
        indices = dict(zip(self.space, categories, strict=True))
        for name, label in self.space.decode(categories).items():
            point[name] = label_to_json(label)
            if isinstance(point[name], dict):
                point[name] = {"index": int(indices[name]), **point[name]}
        return json.dumps(point), key_of(categories)

    def _rows(self, condition: str) -> list[Row]:
        rows = self._query(
            "SELECT id, categories, state, value, message, began, ended, seconds, run, process "
            f"FROM point {condition or 'ORDER BY id'}"
        )
        found = []
        with self._errors(BadType, BadValue):
            for number, key, state, value, message, began, ended, seconds, *origin in rows:
                x, times = self.space.decode(categories_of(key)), (began, ended, seconds)
                row = (state, as_number(value), message or "", *map(as_number, times), *origin)
                found.append(Row(number, x, *row))
        return found

    def stored(self, key: str, value: float | None) -> tuple[list[int], float]:
        """Return categories and value of a row, if it is one of a point of the space."""
        with self._errors(BadType, BadValue):
            self.space.decode(categories := categories_of(key))
            return categories, as_number(value)

    def _table(self) -> tuple[list[str], list[list[Any]]]:
        rows = [
            [*(row.x.get(name) for name in self.space), *(getattr(row, name) for name in _TIMES)]
            for row in self.rows
        ]
        return [*self.space, *(free_title(title, self.space) for title in _TIMES)], rows

    def _query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query; none if the file does not exist yet."""
        if not self._writing and _is_new(self.path):
            return []
        with self.reading() as connection:
            return connection.execute(sql, values).fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection, or that of the writer."""
        with self._lock, self._errors():
            if self._own is not None:
                yield self._own
                return
            connection = database.connect(self.path)
            try:
                yield connection
            finally:
                connection.close()

    @contextmanager
    def transaction(self, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Write in one transaction; the first one creates the file.

        A transaction always survives the end of the process; it survives a power failure only if it
        is durable, which takes about 20 ms on an ordinary disk.
        """
        with self._lock, self._errors():
            connection = self._writer()
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @property
    def _own(self) -> sqlite3.Connection | None:
        """The connection that writes; a fork of its process does not have it."""
        return self._writing.get(os.getpid())

    def _writer(self) -> sqlite3.Connection:
        if self._own is None:
            if not self.path.exists():
                self._create_file()
            self._writing = {os.getpid(): self._open(self.path)}
        return self._writing[os.getpid()]

    def _create_file(self) -> None:
        """Create the file atomically, unless another process does."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        part.unlink(missing_ok=True)
        part.touch()
        try:
            self._open(part).close()
            try:
                os.link(part, self.path)
            except FileExistsError:
                pass
            except OSError:  # a file system without links
                if not self.path.exists():
                    part.rename(self.path)
        finally:
            part.unlink(missing_ok=True)

    def _open(self, path: Path) -> sqlite3.Connection:
        connection = database.connect(path, write=True)
        try:
            self._create(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _create(self, connection: sqlite3.Connection) -> None:
        """Create the tables in an empty file, unless another process did."""
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0] == 0:
            for statement in SCHEMA.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            about = {
                "space": json.dumps(space_to_json(self.space)),
                "only_if": json.dumps(conditions_to_json(self.space)),
                "direction": self._wanted or "minimize",
                "version": __version__,
                "created": repr(time.time()),
            }
            connection.executemany("INSERT INTO study VALUES (?, ?)", about.items())
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")
        self._read_about(connection, self.space)

    @contextmanager
    def _errors(self, *others: type[Exception]) -> Iterator[None]:
        """Convert errors of SQLite, and what damaged data cause, to a sentence with the file."""
        damaged: tuple[type[Exception], ...] = (json.JSONDecodeError, KeyError, UnicodeError)
        damaged += (TypeError, AttributeError, *others)
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            reason = getattr(error, "strerror", error)
            raise DatabaseError(f"{self.path}: the file cannot be used ({reason})") from error
        except damaged as error:
            raise DatabaseError(f"{self.path}: the file is damaged") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._own is not None:
                self._own.close()
            self._writing = {}

    def __enter__(self) -> "Study":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _is_new(path: Path) -> bool:
    """Return whether there is no file yet, or an empty one."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def _check(path: Path, connection: sqlite3.Connection) -> None:
    """Raise a DatabaseError unless the file is an intact study of a known format."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise DatabaseError(f"{path}: not a study of catcube")
    wanted = f"the format {FORMAT} of studies"
    expect(version == FORMAT, wanted, version, DatabaseError, where=f"{path}: ")
    database.check(path, connection, database.definitions(SCHEMA))


def insert_point(connection: sqlite3.Connection, row: Mapping[str, Any]) -> int:
    """Add a point, by column; one that has ended gets the next number of those. Return its id."""
    ended = (
        "NULL" if row["state"] == RUNNING else "(SELECT IFNULL(MAX(finished), 0) + 1 FROM point)"
    )
    names = ", ".join(row)
    number = connection.execute(
        f"INSERT INTO point ({names}, finished) VALUES (:{', :'.join(row)}, {ended})", row
    ).lastrowid
    assert number is not None
    return number


def _read_table(
    space: Space, points: Any, values: Iterable[Any] | str | None
) -> tuple[list[dict[str, Any]], list[float]]:
    """Return points and values of a list, or of a DataFrame."""
    if hasattr(points, "columns") and hasattr(points, "to_dict"):
        if values is None or isinstance(values, str):
            column = free_title("value", space) if values is None else values
            there = column in points.columns
            expect(there, f"a column {quoted(column)} with the values", list(points.columns))
            values = points[column].tolist()
        records = points.to_dict("records")
        points = [
            {
                name: row[name]
                for name, labels in space.items()
                if name in row and (row[name] in labels or not _is_missing(row[name]))
            }
            for row in records
        ]
    points = listed(points, "points", Mapping)
    numbers = [as_number(value) for value in listed(values, "values of the points", str)]
    expect(len(numbers) == len(points), f"a value for each of {len(points)} points", len(numbers))
    return points, numbers


def listed(several: Any, what: str, single: type) -> list[Any]:
    """Return several things as a list; a `single` one is an error."""
    fits = isinstance(several, Iterable) and not isinstance(several, single)
    expect(fits, f"a list of {what}", several, BadType)
    return list(several)


def as_number(value: Any) -> float:
    """Return a value as it is stored: NaN if there is none."""
    if value is None:
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise BadValue(f"expected a number as value of a point, got {quoted(value)}") from None


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
