"""Checks of available memory before large allocations.

Operating systems grant more memory than they have, and kill the process that uses it.
"""

import os
from pathlib import Path
from typing import Any

from catcube.errors import BadValue

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def available_memory() -> int:
    """Return the number of bytes that the system still has for this process."""
    limits = [2**62]
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                limits.append(1024 * int(line.split()[1]))
    except (OSError, ValueError):
        if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
            limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in _LIMITS:
        try:
            limits.append(int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):  # none, or "max"
            continue
    return min(limits)


def check_memory(needed: int, what: str) -> None:
    """Raise a ValueError if `what` needs more bytes than are available.

    >>> check_memory(10**30, "a space of 10^28 variables")
    Traceback (most recent call last):
    catcube.errors.BadValue: a space of 10^28 variables needs about 10^21 GB of memory, but ...
    """
    if needed > 2**26:  # asking the system takes longer than it is worth for less
        free = available_memory()
        if needed > free:
            raise BadValue(
                f"{what} needs about {_gigabytes(needed)} GB of memory, but {_gigabytes(free)} GB "
                "are free"
            )


def _gigabytes(size: int) -> str:
    """Format a number of bytes in gigabytes, as a power of ten if it is huge."""
    gigabytes = size / 1e9
    return f"{gigabytes:.3g}" if gigabytes < 1e6 else f"10^{len(str(round(gigabytes))) - 1}"


def nbytes(arrays: Any) -> int:
    """Return the total size in bytes of the arrays in nested tuples.

    >>> import numpy as np
    >>> nbytes((np.zeros(3), (np.zeros(2, np.int32), 7)))
    32
    """
    if isinstance(arrays, tuple):
        return sum(map(nbytes, arrays))
    return int(getattr(arrays, "nbytes", 0))
