"""The command `catcube`: run a command, and print one sentence after an error.

Only light modules are imported here, so that `catcube --help` is fast.
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
from catcube.cli.output import print_error, print_note
from catcube.cli.parser import parse
from catcube.errors import CatcubeError

BROKEN_PIPE = 141  # the exit code of a process ended by SIGPIPE
MAX_SENTENCE = 2000  # characters
INPUT_ERRORS = (ValueError, TypeError, OverflowError)  # that an invalid input raises


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command named by the arguments and return its exit code."""
    argv = sys.argv[1:] if argv is None else list(argv)
    thresholds = gc.get_threshold()
    gc.set_threshold(50_000, *thresholds[1:])  # garbage collections took a sixth of the start
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files need not be valid text
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = parse(argv)
        with warnings.catch_warnings():  # it restores `showwarning`
            warnings.showwarning = _show_warning  # type: ignore[assignment]  # it takes fewer arguments
            code: int = import_module(f"catcube.cli.{arguments.command}").command(arguments)
        sys.stdout.flush()  # here, where a failure is still caught
        return code
    except BrokenPipeError:  # the reader of the output has gone
        _discard_output()
        return BROKEN_PIPE
    except KeyboardInterrupt as end:
        return _end_with(end, "interrupted", INTERRUPTED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _end_with(error, f"{where}{(error.strerror or str(error)).lower()}", REFUSED)
    except MemoryError as error:
        return _end_with(error, "not enough memory", REFUSED)
    except (CatcubeError, *INPUT_ERRORS) as error:
        return _end_with(error, str(error), REFUSED if isinstance(error, INPUT_ERRORS) else FAILED)
    except SystemExit as end:  # argparse has printed the help or the version
        return int(end.code or 0)
    finally:
        gc.set_threshold(*thresholds)


def _end_with(error: BaseException, reason: str, code: int) -> int:
    """Print the reason of an error, with its notes, in one line; return the exit code."""
    if sys.flags.dev_mode:  # python -X dev: for authors of plug-ins
        traceback.print_exception(error)
    reason = "; ".join([reason, *getattr(error, "__notes__", ())])
    print_error(shorten(escape(" ".join(reason.split())), MAX_SENTENCE))
    _discard_output()
    return code


def _discard_output() -> None:
    """Discard unwritten output, which the interpreter would try to write again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: Any) -> None:
    """Print a warning, for example about a skipped plug-in, without its line of code."""
    print_note(str(message))
