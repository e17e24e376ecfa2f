"""The libraries are imported once; each trial is a fork that has them already."""

from importlib import import_module

LIBRARIES = ["coverage", "hypothesis", "numba.core.extending", "pytest", "scipy.stats"]


def preload() -> None:
    """Import all that tests need, but nothing of catcube."""
    for name in LIBRARIES:
        import_module(name)
