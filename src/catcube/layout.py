"""From a space and a representation to the layout of all bits that the engine reads."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from catcube.engine.point import Layout
from catcube.names import unknown_name_message
from catcube.representations import Representation, representation
from catcube.space import Space

Chosen: TypeAlias = "str | Representation | Mapping[str, str | Representation]"


def representations_of(space: Space, chosen: Chosen) -> list[Representation]:
    """The representation of each variable: one for all, or one by the name of the variable."""
    if isinstance(chosen, Mapping):
        for name in chosen:
            if name not in space:
                raise ValueError(unknown_name_message("variable", name, space.names))
        missing = [name for name in space.names if name not in chosen]
        if missing:
            raise ValueError(f"no representation is given for variable {missing[0]!r}")
        wanted = [chosen[name] for name in space.names]
    else:
        wanted = [chosen] * len(space)
    made: dict[tuple[str, int], Representation] = {}
    found = []
    for name, own, size in zip(space.names, wanted, space.cardinalities.tolist(), strict=True):
        if isinstance(own, str):
            if (own, size) not in made:
                made[own, size] = representation(own, size)
            own = made[own, size]
        elif not isinstance(own, Representation):
            raise TypeError(f"a representation is a name or a Representation, not {own!r}")
        if own.categories != size:
            raise ValueError(
                f"variable {name!r} has {size} labels, but its representation {own.name!r} has "
                f"{own.categories} categories"
            )
        found.append(own)
    return found


def layout_of(representations: list[Representation]) -> Layout:
    """The bits of all variables, one variable after the other; equal tables are kept once."""
    kinds = list({id(own): own for own in representations}.values())
    offsets = np.concatenate([[0], np.cumsum([kind.table.size for kind in kinds])])
    offset = {id(kind): start for kind, start in zip(kinds, offsets, strict=False)}
    bits = np.array([own.bits for own in representations], np.int64)

    def joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
        return np.concatenate(parts).astype(np.int64)

    return Layout(
        variable=np.repeat(np.arange(len(bits)), bits),
        columns=joined([own.columns for own in representations]),
        weights=joined([own.weights for own in representations]),
        first_bit=np.concatenate([[0], np.cumsum(bits)]).astype(np.int64),
        modulus=np.array([own.modulus for own in representations], np.int64),
        offset=np.array([offset[id(own)] for own in representations], np.int64),
        table=joined([kind.table for kind in kinds]),
    )
