"""Values and arguments as users write them on a command line or in a plan."""

import inspect
from collections.abc import Callable
from typing import Any, get_args


def value(text: str) -> Any:
    """The truth value or number that a text holds, else the text itself.

    >>> value("20"), value("1.1"), value("false"), value("linear")
    (20, 1.1, False, 'linear')
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def called(function: Callable[..., Any], text: str) -> Any:
    """Call a function with the arguments that a text holds: with commas, by place or by name.

    >>> called(complex, "1,imag=2")
    (1+2j)
    """
    return function(**arguments_of(function, text))


def arguments_of(function: Callable[..., Any], text: str) -> dict[str, Any]:
    """Read the arguments of a function from a text: with commas, by place or by name.

    >>> arguments_of(complex, "1,imag=2")
    {'real': 1, 'imag': 2}

    They are converted as the annotations of its parameters ask for; a ValueError says which one
    cannot be.
    """
    parameters = _signature(function).parameters
    places = [parameter.name for parameter in parameters.values() if parameter.kind in _BY_PLACE]
    given: dict[str, Any] = {}
    named = False
    for place, part in enumerate(text.split(",") if text else []):
        before, equals, after = (own.strip() for own in part.partition("="))
        named = named or bool(equals)
        if not equals and (named or place >= len(places)):
            raise ValueError(f"{part.strip()!r} is one argument too many, or lacks its name")
        name, written = (before, after) if equals else (places[place], before)
        if name not in parameters or name in given:
            wrong = "is given twice" if name in given else "is no argument"
            raise ValueError(f"{name!r} {wrong}")
        given[name] = _converted(name, written, parameters[name].annotation)
    for parameter in parameters.values():
        if (
            parameter.default is parameter.empty
            and parameter.name not in given
            and parameter.kind in _NAMED
        ):
            raise ValueError(f"the argument {parameter.name!r} is missing")
    return given


_BY_PLACE = (inspect.Parameter.POSITIONAL_OR_KEYWORD,)
_NAMED = (*_BY_PLACE, inspect.Parameter.KEYWORD_ONLY)


def usage(function: Callable[..., Any]) -> str:
    """The arguments of a function, as `variables, categories, seed=1`."""
    return ", ".join(
        parameter.name
        if parameter.default is parameter.empty
        else f"{parameter.name}={parameter.default!r}"
        for parameter in _signature(function).parameters.values()
    )


def takes(function: Callable[..., Any], kind: type) -> list[str]:
    """The names of the parameters whose annotation has this type, alone or among others.

    >>> def read(file: str | bytes, size: int) -> None: ...
    >>> takes(read, bytes)
    ['file']
    """
    return [
        parameter.name
        for parameter in _signature(function).parameters.values()
        if parameter.annotation is kind or kind in get_args(parameter.annotation)
    ]


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function, eval_str=True)
    except NameError:  # an annotation that is there for type checkers alone
        return inspect.signature(function)


def _converted(name: str, text: str, annotation: Any) -> Any:
    """The value of a text in the type that is asked for; any type it may be if none is."""
    if annotation is str or str in get_args(annotation):
        return text
    found = value(text)
    wanted = {int: "an integer", float: "a number", bool: "true or false"}.get(annotation)
    if wanted is None or type(found) is annotation:
        return found
    if annotation is float and type(found) is int:
        return float(found)
    raise ValueError(f"{name} must be {wanted}, not {text!r}")
