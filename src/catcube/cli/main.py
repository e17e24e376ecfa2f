"""The command `catcube`: run a command, and end with one sentence after an error.

Nothing heavy is imported here, so that `catcube --help` is fast.
"""

import gc
import io
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from catcube.base.text import escape, shorten
from catcube.cli import FAILED, INTERRUPTED, REFUSED
from catcube.cli.output import complain, note
from catcube.cli.parser import parse
from catcube.errors import CatcubeError

BROKEN_PIPE = 141  # as of a process ended by SIGPIPE
LONGEST_SENTENCE = 2000  # characters
INPUT = (ValueError, TypeError, OverflowError)  # that an invalid input raises


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name; return the exit code."""
    argv = sys.argv[1:] if argv is None else list(argv)
    thresholds = gc.get_threshold()
    gc.set_threshold(50_000, *thresholds[1:])  # garbage collections took a sixth of the start
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files need not be valid text
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = parse(argv)
        with warnings.catch_warnings():  # it restores `showwarning`
            warnings.showwarning = _note  # type: ignore[assignment]  # it takes fewer arguments
            code: int = import_module(f"catcube.cli.{arguments.command}").command(arguments)
        sys.stdout.flush()  # here, where a failure is still caught
        return code
    except BrokenPipeError:  # the reader of the output has gone
        _discard_output()
        return BROKEN_PIPE
    except KeyboardInterrupt as end:
        return _end(end, "interrupted", INTERRUPTED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _end(error, f"{where}{(error.strerror or str(error)).lower()}", REFUSED)
    except MemoryError as error:
        return _end(error, "not enough memory", REFUSED)
    except (CatcubeError, *INPUT) as error:
        return _end(error, str(error), REFUSED if isinstance(error, INPUT) else FAILED)
    except SystemExit as end:  # argparse has printed the help or the version
        return int(end.code or 0)
    finally:
        gc.set_threshold(*thresholds)


def _end(error: BaseException, reason: str, code: int) -> int:
    """Print the reason of an error and its notes in one sentence; return the exit code."""
    if sys.flags.dev_mode:  # python -X dev: for authors of plug-ins
        traceback.print_exception(error)
    reason = "; ".join([reason, *getattr(error, "__notes__", ())])
    complain(shorten(escape(" ".join(reason.split())), LONGEST_SENTENCE))
    _discard_output()
    return code


def _discard_output() -> None:
    """Drop unwritten output: the interpreter would try to write it again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _note(message: Warning | str, *_: Any) -> None:
    """Show a warning, as about a skipped plug-in, without the line of code."""
    note(str(message))
