"""What the figures were measured on."""

import os
from datetime import date

import catcube
from catcube.base.provenance import machine


def stamp(seed: int, seconds: float) -> str:
    """The line under a section: where, with what, when."""
    own = machine()
    return (
        f"*{own['processor']}, {own['cores']} cores{_memory()}, {own['system']}; "
        f"catcube {catcube.__version__}, Python {own['python']}, numpy {own['numpy']}, "
        f"numba {own['numba']}; seed {seed}; {date.today().isoformat()}; "
        f"measured in {seconds:.0f} s.*"
    )


def _memory() -> str:
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return ""
    size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f", {size:.0f} GiB"
