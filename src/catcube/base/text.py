"""Messages, names, tables of text, and arguments given as text."""

import difflib
import inspect
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, get_args

from catcube.errors import BadValue, CatcubeError

LONGEST_NAME = 200
"""Maximum number of characters in the name of an experiment or an instance."""

_MOST_NAMES = 24  # in a message: a space may have 10^5 variables
_MOST_CHARACTERS = 120  # of a value in a message
FORMULA_SIGNS = "=+-@"  # a spreadsheet takes cells of a CSV file that begin with these for formulas


def expect(
    condition: object,
    expected: str,
    got: object,
    error: type[CatcubeError] = BadValue,
    where: str = "",
) -> None:
    """Raise an error "expected ..., got ..." unless a condition is true.

    >>> expect(len("abc") == 2, "two letters", "abc")
    Traceback (most recent call last):
    catcube.errors.BadValue: expected two letters, got 'abc'
    >>> from catcube.errors import BadType
    >>> expect(callable(5), "a function", 5, BadType, where="catch: ")
    Traceback (most recent call last):
    catcube.errors.BadType: catch: expected a function, got 5 (int)
    """
    if not condition:
        found = describe_value(got) if issubclass(error, TypeError) else quote(got)
        raise error(f"{where}expected {expected}, got {found}")


def expect_known(kind: str, name: object, known: Iterable[object], where: str = "") -> None:
    """Raise an error unless a name is one of the known names.

    >>> expect_known("algorithm", "ltgs", ["ga", "ltga", "sa"])
    Traceback (most recent call last):
    catcube.errors.BadValue: unknown algorithm 'ltgs', did you mean 'ltga'? (known: ...)
    """
    if name not in known:
        raise BadValue(where + unknown_name_message(kind, name, known))


def unknown_name_message(kind: str, name: object, known: Iterable[object]) -> str:
    """Return the message about an unknown name, with the most similar and all known names.

    >>> unknown_name_message("algorithm", "ltgs", ["ga", "ltga", "sa"])
    "unknown algorithm 'ltgs', did you mean 'ltga'? (known: 'ga', 'ltga', 'sa')"
    >>> unknown_name_message("label of variable 'digit'", 12, range(1, 4))
    "unknown label of variable 'digit' 12 (known: 1, 2, 3)"
    >>> unknown_name_message("problem", "zebra", [])
    "unknown problem 'zebra' (none is known)"
    """
    candidates = list(known)
    sentence = f"unknown {kind} {quote(name)}"
    if not candidates:
        return f"{sentence} (none is known)"
    nearest = _nearest(name, candidates)
    if nearest is not None:
        sentence += f", did you mean {nearest!r}?"
    listed = ", ".join(quote(candidate) for candidate in candidates[:_MOST_NAMES])
    if len(candidates) > _MOST_NAMES:
        listed += f", … {len(candidates)} in all"
    return f"{sentence} (known: {listed})"


def _nearest(name: object, candidates: list[object]) -> str | None:
    """Return the candidate most similar to a name, ignoring case; None unless both are strings."""
    if not isinstance(name, str):
        return None
    by_text: dict[str, str] = {}
    for candidate in candidates:
        if isinstance(candidate, str):
            by_text.setdefault(candidate.casefold(), candidate)
    cutoff = 0.5 if len(name) <= 3 else 0.6  # suggest sa for sb, but not factors for auto
    close = difflib.get_close_matches(name.casefold(), by_text, n=1, cutoff=cutoff)
    return by_text[close[0]] if close else None


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is one.

    >>> count(1, "run"), count(2000, "run"), count(0, "category")
    ('1 run', '2,000 runs', '0 categories')
    """
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun}"


def format_columns(
    rows: Sequence[Sequence[str]], width: int = 80, right: Iterable[int] = (), indent: str = ""
) -> str:
    """Format rows of cells as aligned lines; the last column is wrapped to the width.

    Parameters
    ----------
    rows
        The cells; all rows have the same length.
    width
        The number of characters in a line. The last column gets at least 20.
    right
        The indices of the columns that are right-aligned.
    indent
        The text before each line.

    Examples
    --------
    >>> print(format_columns([("sa", "simulated annealing"), ("ea-1p1", "a (1+1) EA")], width=28))
    sa      simulated annealing
    ea-1p1  a (1+1) EA
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    start = len(indent) + sum(widths) + 2 * len(widths)
    lines = []
    for *cells, last in rows:
        left = [
            f"{cell:>{wide}}" if place in right else f"{cell:{wide}}"
            for place, (cell, wide) in enumerate(zip(cells, widths, strict=True))
        ]
        wrapped = textwrap.wrap(last, max(20, width - start), break_on_hyphens=False) or [""]
        lines.append((indent + "".join(f"{cell}  " for cell in left) + wrapped[0]).rstrip())
        lines += [" " * start + line for line in wrapped[1:]]
    return "\n".join(lines)


def validate_name(kind: str, name: str) -> str:
    """Return a name if it is valid, else raise a ValueError.

    Names appear in tables, file names, pages and on terminals, and stores keep them unchanged.

    >>> validate_name("experiment", "été 2021")
    'été 2021'
    >>> validate_name("experiment", "=1+1")
    Traceback (most recent call last):
    catcube.errors.BadValue: invalid name '=1+1' of an experiment: it begins with '=', ...
    """
    odd = next((character for character in name if not character.isprintable()), None)
    if len(name) > LONGEST_NAME:
        fault = f"expected at most {LONGEST_NAME} characters, got {len(name):,}"
    elif odd is not None:
        fault = f"it contains the unprintable character {odd!r}"
    elif name != name.strip() or not name:
        fault = "it is empty, or begins or ends with a space"
    elif name[0] in FORMULA_SIGNS:
        fault = f"it begins with {name[0]!r}, which spreadsheets take for a formula"
    else:
        return name
    article = "an" if kind[0] in "aeiou" else "a"
    raise BadValue(f"invalid name {quote(name)} of {article} {kind}: {fault}")


def quote(value: object) -> str:
    """Return the repr of a value for a message; if it is long, its middle is omitted.

    >>> quote("two\\nlines"), len(quote("long" * 1000))
    ("'two\\\\nlines'", 120)
    """
    try:
        text = repr(value)
    except Exception:  # too many digits, too deeply nested, or a repr that fails
        return f"a value of type {type(value).__name__} that cannot be shown"
    return shorten(" ".join(text.split()) if "\n" in text else text, _MOST_CHARACTERS)


def describe_value(value: object) -> str:
    """Return the repr of a value, and its type, for a message.

    >>> describe_value(5)
    '5 (int)'
    """
    return f"{quote(value)} ({type(value).__name__})"


def shorten(text: str, longest: int) -> str:
    """Shorten a text by omitting its middle.

    >>> shorten("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[: longest - 1 - half]}…{text[-half:]}"


def escape(text: str) -> str:
    r"""Escape the unprintable characters of a text, so that it is one safe line on a terminal.

    >>> escape("mine \x1b[2J"), escape("two\nlines"), escape("été")
    ('mine \\x1b[2J', 'two\\nlines', 'été')
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def parse_value(text: str) -> Any:
    """Parse a text as a boolean or a number; otherwise return the text itself.

    >>> parse_value("20"), parse_value("1.1"), parse_value("false"), parse_value("linear")
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


def parse_arguments(function: Callable[..., Any], text: str) -> dict[str, Any]:
    """Parse the arguments of a function from a text such as "20,9,seed=3".

    They are converted to the annotated types of the parameters; a ValueError names an argument
    that cannot be converted.

    >>> parse_arguments(complex, "1,imag=2")
    {'real': 1, 'imag': 2}
    """
    positional: list[str] = []
    named: dict[str, str] = {}
    for part in text.split(",") if text else []:
        name, equals, content = (side.strip() for side in part.partition("="))
        if equals:
            expect(name not in named, f"the argument {name!r} once", text)
            named[name] = content
        else:
            expect(not named, "arguments with a name last", name)
            positional.append(name)
    signature = _signature(function)
    try:
        given = signature.bind(*positional, **named).arguments
    except TypeError as error:
        raise BadValue(str(error)) from None
    return {
        name: _convert(name, content, signature.parameters[name].annotation)
        for name, content in given.items()
    }


def usage(function: Callable[..., Any]) -> str:
    """Return the parameters of a function as text, such as `variables, categories, seed=1`."""
    parameters = _signature(function).parameters.values()
    return ", ".join(str(parameter.replace(annotation=parameter.empty)) for parameter in parameters)


def parameters_of_type(function: Callable[..., Any], kind: type) -> list[str]:
    """Return the names of the parameters whose annotation is a type, or a union with it.

    >>> def read(file: str | bytes, size: int) -> None: ...
    >>> parameters_of_type(read, bytes)
    ['file']
    """
    return [
        parameter.name
        for parameter in _signature(function).parameters.values()
        if parameter.annotation is kind or kind in get_args(parameter.annotation)
    ]


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a function, with evaluated annotations if possible."""
    try:
        return inspect.signature(function, eval_str=True)
    except NameError:  # an annotation that exists for type checkers only
        return inspect.signature(function)


def _convert(name: str, text: str, annotation: Any) -> Any:
    """Convert a text to the annotated type; without annotation, as `parse_value` does."""
    if annotation is str or str in get_args(annotation):
        return text
    found = parse_value(text)
    expected = {int: "an integer", float: "a number", bool: "true or false"}.get(annotation)
    if expected is None or type(found) is annotation:
        return found
    if annotation is float and type(found) is int:
        return float(found)
    raise BadValue(f"{name}: expected {expected}, got {text!r}")
