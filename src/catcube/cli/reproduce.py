"""`catcube reproduce`: the paper's experiments, or the study beyond it, at a scale of choice."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from pathlib import Path

from catcube.base.text import unknown_name_message
from catcube.cli import FAILED, INTERRUPTED, InputError
from catcube.cli.execution import described, executor, print_outcome, share_done
from catcube.cli.input import checking
from catcube.cli.output import complain
from catcube.cli.report import check_extra, make_report
from catcube.cli.ticker import Ticker
from catcube.experiments.configuration import difference_of
from catcube.experiments.execute import Progress, run_campaign
from catcube.experiments.plan import Plan
from catcube.experiments.scale import Scale
from catcube.experiments.store.errors import StoreError
from catcube.experiments.store.store import Store
from catcube.experiments.store.writer import WriteError
from catcube.experiments.workers import CampaignError
from catcube.studies.beyond import scales as beyond
from catcube.studies.paper import scales as paper

BEYOND = "beyond"


def command(arguments: Namespace) -> int:
    """Make the missing runs, then the report; explain how to resume if interrupted."""
    is_beyond = arguments.experiment == BEYOND
    scales = beyond.SCALES if is_beyond else paper.SCALES
    if arguments.scale not in scales:
        raise InputError(unknown_name_message("scale", arguments.scale, scales))
    scale = scales[arguments.scale]
    whole = is_beyond or arguments.experiment == "all"
    names = tuple(scale.sizes) if whole else (arguments.experiment,)
    default = Path("results", f"{BEYOND}-{scale.name}" if is_beyond else scale.name)
    folder = default if arguments.out is None else Path(arguments.out)
    with checking():
        check_extra()
    try:
        with checking(), executor(arguments) as (workers, jobs):
            return reproduce(scale, names, folder, workers, jobs, arguments.timeout)
    except KeyboardInterrupt:
        complain(
            f"interrupted; run the same command again to resume {folder}, or catcube report "
            f"{folder} for a report of the finished runs"
        )
        return INTERRUPTED


def reproduce(
    scale: Scale,
    experiments: Sequence[str],
    folder: Path,
    workers: Executor | None = None,
    jobs: int | None = None,
    timeout: float | None = None,
) -> int:
    """Make the missing runs of these experiments and the report; return the exit code.

    The report shows every experiment of the scale that has a store in the folder.
    """
    plans = {name: scale.plan(name) for name in scale.sizes}
    stores = {name: folder / f"{name}.sqlite" for name in scale.sizes}
    _check(scale, plans, stores)
    folder.mkdir(parents=True, exist_ok=True)
    code = 0
    for number, name in enumerate(experiments, start=1):
        label = f"{name} ({number} of {len(experiments)})"
        try:
            with _progress(label) as ticker:
                progress = run_campaign(
                    plans[name], stores[name], workers, jobs, ticker, timeout=timeout
                )
        except (CampaignError, WriteError) as error:
            complain(f"{error}; run the same command again to resume {folder}")
            code = FAILED
            break
        print_outcome(progress, stores[name])
        code = FAILED if progress.failed else code
    with _progress("making the report"):
        make_report([path for path in stores.values() if path.exists()], folder)
    return code


@contextmanager
def _progress(label: str) -> Iterator[Ticker[Progress]]:
    """Yield a ticker for the progress; clear it in the end."""
    ticker = Ticker[Progress](
        lambda progress: f"{label}: {described(progress)}", interval=2.5, share=share_done
    )
    ticker.write(f"{label} …")
    try:
        yield ticker
    finally:
        ticker.clear()


def _check(scale: Scale, plans: dict[str, Plan], stores: dict[str, Path]) -> None:
    """Raise a ValueError if the folder has runs of another scale: a report cannot show both."""
    for name, path in stores.items():
        with suppress(StoreError):  # none yet, or one that cannot be read: the writer reports it
            with Store(path) as store:
                stored = store.configurations()
            difference = difference_of(stored, plans[name].configurations())
            if difference is not None:
                others = (
                    other
                    for other in (*paper.SCALES.values(), *beyond.SCALES.values())
                    if other != scale and name in other.sizes
                )
                holds = next(
                    (
                        f"runs of the scale {other.name!r}"
                        for other in others
                        if difference_of(stored, other.plan(name).configurations()) is None
                    ),
                    f"other runs ({difference})",
                )
                raise InputError(
                    f"{path} holds {holds}, not of the scale {scale.name!r}; name another folder "
                    "with --out"
                )
