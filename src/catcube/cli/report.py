"""`catcube report`: the tables, figures and page of what is in stores, finished or not."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from catcube.base.text import visible
from catcube.cli.input import checking


def command(arguments: Namespace) -> int:
    """Write the report and say what it is made of."""
    with checking():
        check_extra()
        stores = given_stores(arguments.source)
        folder = given_folder(arguments.source, arguments.out)
        make_report(stores, folder, arguments.all_figures)
    return 0


def check_extra() -> None:
    """Refuse at once what could not be done in the end."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
        import scipy  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f"a report needs jinja2, matplotlib and scipy; {error.name} is missing: "
            "pip install 'catcube[study]'"
        ) from error


def given_stores(sources: Sequence[str]) -> list[Path]:
    """Return the stores named, and all that are in the folders named."""
    found: list[Path] = []
    for own in map(Path, sources):
        inside = sorted(own.glob("*.sqlite")) if own.is_dir() else [own]
        if not inside:
            raise ValueError(f"{own}: there is no store (*.sqlite) in this folder")
        found += inside
    return list(dict.fromkeys(found))


def given_folder(sources: Sequence[str], out: str | None) -> Path:
    """Return where the report goes: by default into the folder named, or one beside the store.

    >>> given_folder(["results/mine.sqlite"], None).as_posix()
    'results/mine-report'
    """
    if out is not None:
        return Path(out)
    if len(sources) > 1:
        raise ValueError("several sources are given: name a folder for the report with --out")
    (source,) = map(Path, sources)
    return source if source.is_dir() else source.with_name(f"{source.stem}-report")


def make_report(stores: Sequence[Path], folder: Path, all_figures: bool = False) -> None:
    """Write the report of these stores, and tell on standard output what came of it."""
    # Not before they are needed: they import scipy.
    from catcube.paper.study import paper_study
    from catcube.report.figures.report_figures import INSTANCES
    from catcube.report.tables.reference import verdict_counts
    from catcube.report.write import write_report

    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: this is a file, not a folder for a report")
    study = paper_study(stores)
    written = write_report(study, folder, None if all_figures else INSTANCES)
    told = set()
    for section in study.sections:
        own = section.conditions
        if own.missing and own.experiment not in told:
            told.add(own.experiment)
            pairs = {missing.pair for missing in own.missing}
            print(
                f"missing: {own.total - own.done:,} of {own.total:,} runs of "
                f"{visible(own.experiment)}, of {len(pairs)} of {len(own.pairs)} pairs"
            )
    for kind, files in (("tables", written.tables), ("figures", written.figures)):
        names = {path.stem for path in files}
        endings = ", ".join(sorted({path.suffix[1:] for path in files}))
        if names:
            print(f"{folder / kind}: {len(names)} {kind} ({endings})")
    if written.left_out:
        print(
            f"{written.left_out:,} figures of single instances are on the page alone: those of the "
            f"first {INSTANCES} are files too, and with --all-figures all are"
        )
    if study.reference:
        print(f"the paper's statements: {verdict_counts(study.reference.statements)}")
        for sentence in study.reference.notices:
            print(sentence)
    print(f"open {written.page}")
