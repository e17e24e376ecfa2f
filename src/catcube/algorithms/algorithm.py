"""The definition of algorithms: a kernel, its parameters and its reference."""

import operator
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect, expect_known
from catcube.errors import BadType, BadValue

_COMPARE = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}


@dataclass(frozen=True)
class ParameterInfo:
    """The description of a parameter, and its range.

    Parameters
    ----------
    text
        A description of one line.
    low, high
        The bounds; None if there is none.
    low_open, high_open
        Whether the bounds are excluded.

    Examples
    --------
    >>> ParameterInfo("learning rate", 0, 1, low_open=True).range
    '> 0 and <= 1'
    """

    text: str
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False

    def _bounds(self) -> list[tuple[str, float]]:
        """Return the bounds that exist, each with its comparison."""
        low = ">" if self.low_open else ">=", self.low
        high = "<" if self.high_open else "<=", self.high
        return [(sign, bound) for sign, bound in (low, high) if bound is not None]

    def accepts(self, value: float) -> bool:
        """Return whether a value is in the range."""
        return all(_COMPARE[sign](value, bound) for sign, bound in self._bounds())

    @property
    def range(self) -> str:
        """The range as text, such as ">= 1"; empty if there are no bounds."""
        return " and ".join(f"{sign} {bound:g}" for sign, bound in self._bounds())


# Parameters that several algorithms have.
Population = Annotated[int, ParameterInfo("population size", low=1)]
Samples = Annotated[int, ParameterInfo("population size: samples per generation", low=1)]
Selection = Annotated[int, ParameterInfo("number of best samples to learn from", low=1)]
Margin = Annotated[
    float, ParameterInfo("probabilities are kept at least margin/n away from 0 and 1", low=0)
]
Mutation = Annotated[
    float,
    ParameterInfo("expected number of changes per mutation: the rate is mutation/n", 0, 16, True),
]


def check_selection(parameters: Any) -> str | None:
    """Return the message about a selection larger than the population; None if it is not."""
    population, selection = parameters.population, parameters.selection
    wrong = f"expected selection <= population={population}, got {selection}"
    return wrong if selection > population else None


class Parameter(NamedTuple):
    """A parameter of an algorithm: its name, type, default and description."""

    name: str
    type: type
    default: Any
    info: ParameterInfo

    def __str__(self) -> str:
        return f"{self.name}={self.default!r}"


@dataclass
class Context:
    """The data of a run that a search in Python uses, apart from the objective.

    Points are rows of categories, one column per variable of the space. The fields may change
    during the run: a search reads them before each proposal.

    Parameters
    ----------
    points, values
        Evaluated points and their values, in order; NaN where the evaluation failed.
    submit
        Begins to evaluate a point in parallel, if possible; returns whether it needs a call.
    model
        Set by the search: a function of the space that returns the model of the objective.
    pending
        Points that others are evaluating.
    feasible
        Returns, for rows, which of them satisfy the constraints.
    nearby
        Returns feasible points near a point, given a seed.
    active
        Returns, for rows, which of their variables are active.
    completed
        Waits for one of some submitted points and returns its index; None if another point should
        be submitted first, which the second argument says is possible. By default, values are
        awaited in the order of submission.
    wants
        Returns whether another point should be submitted, given the number in flight.
    noisy
        Whether a point may have another value when it is evaluated again.
    """

    points: NDArray[Any] | None = None
    values: NDArray[np.float64] | None = None
    submit: Callable[[NDArray[Any]], bool] | None = None
    model: Callable[[Any], Any] | None = None
    pending: NDArray[Any] | None = None
    feasible: Callable[[NDArray[Any]], NDArray[np.bool_]] | None = None
    nearby: Callable[[NDArray[Any], int], NDArray[Any]] | None = None
    active: Callable[[NDArray[Any]], NDArray[np.bool_]] | None = None
    completed: Callable[[Iterable[NDArray[Any]], bool], int | None] | None = None
    noisy: bool = False
    wants: Callable[[int], bool] | None = None

    def wait_for_next(self, points: Iterable[NDArray[Any]], more: bool) -> int | None:
        """Wait for one of some submitted points and return its index.

        Return None if another point should be submitted first, which is possible if `more` is true.
        """
        return 0 if self.completed is None else self.completed(points, more)


LARGEST = 2**62  # bound on parameters, because kernels use 64-bit integers

_KINDS = {int: "an integer", float: "a number", bool: "True or False"}


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: a kernel, its parameters and its reference.

    Parameters
    ----------
    name
        The name by which users select it.
    title
        A description of one line.
    reference
        The publication.
    parameters
        A NamedTuple class, whose fields are `name: Annotated[type, ParameterInfo(...)] = default`.
    kernel
        The function `kernel(search, parameters, memory)`, which runs until the recorder stops it.
        If it returns True, it is called again after `grow`.
    points
        Returns the number of points that the kernel uses, given the parameters.
    memory
        Allocates the arrays of the kernel, given the layout and the parameters.
    grow
        Returns larger arrays with the same content, given the layout and the arrays.
    native
        Whether the kernel also searches categories; the layout is then the `Genes` of the space
        (`catcube.engine.search`).
    check
        Returns a message about parameters that do not fit together, or None.
    presets
        Named settings of parameters that differ from the defaults.
    added
        Parameters that were added later, with the values that they have in older runs.
    older_names
        Former names of parameters, which keys of runs still use.
    compiled
        Whether the kernel is compiled. If not, it is Python code on categories, whose memory is a
        `Context`.
    warming
        For a kernel in Python: the number of evaluations of a run that calls all compiled parts.

    Examples
    --------
    >>> from catcube.algorithms import algorithm
    >>> print(*algorithm("rls").describe())
    patience=50
    """

    name: str
    title: str
    reference: str
    parameters: type
    kernel: Callable[..., bool | None]
    points: Callable[[Any], int] = lambda parameters: 1
    memory: Callable[[Any, Any], tuple[Any, ...]] = lambda layout, parameters: ()
    grow: Callable[[Any, Any], tuple[Any, ...]] | None = None
    native: bool = False
    check: Callable[[Any], str | None] = lambda parameters: None
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"paper": {}})
    added: tuple[Mapping[str, Any], ...] = ()
    older_names: Mapping[str, str] = field(default_factory=dict)
    compiled: bool = True
    warming: int = 0

    def describe(self) -> list[Parameter]:
        """Return the parameters with their types, defaults, ranges and descriptions.

        Returns
        -------
        list
            The parameters, each with `name`, `type`, `default` and `info`.

        Examples
        --------
        >>> from catcube.algorithms import algorithm
        >>> parameter, = algorithm("rls").describe()
        >>> parameter.name, parameter.default, parameter.info.range
        ('patience', 50, '>= 1')
        """
        defaults = self.parameters._field_defaults  # type: ignore[attr-defined] # a NamedTuple's
        rows = []
        for name, hint in get_type_hints(self.parameters, include_extras=True).items():
            kind, info = (*get_args(hint), None, None)[:2]
            form = "Annotated[int (or float, bool), ParameterInfo(...)] = default"
            fits = name in defaults and kind in _KINDS and isinstance(info, ParameterInfo)
            expect(fits, f"{name}: {form}", hint, BadType, where=f"{self.name}: ")
            rows.append(Parameter(name, kind, defaults[name], info))
        return rows

    def accepted_names(self) -> set[str]:
        """Return the names of all parameters, and former names that are accepted."""
        return {parameter.name for parameter in self.describe()} | self.older_names.keys()

    def to_key(self, parameters: Any) -> dict[str, Any]:
        """Return the parameters that belong to the key of a run.

        Parameters in `added` are omitted if they have the values of older runs, so that older runs
        keep their keys.
        """
        older = {name: old for old, name in self.older_names.items()}
        values = {older.get(name, name): value for name, value in parameters._asdict().items()}
        for neutral in self.added:
            if neutral.items() <= values.items():
                values = {name: value for name, value in values.items() if name not in neutral}
        return values

    def from_key(self, key: Mapping[str, Any]) -> Any:
        """Return the parameters of a run, given those in its key."""
        return self.resolve(None, dict(ChainMap(dict(key), *map(dict, self.added))))

    def resolve(self, preset: str | None, changes: Mapping[str, Any]) -> Any:
        """Return the parameters of a run.

        Parameters
        ----------
        preset
            The name of a preset that changes the defaults, or None.
        changes
            Parameters by name, which take precedence.

        Returns
        -------
        NamedTuple
            All parameters, checked and converted to their types.

        Examples
        --------
        >>> from catcube.algorithms import algorithm
        >>> algorithm("ga").resolve(None, {"population": 50}).population
        50
        """
        settings: dict[str, Any] = {}
        if preset is not None:
            expect_known("preset", preset, self.presets)
            settings.update(self.presets[preset])
        settings.update(changes)
        for old in self.older_names.keys() & settings.keys():
            settings[self.older_names[old]] = settings.pop(old)
        known = {parameter.name: parameter for parameter in self.describe()}
        for name, value in settings.items():
            if name not in known:
                accepted = ", ".join(map(str, known.values())) or "none"
                wrong = f"{self.name} has no parameter {name!r}"
                raise BadType(f"{wrong}; accepted with their defaults: {accepted}")
            settings[name] = _convert(self.name, known[name], value)
        parameters = self.parameters(**settings)
        if (misfit := self.check(parameters)) is not None:
            raise BadValue(f"{self.name}: {misfit}")
        return parameters


def _convert(algorithm: str, parameter: Parameter, value: Any) -> Any:
    """Convert a value to the type of a parameter, for which the kernel is compiled."""
    where = f"{algorithm}: {parameter.name}: "
    try:
        converted = parameter.type(value)
        fits = converted == value and isinstance(value, bool) == (parameter.type is bool)
    except (TypeError, ValueError, OverflowError):
        fits = False
    expect(fits, _KINDS[parameter.type], value, where=where)
    countable = parameter.type is float or abs(converted) < LARGEST
    expect(countable, "a value < 2^62", value, where=where)
    expect(parameter.info.accepts(converted), f"a value {parameter.info.range}", value, where=where)
    return converted
