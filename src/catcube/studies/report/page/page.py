"""The page of a study: one HTML file that needs nothing else, not even a network.

Its style and scripts are the files in `assets`, allowed by their hashes; no other script runs.
"""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files

from markupsafe import Markup

from catcube import __version__
from catcube.studies.analysis.model import Study
from catcube.studies.report.page.charts import Chart
from catcube.studies.report.page.rendering import rendered
from catcube.studies.report.page.sections import PageSection, page_sections, page_title
from catcube.studies.report.tables.table import Tables

_SCRIPTS = ("draw.js", "bars.js", "curves.js", "ranks.js", "tables.js", "page.js")


def page(study: Study, tables: Tables, extra: Sequence[PageSection] = ()) -> str:
    """Write the page; the tables are those of `report_tables`, and more if there are.

    A table of unknown kind is shown at the end of its section. Extra sections come before the
    last one, which says how the experiments were run.

    >>> page(Study(()), {}).startswith("<!DOCTYPE html>")
    True
    """
    charts: list[Chart] = []
    *sections, conditions = page_sections(study, tables, charts)
    bodies = [
        {"id": one.id, "title": one.title, "body": rendered(one.template, one.context)}
        for one in (*sections, *extra, conditions)
    ]
    style = _asset("style.css")
    script = "\n".join(['"use strict";', *map(_asset, _SCRIPTS)])
    return rendered(
        "page.html.j2",
        {
            "policy": (
                f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
                f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
            ),
            "title": page_title(study),
            "version": __version__,
            "sections": bodies,
            "style": Markup(style),
            "script": Markup(script),
            "charts": {"representations": _representations(study), "charts": charts},
        },
    )


def encoded(text: str) -> bytes:
    r"""Encode a page; names of files may contain what UTF-8 cannot encode.

    >>> encoded("odd\udcff")
    b'odd\\udcff'
    """
    return text.encode("utf-8", "backslashreplace")


def _representations(study: Study) -> list[str]:
    """List all representations of the study: each has the same colour in all charts."""
    names = (name for one in study.conditions for name in one.representations)
    return list(dict.fromkeys(names))


def _asset(name: str) -> str:
    content = files("catcube.studies.report").joinpath("assets", name).read_text(encoding="utf-8")
    return content.strip()


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
