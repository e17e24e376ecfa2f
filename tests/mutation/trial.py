"""One mutant against the tests that reach it."""

import os
import signal
from pathlib import Path

import pytest

from tests.mutation.fork import forked
from tests.mutation.mutants import Mutant
from tests.mutation.selection import run_selected


def tried(tree: Path, mutant: Mutant, wanted: dict[str, float]) -> tuple[str, str]:
    """Whether it was killed, timed out or survived, and which test noticed it.

    A source that cannot be imported is noticed by all tests that import it: killed.
    """
    path, note = tree / mutant.path, tree / "noticed"
    original, times = path.read_bytes(), path.stat()
    note.write_text("on import")
    path.write_text(mutant.code, encoding="utf-8")
    try:
        limit = 60 + 20 * sum(wanted.values())
        code = forked(run_selected, tree, wanted, note, limit=limit, log=tree / "log")
    finally:
        path.write_bytes(original)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    noticed = note.read_text()
    if code == pytest.ExitCode.OK:
        return "survived", ""
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timed out", noticed
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:  # names of tests come from the sources
        return "killed", "tests gone"
    if code == pytest.ExitCode.USAGE_ERROR and noticed != "on import":
        raise RuntimeError(f"{mutant}: {(tree / 'log').read_text()[-2000:]}")
    return "killed", noticed
