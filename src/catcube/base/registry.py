"""Names that other packages can add to: families of representations, problems, algorithms.

What the package itself has is known at once. Plug-ins are loaded when a name is asked for that is
not among it, or when all names are; so they cost nothing until then. A plug-in is an entry point
of the group `catcube.plugins`, a module that registers what it has when it is imported:

    [project.entry-points."catcube.plugins"]
    mine = "my_package.my_module"

One that cannot be imported is left out, with a `PluginWarning`.
"""

import re
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from catcube.base.provenance import OURS, package_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "catcube.plugins"

Thing = TypeVar("Thing")


class PluginWarning(UserWarning):
    """A plug-in is left out; the message says why."""


class Owner(NamedTuple):
    """The package that has registered something; `version` is empty if it came by no plug-in."""

    package: str
    distribution: str
    version: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}".strip()


class Registry(Mapping[str, Thing]):
    """Things of one kind by name, in the order in which they came.

    >>> colours = Registry[int]("colour")
    >>> colours.add("red", 1, module="my_package.colours")
    >>> colours["red"], str(colours.owner("red"))
    (1, 'my_package.colours')
    >>> colours.add("red", 2, module="other_package")
    Traceback (most recent call last):
    ValueError: a colour named 'red' is already registered by my_package.colours; that of \
other_package is refused
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._things: dict[str, Thing] = {}
        self._modules: dict[str, str] = {}  # also of what is not loaded yet

    def promise(self, name: str, module: str) -> None:
        """Know a name whose module registers it when it is imported, on first use."""
        self._modules[name] = module

    def add(self, name: str, thing: Thing, module: str) -> None:
        """Register a thing that is defined in this module; a name that is taken is refused.

        Only what is typed at a prompt, or in a notebook, may be registered again.
        """
        if not isinstance(name, str) or not re.fullmatch(r"\w[\w.+-]*", name) or name == "all":
            raise ValueError(
                f"{name!r} cannot be the name of a {self.kind}: it is made of letters, digits and "
                "the signs . _ + -, and is not 'all'"
            )
        promised = name not in self._things and self._modules.get(name) == module
        if (
            name in self._modules
            and not promised
            and not self._modules[name] == module == "__main__"
        ):
            article = "an" if self.kind[0] in "aeiou" else "a"
            raise ValueError(
                f"{article} {self.kind} named {name!r} is already registered by "
                f"{self.owner(name)}; that of {owner_of(module)} is refused"
            )
        if name not in self._modules:
            _added.append((self, name))
        self._things[name] = thing
        self._modules[name] = module

    def owner(self, name: str) -> Owner:
        """Who has registered the thing of this name."""
        return owner_of(self._modules[name])

    def shipped(self) -> list[str]:
        """The names of what the package itself has."""
        return [name for name, module in self._modules.items() if package_of(module) == OURS]

    def discard(self, name: str) -> None:
        """Forget a thing."""
        del self._things[name], self._modules[name]
        _added.remove((self, name))

    def __contains__(self, name: object) -> bool:
        if name not in self._modules:
            load_plugins()
        return name in self._modules

    def __getitem__(self, name: str) -> Thing:
        if name not in self:
            raise KeyError(name)
        if name not in self._things:
            import_module(self._modules[name])
        return self._things[name]

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
    """Import all plug-ins that are installed, once."""
    global _loaded
    with _lock:
        if _loaded:
            return
        _loaded = True  # a plug-in that asks for a name must not load itself
        from importlib.metadata import entry_points

        def place(point: "EntryPoint") -> tuple[str, str]:
            return _installed(point)[0], point.name

        for point in sorted(entry_points(group=GROUP), key=place):
            _load(point)


def _load(point: "EntryPoint") -> None:
    """Import a plug-in, or take back what it has registered and say why."""
    before = len(_added)
    _distributions[point.module] = _installed(point)
    try:
        point.load()
    except (Exception, SystemExit) as error:
        for registry, name in _added[before:]:
            registry.discard(name)
        brought = " ".join(_installed(point))
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        warnings.warn(
            f"the plug-in {point.name!r} of {brought} is left out ({reason})",
            PluginWarning,
            stacklevel=2,
        )


def _installed(point: "EntryPoint") -> tuple[str, str]:
    """Name and version of the distribution that an entry point belongs to."""
    assert point.dist is not None  # it was found in one
    return point.dist.name, point.dist.version


def owner_of(module: str) -> Owner:
    """The package of a module, and what it was installed by.

    >>> owner_of("catcube.algorithms.rls").distribution
    'catcube'
    """
    package = package_of(module)
    for plugin, (name, version) in _distributions.items():
        if package_of(plugin) == package:
            return Owner(package, name, version)
    return Owner(package, package, "")
