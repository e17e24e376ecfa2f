"""The figures of a study."""

import os
from dataclasses import replace
from pathlib import Path

from catcube.analysis.model import FixedBudget, FixedTarget, Section, Study
from catcube.base.files import replace_file
from catcube.report.figures.curves import curve_figures
from catcube.report.figures.figure import ReportFigure, drawing, images
from catcube.report.figures.means import mean_figures
from catcube.report.figures.ranks import rank_figures
from catcube.report.figures.sizes import size_figures
from catcube.report.names import UniqueNames

INSTANCES = 24
"""The number of instances of an experiment with single figures: each takes a third of a second."""


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
    study: Study, folder: str | os.PathLike[str], instances: int | None = INSTANCES
) -> list[Path]:
    """Write NAME.svg and NAME.png of each of `report_figures`, and return the paths.

    The folder is made if need be, and each file is replaced as a whole. The same study gives the
    same files. Without matplotlib, a ValueError is raised.
    """
    with drawing():
        return [
            replace_file(Path(folder) / f"{figure.name}.{ending}", image)
            for figure in report_figures(study, instances)
            for ending, image in images(figure).items()
        ]
