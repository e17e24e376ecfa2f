"""`catcube check`: verify a store, and remove damaged parts."""

from argparse import Namespace

from catcube.base.text import count, escape
from catcube.cli import FAILED
from catcube.cli.output import complain
from catcube.experiments.check import drop, examine

FAULTS = 10  # that are shown


def command(arguments: Namespace) -> int:
    """Verify the store, report damaged parts, and remove them if asked to."""
    found = examine(arguments.store)
    store = escape(arguments.store)
    for fault in found.faults[:FAULTS]:
        complain(f"damaged: {fault}")
    if len(found.faults) > FAULTS:
        complain(f"{len(found.faults) - FAULTS} more are damaged")
    if found.faults and arguments.drop:
        kept = f"{drop(arguments.store):,} of {found.planned:,} runs kept"
        print(f"{store}: {kept}; the campaign makes the others")
        return 0
    if found.faults:
        print(f"{store}: the store is damaged; {found.intact:,} runs are intact")
        complain(f"catcube check {arguments.store} --drop removes the damaged parts")
        return FAILED
    failed = f", {found.failed:,} failed" if found.failed else ""
    done = f"{found.intact:,} of {count(found.planned, 'run')} done{failed}"
    print(f"{store}: the store is intact; {done}")
    return 0
