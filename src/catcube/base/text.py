"""Names that come from anywhere: what they may be, how they are shown, and what was meant."""

import difflib
from collections.abc import Iterable

LONGEST_NAME = 200
"""Characters that the name of an experiment or an instance has, at most."""

_LISTED = 24  # a sentence stays readable; a space may have 10^5 variables
_REPEATED = 120  # characters of what was given, in a sentence about it
FORMULAS = "=+-@"  # a spreadsheet that opens a CSV file takes such cells for formulas


def unknown_name_message(kind: str, name: object, known: Iterable[object]) -> str:
    """One sentence that names what is unknown, the nearest known name if any, and the known ones.

    >>> unknown_name_message("algorithm", "ltgs", ["ga", "ltga", "sa"])
    "unknown algorithm 'ltgs', did you mean 'ltga'? (known: 'ga', 'ltga', 'sa')"
    >>> unknown_name_message("label of variable 'digit'", 12, range(1, 4))
    "unknown label of variable 'digit' 12 (known: 1, 2, 3)"
    >>> unknown_name_message("problem", "zebra", [])
    "unknown problem 'zebra' (none is known)"
    """
    candidates = list(known)
    sentence = f"unknown {kind} {quoted(name)}"
    if not candidates:
        return f"{sentence} (none is known)"
    nearest = _nearest(name, candidates)
    if nearest is not None:
        sentence += f", did you mean {nearest!r}?"
    listed = ", ".join(quoted(candidate) for candidate in candidates[:_LISTED])
    if len(candidates) > _LISTED:
        listed += f", … {len(candidates)} in all"
    return f"{sentence} (known: {listed})"


def _nearest(name: object, candidates: list[object]) -> str | None:
    """The known string nearest to the name, case aside; numbers and other objects have none."""
    if not isinstance(name, str):
        return None
    by_text: dict[str, str] = {}
    for candidate in candidates:
        if isinstance(candidate, str):
            by_text.setdefault(candidate.casefold(), candidate)
    close = difflib.get_close_matches(name.casefold(), by_text, n=1, cutoff=0.5)  # sb: sa
    return by_text[close[0]] if close else None


def checked_name(kind: str, name: str) -> str:
    """The name, if it can be shown, kept and opened anywhere; else a ValueError.

    It stands in tables, file names, pages and on terminals, and raw results must hold it as it is.

    >>> checked_name("experiment", "été 2021")
    'été 2021'
    >>> checked_name("experiment", "=1+1")
    Traceback (most recent call last):
    ValueError: '=1+1' cannot be the name of an experiment: it begins with '=', which spreadsheets \
take for a formula
    """
    odd = next((character for character in name if not character.isprintable()), None)
    if len(name) > LONGEST_NAME:
        fault = f"it has {len(name):,} characters, and at most {LONGEST_NAME} are accepted"
    elif odd is not None:
        fault = f"{odd!r} in it cannot be shown"
    elif name != name.strip() or not name:
        fault = "it is empty, or begins or ends with a blank"
    elif name[0] in FORMULAS:
        fault = f"it begins with {name[0]!r}, which spreadsheets take for a formula"
    else:
        return name
    article = "an" if kind[0] in "aeiou" else "a"
    raise ValueError(f"{quoted(name)} cannot be the name of {article} {kind}: {fault}")


def quoted(given: object) -> str:
    """What was given, as a sentence repeats it: as Python writes it, without its middle if long.

    >>> quoted("two\\nlines"), len(quoted("long" * 1000))
    ("'two\\\\nlines'", 120)
    """
    try:
        text = repr(given)
    except Exception:  # an integer of too many digits, no end of brackets, a repr that fails
        return f"a value of the type {type(given).__name__} that cannot be shown"
    return shortened(" ".join(text.split()) if "\n" in text else text, _REPEATED)


def described(given: object) -> str:
    """What was given, and its type.

    >>> described(5)
    '5 (int)'
    """
    return f"{quoted(given)} ({type(given).__name__})"


def shortened(text: str, longest: int) -> str:
    """The text, without its middle if it is longer than that.

    >>> shortened("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[: longest - 1 - half]}…{text[-half:]}"


def visible(text: str) -> str:
    r"""The text in one line for a terminal: what would command it is written as its number.

    >>> visible("mine \x1b[2J"), visible("two\nlines"), visible("été")
    ('mine \\x1b[2J', 'two\\nlines', 'été')
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
