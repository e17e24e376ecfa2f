"""Numbers, durations and lists as text."""

from collections.abc import Sequence
from datetime import UTC, datetime

LINE_STYLES = ("solid", "dashed", "dotted")


def counted(number: int, noun: str) -> str:
    """Write a number and what is counted.

    >>> counted(1, "run"), counted(1200, "instance")
    ('1 run', '1,200 instances')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def line_styles(representations: Sequence[str]) -> str:
    """Say how the lines of the representations are drawn.

    >>> line_styles(["linear", "direct"])
    'Colours are algorithms; linear is solid, direct dashed.'
    >>> line_styles(["linear", "direct", "gray", "native"])
    'Colours are algorithms, dashes representations; linear is solid.'
    """
    if not representations:
        return "Colours are algorithms."
    if len(representations) > len(LINE_STYLES):
        return f"Colours are algorithms, dashes representations; {representations[0]} is solid."
    first, *others = zip(representations, LINE_STYLES, strict=False)
    styles = [f"{first[0]} is {first[1]}", *(f"{name} {style}" for name, style in others)]
    return f"Colours are algorithms; {', '.join(styles)}."


def against(representations: Sequence[str]) -> str:
    """Name the first representation and those it is compared with.

    >>> against(["linear", "direct"]), against(["linear", "direct", "gray"])
    ('linear against direct', 'linear against the other representations')
    """
    first, *others = representations
    return f"{first} against {others[0] if len(others) == 1 else 'the other representations'}"


def p_value(p: float) -> str:
    """Write a p-value in a sentence.

    >>> p_value(0.25), p_value(1e-9)
    ('p = 0.250', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def moment(seconds: float) -> str:
    """Write a time, given in seconds since 1970, in UTC.

    >>> moment(0)
    '1970-01-01 00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def duration(seconds: float) -> str:
    """Write a duration in the units a person uses.

    >>> [duration(seconds) for seconds in (0.4, 75, 7325)]
    ['0.4 s', '1 min 15 s', '2 h 2 min']
    """
    if seconds < 60:
        return f"{seconds:.2g} s"
    minutes = round(seconds) // 60
    if minutes < 60:
        return f"{minutes} min {round(seconds) % 60} s"
    return f"{minutes // 60:,} h {minutes % 60} min"
