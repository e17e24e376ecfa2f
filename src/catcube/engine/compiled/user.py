"""Functions that users compile, or have compiled with numba."""

import re
from collections.abc import Callable
from typing import Any

import numba
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

from catcube.engine.compiled.entry import SIGNATURES
from catcube.engine.compiled.jit import compiling
from catcube.errors import CatcubeError

LONGEST_REASON = 200  # characters


class CompilationError(CatcubeError):
    """numba cannot compile a function; the message is its reason in one line."""


def is_dispatcher(function: object) -> bool:
    """Return whether numba has compiled a function."""
    return isinstance(function, Dispatcher)


def jitted(function: Callable[..., Any], boundscheck: bool) -> Any:
    """Compile a function at its first call, for the types of that call."""
    return numba.njit(boundscheck=boundscheck)(function)


def value_code(value: Callable[..., Any]) -> Any:
    """Compile a function of a frame; its `address` is valid as long as the code is referenced.

    It is not cached: numba would not notice changes in the functions that this one calls.
    """
    try:
        with compiling():
            return numba.cfunc(SIGNATURES["value"])(value)
    except NumbaError as wrong:
        raise CompilationError(_reason(wrong)) from wrong


def _reason(wrong: NumbaError) -> str:
    """Return numba's reason in one line, without colours and position."""
    lines = re.sub(r"\x1b\[\d*m", "", str(wrong)).splitlines()
    said = [line.strip() for line in lines if line.strip() and not line.startswith("Failed in")]
    text = " ".join(said[:2])
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 1] + "…"
