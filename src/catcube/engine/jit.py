"""The package's one way to compile: numba with a cache that never runs stale code.

numba keys its disk cache by the source file of the function alone and does not notice changes in
the other files it was inlined from. So the cache lives in a folder named by the hash of all
sources of the package (and of the numba settings that change the generated code).

Functions compiled with `njit` run without the GIL and without numba's reference counting
(measured: 13 ns instead of 114 ns for a step of local search); hence they cannot allocate arrays:
whatever memory they need is handed to them.
"""

import gc
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.misc.appdirs import user_cache_dir

JIT = not numba.config.DISABLE_JIT

natural = np.uint64
"""An index that is never negative: numba leaves out its test for that (a decoding is 1.7 times as
fast). Only to be used as `array[natural(place)]`: unsigned and signed numbers mixed give floats."""

Function = TypeVar("Function", bound=Callable[..., Any])


def source_hash() -> str:
    """Hash of all sources of the package and of numba's settings for code generation."""
    digest = hashlib.sha256()
    package = Path(__file__).parent.parent
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            digest.update(f"{name}={os.environ[name]}".encode())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    base = Path(numba.config.CACHE_DIR or user_cache_dir("catcube"))
    spare = Path(tempfile.gettempdir()) / f"catcube-{os.getenv('USER', 'cache')}"
    for parent in (base, spare):
        folder = parent / f"kernels-{source_hash()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    raise OSError(
        f"no folder to keep compiled code in: neither {base} nor {spare} can be written; "
        "set NUMBA_CACHE_DIR to one that can"
    )


CACHE_FOLDER = _cache_folder() if JIT else None


def is_file(function: Callable[..., Any]) -> bool:
    """Whether a function comes from a file; what is typed at a prompt cannot be cached."""
    return os.path.exists(function.__code__.co_filename)


@contextmanager
def own_cache() -> Iterator[None]:
    """Make numba choose our folder for the functions compiled inside."""
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = previous


@contextmanager
def compiling() -> Iterator[None]:
    """Compile without garbage collections: they took an eighth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def njit(function: Function) -> Function:
    """Compile a function to be called from Python; it must not allocate."""
    return _compiled(function)


def part(function: Function) -> Function:
    """Compile a part of kernels, called by compiled code alone (compiling takes half as long)."""
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined(function: Function) -> Function:
    """Compile a small part of an inner loop into each of its callers.

    Handing a search over costs more than a flip does: it is a tuple of some twenty arrays.
    """
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def _compiled(function: Function, **options: bool) -> Function:
    if not JIT:
        return function
    with own_cache():
        compiled: Function = numba.njit(
            cache=is_file(function), nogil=True, error_model="numpy", _nrt=False, **options
        )(function)
    return compiled
