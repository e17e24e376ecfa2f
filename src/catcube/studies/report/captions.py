"""Titles and captions of tables and figures (`captions.toml`), and the names of their files."""

import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from catcube.base.text import count
from catcube.studies.analysis.model import Conditions
from catcube.studies.report.table import ReportTable, Row
from catcube.studies.report.text import against, cell_text, safe_name

_TEXTS = tomllib.loads(
    files("catcube.studies.report").joinpath("captions.toml").read_text(encoding="utf-8")
)


def labels(
    kind: str, conditions: Conditions | None, *parts: str, **words: Any
) -> tuple[str, str, str]:
    """Return file name, title and caption; `parts` end the name of what is part of a section.

    >>> labels("missing", None, "missing")
    ('missing', 'Missing runs', 'Number of missing runs of each pair on each instance.')
    """
    name = "-".join(parts) if conditions is None else stem(conditions, *parts)
    words = _known(conditions) | words
    return name, *(_TEXTS[kind][text].format_map(words) for text in ("title", "caption"))


def make_table(
    kind: str,
    rows: Sequence[Row],
    conditions: Conditions | None = None,
    parts: Sequence[str] = (),
    more: Iterable[str] = (),
    marked: Iterable[bool] = (),
    **words: Any,
) -> ReportTable:
    """Make a table of a kind; `more` are the titles of its columns after those that it always has.

    Rows that are `marked` are emphasised.
    """
    named = labels(kind, conditions, *(parts or [kind]), **words)
    words = _known(conditions) | words
    columns = (*(title.format_map(words) for title in _TEXTS[kind]["columns"]), *more)
    numbers = frozenset(number for number, is_marked in enumerate(marked) if is_marked)
    return ReportTable(*named, columns, rows, numbers)


def _known(conditions: Conditions | None) -> dict[str, Any]:
    """Return the words that every part of a section knows."""
    if conditions is None:
        return {}
    return {
        "experiment": conditions.experiment,
        "budget": conditions.budget,
        "target": cell_text(conditions.target, "number"),
        "runs": count(conditions.runs, "run"),
        "first": conditions.representations[0],
        "compared": against(conditions.representations),
    }


def stem(conditions: Conditions, *parts: str) -> str:
    """Return the stem of the files of a section, which names a budget or target that was chosen."""
    chosen = []
    if conditions.chosen:
        chosen = [
            f"budget-{conditions.budget}"
            if conditions.target is None
            else f"target-{safe_name(f'{conditions.target:g}')}"
        ]
    return "-".join([safe_name(conditions.experiment), *chosen, *parts])
