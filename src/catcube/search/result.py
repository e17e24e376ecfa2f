"""Result: the record of a run, with its settings and every point that it evaluated."""

import html
import json
import math
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from catcube.base.optional import import_optional
from catcube.base.text import count, expect, expect_known
from catcube.errors import BadValue
from catcube.space import Space

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

FORMAT = 3

# Status and message by the way a run ended.
ENDINGS = {
    "target": (0, "the target was reached"),
    "budget": (1, "the budget is used up"),
    "converged": (2, "the algorithm has converged"),
    "time": (3, "the time limit was reached"),
    "callback": (4, "the callback stopped the run"),
    "interrupt": (5, "interrupted by the user"),
    "failure": (6, "the objective failed"),
    "closed": (7, "the optimizer was closed"),
    "enumerated": (8, "all points were evaluated"),
    "infeasible": (9, "no feasible point was found"),
    "running": (10, "the search is running"),
}


class Trace(NamedTuple):
    """Every strict improvement: the evaluation (from 1) and the value it reached."""

    evaluations: NDArray[np.int64]
    values: NDArray[np.float64]


NO_TRACE = Trace(np.zeros(0, np.int64), np.zeros(0))


@dataclass(eq=False, repr=False)
class History:
    """All evaluations of a run, in order. Iteration yields pairs of a point and its value.

    Attributes
    ----------
    space
        The space of the points.
    categories
        The points as category indices, one per row.
    values
        Their values; NaN for a failed point (see the argument `catch` of `minimize`).

    Examples
    --------
    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
    >>> result = catcube.minimize(
    ...     lambda point: "GCTA".index(point["base"]) + point["flag"],
    ...     space, algorithm="rls", representation="linear", budget=3, seed=1,
    ... )
    >>> for point, value in result.history:
    ...     print(point, value)
    {'base': 'G', 'flag': False} 0.0
    {'base': 'A', 'flag': False} 3.0
    {'base': 'T', 'flag': False} 2.0
    """

    space: Space
    categories: NDArray[np.int64]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[tuple[dict[str, Any], float]]:
        for row, value in zip(self.categories, self.values.tolist(), strict=True):
            yield self.space.decode(row), value

    def __repr__(self) -> str:
        return f"History({count(len(self), 'evaluation')} of {count(len(self.space), 'variable')})"

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a table with one row per evaluation: a column per variable, and `value`.

        If a variable has the name `value`, the values are in `value_`. Inactive variables are None.

        Examples
        --------
        >>> import catcube
        >>> result = catcube.minimize(
        ...     lambda point: point["digit"], {"digit": range(5)}, budget=9, seed=1
        ... )
        >>> sorted(result.history.to_pandas().columns)
        ['digit', 'value']
        """
        pandas = import_optional("pandas")
        points = [point for point, _ in self]
        columns = {name: [point.get(name) for point in points] for name in self.space}
        return pandas.DataFrame({**columns, unused_title("value", columns): self.values})

    def negated(self) -> "History":
        """Return the same points with the opposite values."""
        return History(self.space, self.categories, -self.values)

    def to_dict(self) -> dict[str, Any]:
        """Return the history as plain lists; `from_dict` restores it."""
        return {
            "labels": _labels_to_json(self.space),
            "only_if": self.space.only_if,
            "categories": self.categories.tolist(),
            "values": [_value_to_json(value) for value in self.values.tolist()],
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any], space: Space | None) -> "History":
        """Restore the history from the output of `to_dict`."""
        if space is None:
            if saved["labels"] is None:
                raise _SpaceError(_NO_LABELS)
            space = Space(saved["labels"], saved["only_if"])
        categories = np.array(saved["categories"], np.int64).reshape(-1, len(space))
        values = [float(value) for value in saved["values"]]
        return cls(space, categories, np.array(values, np.float64))


_Count = Annotated[int, msgspec.Meta(ge=0)]


@dataclass(repr=False, eq=False, kw_only=True)
class Result:
    """The record of a run, returned by `minimize` and accepted by `catcube.statistics`.

    The names used by scipy are aliases: `fun` (value), `nfev` (evaluations), `nfev_best`
    (evaluations_to_best) and `nit` (iterations). Two results are equal if all fields except
    `seconds`, `calls` and `model` are equal.

    Attributes
    ----------
    x, categories, value
        The best point, as labels by name and as category indices, and its value. With `noisy=True`
        it is the point with the best posterior mean, and `value` is this mean.
    evaluations, evaluations_to_best, iterations
        The number of evaluations, the evaluation that found x, and the number of iterations of the
        algorithm.
    ending, message, success
        How the run ended, as a word and as a sentence, and whether it succeeded.
    trace
        Every improvement, as `trace.evaluations` and `trace.values`.
    calls, failed, violation
        The number of calls of the objective, the number of failed points, and the total violation
        of the constraints at x.
    history
        Every point and its value, for up to 100,000 calls of a Python function.
    choice
        Why `"auto"` selected this algorithm.
    model
        The model of the objective, if the algorithm has one.
    """

    x: dict[str, Any]
    value: float = math.nan
    evaluations: _Count = 0
    evaluations_to_best: _Count = 0
    iterations: _Count = 0
    ending: str
    trace: Trace = NO_TRACE
    seconds: float = 0.0
    seed: int
    algorithm: str
    representation: str
    parameters: dict[str, Any]
    budget: _Count
    target: float | None
    categories: NDArray[np.int64]
    calls: _Count = 0
    success: bool = False
    instance: str = ""
    run: _Count = 1
    failed: _Count = 0
    violation: float = 0.0
    direction: Literal["minimize", "maximize"] = "minimize"
    choice: str = ""
    note: str = ""
    history: History | None = None
    _bits: NDArray[np.uint8] | None = None  # None if the search was native
    model: Any = None  # not kept by `to_dict` and `to_json`
    failure: BaseException | None = field(default=None, repr=False)  # what ended the run

    fun = property(attrgetter("value"), doc="The value of x, as in scipy.")
    nfev = property(attrgetter("evaluations"), doc="The number of evaluations, as in scipy.")
    nfev_best = property(attrgetter("evaluations_to_best"), doc="The evaluation that found x.")
    nit = property(attrgetter("iterations"), doc="The number of iterations, as in scipy.")

    @property
    def status(self) -> int:
        """A number that identifies how the run ended."""
        return ENDINGS[self.ending][0]

    @property
    def message(self) -> str:
        """How the run ended, as a sentence."""
        return "; ".join(filter(None, (ENDINGS[self.ending][1], self.note)))

    @property
    def bits(self) -> int:
        """The number of bits of x; 0 if the search was native."""
        return 0 if self._bits is None else self._bits.size

    @property
    def solution(self) -> NDArray[Any]:
        """The best point in the form that was searched: bits or, natively, categories."""
        return self.categories if self._bits is None else self._bits

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return _equal(self._compared_fields(), other._compared_fields())

    __hash__ = None  # type: ignore[assignment]

    def _compared_fields(self) -> dict[str, Any]:
        content = self.to_dict()
        del content["seconds"], content["calls"]  # they may depend on the speed of workers
        return content

    def __repr__(self) -> str:
        return "\n".join(f"{name:>14}: {value}" for name, value in self._summary())

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th style="text-align:right">{html.escape(name)}</th>'
            f'<td style="text-align:left">{html.escape(str(value))}</td></tr>'
            for name, value in self._summary()
        )
        return f"<table>{rows}</table>"

    def _summary(self) -> Iterator[tuple[str, Any]]:
        counts = [f"best found at {self.nfev_best}"] if self.nfev_best else []
        if self.calls != self.nfev:
            counts.append(f"{self.calls} calls")
        if self.failed:
            counts.append(f"{self.failed} failed")
        size = f" ({count(self.bits, 'bit')})" if self.bits else " (no bits)"
        settings = [f"{name}={value}" for name, value in self.parameters.items()]
        yield "message", self.message
        yield "success", self.success
        yield "fun", f"{self.fun:g}"
        if self.violation:
            yield "violation", f"{self.violation:g}"
        if not self.x:
            yield "x", "none"
        for k, (name, label) in enumerate(self.x.items()):
            yield ("" if k else "x"), f"{name} = {label!r}"
        yield "nfev", f"{self.nfev} ({'; '.join(counts)})" if counts else self.nfev
        yield "seconds", f"{self.seconds:.3g}"
        yield "algorithm", ", ".join([self.algorithm, *settings])
        yield "representation", f"{self.representation}{size}"
        yield "seed", self.seed
        if self.choice:
            yield "auto", self.choice

    def negated(self) -> "Result":
        """Return the result with negated values, for a function that was maximised."""
        return replace(
            self,
            value=-self.value,
            target=None if self.target is None else -self.target,
            trace=Trace(self.trace.evaluations, -self.trace.values),
            direction="minimize" if self.direction == "maximize" else "maximize",
            history=None if self.history is None else self.history.negated(),
            model=None if self.model is None else self.model.negated(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a dict of plain lists and numbers; labels stay the same objects.

        Examples
        --------
        >>> import catcube
        >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
        >>> result = catcube.minimize(lambda point: point["flag"], space, budget=8, seed=1)
        >>> result.to_dict()["value"], result.to_dict()["trace"]["evaluations"][0]
        (0.0, 1)
        """
        content = {field.name: getattr(self, field.name) for field in fields(self)}
        content["x"] = dict(self.x)
        content["parameters"] = dict(self.parameters)
        del content["_bits"], content["model"], content["failure"]
        content["bits"], content["solution"] = self.bits, self.solution.tolist()
        content["categories"] = self.categories.tolist()
        content["trace"] = {name: array.tolist() for name, array in self.trace._asdict().items()}
        content["history"] = None if self.history is None else self.history.to_dict()
        return content

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the result as JSON, and write it to a file if a path is given.

        Labels that are not strings, numbers, booleans or None are omitted; `from_json` then needs
        the space.

        Examples
        --------
        >>> import catcube
        >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
        >>> result = catcube.minimize(lambda point: point["flag"], space, budget=8, seed=1)
        >>> catcube.Result.from_json(result.to_json()) == result
        True
        """
        content = self.to_dict()
        labels = {
            name: label.item() if isinstance(label, np.generic) else label
            for name, label in self.x.items()
        }
        exact = all(map(is_kept_by_json, labels)) and all(map(is_kept_by_json, labels.values()))
        content["x"] = labels if exact else None
        for name in ("value", "target", "violation"):
            content[name] = _value_to_json(content[name])
        content["trace"]["values"] = list(map(_value_to_json, content["trace"]["values"]))
        if content["history"] is not None and content["history"]["labels"] is None:
            content["history"]["only_if"] = {}
        text = json.dumps({"format": FORMAT, **content}, allow_nan=False)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    @classmethod
    def from_json(
        cls, source: str | Path, space: Space | Mapping[str, Any] | None = None
    ) -> "Result":
        """Restore the result from the output of `to_json`: its text, or the path of its file."""
        text = source
        if isinstance(source, Path) or not source.lstrip().startswith("{"):
            text = Path(source).read_text(encoding="utf-8")
        space = space if isinstance(space, Space | None) else Space(space)
        try:
            content = json.loads(str(text))
            written = _to_sorted_json(content)
            expect(content.pop("format") == FORMAT, f"an object of format {FORMAT}", "another")
            result = _from_json(content, space)
            expect_known("ending", result.ending, ENDINGS)
            # As text: 1, 1.0 and true are equal in Python.
            same = _to_sorted_json(json.loads(result.to_json())) == written
            expect(same, "what `to_json` writes", "other fields")
        except _SpaceError:
            raise
        except _CONVERSION_ERRORS as error:
            raise BadValue(f"not a saved result: {error}") from error
        return result

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the best value against the evaluations (needs matplotlib) and return the axes."""
        if ax is None:
            _, ax = import_optional("matplotlib.pyplot").subplots()
        evaluations = [*self.trace.evaluations.tolist(), max(self.nfev, 1)]
        values = [*self.trace.values.tolist(), self.fun]
        ax.step(evaluations, values, where="post")
        ax.set_xscale("log")
        ax.set_xlabel("evaluations")
        ax.set_ylabel("best value")
        ax.set_title(f"{self.algorithm}, {self.representation}: {self.fun:g}")
        return ax


def unused_title(title: str, taken: Container[str]) -> str:
    """Return a column title, with underscores appended while it is `taken`."""
    while title in taken:
        title += "_"
    return title


def _equal(one: Any, other: Any) -> bool:
    """Return whether two nested lists and dicts are equal; NaN equals itself."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one is other or one == other or (one != one and other != other))


def _to_sorted_json(content: Any) -> str:
    return json.dumps(content, sort_keys=True)


class _SpaceError(BadValue):
    """The space is missing, or is not that of the result."""


_NO_LABELS = (
    "the file has no labels, because JSON cannot represent them: use "
    "Result.from_json(source, space=space)"
)

_CONVERSION_ERRORS = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


def _from_json(content: dict[str, Any], space: Space | None) -> Result:
    """Restore a result from plain fields; raise one of `_CONVERSION_ERRORS` if they are wrong."""
    content["_bits"] = content.pop("solution") if content.pop("bits") else None
    history = content.pop("history")
    for name in ("value", "target", "violation"):
        content[name] = None if content[name] is None else float(content[name])
    trace = content["trace"]
    content["trace"] = trace["evaluations"], list(map(float, trace["values"]))
    labels = content.pop("x")
    result = msgspec.convert({**content, "x": labels or {}}, Result, dec_hook=_array)
    sizes = tuple(map(len, result.trace))
    expect(sizes[0] == sizes[1], "a value for each improvement", sizes)
    expect(np.isin(content["_bits"] or [], (0, 1)).all(), "bits", content["_bits"])
    if space is not None:
        fits = len(result.categories) == len(space)
        fits = fits and bool((result.categories < space.cardinalities).all())
        x = space.decode(result.categories) if fits else {}
        if not fits or (labels and [*labels] != [*x]):
            raise _SpaceError("the result is of another space")
        labels = x if labels is None else labels
    if labels is None:
        raise _SpaceError(_NO_LABELS)
    found = None if history is None else History.from_dict(history, space)
    return replace(result, x=labels, history=found)


def _array(kind: Any, values: list[Any]) -> NDArray[Any]:
    """Convert a list to a one-dimensional array of the annotated type."""
    (element,) = get_args(get_args(kind)[1])
    array = np.array(values, element)
    expect(array.ndim == 1, "a list of numbers", values)
    return array


def is_kept_by_json(label: Any) -> bool:
    """Return whether JSON restores an equal label of the same type.

    >>> is_kept_by_json("red"), is_kept_by_json((1, 2)), is_kept_by_json(math.nan)
    (True, False, False)
    """
    if label is not None and type(label) not in (bool, int, float, str):
        return False
    try:  # JSON joins two surrogates to one character; Python writes at most 4300 digits
        return bool(json.loads(json.dumps(label, allow_nan=False)) == label)
    except ValueError:
        return False


def _labels_to_json(space: Space) -> dict[str, list[Any]] | None:
    """Return the labels of a space by name; None if JSON would not restore them."""
    distinct = {id(labels): labels for labels in space.labels}  # variables may share labels
    if all(map(is_kept_by_json, chain(space.names, chain.from_iterable(distinct.values())))):
        return {name: list(labels) for name, labels in space.items()}
    return None


def _value_to_json(value: float | None) -> float | str | None:
    """Convert a value for JSON: infinity and NaN to strings."""
    return value if value is None or math.isfinite(value) else repr(value)
