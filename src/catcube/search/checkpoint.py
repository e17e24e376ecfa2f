"""An optimizer as a small JSON file: what it was made from, and the values it was told."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any

from catcube.base.files import replacing
from catcube.base.text import quoted, shortened
from catcube.representations import Representation
from catcube.representations.layout import RepresentationChoice
from catcube.space import Space

FORMAT = 1
LARGEST = 2**30  # bytes


def write(path: str | os.PathLike[str], content: Mapping[str, Any]) -> None:
    """Write the file as a whole or not at all."""
    text = json.dumps({"format": FORMAT, **content}, allow_nan=False)
    with replacing(Path(path)) as part:
        part.write_text(text, encoding="utf-8")


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What `write` has written."""
    if Path(path).stat().st_size > LARGEST or not Path(path).is_file():
        raise ValueError(
            f"{path} is not a saved optimizer: not a regular file, or larger than 1 GB"
        )
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or "format" not in content:
        raise ValueError(f"{path} is no saved optimizer")
    if content["format"] != FORMAT:
        raise ValueError(
            f"{path} was saved in format {quoted(content['format'])}; this version reads {FORMAT}"
        )
    return content


@contextmanager
def told(path: str | os.PathLike[str]) -> Iterator[None]:
    """What is wrong with the content of a file is a ValueError that names it."""
    try:
        yield
    except KeyError as error:
        raise ValueError(f"{path} is no saved optimizer: {error} is missing") from error
    except (ValueError, TypeError, AttributeError, IndexError, OverflowError) as error:
        reason = shortened(str(error), 1500)  # a value of the file may be in it
        if str(path) in reason:
            raise ValueError(reason) from error
        raise ValueError(f"{path} is no optimizer that can be continued: {reason}") from error


def fingerprint(space: Space) -> str:
    """What can be known of a space in another process: names, numbers of labels, their looks."""
    distinct = {id(labels): labels for labels in space.labels}
    seen = {key: [_look(label) for label in labels] for key, labels in distinct.items()}
    looks = [[name, seen[id(labels)]] for name, labels in space.items()]
    return hashlib.sha256(json.dumps(looks).encode()).hexdigest()


def _look(label: Any) -> str:
    """What a label looks like in every process; for what differs from one to the next, its type."""
    kind = type(label)
    if isinstance(label, Enum):
        return f"{kind.__qualname__}.{label.name}"
    if kind is frozenset:  # in another order in each process
        return f"frozenset {sorted(map(_look, label))}"
    if kind is tuple:
        return f"tuple {[_look(own) for own in label]}"
    if kind is int:
        return f"int {label:x}"
    try:
        text = repr(label)
    except Exception:
        return kind.__qualname__
    return kind.__qualname__ if " at 0x" in text else f"{kind.__name__} {text}"


def space_from_json(saved: Mapping[str, Any], given: Space | None, path: object) -> Space:
    """The space of a saved optimizer: the one given, if it is the same, or the one saved."""
    if given is None:
        if saved["space"] is None:
            raise ValueError(
                f"{path} does not hold the labels of the space, because JSON cannot: give the "
                "space as well, Optimizer.load(path, space=space)"
            )
        return Space(saved["space"])
    if not isinstance(given, Space):
        given = Space(given)
    if fingerprint(given) != saved["fingerprint"]:
        raise ValueError(f"{path} was saved with another space than the one given")
    return given


def representation_to_json(chosen: RepresentationChoice) -> Any:
    """A representation by its name, or all that it is made from."""
    if isinstance(chosen, str):
        return chosen
    if isinstance(chosen, Mapping):
        return {
            "variables": {name: representation_to_json(value) for name, value in chosen.items()}
        }
    return {
        "name": chosen.name,
        "columns": chosen.columns.tolist(),
        "table": chosen.table.tolist(),
        "weights": chosen.weights.tolist(),
        "modulus": chosen.modulus,
        "categories": chosen.categories,
    }


def representation_from_json(saved: Any) -> Any:
    """What `representation_to_json` was given."""
    if isinstance(saved, str):
        return saved
    if "variables" in saved:
        return {name: representation_from_json(own) for name, own in saved["variables"].items()}
    return Representation(**saved)
