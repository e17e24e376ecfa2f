"""Which code it was: the sources of the package that a module belongs to, as a hash."""

import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

OURS = "catcube"


def package_of(module: str) -> str:
    """The package that a module belongs to, the outermost one that is no mere namespace.

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
def package_hash(package: str) -> str:
    """Hash of all sources of a package; of a module in no package, of those in its folder.

    It is that of the files when it is first asked for, whatever becomes of them later. What was
    typed at a prompt has no sources.
    """
    digest = sha256()
    for name, content in _sources(package):
        digest.update(name.encode() + content)
    return digest.hexdigest()[:16]


def _sources(package: str) -> Iterator[tuple[str, bytes]]:
    module = sys.modules[package]
    file = getattr(module, "__file__", None)
    if file is None:
        return
    folder = Path(file).parent
    inside = folder.rglob("*.py") if hasattr(module, "__path__") else folder.glob("*.py")
    for path in sorted(inside):
        try:
            yield path.relative_to(folder).as_posix(), path.read_bytes()
        except OSError:  # what cannot be read cannot be imported either
            continue
