"""The command `catcube`: run a command, and end with one sentence after an error.

Nothing heavy is imported here, so that `catcube --help` is fast.
"""

import gc
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from catcube.base.registry import PluginWarning
from catcube.base.text import shortened, visible
from catcube.cli import INTERRUPTED, REFUSED, InputError
from catcube.cli.output import complain
from catcube.cli.parser import parse

BROKEN_PIPE = 141  # as of a process ended by SIGPIPE
LONGEST_SENTENCE = 2000  # characters


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name; return the exit code."""
    argv = sys.argv[1:] if argv is None else list(argv)
    thresholds = gc.get_threshold()
    gc.set_threshold(50_000, *thresholds[1:])  # garbage collections took a sixth of the start
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files need not be valid text
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = parse(argv)
        with _plugins_noted():
            code: int = import_module(f"catcube.cli.{arguments.command}").command(arguments)
        sys.stdout.flush()  # here, where a failure is still caught
        return code
    except InputError as error:
        return _refused(str(error))
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of the output has gone
        _discard_output()
        return BROKEN_PIPE
    except OSError as error:
        where = error.filename or "standard output"
        return _refused(f"{where}: {(error.strerror or str(error)).lower()}")
    except SystemExit as end:  # argparse has printed the help or the version
        return int(end.code or 0)
    finally:
        gc.set_threshold(*thresholds)


def _refused(reason: str) -> int:
    """Print the reason in one sentence; return the exit code."""
    complain(shortened(visible(" ".join(reason.split())), LONGEST_SENTENCE))
    _discard_output()
    return REFUSED


def _discard_output() -> None:
    """Drop unwritten output: the interpreter would try to write it again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _plugins_noted() -> Iterator[None]:
    """Show the warning about a skipped plug-in as one line, without the line of code."""
    usual = warnings.formatwarning

    def formatted(message: Warning | str, category: type[Warning], *where: Any) -> str:
        if issubclass(category, PluginWarning):
            return f"catcube: note: {visible(str(message))}\n"
        return usual(message, category, *where)

    warnings.formatwarning = formatted  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.formatwarning = usual
