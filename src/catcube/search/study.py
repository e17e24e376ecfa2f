"""Study: a file that stores every point of an expensive function, its state and its value.

The file is a SQLite database with one row per point, which later versions and other programs can
read. Each call of the function takes two transactions: before the call its point is *running*, and
afterwards it has a value or has failed. A killed process loses only its running calls.
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
from catcube.base.optional import import_optional
from catcube.base.text import count, expect, quote
from catcube.errors import BadType, BadValue
from catcube.search.result import unused_title
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
_STATE_COLUMNS = ("state", "value", "message", "seconds", "began", "ended", "run")

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
        """The value, as in scipy."""
        return self.value


class Study:
    """A file with all points of an expensive function, their states and values.

    Parameters
    ----------
    path
        The file. `minimize`, `maximize` and `Optimizer` create it (`study=`), and so does `add`.
    space
        Needed to create the file, and to restore labels that JSON cannot represent, which are
        otherwise replaced by their `repr`. For an existing file it must be the space of the study.
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
        self._connections: dict[int, sqlite3.Connection] = {}  # by process
        self._requested_direction = (
            None if maximize is None else "maximize" if maximize else "minimize"
        )
        self._direction: str | None = None  # that of the file
        if not _is_missing_or_empty(self.path):
            self._check_file(given)
        elif given is None:
            raise DatabaseError(f"{self.path}: no such study; to create it, pass its space")
        else:
            self.space = given

    def _check_file(self, space: Space | None) -> None:
        """Check an existing file and read its metadata."""
        with self.reading() as connection:
            _check_format(self.path, connection)
            self._read_metadata(connection, space)

    def _read_metadata(self, connection: sqlite3.Connection, space: Space | None) -> None:
        """Read space and direction; raise an error if they are not those requested."""
        about = dict(connection.execute("SELECT name, value FROM study"))
        self.space = space_from_json(self.path, about, space)
        self._direction = about["direction"]
        same = self._requested_direction in (None, self._direction)
        expect(
            same, f"a study to {self._requested_direction}", self._direction, where=f"{self.path}: "
        )

    @property
    def direction(self) -> str:
        """Whether values are to be minimised or maximised: "minimize" or "maximize"."""
        if self._direction is None and not _is_missing_or_empty(self.path):
            # A search has created the file meanwhile.
            self._check_file(self.space)
        return self._direction or self._requested_direction or "minimize"

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
        """All points in the order in which their calls began."""
        return self._rows("")

    @property
    def best(self) -> Row | None:
        """The best point with a value, the first of equal ones; None if there is none."""
        order = "DESC" if self.direction == "maximize" else "ASC"
        rows = self._rows(f"WHERE state = '{VALUE}' ORDER BY value {order}, id LIMIT 1")
        return rows[0] if rows else None

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The settings of each run on the study, in order."""
        rows = self._query("SELECT id, began, settings FROM run ORDER BY id")
        with self._errors():
            return [
                {"run": number, "began": began, **json.loads(settings)}
                for number, began, settings in rows
            ]

    def data(self) -> tuple[list[dict[str, Any]], NDArray[np.float64]]:
        """Return all finished points and their values; NaN for a failed point."""
        rows = self._rows(f"WHERE state IN ('{VALUE}', '{FAILED}') ORDER BY finished")
        return [row.x for row in rows], np.array([row.value for row in rows], np.float64)

    def add(self, points: Any, values: Iterable[Any] | str | None = None) -> int:
        """Add points whose values are known, such as those of past experiments.

        Parameters
        ----------
        points
            A list of points (dicts of labels), or a pandas DataFrame with a column for each
            variable; other columns are ignored.
        values
            One number for each point, or the name of a column of the table, by default "value".
            NaN or None stands for a failed point.

        Returns
        -------
        int
            The number of points that were added. A point that was added before with the same value
            is skipped, so a program may add the same table each time it starts.

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
        encoded = [self.encode_point(self.space.encode(point)) for point in given]
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
        """Return a table with one row per point: its labels, then state, value and so on.

        If a variable has the name of such a column, an underscore is appended to the column's name.
        """
        pandas = import_optional("pandas")
        titles, rows = self._table()
        frame = pandas.DataFrame(rows, columns=titles)
        for title in titles[-len(_STATE_COLUMNS) :]:
            if title.rstrip("_") in ("began", "ended"):
                frame[title] = pandas.to_datetime(frame[title], unit="s", utc=True)
        return frame

    def to_csv(self, file: TextIO) -> None:
        """Write the table of `to_pandas` to a text file as CSV.

        Times are in seconds since 1970, and cells without a value are empty.

        Parameters
        ----------
        file
            The text file, open for writing.

        Examples
        --------
        >>> import io, os, tempfile
        >>> file = io.StringIO()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Study(os.path.join(folder, "past.sqlite"), {"base": "ATCG"}) as study:
        ...         added = study.add([{"base": "G"}], [4.0])
        ...         study.to_csv(file)
        >>> file.getvalue().splitlines()[0]
        'base,state,value,message,seconds,began,ended,run'
        """
        titles, rows = self._table()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(titles)
        for row in rows:
            writer.writerow(["" if _is_missing(cell) else cell for cell in row])

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write an HTML page with the history, the points and the importance of the variables.

        The page is a single file that can be opened without a network.

        Parameters
        ----------
        path
            The file. An existing one is replaced, and missing folders are created.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Study(os.path.join(folder, "past.sqlite"), {"base": "ATCG"}) as study:
        ...         added = study.add([{"base": "G"}, {"base": "T"}], [4.0, 1.5])
        ...         study.to_html(os.path.join(folder, "past.html")).name
        'past.html'
        """
        from catcube.base.files import replace_file
        from catcube.search.study_page import render_page

        return replace_file(Path(path), render_page(self).encode("utf-8", "backslashreplace"))

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Draw all values in the order of their calls, and the best so far (needs matplotlib).

        Points without a value, except running ones, are crosses at the greatest value.

        Parameters
        ----------
        axes
            The axes of matplotlib to draw on; by default those of a new figure.

        Returns
        -------
        Axes
            The axes.
        """
        if axes is None:
            _, axes = import_optional("matplotlib.pyplot").subplots(
                figsize=(7, 4), layout="constrained"
            )
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
        """Return a surrogate model of all values, with methods `predict`, `importance`, `plot`."""
        from catcube.algorithms.surrogate.model import SurrogateModel

        points, values = self.data()
        finite = [k for k, value in enumerate(values) if math.isfinite(value)]
        expect(finite, "finite values to fit a model to", "none", where=f"{self.path}: ")
        rows = np.array([self.space.encode(points[k]) for k in finite], np.int32)
        active = self.space.active if self.space.conditions else None
        sign = -1.0 if self.direction == "maximize" else 1.0
        return SurrogateModel(self.space, rows, sign * values[finite], sign, active)

    def encode_point(self, categories: Sequence[int] | NDArray[np.int64]) -> tuple[str, str]:
        """Return the labels and the category indices of a point, each as JSON."""
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

    def decode_row(self, key: str, value: float | None) -> tuple[list[int], float]:
        """Return categories and value of a row; raise an error if it is no point of the space."""
        with self._errors(BadType, BadValue):
            self.space.decode(categories := categories_of(key))
            return categories, as_number(value)

    def _table(self) -> tuple[list[str], list[list[Any]]]:
        rows = [
            [
                *(row.x.get(name) for name in self.space),
                *(getattr(row, name) for name in _STATE_COLUMNS),
            ]
            for row in self.rows
        ]
        return [*self.space, *(unused_title(title, self.space) for title in _STATE_COLUMNS)], rows

    def _query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query; none if the file does not exist yet."""
        if not self._connections and _is_missing_or_empty(self.path):
            return []
        with self.reading() as connection:
            return connection.execute(sql, values).fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection, or the writing one if it is open."""
        with self._lock, self._errors():
            if self._connection is not None:
                yield self._connection
                return
            connection = database.connect(self.path)
            try:
                yield connection
            finally:
                connection.close()

    @contextmanager
    def transaction(self, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Yield a connection within a transaction; the first one creates the file.

        A committed transaction survives the end of the process. It survives a power failure only
        if it is `durable`, which takes about 20 ms on an ordinary disk.
        """
        with self._lock, self._errors():
            connection = self._writing_connection()
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
    def _connection(self) -> sqlite3.Connection | None:
        """The open connection that writes; a forked process does not inherit it."""
        return self._connections.get(os.getpid())

    def _writing_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            if not self.path.exists():
                self._create_file()
            self._connections = {os.getpid(): self._open_for_writing(self.path)}
        return self._connections[os.getpid()]

    def _create_file(self) -> None:
        """Create the file atomically, unless another process is faster."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        part.unlink(missing_ok=True)
        part.touch()
        try:
            self._open_for_writing(part).close()
            try:
                os.link(part, self.path)
            except FileExistsError:
                pass
            except OSError:  # a file system without links
                if not self.path.exists():
                    part.rename(self.path)
        finally:
            part.unlink(missing_ok=True)

    def _open_for_writing(self, path: Path) -> sqlite3.Connection:
        connection = database.connect(path, write=True)
        try:
            self._create_tables(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _create_tables(self, connection: sqlite3.Connection) -> None:
        """Create the tables, unless another process has done so."""
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0] == 0:
            for statement in SCHEMA.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            about = {
                "space": json.dumps(space_to_json(self.space)),
                "only_if": json.dumps(conditions_to_json(self.space)),
                "direction": self._requested_direction or "minimize",
                "version": __version__,
                "created": repr(time.time()),
            }
            connection.executemany("INSERT INTO study VALUES (?, ?)", about.items())
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")
        self._read_metadata(connection, self.space)

    @contextmanager
    def _errors(self, *others: type[Exception]) -> Iterator[None]:
        """Convert errors of SQLite, and those that damaged data cause, to a DatabaseError."""
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
            if self._connection is not None:
                self._connection.close()
            self._connections = {}

    def __enter__(self) -> "Study":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _is_missing_or_empty(path: Path) -> bool:
    """Return whether the file does not exist yet or is empty."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def _check_format(path: Path, connection: sqlite3.Connection) -> None:
    """Raise a DatabaseError unless the file is an intact study of a known format."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise DatabaseError(f"{path}: not a study of catcube")
    wanted = f"the format {FORMAT} of studies"
    expect(version == FORMAT, wanted, version, DatabaseError, where=f"{path}: ")
    database.check(path, connection, database.definitions(SCHEMA))


def insert_point(connection: sqlite3.Connection, row: Mapping[str, Any]) -> int:
    """Insert a point, given by column, and return its id; number it if it is finished."""
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
    """Return points and values as lists, from iterables or from a DataFrame."""
    if hasattr(points, "columns") and hasattr(points, "to_dict"):
        if values is None or isinstance(values, str):
            column = unused_title("value", space) if values is None else values
            there = column in points.columns
            expect(there, f"a column {quote(column)} with the values", list(points.columns))
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
    points = as_list(points, "points", Mapping)
    numbers = [as_number(value) for value in as_list(values, "values of the points", str)]
    expect(len(numbers) == len(points), f"a value for each of {len(points)} points", len(numbers))
    return points, numbers


def as_list(several: Any, what: str, single: type) -> list[Any]:
    """Convert an iterable to a list; raise an error for a `single` object or no iterable."""
    fits = isinstance(several, Iterable) and not isinstance(several, single)
    expect(fits, f"a list of {what}", several, BadType)
    return list(several)


def as_number(value: Any) -> float:
    """Convert a stored value to a float: NaN if there is none."""
    if value is None:
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise BadValue(f"expected a number as the value of a point, got {quote(value)}") from None


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
