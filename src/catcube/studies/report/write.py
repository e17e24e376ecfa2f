"""The report of a study: the page, and tables and figures as files."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from catcube.base.files import replace_file
from catcube.base.text import expect
from catcube.problems.scanner import read_text
from catcube.studies.analysis.sections import Study
from catcube.studies.report.charts import INSTANCES, TOGETHER
from catcube.studies.report.figures import FIGURE_FORMATS, figure_files
from catcube.studies.report.page import render_page
from catcube.studies.report.table import TABLE_FORMATS, table_files
from catcube.studies.report.tables import report_tables

PAGE = "report.html"
FILES = "report-files.json"
UNFINISHED = "report-unfinished.txt"  # while it is there, files may be of two reports
FORMATS = (*TABLE_FORMATS, *FIGURE_FORMATS)
_FOLDERS = {**dict.fromkeys(TABLE_FORMATS, "tables"), **dict.fromkeys(FIGURE_FORMATS, "figures")}


class ReportFiles(NamedTuple):
    """The files of a report."""

    page: Path
    tables: list[Path]
    figures: list[Path]


def write_report(
    study: Study,
    folder: str | os.PathLike[str],
    formats: Sequence[str] = ("csv",),
    *,
    instances: int | None = INSTANCES,
) -> ReportFiles:
    """Write the page, the folders of tables and figures, and a list of all these files.

    Parameters
    ----------
    study
        What `catcube.studies.analyse` returns.
    folder
        Made if need be. Files of an earlier report that this one does not have are removed if
        they are as that report wrote them. Nothing else is removed, and no link is followed.
    formats
        Of the tables: csv, tex. Of the figures, which are drawn on request: svg, png, pdf.
    instances
        How many instances of an experiment are shown one by one, on the page and as figures: some
        from all over the plan, fewer of many experiments, or all if that is None. The tables have
        all of them.

    Returns
    -------
    ReportFiles
        The paths. If writing is interrupted, a file that says so remains in the folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(Study(()), folder).page.name
    'report.html'
    """
    expect({*formats} <= {*FORMATS}, f"formats among {', '.join(FORMATS)}", formats)
    folder = Path(folder)
    for name in (*dict.fromkeys(_FOLDERS.values()), PAGE, FILES, UNFINISHED):
        is_link = (folder / name).is_symlink()
        expect(not is_link, "no link in the folder of the report", str(folder / name))
    tables = report_tables(study)
    if instances is not None:
        instances = min(instances, max(1, TOGETHER // max(1, len(study.conditions))))
    unfinished = replace_file(folder / UNFINISHED, _UNFINISHED.encode())
    files = table_files(tables.values(), formats) | figure_files(study, formats, instances)
    contents = {f"{_FOLDERS[name.rpartition('.')[2]]}/{name}": files[name] for name in files}
    # Names of files need not be valid text.
    contents[PAGE] = render_page(study, tables, instances).encode("utf-8", "backslashreplace")
    _remove(folder, contents)
    for name, content in contents.items():
        replace_file(folder / name, content)
    listed = {name: _digest(content) for name, content in contents.items()}
    replace_file(folder / FILES, json.dumps(listed, indent=0).encode())
    unfinished.unlink()
    tables_written, figures_written = (
        [folder / name for name in contents if name.startswith(kind)]
        for kind in ("tables/", "figures/")
    )
    return ReportFiles(folder / PAGE, tables_written, figures_written)


_UNFINISHED = """\
This report is incomplete: it is being written, or writing it was interrupted.
Some files may be of an earlier report. Run the same command again to write all of them.
"""


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _remove(folder: Path, kept: dict[str, bytes]) -> None:
    """Remove files of an earlier report that are as it wrote them, and are not written again."""
    try:
        listed = json.loads(read_text(folder / FILES))
    except (OSError, ValueError, RecursionError):
        return
    if not isinstance(listed, dict):
        return
    for path in (*folder.glob("tables/*"), *folder.glob("figures/*")):
        name = path.relative_to(folder).as_posix()
        is_ours = name in listed and path.suffix[1:] in FORMATS and not path.is_symlink()
        if name not in kept and is_ours and _digest(path.read_bytes()) == listed[name]:
            path.unlink()
