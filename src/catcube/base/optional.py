"""Optional dependencies: import them on use, and say how to install a missing one."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from catcube.errors import BadValue

_INSTALLED_BY = {
    "distributed": "pip install '.[cluster]'",
    "ioh": "pip install '.[integrations]'",
    "jinja2": "pip install '.[report]'",
    "matplotlib": "pip install '.[report]'",
    "optuna": "pip install '.[integrations]'",
    "pandas": "pip install pandas",
    "pyarrow": "pip install '.[formats]'",
    "scipy": "pip install '.[report]'",
    "shtab": "pip install '.[completion]'",
}


class MissingPackageError(BadValue, ImportError):
    """An optional package is not installed; the message says how to install it."""


@contextmanager
def require(package: str) -> Iterator[None]:
    """Raise a MissingPackageError if an import in the block fails because of this package."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        message = f"this needs {package}: {_INSTALLED_BY[package]}"
        raise MissingPackageError(message) from None


def import_optional(module: str) -> Any:
    """Import and return a module of an optional package.

    >>> import_optional("scipy.special").ndtr(0)
    np.float64(0.5)
    """
    with require(module.partition(".")[0]):
        return import_module(module)
