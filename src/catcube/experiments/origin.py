"""Where runs come from: which code has made them, and on which machine."""

import json
from functools import cache
from typing import NamedTuple

from catcube import __version__
from catcube.engine.jit import source_hash
from catcube.machine import machine

_SOURCES = source_hash()  # of the code that is loaded now, whatever becomes of the files later


class Origin(NamedTuple):
    """The version of the package, the hash of its sources, and the machine as a JSON object."""

    version: str
    sources: str
    machine: str


@cache
def origin() -> Origin:
    """Of the runs that this process makes.

    >>> json.loads(origin().machine) == machine()
    True
    """
    return Origin(__version__, _SOURCES, json.dumps(machine(), ensure_ascii=False))
