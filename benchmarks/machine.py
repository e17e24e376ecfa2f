"""What the figures were measured on."""

import os
import platform
import subprocess
from datetime import date
from pathlib import Path

import numba
import numpy as np

import catcube


def processor() -> str:
    """The model of the processor, as the system knows it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    return platform.processor() or platform.machine()


def versions() -> str:
    """Of all that makes the machine code."""
    return (
        f"catcube {catcube.__version__}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, numba {numba.__version__}"
    )


def machine() -> str:
    """Processor, cores and operating system."""
    cores = os.cpu_count()
    memory = ""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
        memory = f", {size:.0f} GiB"
    return (
        f"{processor()} ({platform.machine()}, {cores} cores{memory}), "
        f"{platform.system()} {platform.release()}"
    )


def stamp(seed: int, seconds: float) -> str:
    """The line under a section: where, with what, when."""
    return (
        f"*{machine()}; {versions()}; seed {seed}; {date.today().isoformat()}; "
        f"measured in {seconds:.0f} s.*"
    )
