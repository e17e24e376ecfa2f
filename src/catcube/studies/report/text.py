"""Numbers, durations, lists, cells of tables and names of files as text."""

import math
import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

Kind = Literal["text", "number", "percent", "p"]
"""How the cells of a column are shown: `p` is a p-value."""

Cell = str | int | float | None
"""None is an empty cell; infinite numbers are shown as ∞."""

LINE_STYLES = ("solid", "dashed", "dotted")


def describe_line_styles(representations: Sequence[str]) -> str:
    """Say how the lines of the representations are drawn.

    >>> describe_line_styles(["linear", "direct"])
    'Colours are algorithms; linear is solid, direct dashed.'
    >>> describe_line_styles(["linear", "direct", "gray", "native"])
    'Colours are algorithms, dashes representations; linear is solid.'
    """
    if not representations:
        return "Colours are algorithms."
    if len(representations) > len(LINE_STYLES):
        return f"Colours are algorithms, dashes representations; {representations[0]} is solid."
    first, *others = zip(representations, LINE_STYLES, strict=False)
    styles = [f"{first[0]} is {first[1]}", *(f"{name} {style}" for name, style in others)]
    return f"Colours are algorithms; {', '.join(styles)}."


def describe_comparison(representations: Sequence[str]) -> str:
    """Name the first representation and those it is compared with.

    >>> describe_comparison(["linear", "direct"]), describe_comparison(["linear", "direct", "gray"])
    ('linear against direct', 'linear against the other representations')
    """
    first, *others = representations
    return f"{first} against {others[0] if len(others) == 1 else 'the other representations'}"


def format_p_value(p: float) -> str:
    """Write a p-value in a sentence.

    >>> format_p_value(0.25), format_p_value(1e-9), format_p_value(1e-30)
    ('p = 0.250', 'p = 1e-09', 'p < 1e-16')
    """
    text = cell_text(p, "p")
    return f"p {text.replace('<', '< ')}" if text.startswith("<") else f"p = {text}"


def format_power_of_ten(value: float, _position: object = None) -> str:
    """Label a power of ten.

    >>> format_power_of_ten(1), format_power_of_ten(1e6)
    ('1', '10⁶')
    """
    if value in (1, 10):
        return f"{value:.0f}"
    exponent = len(f"{value:.0f}") - 1
    return "10" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def format_time(seconds: float) -> str:
    """Write a time, given in seconds since 1970, in UTC.

    >>> format_time(0)
    '1970-01-01 00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def format_duration(seconds: float) -> str:
    """Write a duration in the units a person uses.

    >>> [format_duration(seconds) for seconds in (0.4, 75, 7325)]
    ['0.4 s', '1 min 15 s', '2 h 2 min']
    """
    if seconds < 60:
        return f"{seconds:.2g} s"
    minutes = round(seconds) // 60
    if minutes < 60:
        return f"{minutes} min {round(seconds) % 60} s"
    return f"{minutes // 60:,} h {minutes % 60} min"


_LONGEST = 60


def safe_name(text: str) -> str:
    """Reduce a name to small letters, digits and hyphens; "unnamed" if it has none.

    Names of experiments and instances are not trusted; the files named after them must stay in
    their folder, on every file system.

    >>> safe_name("sudoku-easy-56"), safe_name("../Ünder_way?"), safe_name("..")
    ('sudoku-easy-56', 'under-way', 'unnamed')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower())
    return words.strip("-")[:_LONGEST].strip("-") or "unnamed"


def cell_text(cell: Cell, kind: Kind) -> str:
    """Format a cell: integers in groups of three, numbers with about four digits.

    Percents are given as such (37 is 37 %), a p-value below 1e-16 only as that.

    >>> [cell_text(cell, "number") for cell in (2.50, 1234.5678, 0.03666, -1.0, float("inf"))]
    ['2.5', '1,234.6', '0.0367', '−1', '∞']
    >>> cell_text(300_000, "number"), cell_text(37, "percent"), cell_text(1e-9, "p")
    ('300,000', '37 %', '1e-09')
    >>> cell_text(None, "number"), cell_text("sa", "text")
    ('', 'sa')
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if math.isinf(cell):
        return "∞" if cell > 0 else "−∞"
    if math.isnan(cell):
        return "–"
    if kind == "p":
        return "<1e-16" if cell < 1e-16 else f"{cell:.0e}" if cell < 0.001 else f"{cell:.3f}"
    text = _number(cell).replace("-", "−")
    return f"{text} %" if kind == "percent" else text


def _number(cell: float) -> str:
    if cell == int(cell):
        return f"{int(cell):,}"
    if abs(cell) < 0.0001:
        return f"{cell:.2g}"
    digits = 1 if abs(cell) >= 100 else 2 if abs(cell) >= 1 else 4
    return f"{cell:,.{digits}f}".rstrip("0").rstrip(".")
