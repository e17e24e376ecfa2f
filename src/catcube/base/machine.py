"""The machine that a program runs on: what a measured time depends on."""

import os
import platform
import subprocess
from functools import cache
from pathlib import Path

import numba
import numpy as np


@cache
def machine() -> dict[str, str]:
    """Versions of Python, numpy and numba; the system, the processor and the number of cores.

    >>> list(machine())
    ['python', 'numpy', 'numba', 'system', 'processor', 'cores']
    """
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "processor": f"{_processor()} ({platform.machine()})",
        "cores": str(os.cpu_count()),
    }


def _processor() -> str:
    """The model of the processor, as the system knows it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return platform.processor() or "unknown processor"
