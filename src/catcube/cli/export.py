"""`catcube export`: write the runs of a store for other programs."""

import sys
from argparse import Namespace
from pathlib import Path

from catcube.base.files import replacing
from catcube.base.text import expect
from catcube.cli.output import exact_bytes, print_note
from catcube.experiments.export import write_csv, write_parquet
from catcube.experiments.ioh import write_ioh
from catcube.experiments.store import Store


def command(arguments: Namespace) -> int:
    """Write all finished runs, in the order of the plan."""
    with Store(arguments.store) as store:
        has_place = arguments.out is not None or arguments.format == "csv"
        expect(has_place, f"--out PATH for {arguments.format}", arguments.out)
        with store.snapshot():
            _write(store, arguments)
            done = sum(store.counts().values())
        runs = sum(configuration.runs for configuration in store.configurations())
        if done < runs:
            print_note(f"{done:,} of {runs:,} runs are done")
    return 0


def _write(store: Store, arguments: Namespace) -> None:
    if arguments.out is None:
        with exact_bytes():
            write_csv(store, sys.stdout, arguments.seconds)
        return
    output = Path(arguments.out)
    same = output.exists() and output.samefile(arguments.store)
    expect(not same, "another file than the store itself", str(output))
    if arguments.format == "ioh":
        write_ioh(store, output)
    elif arguments.format == "parquet":
        with replacing(output) as part:
            write_parquet(store, part, arguments.seconds)
    else:
        with replacing(output) as part, part.open("w", encoding="utf-8", newline="") as file:
            write_csv(store, file, arguments.seconds)
