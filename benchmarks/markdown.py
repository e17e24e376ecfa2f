"""Tables and numbers in Markdown."""

import math
from collections.abc import Sequence


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; all columns but the first are aligned to the right."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits at least, never in scientific notation.

    >>> [number(value) for value in (0.01234, 1.234, 12.34, 123.4, 1234.5, 1234567)]
    ['0.0123', '1.23', '12.3', '123', '1,234', '1,234,567']
    """
    if value == 0 or not math.isfinite(value):
        return str(value)
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}"


def pair(values: Sequence[float], digits: int = 3) -> str:
    """Two numbers, such as those of the two representations."""
    return " / ".join(number(value, digits) for value in values)
