"""Points, labels and spaces as JSON, in the file of a study.

A label that JSON cannot hold is stored by its repr; the space that is given when the study is
opened again gives it back.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect, quoted
from catcube.search.result import is_exact
from catcube.space import Space


def key_of(categories: Sequence[int] | NDArray[np.int64]) -> str:
    """Return category indices as JSON, the same text for the same point."""
    return json.dumps([int(category) for category in categories], separators=(",", ":"))


def categories_of(key: str) -> list[int]:
    """Return the category indices of a key."""
    found: list[int] = json.loads(key)
    return found


def label_to_json(label: Any) -> Any:
    """Return a label if JSON restores an equal one, else an object with its repr.

    >>> label_to_json("red"), label_to_json((1, 2))
    ('red', {'repr': '(1, 2)'})
    """
    if isinstance(label, np.generic):
        label = label.item()
    if is_exact(label):
        return label
    return {"repr": quoted(label)}


def space_to_json(space: Space) -> dict[str, Any]:
    """Return the labels of all variables."""
    return {name: [label_to_json(label) for label in labels] for name, labels in space.items()}


def conditions_to_json(space: Space) -> dict[str, dict[str, list[int]]]:
    """Return the conditions of a space, by categories."""
    return {
        space.names[position]: {
            space.names[parent]: sorted(int(category) for category in categories)
            for parent, categories in parents
        }
        for position, parents in space.conditions
    }


def space_from_json(path: Path, about: Mapping[str, str], given: Space | None) -> Space:
    """Return the given space if it is that of the study; else the one in the file."""
    saved, only_if = json.loads(about["space"]), json.loads(about["only_if"])
    if given is None:
        variables = {}
        for name, labels in saved.items():
            plain = [_named(label) for label in labels]
            variables[name] = [
                label if plain.count(label) == 1 else f"{label} ({k})"
                for k, label in enumerate(plain)
            ]
        return Space(
            variables,
            only_if={
                name: {
                    parent: [variables[parent][category] for category in categories]
                    for parent, categories in parents.items()
                }
                for name, parents in only_if.items()
            },
        )
    conditions, where = conditions_to_json(given), f"{path}: "
    expect(conditions == only_if, "the conditions (only_if) of the study", conditions, where=where)
    different = sorted(set(saved) ^ set(given)) or list(given)
    same = list(saved) == list(given)
    expect(same, "the variables of the study", different[0], where=where)
    for name, labels in space_to_json(given).items():
        same = list(map(_comparable, labels)) == list(map(_comparable, saved[name]))
        expect(same, f"the labels of the study for {quoted(name)}", labels, where=where)
    return given


def _named(label: Any) -> Any:
    return label["repr"] if isinstance(label, dict) else label


def _comparable(label: Any) -> Any:
    """Return a label without what differs between two processes: the address of an object."""
    if isinstance(label, dict):
        return re.sub(r"0x[0-9a-fA-F]+", "0x", label["repr"]), None
    return label
