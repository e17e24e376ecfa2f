"""`catcube report`: write the page, tables and figures of a report on stores."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from catcube.base.optional import import_optional
from catcube.base.text import escape, expect

MAX_HEADLINES = 8  # the page shows all


def command(arguments: Namespace) -> int:
    """Write the report and print a summary of it."""
    check_extra()
    stores = find_stores(arguments.source)
    folder = report_folder(arguments.source, arguments.out)
    chosen = arguments.format, arguments.targets, arguments.budgets
    make_report(stores, folder, arguments.all_figures, *chosen)
    return 0


def check_extra() -> None:
    """Raise a ValueError if a package for the report is missing."""
    for package in ("jinja2", "matplotlib", "scipy"):
        import_optional(package)


def find_stores(sources: Sequence[str]) -> list[Path]:
    """Return the given stores, and all stores in the given folders."""
    found: list[Path] = []
    for path in map(Path, sources):
        inside = sorted(path.glob("*.sqlite")) if path.is_dir() else [path]
        expect(inside, "a folder with a store (*.sqlite)", str(path))
        found += inside
    return list(dict.fromkeys(found))


def report_folder(sources: Sequence[str], out: str | None) -> Path:
    """Return the folder of the report, by default the source or, for a store, STORE-report.

    >>> report_folder(["results/mine.sqlite"], None).as_posix()
    'results/mine-report'
    """
    if out is not None:
        return Path(out)
    expect(len(sources) == 1, "--out FOLDER for a report of several sources", out)
    source = Path(sources[0])
    return source if source.is_dir() else source.with_name(f"{source.stem}-report")


def make_report(
    stores: Sequence[Path],
    folder: Path,
    all_figures: bool = False,
    formats: Sequence[str] = ("csv",),
    targets: Sequence[float] = (),
    budgets: Sequence[int] = (),
) -> None:
    """Write the report on stores, and print a summary on standard output."""
    # Imported on use, because they import scipy.
    from catcube.studies import analyse
    from catcube.studies.report.charts import INSTANCES
    from catcube.studies.report.tables import headlines, verdict_counts
    from catcube.studies.report.write import write_report

    is_free = folder.is_dir() or not folder.exists()
    expect(is_free, "a folder for the report, not a file", str(folder))
    study = analyse(stores, targets=targets, budgets=budgets)
    instances = None if all_figures else INSTANCES
    report = write_report(study, folder, formats, instances=instances)
    for conditions in study.conditions:
        if conditions.missing:
            pairs = {missing.pair for missing in conditions.missing}
            print(
                f"missing: {conditions.total - conditions.done:,} of {conditions.total:,} runs of "
                f"{escape(conditions.experiment)}, of {len(pairs)} of {len(conditions.pairs)} "
                "pairs"
            )
    for kind, files in (("tables", report.tables), ("figures", report.figures)):
        names = {path.stem for path in files}
        endings = ", ".join(sorted({path.suffix[1:] for path in files}))
        if names:
            print(escape(f"{folder / kind}: {len(names)} {kind} ({endings})"))
    found = headlines(study)
    for sentence in found[:MAX_HEADLINES]:
        print(escape(sentence))
    if len(found) > MAX_HEADLINES:
        print(f"and {len(found) - MAX_HEADLINES} more experiments: see the page")
    if study.reference:
        if study.reference.statements:
            print(f"the paper's statements: {verdict_counts(study.reference.statements)}")
        for sentence in study.reference.notices:
            print(sentence)
    print(escape(f"open {report.page}"))
