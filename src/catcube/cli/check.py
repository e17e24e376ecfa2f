"""`catcube check`: verify a store, and remove what is damaged."""

from argparse import Namespace

from catcube.base.text import count, visible
from catcube.cli import FAILED
from catcube.cli.output import complain
from catcube.experiments.check import drop, examine

FAULTS = 10  # that are shown


def command(arguments: Namespace) -> int:
    """Verify the store, report what is damaged, and remove that if asked to."""
    found = examine(arguments.store)
    kept = drop(arguments.store) if arguments.drop and found.faults else None
    store = visible(arguments.store)
    progress = f"{found.intact:,} of {count(found.planned, 'run')} done"
    if found.failed:
        progress += f", {found.failed:,} failed"
    for fault in found.faults[:FAULTS]:
        complain(f"damaged: {fault}")
    if len(found.faults) > FAULTS:
        complain(f"{len(found.faults) - FAULTS} more are damaged")
    if not found.faults:
        print(f"{store}: the store is intact; {progress}")
        return 0
    if kept is not None:
        print(f"{store}: {kept:,} of {found.planned:,} runs kept; the campaign makes the others")
        return 0
    print(f"{store}: the store is damaged; {found.intact:,} runs are intact")
    complain(
        f"catcube check {arguments.store} --drop removes what is damaged; the same campaign "
        "computes it again"
    )
    return FAILED
