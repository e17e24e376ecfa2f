"""Functions that users compile, or have compiled with numba."""

import re
from collections.abc import Callable
from typing import Any

import numba
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

from catcube.base.text import shortened
from catcube.engine.compiled.entry import SIGNATURES
from catcube.engine.compiled.jit import compiling
from catcube.errors import BadType

LONGEST_REASON = 200  # characters


def is_dispatcher(function: object) -> bool:
    """Return whether numba has compiled a function."""
    return isinstance(function, Dispatcher)


def jitted(function: Callable[..., Any], boundscheck: bool) -> Any:
    """Compile a function at its first call, for the types of that call."""
    return numba.njit(boundscheck=boundscheck)(function)


def compile_value(value: Callable[..., Any], name: str) -> Any:
    """Compile a function of a frame, that calls the user's function of this name.

    It is not cached: numba would not notice changes in the functions that this one calls.
    """
    try:
        with compiling():
            return numba.cfunc(SIGNATURES["value"])(value)
    except NumbaError as wrong:
        raise BadType(
            f"{name} cannot be compiled as a function of the array of categories (int32) that "
            f"returns a number: {_reason(wrong)}"
        ) from wrong


def _reason(wrong: NumbaError) -> str:
    """Return numba's reason in one line, without colours and position."""
    lines = re.sub(r"\x1b\[\d*m", "", str(wrong)).splitlines()
    said = [line.strip() for line in lines if line.strip() and not line.startswith("Failed in")]
    return shortened(" ".join(said[:2]), LONGEST_REASON)
