"""The definition of an algorithm: a kernel, its parameters, and its reference."""

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
    """One line about a parameter, and its range."""

    text: str
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False

    def _bounds(self) -> list[tuple[str, float]]:
        low = ">" if self.low_open else ">=", self.low
        high = "<" if self.high_open else "<=", self.high
        return [(sign, bound) for sign, bound in (low, high) if bound is not None]

    def accepts(self, value: float) -> bool:
        """Return whether a value lies in the range."""
        return all(_COMPARE[sign](value, bound) for sign, bound in self._bounds())

    @property
    def range(self) -> str:
        """The range in words; empty if any value is accepted."""
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
    """Describe sizes of population and selection that do not fit; None if they do."""
    population, selection = parameters.population, parameters.selection
    wrong = f"expected selection <= population={population}, got {selection}"
    return wrong if selection > population else None


class Parameter(NamedTuple):
    """A parameter as shown to users."""

    name: str
    type: type
    default: Any
    info: ParameterInfo

    def __str__(self) -> str:
        return f"{self.name}={self.default!r}"


@dataclass
class Context:
    """The context of a search in Python besides its objective, and the model that it returns.

    Points are rows of categories, one column per variable of the space. The fields may change
    during the run: a search reads them before each proposal.

    Parameters
    ----------
    points, values
        Evaluated points and their values, in order; NaN where the evaluation failed.
    submit
        Begins to evaluate a point in parallel, if that is possible; returns whether it must be
        evaluated.
    model
        Set by the search: builds, from the space, the model of the objective.
    pending
        Points that others are evaluating.
    feasible
        Says of each row whether it satisfies the constraints.
    nearby
        Returns feasible points near one, given a seed.
    active
        Says of each row which of its variables are active.
    completed
        Waits for one of some submitted points and returns its index; None if another one is wanted
        first, which the second argument says is possible. Without it values are awaited in the
        order in which points were submitted.
    wants
        Says whether another point should be submitted, given the number in flight.
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
        """Wait for one of the submitted points, the first unless `completed` says which.

        Return its index; None if another one is wanted first, if there are `more`.
        """
        return 0 if self.completed is None else self.completed(points, more)


LARGEST = 2**62  # as for budgets: kernels count in 64 bits

_KINDS = {int: "an integer", float: "a number", bool: "True or False"}


@dataclass(frozen=True)
class Algorithm:
    """A metaheuristic: `kernel(search, parameters, memory)` runs until the recorder stops it.

    `parameters` is a NamedTuple class with fields `Annotated[type, ParameterInfo(...)] = default`;
    `points` returns the number of points of the kernel; `memory` allocates its arrays for a layout
    (a kernel cannot allocate); a kernel that returns True is called again, to continue, after
    `grow` has enlarged them. `native` says that it also searches categories, whose layout are the
    `Genes` of the space (`catcube.engine.search`). `check` describes
    parameters that do not fit together. `presets` are named settings that differ from the
    defaults. `older_names` are other spellings of parameters, as the keys of runs have them. With
    `compiled=False` the kernel is Python code on categories, whose memory is one
    `Context`; `warming` is the number of evaluations of a short run that calls all its compiled
    parts, if it has any.
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
        """Return every parameter with its type, default, range and description."""
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
        """Return the names of all parameters, and the older ones that are accepted."""
        return {parameter.name for parameter in self.describe()} | self.older_names.keys()

    def to_key(self, parameters: Any) -> dict[str, Any]:
        """Return the parameters that are part of the key of a run.

        Later ones (`added` together, with the values that do not change the algorithm) are omitted
        where they have these values, so that older runs keep their keys.
        """
        older = {name: old for old, name in self.older_names.items()}
        values = {older.get(name, name): value for name, value in parameters._asdict().items()}
        for neutral in self.added:
            if neutral.items() <= values.items():
                values = {name: value for name, value in values.items() if name not in neutral}
        return values

    def from_key(self, key: Mapping[str, Any]) -> Any:
        """Return the parameters of a run from those of its key."""
        return self.resolve(None, dict(ChainMap(dict(key), *map(dict, self.added))))

    def resolve(self, preset: str | None, changes: Mapping[str, Any]) -> Any:
        """Return the parameters: the defaults, changed by the preset, then by `changes`."""
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
    """Convert a value to the type of the parameter: a kernel is compiled for one type only."""
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
