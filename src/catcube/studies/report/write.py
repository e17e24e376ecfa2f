"""The report of a study: tables, figures and the page that shows them."""

import os
from pathlib import Path
from typing import NamedTuple

from catcube.base.files import replace_file
from catcube.studies.analysis.model import Study
from catcube.studies.report.figures.report_figures import INSTANCES, report_figures, write_figures
from catcube.studies.report.page.page import encoded, page
from catcube.studies.report.tables.formats import write_tables
from catcube.studies.report.tables.report_tables import report_tables

PAGE = "report.html"
FILES = "report-files.txt"
UNFINISHED = "report-unfinished.txt"  # while it is there, files may be of two reports


class ReportFiles(NamedTuple):
    """The files of a report."""

    page: Path
    tables: list[Path]
    figures: list[Path]
    left_out: int  # figures of single instances that are not drawn


def write_report(
    study: Study,
    folder: str | os.PathLike[str],
    instances: int | None = INSTANCES,
    processes: int = 1,
) -> ReportFiles:
    """Write the page, the folders of tables and figures, and a list of all these files.

    Only the first `instances` of an experiment have single figures as files, or all if that is
    None; the page shows all of them. With `processes` above 1, others help to draw; a script that
    asks for them starts with `if __name__ == "__main__":`.

    The list names the files of the report: those of an earlier report in the same folder that this
    one does not have are removed, and nothing else. If writing is interrupted, a file that says so
    remains.
    """
    folder = Path(folder)
    tables = report_tables(study)
    unfinished = replace_file(folder / UNFINISHED, _UNFINISHED.encode())
    table_files = write_tables(tables.values(), folder / "tables")
    figure_files = write_figures(study, folder / "figures", instances, processes)
    content = encoded(page(study, tables))
    left_out = len(report_figures(study, None)) - len(report_figures(study, instances))
    report = ReportFiles(replace_file(folder / PAGE, content), table_files, figure_files, left_out)
    names = [
        path.relative_to(folder).as_posix() for path in (report.page, *table_files, *figure_files)
    ]
    _remove(folder, names)
    replace_file(folder / FILES, "".join(f"{name}\n" for name in names).encode())
    unfinished.unlink()
    return report


_UNFINISHED = """\
This report is incomplete: it is being written, or writing it was interrupted.
Some files may be of an earlier report. Run the same command again to write all of them.
"""


def _remove(folder: Path, kept: list[str]) -> None:
    """Remove the files of an earlier report that are not among those kept."""
    try:
        earlier = (folder / FILES).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return
    for name in set(earlier) - set(kept):
        path = folder / name
        if path.resolve().is_relative_to(folder.resolve()):  # whatever the list has become
            path.unlink(missing_ok=True)
