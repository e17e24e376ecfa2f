"""`catcube export`: the runs of a store for other programs."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from catcube.campaigns.store.export import write_csv, write_parquet
from catcube.campaigns.store.ioh import write_ioh
from catcube.campaigns.store.store import Store
from catcube.cli import InputError
from catcube.cli.input import checking
from catcube.cli.output import exact_bytes


def command(arguments: Namespace) -> int:
    """Write all runs that are done, in the order of the plan."""
    try:
        return _export(arguments)
    except InputError as error:
        if isinstance(error.__cause__, BrokenPipeError):  # no fault of the input's
            raise error.__cause__ from None
        raise


def _export(arguments: Namespace) -> int:
    with checking(), Store(arguments.store) as store:
        if arguments.output is None:
            if arguments.format == "parquet":
                raise ValueError("parquet is no text: name a file with --output")
            if arguments.format == "ioh":
                raise ValueError("ioh is a folder of files: name it with --output")
        with store.moment():
            _write(store, arguments)
            _note_missing(store)
    return 0


def _write(store: Store, arguments: Namespace) -> None:
    if arguments.output is None:
        with exact_bytes():
            write_csv(store, sys.stdout, arguments.seconds)
        return
    output = Path(arguments.output)
    if output.exists() and output.samefile(arguments.store):
        raise ValueError(f"{output}: this is the store itself")
    if arguments.format == "ioh":
        write_ioh(store, output)
    elif arguments.format == "parquet":
        _replace(output, lambda path: write_parquet(store, path, arguments.seconds))
    else:
        _replace(output, lambda path: _write_csv(store, path, arguments.seconds))


def _note_missing(store: Store) -> None:
    """Nobody shall take a part for the whole."""
    done = sum(store.counts().values())
    runs = sum(own.runs for own in store.configurations())
    if done < runs:
        print(f"catcube: note: {done:,} of {runs:,} runs are done", file=sys.stderr)


def _write_csv(store: Store, path: Path, seconds: bool) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv(store, file, seconds)


def _replace(output: Path, write: Callable[[Path], None]) -> None:
    """Write a whole file or none: an older one stays until the new one is complete."""
    part = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        write(part)
        os.replace(part, output)
    finally:
        part.unlink(missing_ok=True)
