"""Unusual objects to be used as labels."""

import enum
from dataclasses import dataclass


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = -7
    HIGH = -8


@dataclass(frozen=True)
class Layer:
    width: int
    kind: str


class Hostile:
    """Its repr fails, and it is equal to nothing, in the way of a numpy array."""

    def __repr__(self):
        raise RuntimeError("no repr")

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    __hash__ = object.__hash__
