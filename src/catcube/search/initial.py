"""The initial points of a run, and values that are known before it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import quoted
from catcube.errors import BadType, BadValue
from catcube.problems.python.keys import Keys
from catcube.problems.python.values import number
from catcube.representations import Representation
from catcube.representations.layout import RepresentationChoice, is_native, representations_of
from catcube.space import Space

Y0 = "y0: expected a number as the value"


def listed(x0: Any) -> Any:
    """Return several initial points as a list, so that they can be read more than once."""
    return list(x0) if isinstance(x0, Iterator) else x0


def initial_points(space: Space, x0: Any) -> NDArray[np.int64]:
    """Return the categories of one point or several, one per row.

    >>> space = Space({"base": "ATCG", "flag": [True, False]})
    >>> initial_points(space, {"base": "C", "flag": False})
    array([[2, 1]])
    """
    if x0 is None:
        return np.zeros((0, len(space)), np.int64)
    if isinstance(x0, Mapping):
        x0 = [x0]
    if isinstance(x0, str) or not isinstance(x0, Iterable):
        raise BadType(f"x0: expected a point or a list of points, as dicts, got {quoted(x0)}")
    points = list(x0)
    for point in points:
        if not isinstance(point, Mapping):
            raise BadType(f"x0: expected points as dicts of labels, got {quoted(point)}")
    rows = [space.encode(point) for point in points]
    return np.array(rows, np.int64).reshape(len(rows), len(space))


def known_values(space: Space, points: NDArray[np.int64], y0: Any) -> dict[bytes, float]:
    """Return the values of the initial points by key, if they are known."""
    if y0 is None:
        return {}
    listed = list(y0) if isinstance(y0, Iterable) else [y0]
    values = [number(value, Y0) for value in listed]
    if len(values) != len(points):
        raise BadValue(
            f"expected one value in y0 per point of x0, got {len(values)} values for "
            f"{len(points)} points"
        )
    keys = Keys(space)
    return {
        keys.key(point): value
        for point, value in zip(points, values, strict=True)
        if not np.isnan(value)  # not known
    }


def encoded(
    space: Space, representation: RepresentationChoice, points: NDArray[np.int64]
) -> NDArray[Any]:
    """Encode points as bits or, natively, as categories."""
    if is_native(representation):
        return points.astype(np.int32)
    if not len(points):
        return np.zeros((0, 0), np.uint8)
    representations = representations_of(space, representation)
    return np.concatenate(list(_bits(representations, points)), axis=1)


def _bits(
    representations: Iterable[Representation], points: NDArray[np.int64]
) -> Iterable[NDArray[np.uint8]]:
    """Yield the bits of each variable, one row per point."""
    for representation, categories in zip(representations, points.T, strict=True):
        yield (
            representation.encode(categories)
            .astype(np.uint8)
            .reshape(len(points), representation.bits)
        )
