"""How much memory there is: what does not fit is refused in a sentence, before it is touched.

A system hands out more memory than it has, and ends the process that uses it.
"""

import os
from pathlib import Path
from typing import Any

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def available() -> int:
    """The bytes that this process may still use, as far as the system tells."""
    found = [2**62]
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                found.append(1024 * int(line.split()[1]))
    except (OSError, ValueError):
        if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in _LIMITS:
        try:
            found.append(int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):  # none, or "max"
            continue
    return min(found)


def ensure(needed: int, what: str) -> None:
    """Refuse what needs more bytes than there are.

    >>> ensure(10**30, "a space of 10^28 variables")
    Traceback (most recent call last):
    ValueError: a space of 10^28 variables needs some 10^21 GB of memory, and ... GB are free
    """
    if needed > 2**26:  # less is not worth a look at the system
        free = available()
        if needed > free:
            raise ValueError(
                f"{what} needs some {_gigabytes(needed)} GB of memory, and {_gigabytes(free)} GB "
                "are free"
            )


def _gigabytes(size: int) -> str:
    gigabytes = size / 1e9
    return f"{gigabytes:.3g}" if gigabytes < 1e6 else f"10^{len(str(round(gigabytes))) - 1}"


def size_of(arrays: Any) -> int:
    """The bytes of arrays in tuples of tuples.

    >>> import numpy as np
    >>> size_of((np.zeros(3), (np.zeros(2, np.int32), 7)))
    32
    """
    if isinstance(arrays, tuple):
        return sum(map(size_of, arrays))
    return int(getattr(arrays, "nbytes", 0))
