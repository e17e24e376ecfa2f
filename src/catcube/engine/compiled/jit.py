"""The package's one way to compile: numba with a cache that never runs stale code.

numba keys its disk cache by the source file of the function alone and does not notice changes in
the other files it was inlined from. So the cache lives in a folder named by the hash of all
sources that compiled code can come from (and of the numba settings that change it); the functions
of another package in a separate folder inside, named by the hash of its sources too.

Functions compiled with `njit` run without the GIL and without numba's reference counting
(measured: 13 ns instead of 114 ns for a step of local search); hence they cannot allocate arrays:
whatever memory they need is handed to them.
"""

import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.misc.appdirs import user_cache_dir

from catcube.base.provenance import OURS, package_hash, package_of
from catcube.engine.compiled.pipeline import (
    KernelCompiler,
    PartCompiler,
    undisturbed,
    without_literals,
)

JIT = not numba.config.DISABLE_JIT

unsigned = np.uint64
"""An index that is never negative: numba leaves out its test for that (a decoding is 1.7 times as
fast). Only to be used as `array[unsigned(i)]`: unsigned and signed numbers mixed give floats."""

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED_ROOMS = (
    "errors.py",
    "base",
    "engine",
    "space.py",
    "representations",
    "problems",
    "algorithms",
)
"""Where compiled functions and what they refer to stand: the algorithms and the rooms below them
(the contract of the layers). A change of a command or a page compiles nothing anew."""


def code_hash() -> str:
    """Hash the sources of compiled functions and numba's settings for code generation."""
    settings = sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
    )
    digest = hashlib.sha256("\n".join([package_hash(OURS, *COMPILED_ROOMS), *settings]).encode())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    base = Path(numba.config.CACHE_DIR or user_cache_dir("catcube"))
    spare = Path(tempfile.gettempdir()) / f"catcube-{os.getenv('USER', 'cache')}"
    for parent in (base, spare):
        folder = parent / f"kernels-{code_hash()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    raise OSError(
        f"expected a writable folder for compiled code, got neither {base} nor {spare}; "
        "set NUMBA_CACHE_DIR to one that is"
    )


CACHE_FOLDER = _cache_folder() if JIT else None


def is_file(function: Callable[..., Any]) -> bool:
    """Return whether a function comes from a file; code typed at a prompt cannot be cached."""
    return os.path.exists(function.__code__.co_filename)


_ONE_THREAD = threading.RLock()


@contextmanager
def using_cache_folder(function: Callable[..., Any]) -> Iterator[None]:
    """Make numba choose our folder for this function, compiled inside, one thread at a time."""
    with _ONE_THREAD:
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder(function))
        try:
            yield
        finally:
            numba.config.CACHE_DIR = previous


def cache_folder(function: Callable[..., Any]) -> Path | None:
    """Return the folder of the compiled function; its sources are read at the first call."""
    package = package_of(function.__module__)
    if CACHE_FOLDER is None or package == OURS:
        return CACHE_FOLDER
    packages: dict[str, str] = {}
    _trace_sources(function.__module__, function.__globals__, packages)
    hashes = "".join(package_hash(name) for name in sorted(set(packages.values()) - {OURS}))
    return CACHE_FOLDER / f"{package}-{hashlib.sha256(hashes.encode()).hexdigest()[:16]}"


def _trace_sources(module: str, names: dict[str, Any], packages: dict[str, str]) -> None:
    """Note the package of a module, and of those whose compiled functions it has."""
    packages[module] = package_of(module)
    for thing in list(names.values()):
        parts = vars(thing).values() if isinstance(thing, ModuleType) else [thing]
        for part in parts:
            if isinstance(part, Dispatcher) and part.__module__ not in packages:
                _trace_sources(part.__module__, part.py_func.__globals__, packages)


@contextmanager
def compiling() -> Iterator[None]:
    """Compile what follows, one thread at a time."""
    with _ONE_THREAD, undisturbed():
        yield


def compile_for(kernel: Any, *arguments: Any) -> None:
    """Compile a kernel for arguments of these types, or load it from the cache."""
    with compiling():
        kernel.compile(tuple(map(numba.typeof, arguments)))


def is_cached(kernel: Any) -> bool:
    """Return whether compiled code of a kernel is in the cache."""
    source = Path(kernel.__code__.co_filename).stem
    return any(Path(kernel.stats.cache_path).glob(f"{source}.{kernel.__qualname__}-*.nbi"))


def njit(function: Function) -> Function:
    """Compile a function for Python; it must not allocate."""
    return _compiled(function, pipeline_class=KernelCompiler)


def part(function: Function) -> Function:
    """Compile a part of kernels, for compiled code only (compiling takes half as long)."""
    return _compiled(function, **_PART)


def inlined(function: Function) -> Function:
    """Compile a small part of an inner loop into each of its callers.

    Handing a search over costs more than a flip does: it is a tuple of some twenty arrays.
    """
    return _compiled(function, **_PART, forceinline=True)


_PART = {"no_cpython_wrapper": True, "pipeline_class": PartCompiler}


def _compiled(function: Function, **options: Any) -> Function:
    if not JIT:
        return function
    with using_cache_folder(function):
        compiled: Function = numba.njit(
            cache=is_file(function),
            nogil=True,
            error_model="numpy",
            no_cfunc_wrapper=True,
            _nrt=False,
            **options,
        )(function)
    without_literals(compiled)
    return compiled
