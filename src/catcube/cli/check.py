"""`catcube check`: verify a store and, with --drop, remove damaged parts."""

from argparse import Namespace

from catcube.base.text import count, escape
from catcube.cli import FAILED
from catcube.cli.output import print_error
from catcube.experiments.check import drop, examine

MAX_FAULTS = 10  # that are shown


def command(arguments: Namespace) -> int:
    """Verify the store, report damaged parts, and remove them on request."""
    found = examine(arguments.store)
    store = escape(arguments.store)
    for fault in found.faults[:MAX_FAULTS]:
        print_error(f"damaged: {fault}")
    if len(found.faults) > MAX_FAULTS:
        print_error(f"{len(found.faults) - MAX_FAULTS} more are damaged")
    if found.faults and arguments.drop:
        kept = f"{drop(arguments.store):,} of {found.planned:,} runs kept"
        print(f"{store}: {kept}; the same campaign computes the others again")
        return 0
    if found.faults:
        print(f"{store}: the store is damaged; {found.intact:,} runs are intact")
        print_error(f"catcube check {arguments.store} --drop removes the damaged parts")
        return FAILED
    failed = f", {found.failed:,} failed" if found.failed else ""
    done = f"{found.intact:,} of {count(found.planned, 'run')} done{failed}"
    print(f"{store}: the store is intact; {done}")
    return 0
