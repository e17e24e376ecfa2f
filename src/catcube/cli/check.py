"""`catcube check`: verify a store, and copy the intact runs of a damaged one."""

from argparse import Namespace

from catcube.base.text import visible
from catcube.campaigns.store.rescue import FAULTS, examined, rescue
from catcube.campaigns.store.store import Store
from catcube.cli import FAILED
from catcube.cli.input import checking
from catcube.cli.output import complain


def command(arguments: Namespace) -> int:
    """Verify the store, report what is damaged, and copy the intact runs if asked to."""
    with checking(), Store(arguments.store) as store:
        found = examined(store)
        count = None if arguments.rescue is None else rescue(store, arguments.rescue)
    standing = f"{found.whole:,} of {found.planned:,} runs are done"
    if found.failed:
        standing += f", {found.failed:,} failed"
    if not found.faults:
        print(f"{arguments.store}: the store is intact; {standing}")
    for fault in found.faults[:FAULTS]:
        complain(f"damaged: {visible(fault)}")  # a store may come from anybody
    if len(found.faults) > FAULTS:
        complain(f"{len(found.faults) - FAULTS} more are damaged")
    if found.faults:
        print(f"{arguments.store}: the store is damaged; {found.whole:,} runs are intact")
    if count is not None:
        print(f"{arguments.rescue}: {count:,} of {found.planned:,} runs rescued")
    elif found.faults:
        complain(
            f"catcube check {arguments.store} --rescue NEW copies the intact runs into a new "
            "store, which catcube campaign can resume"
        )
    return FAILED if found.faults else 0
