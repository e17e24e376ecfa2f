"""Conversion of points, labels and spaces to JSON, for the file of a study.

A label that JSON cannot represent is stored as its repr. To restore it, the space must be given
when the study is opened.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect, quote
from catcube.search.result import is_kept_by_json
from catcube.space import Space


def key_of(categories: Sequence[int] | NDArray[np.int64]) -> str:
    """Return category indices as canonical JSON: equal points have equal keys."""
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
    if is_kept_by_json(label):
        return label
    return {"repr": quote(label)}


def space_to_json(space: Space) -> dict[str, Any]:
    """Return the labels of all variables for JSON."""
    return {name: [label_to_json(label) for label in labels] for name, labels in space.items()}


def conditions_to_json(space: Space) -> dict[str, dict[str, list[int]]]:
    """Return the conditions of a space for JSON, by category indices."""
    return {
        space.names[position]: {
            space.names[parent]: sorted(int(category) for category in categories)
            for parent, categories in parents
        }
        for position, parents in space.conditions
    }


def space_from_json(path: Path, about: Mapping[str, str], given: Space | None) -> Space:
    """Return the space of a study: the given one, if it equals that of the file, or the latter."""
    saved, only_if = json.loads(about["space"]), json.loads(about["only_if"])
    if given is None:
        variables = {}
        for name, labels in saved.items():
            plain = [_label_or_repr(label) for label in labels]
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
        same = list(map(_without_address, labels)) == list(map(_without_address, saved[name]))
        expect(same, f"the labels of the study for {quote(name)}", labels, where=where)
    return given


def _label_or_repr(label: Any) -> Any:
    return label["repr"] if isinstance(label, dict) else label


def _without_address(label: Any) -> Any:
    """Return a label; in a repr, without addresses, which differ between processes."""
    if isinstance(label, dict):
        return re.sub(r"0x[0-9a-fA-F]+", "0x", label["repr"]), None
    return label
