"""Spaces of named categorical variables, which convert between labels and category indices."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from catcube.base.memory import check_memory
from catcube.base.text import expect, expect_known, quote, unknown_name_message
from catcube.errors import BadType, BadValue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Categories: TypeAlias = NDArray[np.int64]

MOST_LABELS = 2**20  # of a variable, so that an endless iterable is an error
# For each conditional variable, parents first: its position, and the categories of each parent
# that make it active.
Conditions: TypeAlias = tuple[tuple[int, tuple[tuple[int, frozenset[int]], ...]], ...]

_MOST_COMBINED = 100_000  # combinations of parents' labels for which points are counted
_SHOWN = 4  # number of variables in the repr
_BYTES = 500  # approximate memory per variable


class Space(Mapping[str, tuple[Any, ...]]):
    """Named categorical variables, each with labels, in the given order.

    A label is any hashable object; results contain the same object. The labels of a variable are
    any ordered iterable: the characters of a string, the members of an `Enum` class. Two labels
    are equal if they are the same key of a `dict` (as 1, 1.0 and True are). A variable may have a
    single label.

    Parameters
    ----------
    variables
        The labels of each variable, by name.
    only_if
        For conditional variables, the labels that other variables must have: one label, or a list
        of them. Inactive variables are absent from points, and points that differ only in inactive
        variables are the same point.

    Examples
    --------
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

    Conditional variables:

    >>> space = Space(
    ...     {"model": ["svm", "knn"], "C": [0.1, 1, 10], "k": [1, 3, 5]},
    ...     only_if={"C": {"model": "svm"}, "k": {"model": "knn"}},
    ... )
    >>> space.decode([1, 2, 0]), space.size
    ({'model': 'knn', 'k': 1}, 6)
    """

    __slots__ = ("_cardinalities", "_indices", "_positions", "conditions", "labels", "names")

    names: tuple[str, ...]
    """The names of the variables, in order."""
    labels: tuple[tuple[Any, ...], ...]
    """The labels of each variable, in order: category c of variable i is `labels[i][c]`."""
    conditions: Conditions
    """The conditions: positions of variables, with their parents and the required categories."""
    _positions: dict[str, int]  # variable name -> its position
    _indices: tuple[dict[Any, int], ...]  # for each variable: label -> category
    _cardinalities: "Categories | None"

    def __init__(
        self,
        variables: Mapping[str, Iterable[Hashable]],
        only_if: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        expect(isinstance(variables, Mapping), "a mapping from names to labels", variables, BadType)
        expect(variables, "at least one variable", variables)
        # Variables with the same object as labels share one tuple and one index, to save memory.
        shared: dict[int, tuple[tuple[Any, ...], dict[Any, int]]] = {}
        read = []
        for name, given in variables.items():
            _check_name(name)
            read.append(shared.get(id(given)) or read_labels(name, given))
            if isinstance(given, str | range | tuple | list):
                shared[id(given)] = read[-1]
        labels, indices = zip(*read, strict=True)
        initialise = super().__setattr__
        initialise("names", tuple(variables))
        initialise("labels", labels)
        initialise("_positions", {name: position for position, name in enumerate(variables)})
        initialise("_indices", indices)
        initialise("_cardinalities", None)
        initialise("conditions", self._read_conditions(only_if or {}))

    @classmethod
    def repeat(cls, name: str, labels: Iterable[Hashable], count: int) -> "Space":
        """Return a space of `count` variables `name0`, `name1`, ... with the same labels.

        Parameters
        ----------
        name
            What all names begin with.
        labels
            The labels of every variable.
        count
            The number of variables.

        Examples
        --------
        >>> Space.repeat("cell", range(1, 10), 81)
        Space(81 variables, cell0: 9, cell1: 9, cell2: 9, cell3: 9, …)
        """
        _check_name(name)
        expect(hasattr(count, "__index__"), "an integer number of variables", count, BadType)
        expect(count >= 1, "at least one variable", count)
        check_memory(_BYTES * count, f"a space of {quote(count)} variables")
        read, _ = read_labels(name, labels)
        return cls({f"{name}{position}": read for position in range(count)})

    def fix(self, labels: Mapping[str, Any] | None = None, /, **others: Any) -> "Space":
        """Return a space in which some variables are fixed to one of their labels.

        Points still have all variables, but the search does not change the fixed ones.

        Parameters
        ----------
        labels
            The labels of the variables to fix, by name.
        **others
            The same, for names that are identifiers.

        Returns
        -------
        Space
            The new space; this one is unchanged.

        Examples
        --------

        >>> space = Space({"base": "ATCG", "flag": [True, False], "learning rate": [0.1, 0.01]})
        >>> space.fix(base="C")
        Space(base: 1, flag: 2, learning rate: 2)
        >>> space.fix({"learning rate": 0.1}, base="C").size
        2
        """
        labels = {} if labels is None else labels
        expect(isinstance(labels, Mapping), "a mapping from names to labels", labels, BadType)
        variables = dict(self)
        for name, label in {**labels, **others}.items():
            category = self._category(name, label)
            variables[name] = (self[name][category],)
        only_if = {
            name: {
                parent: [label for label in labels if label in variables[parent]]
                for parent, labels in parents.items()
            }
            for name, parents in self.only_if.items()
        }
        return type(self)(variables, only_if)

    @property
    def cardinalities(self) -> "Categories":
        """The number of categories of each variable, as a read-only array.

        >>> Space({"base": "ATCG", "flag": [True, False]}).cardinalities
        array([4, 2])
        """
        if self._cardinalities is None:
            import numpy as np

            cardinalities = np.array([len(labels) for labels in self.labels], dtype=np.int64)
            cardinalities.flags.writeable = False
            super().__setattr__("_cardinalities", cardinalities)
            return cardinalities
        return self._cardinalities

    @property
    def size(self) -> int:
        """The number of points: the product of the cardinalities, without conditions.

        >>> Space.repeat("cell", range(1, 10), 54).size == 9**54
        True
        """
        if self.conditions:
            return self._count_points()
        # Equal factors as one power: powers need fewer multiplications of large integers.
        counts = Counter(len(labels) for labels in self.labels)
        return math.prod(cardinality**count for cardinality, count in counts.items())

    @property
    def only_if(self) -> dict[str, dict[str, list[Any]]]:
        """The conditions by name, as the argument of the constructor."""
        return {
            self.names[position]: {
                self.names[parent]: [self.labels[parent][k] for k in sorted(categories)]
                for parent, categories in parents
            }
            for position, parents in self.conditions
        }

    def active(self, categories: "NDArray[Any]") -> "NDArray[np.bool_]":
        """Return which variables are active at a point, or at several points, one per row.

        Parameters
        ----------
        categories
            One category index for each variable, or a row of them for each point.

        Returns
        -------
        array of bool
            Whether each variable is active, in the shape of `categories`.

        Examples
        --------
        >>> import numpy as np
        >>> space = Space({"model": ["svm", "knn"], "k": [1, 3]}, only_if={"k": {"model": "knn"}})
        >>> space.active(np.array([[0, 1], [1, 1]])).tolist()
        [[True, False], [True, True]]
        """
        import numpy as np

        found = np.ones(categories.shape, bool)
        for position, parents in self.conditions:
            for parent, allowed in parents:
                met = np.isin(categories[..., parent], list(allowed))
                found[..., position] &= met & found[..., parent]
        return found

    def canonical(self, categories: "NDArray[Any]") -> "NDArray[Any]":
        """Return the categories with those of inactive variables set to 0.

        Parameters
        ----------
        categories
            One category index for each variable, or a row of them for each point.

        Returns
        -------
        array
            The categories in the same shape; the given array itself if there is nothing to change
            because the space has no conditions, or all variables of the single point are active.

        Examples
        --------
        >>> import numpy as np
        >>> space = Space({"model": ["svm", "knn"], "k": [1, 3]}, only_if={"k": {"model": "knn"}})
        >>> space.canonical(np.array([[0, 1], [1, 1]])).tolist()
        [[0, 0], [1, 1]]
        """
        if not self.conditions:
            return categories
        if categories.ndim > 1:
            return categories * self.active(categories)
        inactive = self._inactive(categories.tolist())  # faster than arrays for a single point
        if not inactive:
            return categories
        changed = categories.copy()
        changed[inactive] = 0
        return changed

    def _inactive(self, categories: Sequence[int]) -> list[int]:
        """Return the positions of the inactive variables of one point."""
        found: list[int] = []
        for position, parents in self.conditions:
            if any(categories[parent] not in ok or parent in found for parent, ok in parents):
                found.append(position)
        return found

    def _read_conditions(self, only_if: Mapping[str, Mapping[str, Any]]) -> Conditions:
        """Return the conditions as positions and categories, parents before their children."""
        given = isinstance(only_if, Mapping)
        expect(given, "a mapping by variable", only_if, BadType, where="only_if: ")
        left = {name: self._read_parents(name, parents) for name, parents in only_if.items()}
        ordered: list[tuple[int, tuple[tuple[int, frozenset[int]], ...]]] = []
        while left:
            waiting = {self._positions[name] for name in left}
            free = [name for name in left if waiting.isdisjoint(p for p, _ in left[name])]
            if not free:
                raise BadValue(f"only_if: the condition of {quote(min(left))} depends on itself")
            ordered += [(self._positions[name], left.pop(name)) for name in free]
        return tuple(ordered)

    def _read_parents(self, name: str, parents: Any) -> tuple[tuple[int, frozenset[int]], ...]:
        """Return the parents of a variable, each with the categories that make it active."""
        self._position(name, "only_if: ")
        wanted = f"a mapping from variables to labels for {quote(name)}"
        given = isinstance(parents, Mapping) and parents
        expect(given, wanted, parents, BadType, where="only_if: ")
        found = []
        for parent, some in parents.items():
            position = self._position(parent, "only_if: ")
            single = is_hashable(some) and some in self._indices[position]
            labels = [some] if single or not isinstance(some, list | tuple | set) else some
            allowed = frozenset(self._category(parent, label, "only_if: ") for label in labels)
            found.append((position, allowed))
        return tuple(found)

    def _position(self, name: Any, prefix: str = "") -> int:
        """Return the position of a variable; raise an error if there is none of this name."""
        expect_known("variable", name, self._positions, prefix)
        return self._positions[name]

    def _category(self, name: Any, label: Any, prefix: str = "") -> int:
        """Return the category of a label; raise an error if the variable has no such label."""
        index = self._indices[self._position(name, prefix)]
        if not is_hashable(label) or label not in index:
            what = f"label of variable {quote(name)}"
            raise BadValue(prefix + unknown_name_message(what, label, index))
        return index[label]

    def _count_points(self) -> int:
        """Count the points of a space with conditions, by the categories of the parents.

        If these have too many combinations, return the product of the cardinalities.
        """
        import numpy as np

        parents = sorted({parent for _, found in self.conditions for parent, _ in found})
        sizes = [len(self.labels[parent]) for parent in parents]
        if math.prod(sizes) > _MOST_COMBINED:
            return math.prod(map(len, self.labels))
        rows = np.zeros((math.prod(sizes), len(self)), np.int64)
        rows[:, parents] = np.indices(sizes).reshape(len(sizes), -1).T
        rows = np.unique(self.canonical(rows), axis=0)
        others = np.array([parents.count(k) == 0 for k in range(len(self))])
        counts = np.where(self.active(rows) & others, self.cardinalities, 1).astype(object)
        return int(counts.prod(axis=1).sum())

    def decode(self, categories: "Sequence[int] | NDArray[np.integer[Any]]") -> dict[str, Any]:
        """Return the point with the given category indices.

        Parameters
        ----------
        categories
            One category index for each variable.

        Returns
        -------
        dict
            The labels by name, without inactive variables.

        Examples
        --------
        >>> Space({"base": "ATCG", "flag": [True, False]}).decode([3, 1])
        {'base': 'G', 'flag': False}
        """
        values = categories.tolist() if hasattr(categories, "tolist") else categories
        try:
            if len(values) == len(self.names) and min(values) >= 0:
                found = [labels[value] for labels, value in zip(self.labels, values, strict=True)]
                point = dict(zip(self.names, found, strict=True))
                for position in self._inactive(values):
                    del point[self.names[position]]
                return point
        except (TypeError, IndexError):
            pass
        self._reject_categories(values)

    def encode(self, point: Mapping[str, Any]) -> "Categories":
        """Return the category indices of a point.

        Parameters
        ----------
        point
            A mapping from the name of every active variable to one of its labels.

        Returns
        -------
        array
            One category index for each variable, 0 for inactive variables.

        Examples
        --------
        >>> Space({"base": "ATCG", "flag": [True, False]}).encode({"base": "G", "flag": False})
        array([3, 1])
        """
        import numpy as np

        expect(isinstance(point, Mapping), "a mapping from names to labels", point, BadType)
        whole = point
        if self.conditions:  # inactive variables may be absent
            whole = {**{name: labels[0] for name, labels in self.items()}, **point}
        try:
            found = [
                index[whole[name]] for name, index in zip(self.names, self._indices, strict=True)
            ]
        except (KeyError, TypeError):
            found = []
        if len(found) != len(self.names) or len(whole) != len(self.names):
            self._reject_point(whole)
        categories = np.array(found, dtype=np.int64)
        if not self.conditions:
            return categories
        for name, active in zip(self.names, self.active(categories).tolist(), strict=True):
            if active and name not in point:
                raise BadValue(f"the point lacks a label for variable {name!r}")
        return self.canonical(categories)

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        try:
            return self.labels[self._positions[name]]
        except KeyError:
            raise KeyError(unknown_name_message("variable", name, self.names)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._positions

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Space):
            return NotImplemented
        return (
            self.names == other.names
            and self.labels == other.labels
            and set(self.conditions) == set(other.conditions)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = [
            f"{name if len(name) <= 24 else name[:23] + '…'}: {len(labels)}"
            for name, labels in zip(self.names[:_SHOWN], self.labels, strict=False)
        ]
        if len(self) > _SHOWN:
            shown = [f"{len(self)} variables", *shown, "…"]
        return f"Space({', '.join(shown)})"

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        raise AttributeError("a space is immutable; create a new one")

    def __delattr__(self, attribute: str) -> NoReturn:
        raise AttributeError("a space is immutable; create a new one")

    def __reduce__(self) -> "tuple[type[Space], tuple[dict[str, Any], ...]]":
        return type(self), (dict(self), self.only_if)

    def __copy__(self) -> "Space":
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> "Space":
        return self  # results must contain the labels that were given, not copies

    def _reject_categories(self, values: Any) -> NoReturn:
        """Raise the error that says why these are not the categories of a point."""
        sequence = isinstance(values, Iterable)
        expect(sequence, "a sequence of integer categories", values, BadType)
        values = list(values)
        count = len(self)
        expect(len(values) == count, f"a category for each of {count} variables", len(values))
        for name, labels, value in zip(self.names, self.labels, values, strict=True):
            category = f"category of variable {quote(name)}"
            expect(hasattr(value, "__index__"), f"an integer {category}", value, BadType)
            last = len(labels) - 1
            expect(0 <= value <= last, f"a {category} from 0 to {last}", value)
        raise AssertionError("categories rejected without a reason")

    def _reject_point(self, point: Mapping[str, Any]) -> NoReturn:
        """Raise the error that says why this is not a point of the space."""
        for name in point:
            self._position(name)
        missing = [name for name in self.names if name not in point]
        if missing:
            others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise BadValue(f"the point lacks a label for variable {missing[0]!r}{others}")
        for name in self.names:
            self._category(name, point[name])
        raise AssertionError("point rejected without a reason")


def read_labels(name: str, iterable: Iterable[Hashable]) -> tuple[tuple[Any, ...], dict[Any, int]]:
    """Return the labels of a variable as a tuple, and the category of each label.

    >>> read_labels("base", "ATCG")
    (('A', 'T', 'C', 'G'), {'A': 0, 'T': 1, 'C': 2, 'G': 3})
    """
    what = f"labels of variable {quote(name)}"
    unordered = isinstance(iterable, set | frozenset | Mapping)
    expect(not unordered, f"a list of {what}, as sorted(...) returns it", iterable)
    expect(isinstance(iterable, Iterable), f"an iterable of {what}", iterable, BadType)
    labels = tuple(islice(iterable, MOST_LABELS + 1))
    expect(0 < len(labels) <= MOST_LABELS, f"1 to {MOST_LABELS:,} {what}", len(labels))
    index: dict[Any, int] = {}
    for category, label in enumerate(labels):
        expect(is_hashable(label), f"hashable {what}", label, BadType)
        first = index.setdefault(label, category)
        if first != category:
            text, other = quote(label), quote(labels[first])
            same = f" (equal to {other})" if text != other else ""
            raise BadValue(f"variable {quote(name)} has label {text} twice{same}")
    return labels, index


def _check_name(name: Any) -> None:
    """Raise an error unless this can be the name of a variable."""
    text = isinstance(name, str) and name
    expect(text, "a non-empty string as the name of a variable", name)


def is_hashable(label: object) -> bool:
    """Return whether an object can be a key of a dict."""
    try:
        hash(label)
    except Exception:  # TypeError; a label's own __hash__ may raise anything
        return False
    return True
