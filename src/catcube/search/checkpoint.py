"""A saved optimizer, a small JSON file: its arguments, and the values of its points."""

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
from catcube.errors import BadValue
from catcube.representations import Representation
from catcube.representations.layout import RepresentationChoice
from catcube.space import Space

FORMAT = 1
LARGEST = 2**30  # bytes


def write(path: str | os.PathLike[str], content: Mapping[str, Any]) -> None:
    """Write the file atomically."""
    text = json.dumps({"format": FORMAT, **content}, allow_nan=False)
    with replacing(Path(path)) as part:
        part.write_text(text, encoding="utf-8")


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the output of `write`."""
    if Path(path).stat().st_size > LARGEST or not Path(path).is_file():
        raise BadValue(f"{path} is not a saved optimizer: not a regular file, or larger than 1 GB")
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or "format" not in content:
        raise BadValue(f"{path} is not a saved optimizer")
    if content["format"] != FORMAT:
        raise BadValue(f"{path}: expected the format {FORMAT}, got {quoted(content['format'])}")
    return content


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Convert errors about the content of a file to a ValueError that names it."""
    try:
        yield
    except KeyError as error:
        raise BadValue(f"{path} is not a saved optimizer: {error} is missing") from error
    except (ValueError, TypeError, AttributeError, IndexError, OverflowError) as error:
        reason = shortened(str(error), 1500)  # it may contain a value of the file
        if str(path) in reason:
            raise BadValue(reason) from error
        raise BadValue(f"{path} cannot be continued: {reason}") from error


def fingerprint(space: Space) -> str:
    """Hash a space, the same in every process: names, numbers of labels, their texts."""
    distinct = {id(labels): labels for labels in space.labels}
    texts = {key: [_text(label) for label in labels] for key, labels in distinct.items()}
    named = [[name, texts[id(labels)]] for name, labels in space.items()]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()


def _text(label: Any) -> str:
    """Return a text of a label that is the same in every process; its type if there is none."""
    kind = type(label)
    if isinstance(label, Enum):
        return f"{kind.__qualname__}.{label.name}"
    if kind is frozenset:  # its order differs between processes
        return f"frozenset {sorted(map(_text, label))}"
    if kind is tuple:
        return f"tuple {[_text(part) for part in label]}"
    if kind is int:
        return f"int {label:x}"
    try:
        text = repr(label)
    except Exception:
        return kind.__qualname__
    return kind.__qualname__ if " at 0x" in text else f"{kind.__name__} {text}"


def space_from_json(saved: Mapping[str, Any], space: Space | None, path: object) -> Space:
    """Return the space of a saved optimizer: the argument, if it is the same, or the saved one."""
    if space is None:
        if saved["space"] is None:
            raise BadValue(
                f"{path} does not hold the labels of the space, because JSON cannot: use "
                "Optimizer.load(path, space=space)"
            )
        return Space(saved["space"])
    if not isinstance(space, Space):
        space = Space(space)
    if fingerprint(space) != saved["fingerprint"]:
        raise BadValue(f"{path} was saved with another space")
    return space


def representation_to_json(choice: RepresentationChoice) -> Any:
    """Return the name of a representation, or all its data."""
    if isinstance(choice, str):
        return choice
    if isinstance(choice, Mapping):
        return {
            "variables": {name: representation_to_json(value) for name, value in choice.items()}
        }
    return {
        "name": choice.name,
        "columns": choice.columns.tolist(),
        "table": choice.table.tolist(),
        "weights": choice.weights.tolist(),
        "modulus": choice.modulus,
        "categories": choice.categories,
    }


def representation_from_json(saved: Any) -> Any:
    """Restore the argument of `representation_to_json`."""
    if isinstance(saved, str):
        return saved
    if "variables" in saved:
        return {name: representation_from_json(value) for name, value in saved["variables"].items()}
    return Representation(**saved)
