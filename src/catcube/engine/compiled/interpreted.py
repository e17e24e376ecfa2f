"""Compiled functions as plain Python, for what is called too seldom to be worth compiling.

The same source runs, as with the JIT off, but on the arrays of a compiled search.
"""

import builtins
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from numba.core.dispatcher import Dispatcher

from catcube.engine.compiled import entry
from catcube.engine.compiled.copies import copy_in_python, copy_into
from catcube.engine.compiled.dispatch import Either, dispatched
from catcube.engine.compiled.jit import JIT
from catcube.engine.compiled.rows import row, row_in_python

_IN_PYTHON: dict[Any, Callable[..., Any]] = {
    copy_into: copy_in_python,
    row: row_in_python,
    entry.call_value: entry.caller_in_python("value"),
    entry.call_prepare: entry.caller_in_python("prepare"),
    entry.call_announce: entry.caller_in_python("announce"),
    entry.call_notify: entry.caller_in_python("notify"),
}


def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Run a function, written as a part of kernels is, in Python, with all that it calls."""
    python: Callable[..., Any] = _interpreted(function) if JIT else function
    return python


@cache
def _interpreted(function: Any) -> Any:
    source = getattr(function, "py_func", function)
    names: dict[str, Any] = {"__builtins__": builtins}
    for name in source.__code__.co_names:
        if name in source.__globals__:
            names[name] = _in_python(source.__globals__[name])
    return FunctionType(source.__code__, names, source.__name__)


def _in_python(thing: Any) -> Any:
    if isinstance(thing, Dispatcher):
        return _interpreted(thing)
    if isinstance(thing, Either):
        return dispatched(_in_python(thing.on_bits), _in_python(thing.on_categories))
    try:
        return _IN_PYTHON.get(thing, thing)
    except TypeError:  # an array, which has no hash, is the same in Python
        return thing
