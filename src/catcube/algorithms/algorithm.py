"""What an algorithm is: a kernel, its parameters, and where it was published."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import unknown_name_message


@dataclass(frozen=True)
class Meaning:
    """One line on a parameter, and the range it must lie in."""

    text: str
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False

    def accepts(self, value: float) -> bool:
        """Whether a value lies in the range."""
        above = self.low is None or (value > self.low if self.low_open else value >= self.low)
        below = self.high is None or (value < self.high if self.high_open else value <= self.high)
        return above and below

    @property
    def range(self) -> str:
        """The range in words; empty if any value is accepted."""
        bounds = []
        if self.low is not None:
            bounds.append(f"{'>' if self.low_open else '>='} {self.low:g}")
        if self.high is not None:
            bounds.append(f"{'<' if self.high_open else '<='} {self.high:g}")
        return " and ".join(bounds)


class Parameter(NamedTuple):
    """A parameter as shown to users."""

    name: str
    type: type
    default: Any
    meaning: Meaning

    def __str__(self) -> str:
        return f"{self.name}={self.default!r}"


@dataclass(frozen=True)
class Native:
    """How an algorithm works directly on categories.

    `memory` makes its arrays from the `Genes` of the space (`catcube.engine.search`), `grow` makes
    larger ones; `kernel` is another kernel than that for bits, if it needs one.
    """

    memory: Callable[[Any, Any], tuple[Any, ...]] = lambda genes, parameters: ()
    grow: Callable[[Any], tuple[Any, ...]] | None = None
    kernel: Callable[..., bool | None] | None = None


@dataclass
class Knowledge:
    """What a search in Python is told before it begins, and what it leaves.

    `points` (categories, one point per row) have `values` already; `model` makes, from the space,
    what the search has learnt of the objective.
    """

    points: NDArray[np.int64] | None = None
    values: NDArray[np.float64] | None = None
    model: Callable[[Any], Any] | None = None


LARGEST = 2**62  # as for budgets: kernels count in 64 bits

_KINDS = {int: "an integer", float: "a number", bool: "True or False"}


def no_memory(n: int, parameters: Any) -> tuple[()]:
    """Memory of an algorithm that needs none beside its points."""
    return ()


@dataclass(frozen=True)
class Algorithm:
    """A metaheuristic: `kernel(search, parameters, memory)` runs it until the recorder says stop.

    `parameters` is a NamedTuple class whose fields are `Annotated[type, Meaning(...)] = default`;
    `points` tells how many points the kernel works on; `memory` makes the arrays it needs (a
    kernel cannot allocate); a kernel that returns True is called again, to go on, with what `grow`
    made of them. `native` says how it works on categories, without bits; without it, it does not.
    `check` says what is wrong with parameters that do not fit together. `presets` are
    named settings that differ from the defaults. With `compiled=False` the kernel is Python code
    on categories, whose memory is one `Knowledge`.
    """

    name: str
    title: str
    reference: str
    parameters: type
    kernel: Callable[..., bool | None]
    points: Callable[[Any], int] = lambda parameters: 1
    memory: Callable[[int, Any], tuple[Any, ...]] = no_memory
    grow: Callable[[Any], tuple[Any, ...]] | None = None
    native: Native | None = None
    check: Callable[[Any], str | None] = lambda parameters: None
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"paper": {}})
    added: Mapping[str, Any] = field(default_factory=dict)
    compiled: bool = True

    def natively(self) -> Native:
        """How it works on categories, if it does; else a sentence."""
        if self.native is None:
            raise ValueError(
                f"algorithm {self.name!r} works on bits alone: it has no native search, so choose "
                "another representation"
            )
        return self.native

    def growth(self, native: bool) -> Callable[[Any], tuple[Any, ...]] | None:
        """What makes larger arrays of its memory."""
        return self.natively().grow if native else self.grow

    def kernel_for(self, native: bool) -> Callable[..., bool | None]:
        """The kernel for a search on bits or on categories."""
        return (self.natively().kernel if native else None) or self.kernel

    def described(self) -> list[Parameter]:
        """Every parameter with its type, default, range and meaning."""
        defaults = self.parameters._field_defaults  # type: ignore[attr-defined]
        rows = []
        for name, hint in get_type_hints(self.parameters, include_extras=True).items():
            kind, meaning = (*get_args(hint), None, None)[:2]
            if name not in defaults or kind not in _KINDS or not isinstance(meaning, Meaning):
                raise TypeError(
                    f"{self.name}: the parameter must be written {name}: "
                    "Annotated[int, Meaning(...)] = default, with int, float or bool"
                )
            rows.append(Parameter(name, kind, defaults[name], meaning))
        return rows

    def recorded(self, parameters: Any) -> dict[str, Any]:
        """Return the parameters by which a run is known for good.

        Those that came later (`added`, with the values that leave the algorithm as it was) are
        left out where they have these values: a run that was made before them keeps its key.
        """
        values: dict[str, Any] = parameters._asdict()
        if all(values[name] == value for name, value in self.added.items()):
            return {name: value for name, value in values.items() if name not in self.added}
        return values

    def resolve(self, preset: str | None, given: Mapping[str, Any]) -> Any:
        """The parameters of a run: defaults, then the preset, then what was given."""
        settings: dict[str, Any] = {}
        if preset is not None:
            if preset not in self.presets:
                raise ValueError(unknown_name_message("preset", preset, self.presets))
            settings.update(self.presets[preset])
        settings.update(given)
        known = {parameter.name: parameter for parameter in self.described()}
        for name, value in settings.items():
            if name not in known:
                accepted = ", ".join(str(p) for p in known.values()) or "none"
                raise TypeError(
                    f"{self.name} has no parameter {name!r}; accepted with their defaults: "
                    f"{accepted}"
                )
            settings[name] = _checked(self.name, known[name], value)
        parameters = self.parameters(**settings)
        wrong = self.check(parameters)
        if wrong is not None:
            raise ValueError(f"{self.name}: {wrong}")
        return parameters


def _checked(algorithm: str, parameter: Parameter, value: Any) -> Any:
    """The value in the parameter's own type, so that a kernel is compiled for one type only."""
    expected = _KINDS[parameter.type]
    try:
        converted = parameter.type(value)
        fits = converted == value and isinstance(value, bool) == (parameter.type is bool)
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"{algorithm}: {parameter.name} must be {expected}, not {value!r}")
    if parameter.type is int and abs(converted) >= LARGEST:
        raise ValueError(f"{algorithm}: {parameter.name} must be < 2^62, not {value!r}")
    if not parameter.meaning.accepts(converted):
        raise ValueError(
            f"{algorithm}: {parameter.name} must be {parameter.meaning.range}, not {value!r}"
        )
    return converted
