"""A space of named categorical variables: labels outside, category indices inside."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from catcube.base.memory import ensure
from catcube.base.text import described, quoted, unknown_name_message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Categories: TypeAlias = NDArray[np.int64]

_SHOWN = 4  # variables in the repr
MOST_LABELS = 2**20  # of a variable: an endless iterable is refused, not read
_BYTES = 500  # of memory for a variable, about


class Space(Mapping[str, tuple[Any, ...]]):
    """Named categorical variables, each with its own labels, in the order given.

    A label is any hashable object and comes back as the very object that was given. The labels of
    a variable are given by any iterable with an order: a string is its characters, an `Enum` class
    its members. Two labels are the same if a `dict` takes them for the same key (so 1, 1.0 and
    True are). A variable may have a single label.

    >>> space = Space({"base": "ATCG", "digit": range(1, 10), "flag": [True, False]})
    >>> space
    Space(base: 4, digit: 9, flag: 2)
    >>> space.encode({"flag": True, "base": "C", "digit": 9})
    array([2, 8, 0])
    >>> space.decode([2, 8, 0])
    {'base': 'C', 'digit': 9, 'flag': True}
    >>> space.size
    72

    A space is an immutable mapping from names to tuples of labels, so spaces can be joined:

    >>> space["base"]
    ('A', 'T', 'C', 'G')
    >>> Space({**space, "colour": ["red", "green"]})
    Space(base: 4, digit: 9, flag: 2, colour: 2)
    """

    __slots__ = ("_cardinalities", "_indices", "_labels", "_names", "_positions")

    _names: tuple[str, ...]
    _labels: tuple[tuple[Any, ...], ...]
    _positions: dict[str, int]  # variable name -> its position
    _indices: tuple[dict[Any, int], ...]  # for each variable: label -> category
    _cardinalities: "Categories | None"

    def __init__(self, variables: Mapping[str, Iterable[Hashable]]) -> None:
        if not isinstance(variables, Mapping):
            raise TypeError(
                "a space is made from a mapping of names to labels, "
                f"not from {described(variables)}"
            )
        items = list(variables.items())
        if not items:
            raise ValueError("a space needs at least one variable")
        # Variables given the same object share one tuple and one index: 10^5 cells stay light.
        shared: dict[int, tuple[tuple[Any, ...], dict[Any, int]]] = {}
        labels, indices = [], []
        for name, given in items:
            if not isinstance(name, str) or not name:
                raise ValueError(
                    f"the name of a variable is a non-empty string, not {quoted(name)}"
                )
            read = shared.get(id(given))
            if read is None:
                read = _read_labels(name, given)
                if isinstance(given, str | range | tuple | list):
                    shared[id(given)] = read
            labels.append(read[0])
            indices.append(read[1])
        names = tuple(name for name, _ in items)
        positions = {name: position for position, name in enumerate(names)}
        if len(positions) < len(names):
            twice = next(name for name, count in Counter(names).items() if count > 1)
            raise ValueError(f"the name {quoted(twice)} is given to several variables")
        initialise = super().__setattr__
        initialise("_names", names)
        initialise("_labels", tuple(labels))
        initialise("_positions", positions)
        initialise("_indices", tuple(indices))
        initialise("_cardinalities", None)

    @classmethod
    def repeat(cls, name: str, labels: Iterable[Hashable], count: int) -> "Space":
        """`count` variables `name0`, `name1`, ... with the same labels.

        >>> Space.repeat("cell", range(1, 10), 81)
        Space(81 variables, cell0: 9, cell1: 9, cell2: 9, cell3: 9, …)
        """
        if not isinstance(name, str) or not name:
            raise ValueError(f"the name of a variable is a non-empty string, not {quoted(name)}")
        if isinstance(count, bool) or not hasattr(count, "__index__"):
            raise TypeError(f"the number of variables is an integer, not {described(count)}")
        if count < 1:
            raise ValueError(f"a space needs at least one variable, not {quoted(count)}")
        ensure(_BYTES * count, f"a space of {quoted(count)} variables")
        read, _ = _read_labels(name, labels)
        return cls({f"{name}{position}": read for position in range(count)})

    def fix(self, labels: Mapping[str, Any] | None = None, /, **others: Any) -> "Space":
        """The same variables, some of them fixed to one of their labels.

        A function still gets all variables, and results have them; the search does not touch the
        fixed ones.

        >>> space = Space({"base": "ATCG", "flag": [True, False], "learning rate": [0.1, 0.01]})
        >>> space.fix(base="C")
        Space(base: 1, flag: 2, learning rate: 2)
        >>> space.fix({"learning rate": 0.1}, base="C").size
        2
        """
        if labels is not None and not isinstance(labels, Mapping):
            raise TypeError(f"what to fix is a mapping of names to labels, not {described(labels)}")
        fixed = {**(labels or {}), **others}
        variables = dict(zip(self._names, self._labels, strict=True))
        for name, label in fixed.items():
            if name not in self._positions:
                raise ValueError(unknown_name_message("variable", name, self._names))
            index = self._indices[self._positions[name]]
            if not _hashable(label) or label not in index:
                raise ValueError(
                    unknown_name_message(f"label of variable {quoted(name)}", label, index)
                )
            variables[name] = (variables[name][index[label]],)
        return type(self)(variables)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in order."""
        return self._names

    @property
    def labels(self) -> tuple[tuple[Any, ...], ...]:
        """The labels of each variable, in order: category c of variable i is `labels[i][c]`."""
        return self._labels

    @property
    def cardinalities(self) -> "Categories":
        """The number of categories of each variable, as a read-only array.

        >>> Space({"base": "ATCG", "flag": [True, False]}).cardinalities
        array([4, 2])
        """
        if self._cardinalities is None:
            import numpy as np

            cardinalities = np.array([len(labels) for labels in self._labels], dtype=np.int64)
            cardinalities.flags.writeable = False
            super().__setattr__("_cardinalities", cardinalities)
            return cardinalities
        return self._cardinalities

    @property
    def size(self) -> int:
        """The exact number of points, the product of the cardinalities.

        >>> Space.repeat("cell", range(1, 10), 54).size == 9**54
        True
        """
        # Equal factors as one power: repeated squaring, where a plain product is quadratic.
        counts = Counter(len(labels) for labels in self._labels)
        return math.prod(cardinality**count for cardinality, count in counts.items())

    def decode(self, categories: "Sequence[int] | NDArray[np.integer[Any]]") -> dict[str, Any]:
        """The point whose variables have these category indices, as a dict of labels.

        >>> Space({"base": "ATCG", "flag": [True, False]}).decode([3, 1])
        {'base': 'G', 'flag': False}
        """
        values = categories.tolist() if hasattr(categories, "tolist") else categories
        try:
            if len(values) == len(self._names) and min(values) >= 0:
                found = [labels[value] for labels, value in zip(self._labels, values, strict=True)]
                return dict(zip(self._names, found, strict=True))
        except (TypeError, IndexError):
            pass
        self._refuse_categories(values)

    def encode(self, point: Mapping[str, Any]) -> "Categories":
        """The category indices of a point given as a mapping of every name to one of its labels.

        >>> Space({"base": "ATCG", "flag": [True, False]}).encode({"base": "G", "flag": False})
        array([3, 1])
        """
        import numpy as np

        if not isinstance(point, Mapping):
            raise TypeError(f"a point is a mapping of names to labels, not {described(point)}")
        try:
            found = [
                index[point[name]] for name, index in zip(self._names, self._indices, strict=True)
            ]
        except (KeyError, TypeError):
            found = []
        if len(found) != len(self._names) or len(point) != len(self._names):
            self._refuse_point(point)
        return np.array(found, dtype=np.int64)

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        try:
            return self._labels[self._positions[name]]
        except KeyError:
            raise KeyError(unknown_name_message("variable", name, self._names)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._positions

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Space):
            return NotImplemented
        return self._names == other._names and self._labels == other._labels

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = [
            f"{name if len(name) <= 24 else name[:23] + '…'}: {len(labels)}"
            for name, labels in zip(self._names[:_SHOWN], self._labels, strict=False)
        ]
        if len(self) > _SHOWN:
            shown = [f"{len(self)} variables", *shown, "…"]
        return f"Space({', '.join(shown)})"

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        raise AttributeError("a space cannot be changed; make another one")

    def __delattr__(self, attribute: str) -> NoReturn:
        raise AttributeError("a space cannot be changed; make another one")

    def __reduce__(self) -> "tuple[type[Space], tuple[dict[str, tuple[Any, ...]]]]":
        return type(self), (dict(zip(self._names, self._labels, strict=True)),)

    def __copy__(self) -> "Space":
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> "Space":
        return self  # copied labels would no longer be the objects that were given

    def _refuse_categories(self, values: Any) -> NoReturn:
        try:
            values = list(values)
        except TypeError:
            raise TypeError(
                f"categories are a sequence of integers, not {described(values)}"
            ) from None
        if len(values) != len(self):
            raise ValueError(f"{len(values)} categories given for {len(self)} variables")
        for name, labels, value in zip(self._names, self._labels, values, strict=True):
            if not hasattr(value, "__index__"):
                raise TypeError(
                    f"the category of variable {quoted(name)} is an integer, not {described(value)}"
                )
            if not 0 <= value < len(labels):
                raise ValueError(
                    f"category {value} of variable {quoted(name)} is not in 0..{len(labels) - 1}"
                )
        raise AssertionError("categories refused without a reason")

    def _refuse_point(self, point: Mapping[str, Any]) -> NoReturn:
        for name in point:
            if name not in self._positions:
                raise ValueError(unknown_name_message("variable", name, self._names))
        missing = [name for name in self._names if name not in point]
        if missing:
            others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise ValueError(f"the point has no label for variable {missing[0]!r}{others}")
        for name, index in zip(self._names, self._indices, strict=True):
            label = point[name]
            if not _hashable(label) or label not in index:
                raise ValueError(
                    unknown_name_message(f"label of variable {quoted(name)}", label, index)
                )
        raise AssertionError("point refused without a reason")


def _read_labels(name: str, given: Iterable[Hashable]) -> tuple[tuple[Any, ...], dict[Any, int]]:
    """The labels of a variable as a tuple, and the category of each label."""
    if isinstance(given, set | frozenset):
        raise ValueError(
            f"the labels of variable {quoted(name)} are a set, which has no order to number them "
            "by; give a list, e.g. sorted(...)"
        )
    if isinstance(given, Mapping):
        raise ValueError(
            f"the labels of variable {quoted(name)} are a mapping; give its keys or its values "
            "as a list"
        )
    try:
        iterator = iter(given)
    except TypeError:
        raise TypeError(
            f"the labels of variable {quoted(name)} are an iterable, not {described(given)}"
        ) from None
    labels = tuple(islice(iterator, MOST_LABELS + 1))
    if not labels:
        raise ValueError(f"variable {quoted(name)} has no labels")
    if len(labels) > MOST_LABELS:
        raise ValueError(f"variable {quoted(name)} has more than {MOST_LABELS} labels")
    index: dict[Any, int] = {}
    for category, label in enumerate(labels):
        if not _hashable(label):
            raise TypeError(f"label {quoted(label)} of variable {quoted(name)} is not hashable")
        first = index.setdefault(label, category)
        if first != category:
            text, other = quoted(label), quoted(labels[first])
            same = f" (equal to {other})" if text != other else ""
            raise ValueError(f"variable {quoted(name)} has label {text} twice{same}")
    return labels, index


def _hashable(label: object) -> bool:
    try:
        hash(label)
    except Exception:  # TypeError; a label's own __hash__ may raise anything
        return False
    return True
