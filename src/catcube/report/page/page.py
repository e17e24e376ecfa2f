"""The page of a study: one HTML file that needs nothing else, not even a network.

Its style and scripts are the files in `assets`, allowed by their hashes; no other script runs.
"""

import base64
import hashlib
import os
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template

from catcube import __version__
from catcube.analysis.model import Study
from catcube.report.page.charts import Charts
from catcube.report.page.conditions import conditions_body
from catcube.report.page.markup import joined, json_text, text
from catcube.report.page.sections import section_body, section_title
from catcube.report.page.statements import statements
from catcube.report.page.summary import page_title, summary
from catcube.report.tables.table import ReportTable

_SCRIPTS = ("draw.js", "bars.js", "curves.js", "ranks.js", "tables.js", "page.js")
_NO_SCRIPT = (
    '<noscript><div class="notice"><p>The interactive figures need JavaScript, which is off. The '
    "folders figures and tables beside this page hold the same pictures and tables; where there "
    "are many instances, theirs are not here.</p></div></noscript>"
)


def page(study: Study, tables: Sequence[ReportTable]) -> str:
    """The page as text; the tables are those of `report_tables`.

    >>> page(Study(()), []).startswith("<!DOCTYPE html>")
    True
    """
    charts = Charts()
    parts = [("summary", "Summary", joined([summary(study), _NO_SCRIPT]))]
    reference = study.reference
    if reference and reference.statements:
        parts.append(("statements", "The paper’s statements", statements(reference)))
    for number, section in enumerate(study.sections):
        own = [table for table in tables if table.section == number]
        identity = f"section-{number}"
        body = section_body(section, own, identity, charts, reference)
        parts.append((identity, section_title(section), body))
    general = [table for table in tables if table.section is None]
    parts.append(("conditions", "How it was run", conditions_body(study, general)))

    style = _asset("style.css")
    script = "\n".join(['"use strict";', *map(_asset, _SCRIPTS)])
    return Template(_asset("page.html")).substitute(
        policy=text(
            f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
            f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
        ),
        title=text(page_title(study)),
        version=text(__version__),
        style=style,
        contents=joined(f'<li><a href="#{own}">{text(title)}</a></li>' for own, title, _ in parts),
        body=joined(f'<section id="{own}">\n{body}\n</section>' for own, _, body in parts),
        charts=json_text(charts.data),
        script=script,
    )


def write_page(study: Study, tables: Sequence[ReportTable], path: str | os.PathLike[str]) -> None:
    """Write the page into a file."""
    # Names of files may hold what no UTF-8 text can.
    Path(path).write_bytes(page(study, tables).encode("utf-8", "backslashreplace"))


def _asset(name: str) -> str:
    content = files("catcube.report").joinpath("assets", name).read_text(encoding="utf-8")
    return content.strip()


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
