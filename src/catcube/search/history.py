"""Every point that a run evaluated, and its value."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from catcube.search.labels import labels_to_json, space_from_json, value_from_json, value_to_json
from catcube.space import Space

if TYPE_CHECKING:
    import pandas


class History:
    """All evaluations of a run in order: `categories` (one point per row) and `values`.

    >>> import catcube
    >>> space = catcube.Space({"base": "ATCG", "flag": [True, False]})
    >>> result = catcube.minimize(
    ...     lambda point: "GCTA".index(point["base"]) + point["flag"],
    ...     space, algorithm="rls", representation="linear", budget=3, seed=1, history=True,
    ... )
    >>> for point, value in result.history:
    ...     print(point, value)
    {'base': 'G', 'flag': False} 0.0
    {'base': 'A', 'flag': False} 3.0
    {'base': 'T', 'flag': False} 2.0

    A failed point (see `catch` of `minimize`) has the value NaN.
    """

    def __init__(
        self, space: Space, categories: NDArray[np.int64], values: NDArray[np.float64]
    ) -> None:
        self.space = space
        self.categories = categories
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[tuple[dict[str, Any], float]]:
        for row, value in zip(self.categories, self.values.tolist(), strict=True):
            yield self.space.decode(row), value

    def __repr__(self) -> str:
        return f"History({len(self)} evaluations of {len(self.space)} variables)"

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a table with one row per evaluation: a column per variable, and `value`.

        >>> import catcube
        >>> result = catcube.minimize(
        ...     lambda point: point["digit"], {"digit": range(5)}, budget=9, seed=1, history=True
        ... )
        >>> sorted(result.history.to_pandas().columns)
        ['digit', 'value']

        If a variable has the name `value`, the values are in `value_`.
        """
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        columns: dict[str, Any] = {}
        for k, (name, labels) in enumerate(self.space.items()):
            columns[name] = [labels[category] for category in self.categories[:, k].tolist()]
        title = "value"
        while title in columns:
            title += "_"
        return pandas.DataFrame({**columns, title: self.values})

    def negated(self) -> "History":
        """Return the same points with the opposite values."""
        return History(self.space, self.categories, -self.values)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists for JSON; see `from_dict`."""
        return {
            "labels": labels_to_json(self.space),
            "categories": self.categories.tolist(),
            "values": [value_to_json(value) for value in self.values.tolist()],
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any], space: Space | None) -> "History":
        """Restore the history from the output of `to_dict`."""
        space = space_from_json(saved["labels"], space)
        categories = np.array(saved["categories"], np.int64).reshape(-1, len(space))
        values = [value_from_json(value) for value in saved["values"]]
        return cls(space, categories, np.array(values, np.float64))
