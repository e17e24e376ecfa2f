"""The provenance of results: a hash of the sources, and a description of the machine."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

PACKAGE = "catcube"


def package_of(module: str) -> str:
    """Return the outermost package of a module, not counting namespace packages.

    >>> package_of("catcube.algorithms.rls")
    'catcube'
    """
    names = module.split(".")
    for end in range(1, len(names)):
        package = ".".join(names[:end])
        if getattr(sys.modules.get(package), "__file__", None) is not None:
            return package
    return module


@cache
def package_hash(package: str, *parts: str) -> str:
    """Return a hash of the sources of a package, or of the folder of a single module.

    With `parts`, only these files and folders of the package are included. The files are read at
    the first call only. Code typed at a prompt has no sources.
    """
    digest = sha256()
    for name, content in _sources(package):
        if not parts or name.split("/")[0] in parts:
            digest.update(name.encode() + content)
    return digest.hexdigest()[:16]


def _sources(package: str) -> Iterator[tuple[str, bytes]]:
    """Yield the relative path and the content of each source file, in order."""
    module = sys.modules[package]
    file = getattr(module, "__file__", None)
    if file is None:
        return
    folder = Path(file).parent
    inside = folder.rglob("*.py") if hasattr(module, "__path__") else folder.glob("*.py")
    for path in sorted(inside):
        try:
            yield path.relative_to(folder).as_posix(), path.read_bytes()
        except OSError:  # an unreadable file cannot be imported either
            continue


@cache
def machine() -> dict[str, str]:
    """Return a description of the machine: versions, system, processor, number of cores.

    >>> list(machine())
    ['python', 'numpy', 'numba', 'system', 'processor', 'cores']
    """
    return {
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "processor": f"{_processor()} ({platform.machine()})",
        "cores": str(os.cpu_count()),
    }


def _processor() -> str:
    """Return the model name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return platform.processor() or "unknown processor"
