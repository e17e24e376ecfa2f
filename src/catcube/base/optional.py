"""Packages that only some functions need; the extras of catcube install them."""

from importlib import import_module
from typing import Any

from catcube.errors import BadValue

_INSTALLED_BY = {
    "distributed": "pip install '.[cluster]'",
    "jinja2": "pip install '.[report]'",
    "matplotlib": "pip install '.[report]'",
    "pandas": "pip install pandas",
    "pyarrow": "pip install '.[formats]'",
    "scipy": "pip install '.[report]'",
    "shtab": "pip install '.[completion]'",
}


class MissingPackageError(BadValue, ImportError):
    """A package is not installed; the message says how to install it."""


def optional(module: str) -> Any:
    """Import a module of an optional package, on use.

    >>> optional("scipy.special").ndtr(0)
    np.float64(0.5)
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        message = f"this needs {package}: {_INSTALLED_BY[package]}"
        raise MissingPackageError(message) from None
