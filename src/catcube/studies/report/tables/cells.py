"""The cells of a table as text for people."""

import math

from catcube.studies.report.tables.table import Cell, Kind


def cell_text(cell: Cell, kind: Kind) -> str:
    """Format a cell: integers in groups of three, numbers with about four digits.

    Percents are given as such (37 is 37 %), a p-value below 0.001 only as that.

    >>> [cell_text(cell, "number") for cell in (2.50, 1234.5678, 0.03666, -1.0, float("inf"))]
    ['2.5', '1,234.6', '0.0367', '−1', '∞']
    >>> cell_text(300_000, "integer"), cell_text(37, "percent"), cell_text(1e-9, "p")
    ('300,000', '37 %', '<0.001')
    >>> cell_text(True, "yes"), cell_text(None, "number"), cell_text("sa", "text")
    ('yes', '', 'sa')
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if kind == "yes":
        return "yes" if cell else "no"
    if math.isinf(cell):
        return "∞" if cell > 0 else "−∞"
    if math.isnan(cell):
        return "–"
    if kind == "p":
        return "<0.001" if cell < 0.001 else f"{cell:.3f}"
    text = _number(cell).replace("-", "−")
    return f"{text} %" if kind == "percent" else text


def _number(cell: float) -> str:
    if cell == int(cell):
        return f"{int(cell):,}"
    if abs(cell) < 0.0001:
        return f"{cell:.2g}"
    digits = 1 if abs(cell) >= 100 else 2 if abs(cell) >= 1 else 4
    return f"{cell:,.{digits}f}".rstrip("0").rstrip(".")
