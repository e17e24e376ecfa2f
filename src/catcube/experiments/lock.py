"""A lock of one process on a store, released when the process ends in any way."""

import os
import stat
import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

WAIT = 0.5  # seconds; `is_locked` holds it for an instant


class Lock:
    """A lock on an empty file beside the store, whose links have been resolved.

    It belongs to the kernel: after kill -9 nothing is left to clean up. The file itself stays:
    were it removed, a process that has just opened it and one that creates it again would hold two
    different locks.
    """

    def __init__(self, store: Path) -> None:
        self._file = os.open(f"{store}-lock", os.O_RDWR | os.O_CREAT | _FLAGS, 0o666)
        end = time.monotonic() + WAIT
        while not _acquire(self._file, shared=False):
            if time.monotonic() > end:
                os.close(self._file)
                raise BlockingIOError("locked by another process")
            time.sleep(0.02)

    def release(self) -> None:
        """Release the lock."""
        os.close(self._file)


def is_locked(store: Path) -> bool:
    """Return whether a process holds the lock of a store, as far as is visible from here."""
    try:
        file = os.open(f"{store}-lock", os.O_RDONLY | _FLAGS)
    except OSError:
        return False
    try:
        return stat.S_ISREG(os.fstat(file).st_mode) and not _acquire(file, shared=True)
    finally:
        os.close(file)


# No link is followed, and opening a pipe does not block.
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def _acquire(file: int, shared: bool) -> bool:
    """Try to lock an open file; it is released when the file is closed."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
