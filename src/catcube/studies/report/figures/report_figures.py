"""The figures of a study."""

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

from catcube.base.files import replace_file
from catcube.studies.analysis.model import FixedBudget, FixedTarget, Section, Study
from catcube.studies.report.figures.curves import curve_figures
from catcube.studies.report.figures.figure import ReportFigure, drawing, images
from catcube.studies.report.figures.means import mean_figures
from catcube.studies.report.figures.ranks import rank_figures
from catcube.studies.report.figures.sizes import size_figures
from catcube.studies.report.names import UniqueNames

INSTANCES = 24
"""The number of instances of an experiment with single figures: each takes a third of a second."""

SHARE = 8
"""The fewest figures that are worth another process, which takes a second to start."""


def report_figures(study: Study, instances: int | None = INSTANCES) -> list[ReportFigure]:
    """List the figures of each section, not drawn yet; sections without data get no figure.

    Only the first `instances` of the plan have single figures, or all if that is None.

    >>> report_figures(Study(()))
    []
    """
    unique = UniqueNames()
    return [
        replace(figure, name=unique(figure.name))
        for section in study.sections
        for figure in section_figures(section, instances)
    ]


def section_figures(section: Section, instances: int | None = INSTANCES) -> list[ReportFigure]:
    """List the figures of one section; two sections may use the same names."""
    if isinstance(section, FixedBudget):
        ranks = rank_figures(section.conditions, section.friedman)
        return [*ranks, *mean_figures(section, instances)]
    if isinstance(section, FixedTarget):
        return [*rank_figures(section.conditions, section.friedman), *size_figures(section)]
    return curve_figures(section)


def write_figures(
    study: Study,
    folder: str | os.PathLike[str],
    instances: int | None = INSTANCES,
    processes: int = 1,
) -> list[Path]:
    """Write NAME.svg and NAME.png of each of `report_figures`, and return the paths.

    The folder is made if need be, and each file is replaced as a whole. The same study gives the
    same files, drawn by this process alone or with others. Without matplotlib, a ValueError is
    raised.
    """
    figures = report_figures(study, instances)
    shares = max(1, min(processes, len(figures) // SHARE))
    write_share = partial(_write_share, study, Path(folder), instances, shares)
    if shares == 1:
        return write_share(0)
    # A new interpreter for each: a copy of this process would have its locks but not its threads.
    with ProcessPoolExecutor(shares - 1, mp_context=get_context("spawn")) as others:
        drawn = [others.submit(write_share, number) for number in range(1, shares)]
        written = [*write_share(0), *chain.from_iterable(share.result() for share in drawn)]
    order = {figure.name: number for number, figure in enumerate(figures)}
    return sorted(written, key=lambda path: order[path.stem])


def _write_share(
    study: Study, folder: Path, instances: int | None, shares: int, number: int
) -> list[Path]:
    """Write the figures of one of the processes: every so many-th, from this one on."""
    with drawing():
        return [
            replace_file(folder / f"{figure.name}.{ending}", image)
            for figure in report_figures(study, instances)[number::shares]
            for ending, image in images(figure).items()
        ]
