"""Registries of representations, problems and algorithms, which plug-ins can extend.

The names of catcube itself are known at once. Plug-ins are loaded when an unknown name or the list
of all names is requested, and cost nothing before. A plug-in is an entry point of the group
`catcube.plugins` that names a module, which registers its content when it is imported:

    [project.entry-points."catcube.plugins"]
    mine = "my_package.my_module"

A plug-in that cannot be imported is skipped with a `PluginWarning`.
"""

import re
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Any, NamedTuple, TypeVar

from catcube.base.provenance import PACKAGE, package_of
from catcube.errors import BadValue

GROUP = "catcube.plugins"

Item = TypeVar("Item")


class PluginWarning(UserWarning):
    """A plug-in was skipped; the message says why."""


class Owner(NamedTuple):
    """The package that registered an item; `version` is empty unless it is a plug-in."""

    package: str
    distribution: str
    version: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}".strip()


class Registry(Mapping[str, Item]):
    """A mapping from names to items of one kind, in the order of registration.

    >>> colours = Registry[int]("colour")
    >>> colours.add("red", 1, module="my_package.colours")
    >>> colours["red"], str(colours.owner("red"))
    (1, 'my_package.colours')
    >>> colours.add("red", 2, module="other_package")
    Traceback (most recent call last):
    catcube.errors.BadValue: the colour 'red' of other_package is already registered by ...
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._items: dict[str, Item] = {}
        self._modules: dict[str, str] = {}  # also of items that are not loaded yet

    def declare(self, name: str, module: str) -> None:
        """Declare a name that its module registers when it is imported, on first use."""
        self._modules[name] = module

    def add(self, name: str, thing: Item, module: str) -> None:
        """Register an item that is defined in a module; a name that is taken is an error.

        Only items defined at a prompt or in a notebook may be registered again.
        """
        if not isinstance(name, str) or not re.fullmatch(r"\w[\w.+-]*", name) or name == "all":
            raise BadValue(
                f"expected the name of a {self.kind} to consist of letters, digits and the signs "
                f". _ + -, and not to be 'all', got {name!r}"
            )
        before = self._modules.get(name, module)
        again = name in self._items or before != module  # otherwise new, or declared
        if again and not before == module == "__main__":
            raise BadValue(
                f"the {self.kind} {name!r} of {owner_of(module)} is already registered by "
                f"{self.owner(name)}"
            )
        if name not in self._modules:
            _added.append((self, name))
        self._items[name] = thing
        self._modules[name] = module

    def owner(self, name: str) -> Owner:
        """Return the owner of a name: the package that registered it."""
        return owner_of(self._modules[name])

    def builtin(self) -> list[str]:
        """Return the names that catcube itself registers."""
        return [name for name, module in self._modules.items() if package_of(module) == PACKAGE]

    def remove(self, name: str) -> None:
        """Remove a name and its item."""
        del self._items[name], self._modules[name]
        _added.remove((self, name))

    def __contains__(self, name: object) -> bool:
        if name not in self._modules:
            load_plugins()
        return name in self._modules

    def __getitem__(self, name: str) -> Item:
        if name not in self:
            raise KeyError(name)
        if name not in self._items:
            import_module(self._modules[name])
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        load_plugins()
        return iter(list(self._modules))

    def __len__(self) -> int:
        load_plugins()
        return len(self._modules)


_lock = RLock()
_loaded = False
_added: list[tuple[Registry[Any], str]] = []
_distributions: dict[str, tuple[str, str]] = {}  # module of a plug-in -> what installed it


def load_plugins() -> None:
    """Import all installed plug-ins, once."""
    global _loaded
    with _lock:
        if _loaded:
            return
        _loaded = True  # a plug-in that looks up a name must not load itself

        def order(point: EntryPoint) -> tuple[str, str]:
            return _distribution_of(point)[0], point.name

        for point in sorted(entry_points(group=GROUP), key=order):
            _load(point)


def _load(point: EntryPoint) -> None:
    """Import a plug-in; if that fails, undo its registrations and warn."""
    before = len(_added)
    _distributions[point.module] = _distribution_of(point)
    try:
        point.load()
    except (Exception, SystemExit) as error:
        for registry, name in _added[before:]:
            registry.remove(name)
        distribution = " ".join(_distribution_of(point))
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        warning = f"skipped the plug-in {point.name!r} of {distribution}: {reason}"
        warnings.warn(warning, PluginWarning, stacklevel=2)


def _distribution_of(point: EntryPoint) -> tuple[str, str]:
    """Return the name and version of the distribution that an entry point belongs to."""
    assert point.dist is not None  # entry_points() finds them in distributions
    return point.dist.name, point.dist.version


def owner_of(module: str) -> Owner:
    """Return the package of a module, and the distribution that installed it.

    >>> owner_of("catcube.algorithms.rls").distribution
    'catcube'
    """
    package = package_of(module)
    for plugin, (name, version) in _distributions.items():
        if package_of(plugin) == package:
            return Owner(package, name, version)
    return Owner(package, package, "")
