"""The origin of runs: the code, with its plug-ins, and the machine that executed them."""

import json
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from catcube import __version__, algorithms
from catcube.base.provenance import PACKAGE, machine, package_hash
from catcube.experiments.plan import Configuration
from catcube.problems import kinds
from catcube.problems.instances import InstanceFiles
from catcube.representations import families
from catcube.representations.registry import NATIVE

_SOURCES = package_hash(PACKAGE)  # computed on import, as the files may change later
_SEPARATOR = " + "


class Origin(NamedTuple):
    """The version of the package, the hash of its sources, and the machine as a JSON object.

    The versions and hashes of the plug-ins of a run follow: `0.1.0 + mine 1.2`,
    `3f… + my_package:9a…`.
    """

    version: str
    sources: str
    machine: str


@cache
def origin() -> Origin:
    """Return the origin of the runs of this process.

    >>> json.loads(origin().machine) == machine()
    True
    """
    return Origin(__version__, _SOURCES, json.dumps(machine(), ensure_ascii=False))


def origin_of(configuration: Configuration) -> Origin:
    """Return the origin of runs of a configuration, with the plug-ins that it needs.

    >>> from catcube.experiments.plan import Experiment
    >>> mine = Experiment("mine", {"match:3,2": None}, ("rls",), ("linear",), budget=1, runs=1)
    >>> origin_of(mine.configurations()[0]) == origin()
    True
    """
    owners = set()
    if configuration.algorithm in algorithms.registered:
        owners.add(algorithms.registered.owner(configuration.algorithm))
    if configuration.representation != NATIVE:
        owners.add(families.owner(configuration.representation.partition(":")[0]))
    if not configuration.content or InstanceFiles.is_text_of(configuration.content):
        owners.add(kinds.owner(configuration.instance.partition(":")[0]))
    plugins = sorted(owner for owner in owners if owner.package != PACKAGE)
    return origin()._replace(
        version=_SEPARATOR.join([__version__, *map(str, plugins)]),
        sources=_SEPARATOR.join(
            [_SOURCES, *(f"{owner.package}:{package_hash(owner.package)}" for owner in plugins)]
        ),
    )


def count_versions(sources: Iterable[str]) -> int:
    """Count the versions of the code: the maximum over the package and each plug-in.

    >>> count_versions(["3f", "3f + mine:9a", "3f + mine:9b"])
    2
    """
    found: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        for part in source.split(_SEPARATOR):
            found[part.rpartition(":")[0]].add(part)
    return max((len(hashes) for hashes in found.values()), default=0)
