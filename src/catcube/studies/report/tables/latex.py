"""A table as LaTeX, with booktabs; what is in its cells is text, never commands."""

import re
import unicodedata

from catcube.studies.report.tables.cells import cell_text
from catcube.studies.report.tables.table import Column, ReportTable

_LONG = 45  # lines: more do not fit on a page, and are broken over several
_WRAPPED = 30  # characters: a longer text is broken into lines
_NORMAL = 70  # characters in a line of normal letters
_SMALL = 95  # and of small ones

_SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{character: f"${character}$" for character in "<>|"},
    **{character: f"{{{character}}}" for character in "[]*'\""},  # after \\, in ligatures
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "∞": r"$\infty$",
    "−": "$-$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "χ": r"$\chi$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "\u00a0": "~",
    "\u202f": r"\,",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    **{character: f"$^{{{digit}}}$" for digit, character in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}
_ACCENTS = {
    "\u0300": r"\`",
    "\u0301": r"\'",
    "\u0302": r"\^",
    "\u0303": r"\~",
    "\u0308": r"\"",
    "\u030a": r"\r",
    "\u030c": r"\v",
    "\u0327": r"\c",
}


def escaped(text: str) -> str:
    r"""Escape text for LaTeX; a character that few fonts have becomes its number.

    >>> escaped("50 % of a_b ≤ ∞"), escaped(r"\end{table}")
    ('50 \\% of a\\_b $\\leq$ $\\infty$', '\\textbackslash{}end\\{table\\}')
    >>> escaped("Demšar"), escaped("数")
    ('Dem\\v{s}ar', '\\texttt{U+6570}')
    """
    joined = "".join(map(_character, " ".join(text.split())))
    return re.sub("-(?=-)", "-{}", joined)  # two hyphens would be printed as a dash


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if " " <= character <= "~":
        return character
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        return f"{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return rf"\texttt{{U+{ord(character):04X}}}"


def latex(table: ReportTable) -> str:
    """Write a table environment, or a longtable if there are too many lines for a page."""
    cells = [
        [cell_text(cell, column.kind) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    lengths = [
        max(map(len, [column.title, *(row[index] for row in cells)]))
        for index, column in enumerate(table.columns)
    ]
    wrapped = [
        column.kind == "text" and length > _WRAPPED
        for column, length in zip(table.columns, lengths, strict=True)
    ]
    kept = sum(length + 1 for length, broken in zip(lengths, wrapped, strict=True) if not broken)
    share = max(0.4, 0.97 - kept / _SMALL) / max(1, sum(wrapped))
    types = "".join(
        _column_type(column, share if broken else None)
        for column, broken in zip(table.columns, wrapped, strict=True)
    )
    titles = [escaped(column.title) for column in table.columns]
    heading = _row(titles, [False] * len(titles))
    lines = []
    for number, row in enumerate(cells):
        texts = [escaped(text) for text in row]
        if number in table.marked:
            texts = [
                rf"\textbf{{{text}}}" if text and not broken else text
                for text, broken in zip(texts, wrapped, strict=True)
            ]
        lines.append(_row(texts, wrapped))
    caption = rf"\caption{{{escaped(f'{table.title}. {table.caption}')}}}"
    label = rf"\label{{tab:{table.name}}}"
    small = any(wrapped) or kept > _NORMAL
    setting = [r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"] if small else []
    height = sum(
        max(1, *(len(text) / (share * _SMALL) for text in row)) if any(wrapped) else 1
        for row in cells
    )
    if height > _LONG:
        return _joined(
            r"% needs \usepackage{booktabs,longtable}",
            *(r"\begingroup", *setting, r"\setlength{\LTcapwidth}{\linewidth}"),
            rf"\begin{{longtable}}{{{types}}}",
            rf"{caption}{label}\\",
            *(r"\toprule", heading, r"\midrule", r"\endfirsthead"),
            *(r"\toprule", heading, r"\midrule", r"\endhead"),
            *(r"\bottomrule", r"\endfoot"),
            *lines,
            *(r"\end{longtable}", r"\endgroup"),
        )
    tabular = (
        rf"\begin{{tabular}}{{{types}}}",
        *(r"\toprule", heading, r"\midrule", *lines, r"\bottomrule"),
        r"\end{tabular}",
    )
    opening = (r"\begin{table}[htbp]", r"\centering", *setting, caption, label)
    if small:  # made narrower if it is too wide for the page
        return _joined(
            r"% needs \usepackage{booktabs,graphicx}",
            *opening,
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            *tabular[:-1],
            tabular[-1] + "}",
            r"\end{table}",
        )
    return _joined(r"% needs \usepackage{booktabs}", *opening, *tabular, r"\end{table}")


def _joined(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _column_type(column: Column, share: float | None) -> str:
    """Align text left, numbers right; broken texts have a share of the line."""
    if share is not None:
        return rf"p{{{share:.2f}\linewidth}}"
    return "l" if column.kind in ("text", "yes") else "r"


def _row(texts: list[str], wrapped: list[bool]) -> str:
    cells = [
        rf"\raggedright {text}" if broken else text
        for text, broken in zip(texts, wrapped, strict=True)
    ]
    # After \raggedright, \\ would end a line of the cell, not the row.
    return " & ".join(cells) + (r" \tabularnewline\addlinespace" if any(wrapped) else r" \\")
