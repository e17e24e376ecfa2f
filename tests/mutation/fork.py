"""A function in a process of its own that begins with everything imported already."""

import os
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

MEMORY = 6 * 2**30


def forked(
    function: Callable[..., Any], *arguments: Any, limit: float, log: Path | None = None
) -> int:
    """Call it in a fork; its exit code, or minus the signal that ended it.

    After `limit` seconds the fork and all that it started is killed.
    """
    child = os.fork()
    if child == 0:
        code = 70
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            output = os.open(log or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            code = int(function(*arguments) or 0)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    watched = os.pidfd_open(child)
    ended: list[int] = []
    try:
        ended, _, _ = select.select([watched], [], [], limit)
    finally:  # also when this process is to end
        os.close(watched)
        if not ended:
            os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it has left behind
    return status
