"""A table as LaTeX, with booktabs; what is in its cells is text, never commands."""

import re
import unicodedata

from catcube.report.cells import written
from catcube.report.table import Column, ReportTable

_LONG = 45  # rows: more do not fit on a page, and are broken over several
_WIDE = 8  # columns: more need smaller letters
_WRAPPED = 30  # characters: a longer cell is broken into lines

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
    r"""Text that LaTeX prints as it is; a character that few fonts have becomes its number.

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
    """A table environment, or a longtable if there are too many rows for a page."""
    wrapped = [_is_wrapped(table, place) for place in range(len(table.columns))]
    lines = [_row([escaped(column.title) for column in table.columns], wrapped)]
    for number, row in enumerate(table.rows):
        texts = [
            escaped(written(cell, column.kind))
            for cell, column in zip(row, table.columns, strict=True)
        ]
        if number in table.marked:
            texts = [text and rf"\textbf{{{text}}}" for text in texts]
        lines.append(_row(texts, wrapped))
    types = "".join(
        _column_type(column, own, sum(wrapped))
        for column, own in zip(table.columns, wrapped, strict=True)
    )
    caption = rf"\caption{{{escaped(f'{table.title}. {table.caption}')}}}"
    label = rf"\label{{tab:{table.name}}}"
    wide = len(table.columns) > _WIDE or any(wrapped)
    setting = [r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"] if wide else []
    if len(table.rows) > _LONG:
        return _joined(
            "% needs \\usepackage{booktabs,longtable}",
            r"\begingroup",
            *setting,
            rf"\begin{{longtable}}{{{types}}}",
            rf"{caption}{label}\\",
            *(r"\toprule", lines[0], r"\midrule", r"\endfirsthead"),
            *(r"\toprule", lines[0], r"\midrule", r"\endhead"),
            *(r"\bottomrule", r"\endfoot"),
            *lines[1:],
            *(r"\end{longtable}", r"\endgroup"),
        )
    return _joined(
        "% needs \\usepackage{booktabs}",
        *(r"\begin{table}[htbp]", r"\centering", *setting, caption, label),
        rf"\begin{{tabular}}{{{types}}}",
        *(r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"),
        *(r"\end{tabular}", r"\end{table}"),
    )


def _joined(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _is_wrapped(table: ReportTable, place: int) -> bool:
    """Whether a column has text too long for a line."""
    return table.columns[place].kind == "text" and any(
        len(str(row[place])) > _WRAPPED for row in table.rows
    )


def _column_type(column: Column, wrapped: bool, wrapped_columns: int) -> str:
    if wrapped:
        return f"p{{{0.6 / wrapped_columns:.2f}\\linewidth}}"
    return "l" if column.kind in ("text", "yes") else "r"


def _row(texts: list[str], wrapped: list[bool]) -> str:
    cells = [
        rf"\raggedright {text}" if broken else text
        for text, broken in zip(texts, wrapped, strict=True)
    ]
    # After \raggedright, \\ would end a line of the cell, not the row.
    return " & ".join(cells) + (r" \tabularnewline" if any(wrapped) else r" \\")
