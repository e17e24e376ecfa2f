"""Titles and captions of tables and figures (`captions.toml`), and the names of their files."""

import tomllib
from importlib.resources import files
from typing import Any

from catcube.base.text import count
from catcube.studies.analysis.model import Conditions
from catcube.studies.report.text import against, cell_text, safe_name

_TEXTS = tomllib.loads(
    files("catcube.studies.report").joinpath("captions.toml").read_text(encoding="utf-8")
)


def caption(kind: str, **words: Any) -> tuple[str, str]:
    """Return the title and the caption of a kind of table or figure, with words filled in.

    >>> caption("missing")
    ('Missing runs', 'How many runs of each pair on each instance are not done.')
    """
    texts = _TEXTS[kind]
    return texts["title"].format_map(words), texts["caption"].format_map(words)


def labels(kind: str, conditions: Conditions, *parts: str, **words: Any) -> tuple[str, str, str]:
    """Return file name, title and caption of a part of a section; `parts` end the name."""
    known = {
        "experiment": conditions.experiment,
        "budget": conditions.budget,
        "target": cell_text(conditions.target, "number"),
        "runs": count(conditions.runs, "run"),
        "first": conditions.representations[0],
        "compared": against(conditions.representations),
    }
    return stem(conditions, *parts), *caption(kind, **known | words)


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
