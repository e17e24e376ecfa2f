"""What the figures were measured on."""

import os
from datetime import date

import catcube
from catcube.base.provenance import machine


def stamp(seed: int, seconds: float) -> str:
    """Return the line under a section: where, with what, when."""
    host = machine()
    return (
        f"*{host['processor']}, {host['cores']} cores{_memory()}, {host['system']}; "
        f"catcube {catcube.__version__}, Python {host['python']}, numpy {host['numpy']}, "
        f"numba {host['numba']}; seed {seed}; {date.today().isoformat()}; "
        f"measured in {seconds:.0f} s.*"
    )


def _memory() -> str:
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return ""
    size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f", {size:.0f} GiB"
