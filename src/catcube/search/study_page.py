"""The page of a study: one HTML file that loads nothing and draws itself.

Only its own style and script are allowed, by their hashes; every text of the study is shown as
text, never as markup.
"""

import base64
import hashlib
import html
import json
import math
import time
from importlib.resources import files
from typing import Any

from catcube import __version__
from catcube.base.text import shortened
from catcube.search.study import RUNNING, Row, Study

AXES = 12  # variables with lines of their own, the most important ones
MOST_ROWS = 20_000
LONGEST_LABEL = 60


def page(study: Study) -> str:
    """Write the page of a study."""
    rows, counts, best = study.rows[-MOST_ROWS:], study.counts(), study.best
    importance = _importance(study)
    positions = {name: position for position, name in enumerate(study.space)}
    ranked = [positions[entry["name"]] for entry in importance[:AXES]]
    data = {
        "maximize": study.direction == "maximize",
        "names": list(study.space),
        "labels": [[_text(label) for label in labels] for labels in study.space.labels],
        "axes": sorted(ranked) or list(range(min(AXES, len(study.space)))),
        "importance": importance[: 2 * AXES],
        "best": None if best is None else best.id,
        "rows": [_row(study, row) for row in rows],
    }
    drawn = any(math.isfinite(row.value) for row in rows)
    wanted = {"course": drawn, "parallel": drawn, "importance": bool(importance)}
    body = _BODY.format(
        title=html.escape(study.path.name),
        cards=_cards(study, counts, best),
        best=_best(best),
        figures="\n".join(_figure(name) for name, there in wanted.items() if there),
        version=__version__,
    )
    style, script = _asset("study.css"), _asset("study.js")
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}"
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(study.path.name)}</title>\n<style>{style}</style>\n</head>\n"
        f'{body}<script type="application/json" id="data">{text}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


_BODY = """<body>
<main>
<h1>{title}</h1>
{cards}
{best}
{figures}
<section id="points"><h2>Table</h2>
<p class="note"><span id="count"></span>; click a title to sort.</p>
<div class="scroll"><table></table></div>
<button class="more" id="more" type="button" hidden>Show more</button></section>
<p class="note">Written by catcube {version}.</p>
</main>
<div id="tip" hidden></div>
"""


def _cards(study: Study, counts: dict[str, int], best: Row | None) -> str:
    entries = {"best value": "–" if best is None else f"{best.value:.6g}"}
    entries |= {state: f"{count:,}" for state, count in counts.items() if count}
    seconds = [row.seconds for row in study.rows if not math.isnan(row.seconds)]
    if seconds:
        entries["seconds a call"] = f"{sum(seconds) / len(seconds):.3g}"
    cards = "".join(
        f'<div class="card"><span class="faint">{name}</span><b>{text}</b></div>'
        for name, text in entries.items()
    )
    runs = "; ".join(
        f"{run.get('algorithm', '?')}, seed {run.get('used', '?')}" for run in study.runs[:8]
    )
    about = f"{study.direction} {len(study.space)} variables" + (f" ({runs})" if runs else "")
    moment = time.strftime("%Y-%m-%d %H:%M", time.localtime())
    return f'<p class="faint">{html.escape(about)}, {moment}</p><div class="cards">{cards}</div>'


def _best(best: Row | None) -> str:
    if best is None:
        return ""
    pairs = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(_text(label))}</dd></div>"
        for name, label in best.x.items()
    )
    return f'<section><h2>Best point</h2><dl class="best">{pairs}</dl></section>'


_FIGURES = {
    "course": (
        "Course",
        "Each dot is a point in the order in which they began; the line is the best value so far, "
        "a cross a point without a value.",
    ),
    "parallel": (
        "Points",
        "Each line is a point; the best tenth is blue. Click a label to see the points that have "
        "it, and again to see all.",
    ),
    "importance": (
        "Importance",
        "The share of each variable in the changes that a model of the values predicts around the "
        "best points, with an interval that contains it with a probability of 90 %.",
    ),
}


def _figure(name: str) -> str:
    title, note = _FIGURES[name]
    return (
        f'<section id="{name}"><h2>{title}</h2><p class="note">{note}</p>'
        '<div class="scroll"><div class="stage"></div></div></section>'
    )


def _row(study: Study, row: Row) -> dict[str, Any]:
    present = [
        study.space[name].index(row.x[name]) if name in row.x else None for name in study.space
    ]
    return {
        "id": row.id,
        "state": row.state,
        "value": _INFINITE.get(row.value, None if math.isnan(row.value) else row.value),
        "seconds": None if math.isnan(row.seconds) else round(row.seconds, 6),
        "message": shortened(row.message, 500),
        "x": present,
    }


_INFINITE: dict[float, Any] = {math.inf: "Infinity", -math.inf: "-Infinity"}  # for JSON


def _importance(study: Study) -> list[dict[str, Any]]:
    """Return the variables in the order of their importance; none without a model."""
    values = {row.value for row in study.rows if row.state != RUNNING and math.isfinite(row.value)}
    if len(values) < 2:
        return []
    entries = [
        {"name": name, **importance._asdict()}
        for name, importance in study.model().importance().items()
    ]
    return sorted(entries, key=lambda entry: -entry["share"])


def _text(label: Any) -> str:
    return shortened(label if isinstance(label, str) else str(label), LONGEST_LABEL)


def _asset(name: str) -> str:
    return files("catcube.search").joinpath("assets", name).read_text(encoding="utf-8").strip()


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
