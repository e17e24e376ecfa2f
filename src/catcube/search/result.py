"""The result of a run: attributes, representation, saving and plotting."""

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import quoted
from catcube.errors import BadValue
from catcube.search.history import History
from catcube.search.labels import is_exact, label_to_json, value_from_json, value_to_json
from catcube.space import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMAT = 1

# Reason of the end of a run -> (status, message).
ENDINGS = {
    "target": (0, "the target was reached"),
    "budget": (1, "the budget is used up"),
    "converged": (2, "the algorithm has converged"),
    "time": (3, "the time limit was reached"),
    "callback": (4, "the callback asked to stop"),
    "interrupt": (5, "interrupted by the user"),
    "failure": (6, "the objective failed"),
    "closed": (7, "the optimizer was closed"),
    "enumerated": (8, "all points evaluated"),
}


class Trace(NamedTuple):
    """Every strict improvement: the evaluation (from 1) and the value it reached."""

    evaluations: NDArray[np.int64]
    values: NDArray[np.float64]


@dataclass(repr=False)
class Result:
    """The result of a run; names follow scipy's OptimizeResult where it has them.

    `x` is the best point evaluated, as labels by name (`categories`: as indices), `fun` its value,
    `nfev` the number of evaluations, `nfev_best` the evaluation that found x, `nit` the number of
    iterations. `calls` is the number of calls of the objective: fewer than `nfev` with a cache,
    and more if the run ended among points that were evaluated ahead. `failed` counts the points
    without a value (see `catch` of `minimize`), and `choice` explains the choice of `"auto"`.
    `model` is the model of the objective, if the algorithm is `"surrogate"`.
    """

    x: dict[str, Any]
    fun: float
    nfev: int
    nit: int
    success: bool
    status: int
    message: str
    _bits: NDArray[np.uint8] | None  # none if the search was native
    nfev_best: int
    trace: Trace
    seconds: float
    seed: int
    algorithm: str
    representation: str
    parameters: dict[str, Any]
    calls: int
    categories: NDArray[np.int64]
    failed: int = 0
    direction: str = "minimize"
    choice: str = ""
    history: History | None = None
    model: Any = None  # not kept by `to_dict` and `to_json`

    @property
    def bits(self) -> NDArray[np.uint8]:
        """The bits of x, one variable after the other; a native search has none."""
        if self._bits is None:
            raise AttributeError(
                "this result has no bits: a native search works on the categories themselves"
            )
        return self._bits

    def __repr__(self) -> str:
        return "\n".join(f"{name:>14}: {value}" for name, value in self._shown().items())

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th style="text-align:right">{html.escape(name)}</th>'
            f'<td style="text-align:left">{html.escape(str(value))}</td></tr>'
            for name, value in self._shown().items()
        )
        return f"<table>{rows}</table>"

    def _shown(self) -> dict[str, Any]:
        counts = [f"best found at {self.nfev_best}"] if self.x else []
        if self.calls != self.nfev:
            counts.append(f"{self.calls} calls")
        if self.failed:
            counts.append(f"{self.failed} failed")
        size = " (no bits)" if self._bits is None else f" ({self._bits.size} bits)"
        settings = [f"{name}={value}" for name, value in self.parameters.items()]
        shown = {
            "message": self.message,
            "success": self.success,
            "fun": f"{self.fun:g}",
            "x": quoted(self.x),
            "nfev": f"{self.nfev} ({'; '.join(counts)})" if counts else self.nfev,
            "seconds": f"{self.seconds:.3g}",
            "algorithm": ", ".join([self.algorithm, *settings]),
            "representation": f"{self.representation}{size}",
            "seed": self.seed,
        }
        if self.choice:
            shown["auto"] = self.choice
        return shown

    def negated(self) -> "Result":
        """Return the result with negated values, for a function that was maximised."""
        return replace(
            self,
            fun=-self.fun,
            trace=Trace(self.trace.evaluations, -self.trace.values),
            direction="minimize" if self.direction == "maximize" else "maximize",
            history=None if self.history is None else self.history.negated(),
            model=None if self.model is None else self.model.negated(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a dict of plain lists and numbers; labels stay the same objects.

        >>> import catcube
        >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
        >>> result = catcube.minimize(lambda point: point["flag"], space, budget=8, seed=1)
        >>> result.to_dict()["fun"], result.to_dict()["trace"]["evaluations"][0]
        (0.0, 1)
        """
        content = {field.name: getattr(self, field.name) for field in fields(self)}
        content["x"] = dict(self.x)
        content["parameters"] = dict(self.parameters)
        del content["_bits"], content["model"]
        content["bits"] = None if self._bits is None else self._bits.tolist()
        content["categories"] = self.categories.tolist()
        content["trace"] = {name: array.tolist() for name, array in self.trace._asdict().items()}
        content["history"] = None if self.history is None else self.history.to_dict()
        return content

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the result as JSON, and write it to a file if there is a path.

        >>> import catcube
        >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
        >>> result = catcube.minimize(lambda point: point["flag"], space, budget=8, seed=1)
        >>> catcube.Result.from_json(result.to_json()).x == result.x
        True

        Labels that are not strings, numbers, booleans or None are omitted; `from_json` then needs
        the space.
        """
        content = self.to_dict()
        labels = {name: label_to_json(label) for name, label in self.x.items()}
        exact = all(map(is_exact, labels)) and all(map(is_exact, labels.values()))
        content["x"] = labels if exact else None
        content["fun"] = value_to_json(self.fun)
        content["trace"]["values"] = list(map(value_to_json, content["trace"]["values"]))
        text = json.dumps({"format": FORMAT, **content}, allow_nan=False)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    @classmethod
    def from_json(cls, source: str | Path, space: Space | None = None) -> "Result":
        """Restore the result from the output of `to_json`: its text, or the path of its file."""
        text = source
        if isinstance(source, Path) or not source.lstrip().startswith("{"):
            text = Path(source).read_text(encoding="utf-8")
        try:
            content = json.loads(str(text))
        except ValueError as error:
            raise BadValue(f"not a saved result: {error}") from None
        if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
            raise BadValue(f"not a saved result: expected an object of format {FORMAT}")
        try:
            return cls(**_converted(content, space))
        except (KeyError, TypeError, AttributeError) as error:
            raise BadValue(f"not a saved result: {error}") from error

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the best value over the evaluations (needs matplotlib); return the axes."""
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise ImportError("plot needs matplotlib: pip install '.[report]'") from None
        if ax is None:
            _, ax = plt.subplots()
        evaluations = [*self.trace.evaluations.tolist(), max(self.nfev, 1)]
        values = [*self.trace.values.tolist(), self.fun]
        ax.step(evaluations, values, where="post")
        ax.set_xscale("log")
        ax.set_xlabel("evaluations")
        ax.set_ylabel("best value")
        ax.set_title(f"{self.algorithm}, {self.representation}: {self.fun:g}")
        return ax


def _converted(content: dict[str, Any], space: Space | None) -> dict[str, Any]:
    """Convert the fields of a result from JSON."""
    bits = content.pop("bits")
    content["_bits"] = None if bits is None else np.array(bits, np.uint8)
    content["categories"] = np.array(content["categories"], np.int64)
    content["fun"] = value_from_json(content["fun"])
    trace = content["trace"]
    content["trace"] = Trace(
        np.array(trace["evaluations"], np.int64),
        np.array(list(map(value_from_json, trace["values"])), np.float64),
    )
    if space is not None:
        space = space if isinstance(space, Space) else Space(space)
        content["categories"] = _categories_in(space, content["categories"], content["x"])
    if content["x"] is None:
        if space is None:
            raise BadValue(
                "the labels are not in the file, because JSON cannot hold them: use "
                "Result.from_json(source, space=space)"
            )
        content["x"] = space.decode(content["categories"])
    if content["history"] is not None:
        history: Mapping[str, Any] = content["history"]
        content["history"] = History.from_dict(history, space)
    return content


def _categories_in(
    space: Space, categories: NDArray[np.int64], x: Mapping[str, Any] | None
) -> NDArray[np.int64]:
    """Return the categories, if they can be those of the point x in this space."""
    fit = len(categories) == len(space) and (categories < space.cardinalities).all()
    if not fit or (x and list(x) != list(space.names)):
        raise BadValue("the result is of another space")
    return categories
