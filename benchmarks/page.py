"""Tables and numbers in Markdown, and generated sections of pages, between markers."""

import math
import os
import re
from collections.abc import Sequence
from datetime import date

import catcube
from catcube.base.provenance import machine


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


def begin(name: str) -> str:
    """Return the line before a generated section."""
    return f"<!-- generated: {name} -->"


def end(name: str) -> str:
    """Return the line after a generated section."""
    return f"<!-- end: {name} -->"


def marked(name: str, text: str) -> str:
    """Return a section between its markers."""
    return f"{begin(name)}\n\n{text.strip()}\n\n{end(name)}"


def replaced(page: str, name: str, text: str) -> str:
    """Return the page with new text for one of its sections.

    >>> page = "Speed\\n" + marked("cost", "old") + "\\nThe end"
    >>> replaced(page, "cost", "new") == page.replace("old", "new")
    True
    """
    pattern = re.compile(f"{re.escape(begin(name))}.*?{re.escape(end(name))}", re.DOTALL)
    changed, count = pattern.subn(lambda match: marked(name, text), page)
    if count != 1:
        raise ValueError(f"the page has {count} sections {begin(name)} … {end(name)}, not one")
    return changed


def stamp(seed: int, seconds: float) -> str:
    """Return the line under a section: where, with what, when."""
    host = machine()
    return (
        f"*{host['processor']}, {host['cores']} cores{_memory()}, {host['system']}; "
        f"catcube {catcube.__version__}, Python {host['python']}, numpy {host['numpy']}, "
        f"numba {host['numba']}; seed {seed}; {date.today().isoformat()}; "
        f"measured in {seconds:.0f} s.*"
    )


def _memory() -> str:
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return ""
    size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f", {size:.0f} GiB"
