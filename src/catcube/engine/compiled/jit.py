"""Compilation with numba, and a cache that never runs stale code.

numba keys its disk cache by the source file of a function, and does not notice changes of other
files from which code was inlined. So the cache is in a folder named by a hash of all sources of
compiled code, and of numba's settings; the functions of another package are in a folder inside,
which is also named by the hash of its sources.

Cached code is executed. So the cache is only where the user says (environment variable
NUMBA_CACHE_DIR), in the user's cache directory, or in a temporary folder to which nobody else can
write; `numba.config.CACHE_DIR` is not used, because a file in the current folder may set it.

Functions compiled with `njit` run without the GIL and without numba's reference counting, which
takes a step of local search from 114 ns to 13 ns (measured). Hence they cannot allocate arrays:
their memory is an argument.
"""

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from numba.core.dispatcher import Dispatcher
from numba.core.options import DefaultOptions
from numba.extending import intrinsic

from catcube.base.provenance import PACKAGE, package_hash, package_of

pipeline: Any = None
with suppress(ImportError):  # another numba compiles as usual, which takes longer
    pipeline = import_module("catcube.engine.compiled.pipeline")

JIT = not numba.config.DISABLE_JIT

unsigned = np.uint64
"""Convert an index that is never negative, so that numba need not check its sign.

Decoding becomes 1.7 times as fast. Use it only as `array[unsigned(i)]`, because arithmetic with
signed and unsigned integers gives floats.
"""

Function = TypeVar("Function", bound=Callable[..., Any])

_LAYERS = "errors.py base engine space.py representations problems algorithms"
COMPILED_LAYERS = tuple(_LAYERS.split())
"""The parts of the package that contain compiled functions and everything that they refer to.

After changes of other parts, nothing is compiled again.
"""


def code_hash() -> str:
    """Return a hash of the sources of compiled functions, and of numba's settings."""
    settings = sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
    )
    digest = hashlib.sha256(
        "\n".join([package_hash(PACKAGE, *COMPILED_LAYERS), *settings]).encode()
    )
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """Return the folder of the cache, or a private temporary one if it is not writable."""
    default = platformdirs.user_cache_dir("catcube", appauthor=False)
    parent = Path(os.environ.get("NUMBA_CACHE_DIR") or default).absolute()
    folder = parent / f"kernels-{code_hash()}"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    folder = _private_folder() / folder.name
    folder.mkdir(exist_ok=True)
    return folder


def _private_folder() -> Path:
    """Return the user's folder in the temporary directory.

    If others can write to that, return a new folder, which is removed when the process ends.
    """
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"catcube-{user}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and (found.st_uid, stat.S_IMODE(found.st_mode)) == (user, 0o700):
        return folder
    new = tempfile.mkdtemp(prefix="catcube-")
    atexit.register(shutil.rmtree, new, ignore_errors=True)
    return Path(new)


CACHE_FOLDER = _cache_folder() if JIT else None


def is_from_file(function: Callable[..., Any]) -> bool:
    """Return whether the source of a function is a file, so that the function can be cached."""
    return os.path.exists(function.__code__.co_filename)


_COMPILE_LOCK = threading.RLock()


@contextmanager
def using_cache_folder(function: Callable[..., Any]) -> Iterator[None]:
    """Use our cache folder for a function compiled in the block, one thread at a time."""
    with _COMPILE_LOCK:
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder(function))
        try:
            yield
        finally:
            numba.config.CACHE_DIR = previous


def cache_folder(function: Callable[..., Any]) -> Path | None:
    """Return the cache folder of a function; its sources are read at the first call."""
    package = package_of(function.__module__)
    if CACHE_FOLDER is None or package == PACKAGE:
        return CACHE_FOLDER
    packages: dict[str, str] = {}
    _trace_sources(function.__module__, function.__globals__, packages)
    hashes = "".join(package_hash(name) for name in sorted(set(packages.values()) - {PACKAGE}))
    return CACHE_FOLDER / f"{package}-{hashlib.sha256(hashes.encode()).hexdigest()[:16]}"


def _trace_sources(module: str, names: dict[str, Any], packages: dict[str, str]) -> None:
    """Add the packages of a module, and of the compiled functions that it uses, to `packages`."""
    packages[module] = package_of(module)
    for thing in list(names.values()):
        parts = vars(thing).values() if isinstance(thing, ModuleType) else [thing]
        for part in parts:
            if isinstance(part, Dispatcher) and part.__module__ not in packages:
                _trace_sources(part.__module__, part.py_func.__globals__, packages)


@contextmanager
def compiling() -> Iterator[None]:
    """Compile the functions called in the block, one thread at a time."""
    with _COMPILE_LOCK, pipeline.fast_compilation() if pipeline else nullcontext():
        yield


def compile_for(kernel: Any, *arguments: Any, by: Callable[[], object] | None = None) -> None:
    """Compile a kernel for the types of arguments, or load it from the cache.

    For a kernel in Python, `by` is a function that calls all its compiled parts.
    """
    key = kernel, *map(type, arguments)  # faster than to ask numba
    if key not in _READY:
        with compiling():
            if by is None:
                kernel.compile(tuple(map(numba.typeof, arguments)))
            else:
                by()
        _READY.add(key)


_READY: set[tuple[Any, ...]] = set()  # compiled kernels, with the types of their arguments


def is_cached(kernel: Any) -> bool:
    """Return whether a kernel is in the cache."""
    if any(key[0] is kernel for key in _READY):
        return True
    source = Path(kernel.__code__.co_filename).stem
    return any(Path(kernel.stats.cache_path).glob(f"{source}.{kernel.__qualname__}-*.nbi"))


def njit(function: Function) -> Function:
    """Compile a kernel; it can be called from Python, and must not allocate memory.

    Parameters
    ----------
    function
        The function, in the subset of Python that numba compiles.

    Returns
    -------
    callable
        The compiled function; with the JIT off, the function itself.
    """
    return _compile(function, "KernelCompiler")


def part(function: Function) -> Function:
    """Compile a part of kernels, which can be called from compiled code only.

    Parameters
    ----------
    function
        The function. It takes half as long to compile as with `njit`.

    Returns
    -------
    callable
        The compiled function; with the JIT off, the function itself.
    """
    return _compile(function, "PartCompiler", no_cpython_wrapper=True)


def inlined(function: Function) -> Function:
    """Compile a small part of kernels into each of its callers, for inner loops.

    Passing a search costs more than a flip, because it is a tuple of about twenty arrays.

    Parameters
    ----------
    function
        The function.

    Returns
    -------
    callable
        The compiled function; with the JIT off, the function itself.
    """
    return _compile(function, "PartCompiler", no_cpython_wrapper=True, forceinline=True)


def supported_options(**options: Any) -> dict[str, Any]:
    """Return the options that this version of numba supports; the others only save time."""
    return {name: value for name, value in options.items() if hasattr(DefaultOptions, name)}


def _compile(function: Function, compiler: str, **options: Any) -> Function:
    """Compile a function with a compiler of `pipeline`, if available, and the disk cache."""
    if not JIT:
        return function
    with using_cache_folder(function):
        chosen = supported_options(
            nogil=True, error_model="numpy", no_cfunc_wrapper=True, _nrt=False, **options
        )
        if pipeline:
            chosen["pipeline_class"] = getattr(pipeline, compiler)
        compiled: Function = numba.njit(cache=is_from_file(function), **chosen)(function)
    if pipeline:
        pipeline.without_literals(compiled)
    return compiled


def is_dispatcher(function: object) -> bool:
    """Return whether a function is compiled by numba."""
    return isinstance(function, Dispatcher)


def compile_lazily(function: Callable[..., Any], boundscheck: bool) -> Any:
    """Return a user's function that is compiled at its first call, for the types of that call."""
    return numba.njit(boundscheck=boundscheck)(function)


IN_PYTHON: dict[Any, Callable[..., Any]] = {}
"""The Python version of each function that is written in LLVM instructions."""


def compiled_as(code: Callable[..., Any], types: Callable[..., Any]) -> Callable[[Function], Any]:
    """Decorate a Python function that compiled code replaces by LLVM instructions.

    `code(context, builder, signature, arguments)` emits the instructions; `types` returns the
    signature for the types of the arguments, or None for types that are not supported.
    """

    def typed(context: Any, *arguments: Any) -> Any:
        found = types(*arguments)
        return None if found is None else (found, code)

    def decorated(function: Function) -> Any:
        if not JIT:
            return function
        names = ("context", *signature(types).parameters)
        parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        vars(typed)["__signature__"] = Signature(parameters)
        compiled = intrinsic(typed)
        IN_PYTHON[compiled] = function
        return compiled

    return decorated
