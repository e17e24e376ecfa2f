"""The page of a study: a self-contained HTML file that draws its charts with a script.

A content security policy allows only its own style and script, by their hashes; all texts of the
study are escaped.
"""

import base64
import hashlib
import html
import json
import math
import time
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

from catcube import __version__
from catcube.base.text import count, shorten
from catcube.search.study import RUNNING, Row, Study

MAX_AXES = 12  # variables in the parallel coordinates, the most important ones
MAX_ROWS = 20_000
LONGEST_LABEL = 60


def render_page(study: Study) -> str:
    """Return the page of a study as HTML."""
    rows, best = study.rows, study.best
    importance = _importance(study, rows)
    positions = {name: position for position, name in enumerate(study.space)}
    ranked = [positions[entry["name"]] for entry in importance[:MAX_AXES]]
    data = {
        "maximize": study.direction == "maximize",
        "names": list(study.space),
        "labels": [[_shorten_label(label) for label in labels] for labels in study.space.labels],
        "axes": sorted(ranked) or list(range(min(MAX_AXES, len(study.space)))),
        "importance": importance[: 2 * MAX_AXES],
        "best": None if best is None else best.id,
        "rows": [_row_data(study, row) for row in rows[-MAX_ROWS:]],
    }
    style, script = _asset("study.css"), _asset("study.js")
    point = {} if best is None else best.x
    drawn = any(math.isfinite(row.value) for row in rows[-MAX_ROWS:])
    return Template(_asset("study.html")).substitute(
        title=html.escape(study.path.name),
        about=html.escape(_describe(study)),
        cards=_render_pairs(
            "<div class=card><span class=faint>{}</span><b>{}</b></div>", _count_cards(study)
        ),
        best=_render_pairs("<div><dt>{}</dt><dd>{}</dd></div>", point),
        no_best="" if point else HIDDEN,
        no_values="" if drawn else HIDDEN,
        no_importance="" if importance else HIDDEN,
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        style=style,
        script=script,
        data=json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"),
        version=__version__,
    )


HIDDEN = " hidden"  # an attribute of a section


def _render_pairs(markup: str, pairs: Mapping[str, Any]) -> str:
    """Format each name and its value as HTML."""
    return "".join(
        markup.format(html.escape(name), html.escape(_shorten_label(text)))
        for name, text in pairs.items()
    )


def _describe(study: Study) -> str:
    runs = "; ".join(
        f"{run.get('algorithm', '?')}, seed {run.get('used', '?')}" for run in study.runs[:8]
    )
    about = (
        f"{study.direction}: {count(len(study.space), 'variable')}{f' ({runs})' if runs else ''}"
    )
    return f"{about}, {time.strftime('%Y-%m-%d %H:%M', time.localtime())}"


def _count_cards(study: Study) -> dict[str, str]:
    best = study.best
    entries = {"best value": "–" if best is None else f"{best.value:.6g}"}
    counts = {f"{state} points": f"{n:,}" for state, n in study.counts().items() if n}
    entries |= {name.replace("value", "evaluated"): number for name, number in counts.items()}
    seconds = [row.seconds for row in study.rows if not math.isnan(row.seconds)]
    if seconds:
        entries["seconds per call"] = f"{sum(seconds) / len(seconds):.3g}"
    return entries


def _row_data(study: Study, row: Row) -> dict[str, Any]:
    present = [
        study.space[name].index(row.x[name]) if name in row.x else None for name in study.space
    ]
    return {
        "id": row.id,
        "state": row.state,
        "value": _INFINITE.get(row.value, None if math.isnan(row.value) else row.value),
        "seconds": None if math.isnan(row.seconds) else round(row.seconds, 6),
        "message": shorten(row.message, 500),
        "x": present,
    }


_INFINITE: dict[float, Any] = {math.inf: "Infinity", -math.inf: "-Infinity"}  # for JSON


def _importance(study: Study, rows: list[Row]) -> list[dict[str, Any]]:
    """Return the variables by decreasing importance; none if there are too few values."""
    values = {row.value for row in rows if row.state != RUNNING and math.isfinite(row.value)}
    if len(values) < 2:
        return []
    entries = [
        {"name": name, **importance._asdict()}
        for name, importance in study.model().importance().items()
    ]
    return sorted(entries, key=lambda entry: -entry["share"])


def _shorten_label(label: Any) -> str:
    return shorten(label if isinstance(label, str) else str(label), LONGEST_LABEL)


def _asset(name: str) -> str:
    return files("catcube.search").joinpath("assets", name).read_text(encoding="utf-8").strip()


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
