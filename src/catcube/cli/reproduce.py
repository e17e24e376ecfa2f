"""`catcube reproduce`: repeat the paper's experiments, or the study beyond it, at some scale."""

from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from catcube.cli import FAILED
from catcube.cli.execution import add_resume_hint, progress_bar, run_and_print, worker_options
from catcube.cli.output import print_error
from catcube.cli.report import check_extra, make_report
from catcube.errors import BadValue
from catcube.experiments.plan import Plan
from catcube.experiments.plan_file import Scale
from catcube.experiments.store import OtherPlanError, Store
from catcube.experiments.writer import CampaignError, Writer
from catcube.studies import scales

BEYOND = "beyond"
USED_SHARE = 0.05  # of the budget of a run with a target: 1 % at the scale full, 10 % at smoke


def command(arguments: Namespace) -> int:
    """Execute the missing runs, then write the report."""
    is_beyond = arguments.experiment == BEYOND
    scale = (scales.BEYOND if is_beyond else scales.PAPER)[arguments.scale]
    whole = is_beyond or arguments.experiment == "all"
    names = tuple(scale.sizes) if whole else (arguments.experiment,)
    default = Path("results", f"{BEYOND}-{scale.name}" if is_beyond else scale.name)
    folder = default if arguments.out is None else Path(arguments.out)
    check_extra()
    with add_resume_hint(folder), worker_options(arguments) as options:
        return reproduce(scale, names, folder, **options)


def reproduce(scale: Scale, experiments: Sequence[str], folder: Path, **options: Any) -> int:
    """Execute the missing runs of experiments, write the report, and return the exit code.

    The report includes all experiments of the scale that have a store in the folder. The options
    are those of `run_campaign`.
    """
    plans = {name: scale.plan(name) for name in scale.sizes}
    stores = {name: folder / f"{name}.sqlite" for name in scale.sizes}
    folder.mkdir(parents=True, exist_ok=True)
    code = 0
    with ExitStack() as stack:
        writers = _open_writers(stack, scale, plans, stores, experiments)
        missing = {name: _missing_evaluations(writer) for name, writer in writers.items()}
        for number, (name, writer) in enumerate(writers.items(), start=1):
            label = f"{name} ({number} of {len(writers)})"
            del missing[name]
            later = sum(missing.values())
            try:
                progress = run_and_print(writer, plans[name], label, later, **options)
            except CampaignError as error:
                print_error(f"{error}; run the same command again to resume {folder}")
                code = FAILED
                break
            code = FAILED if progress.failed else code
    with progress_bar("making the report", bar_format="{desc}"):
        make_report([path for path in stores.values() if path.exists()], folder)
    return code


def _missing_evaluations(writer: Writer) -> int:
    """Estimate the number of evaluations of the missing runs."""
    counts, plan = writer.counts(), writer.plan.configurations()
    shares = (1 if one.target is None else USED_SHARE for one in plan)
    runs = (one.budget * (one.runs - counts[index]) for index, one in enumerate(plan))
    return int(sum(share * each for share, each in zip(shares, runs, strict=True)))


def _open_writers(
    stack: ExitStack,
    scale: Scale,
    plans: dict[str, Plan],
    stores: dict[str, Path],
    experiments: Sequence[str],
) -> dict[str, Writer]:
    """Open all stores before the first run, as a report cannot show runs of two scales."""
    writers: dict[str, Writer] = {}
    for name in sorted(stores, key=lambda name: not stores[name].exists()):
        path = stores[name]
        try:
            if name in experiments:
                writers[name] = stack.enter_context(Writer(path, plans[name]))
            elif path.exists():
                Store(path, plan=plans[name]).close()
        except OtherPlanError as error:
            raise BadValue(f"{path} is not of the scale {scale.name!r}; change --out") from error
    return {name: writers[name] for name in experiments}
