"""Values and arguments as users write them on a command line or in a plan."""

import inspect
from collections.abc import Callable
from typing import Any, get_args

from catcube.errors import BadValue


def value(text: str) -> Any:
    """Parse a text as a truth value or a number, else return the text itself.

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


def arguments_of(function: Callable[..., Any], text: str) -> dict[str, Any]:
    """Parse the arguments of a function from a text, separated by commas, by position or by name.

    >>> arguments_of(complex, "1,imag=2")
    {'real': 1, 'imag': 2}

    They are converted to the annotated types of the parameters; a ValueError names the one that
    cannot be converted.
    """
    parameters = _signature(function).parameters
    positional = [
        parameter.name for parameter in parameters.values() if parameter.kind in _POSITIONAL
    ]
    arguments: dict[str, Any] = {}
    named = False
    for position, part in enumerate(text.split(",") if text else []):
        before, equals, after = (side.strip() for side in part.partition("="))
        named = named or bool(equals)
        if not equals and (named or position >= len(positional)):
            raise BadValue(
                f"expected at most {len(positional)} arguments, those with a name last, "
                f"got {part.strip()!r}"
            )
        name, content = (before, after) if equals else (positional[position], before)
        if name not in parameters or name in arguments:
            fault = "is given twice" if name in arguments else "is unknown"
            raise BadValue(f"the argument {name!r} {fault}")
        arguments[name] = _converted(name, content, parameters[name].annotation)
    for parameter in parameters.values():
        if (
            parameter.default is parameter.empty
            and parameter.name not in arguments
            and parameter.kind in _NAMED
        ):
            raise BadValue(f"the argument {parameter.name!r} is missing")
    return arguments


_POSITIONAL = (inspect.Parameter.POSITIONAL_OR_KEYWORD,)
_NAMED = (*_POSITIONAL, inspect.Parameter.KEYWORD_ONLY)


def usage(function: Callable[..., Any]) -> str:
    """Return the arguments of a function, as `variables, categories, seed=1`."""
    return ", ".join(
        parameter.name
        if parameter.default is parameter.empty
        else f"{parameter.name}={parameter.default!r}"
        for parameter in _signature(function).parameters.values()
    )


def takes(function: Callable[..., Any], kind: type) -> list[str]:
    """Return the names of the parameters whose annotation has this type, alone or among others.

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
    """Convert a text to the annotated type, or to any type that fits if there is no annotation."""
    if annotation is str or str in get_args(annotation):
        return text
    found = value(text)
    expected = {int: "an integer", float: "a number", bool: "true or false"}.get(annotation)
    if expected is None or type(found) is annotation:
        return found
    if annotation is float and type(found) is int:
        return float(found)
    raise BadValue(f"{name}: expected {expected}, got {text!r}")
