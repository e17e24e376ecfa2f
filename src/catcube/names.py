"""Sentences for names that nobody knows: what was wrong, what was probably meant, what there is."""

import difflib
from collections.abc import Iterable

_LISTED = 24  # a sentence stays readable; a space may have 10^5 variables


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
    sentence = f"unknown {kind} {name!r}"
    if not candidates:
        return f"{sentence} (none is known)"
    nearest = _nearest(name, candidates)
    if nearest is not None:
        sentence += f", did you mean {nearest!r}?"
    listed = ", ".join(repr(candidate) for candidate in candidates[:_LISTED])
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
