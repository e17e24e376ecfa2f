"""`catcube list`: the algorithms, representations, problems and instances there are."""

import inspect
import json
import textwrap
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from catcube import algorithms, problems
from catcube.boards import instances
from catcube.commands.input import checking
from catcube.names import unknown_name_message
from catcube.problems.problem import Problem
from catcube.representations.families import families, representation

# Categories for which `catcube list linear` tells the number of bits.
SIZES = (2, 3, 4, 9, 16, 20, 26)

COLLECTIONS = {
    "high": "a puzzle with a unique solution",
    "small": "a complete board with some cells erased",
}


def command(arguments: Namespace) -> int:
    """Print everything there is, a line each, or what is known about one name."""
    with checking():
        found = described(arguments.name)
    print(json.dumps(found, indent=2, ensure_ascii=False) if arguments.json else text(found))
    return 0


def described(name: str | None) -> dict[str, Any]:
    """All sections, one of them, or one thing, as plain data."""
    if name is None:
        return {section: one_lines() for section, (one_lines, _) in SECTIONS.items()}
    if name in SECTIONS:
        return {name: SECTIONS[name][0]()}
    known = list(SECTIONS)
    base = name.partition(":")[0]  # a representation with parameters, as "covering:2"
    for one_lines, one in SECTIONS.values():
        members = one_lines()
        if name in members or (one is _representation and base in members):
            return one(name)
        known += members
    raise ValueError(unknown_name_message("name", name, known))


def _algorithms() -> dict[str, str]:
    return {name: algorithms.algorithm(name).title for name in algorithms.names()}


def _algorithm(name: str) -> dict[str, Any]:
    method = algorithms.algorithm(name)
    return {
        "algorithm": name,
        "title": method.title,
        "reference": method.reference,
        "parameters": [
            {
                "name": own.name,
                "type": own.type.__name__,
                "default": own.default,
                "range": own.meaning.range,
                "meaning": own.meaning.text,
            }
            for own in method.described()
        ],
        "presets": {preset: dict(changes) for preset, changes in method.presets.items()},
    }


def _representations() -> dict[str, str]:
    return {name: family.description for name, family in families.items()}


def _representation(name: str) -> dict[str, Any]:
    family = families[name.partition(":")[0]]
    bits = {}
    for size in SIZES:
        try:
            bits[size] = representation(name, size).bits
        except ValueError:  # parameters that fit other numbers of categories
            continue
    if not bits:
        representation(name, SIZES[-1])  # says what is wrong
    return {
        "representation": name,
        "description": family.description,
        "about": _about(family.build),
        "bits": bits,
    }


def _classes() -> dict[str, type[Problem]]:
    """The shipped problems: the classes of `catcube.problems` that have a title."""
    found: list[Any] = [getattr(problems, name) for name in problems.__all__]
    return {own.name: own for own in found if hasattr(own, "title")}


def _problems() -> dict[str, str]:
    return {name: own.title for name, own in _classes().items()}  # type: ignore[attr-defined]


def _problem(name: str) -> dict[str, Any]:
    own = _classes()[name]
    shipped: list[str] = getattr(own, "instances", list)()
    return {
        "problem": name,
        "title": _problems()[name],
        "about": _about(own),
        "python": f"catcube.problems.{own.__name__}({_arguments(own)})",
        "instances": shipped,
    }


def _arguments(own: type[Problem]) -> str:
    """The names of what a problem is made from, as `board, name='sudoku'`."""
    shown = []
    for parameter in inspect.signature(own).parameters.values():
        optional = parameter.default is not parameter.empty
        shown.append(f"{parameter.name}={parameter.default!r}" if optional else parameter.name)
    return ", ".join(shown)


def _instances() -> dict[str, str]:
    lines = {}
    for collection in instances.COLLECTIONS:
        for name in instances.names(collection):
            unknowns = len(instances.load(name).unknowns)
            cells = "1 unknown cell" if unknowns == 1 else f"{unknowns} unknown cells"
            lines[name] = f"{COLLECTIONS[collection]}, {cells}"
    return lines


def _instance(name: str) -> dict[str, Any]:
    board = instances.load(name)
    return {
        "instance": name,
        "problem": "sudoku",
        "title": _instances()[name],
        "unknowns": len(board.unknowns),
        "board": str(board),
    }


def _about(documented: object) -> str:
    """The docstring as running text, without its examples."""
    paragraphs = (inspect.getdoc(documented) or "").split("\n\n")
    return "\n\n".join(own for own in paragraphs if not own.startswith(">>>"))


# Section -> (name and one line of all its members, one member by name).
Section = tuple[Callable[[], dict[str, str]], Callable[[str], dict[str, Any]]]
SECTIONS: dict[str, Section] = {
    "algorithms": (_algorithms, _algorithm),
    "representations": (_representations, _representation),
    "problems": (_problems, _problem),
    "instances": (_instances, _instance),
}


def text(found: dict[str, Any]) -> str:
    """What was described, for people."""
    if all(section in SECTIONS for section in found):
        return "\n\n".join(_section(name, lines) for name, lines in found.items())
    kind, name = next(iter(found.items()))
    parts = [f"{name} ({kind}): {found.get('title') or found['description']}"]
    if found.get("about"):
        parts.append(found["about"])
    if "reference" in found:
        parts.append(f"reference: {found['reference']}")
    if "parameters" in found:
        parts.append(_parameters(found["parameters"]))
        parts.append("\n".join(_preset(*preset) for preset in found["presets"].items()))
    if "bits" in found:
        counts = ", ".join(f"{count} for {size}" for size, count in found["bits"].items())
        parts.append(f"bits by number of categories: {counts}")
    if "python" in found:
        parts.append(f"in Python: {found['python']}")
    if kind == "problem" and found["instances"]:
        parts.append("instances:\n" + _indented(", ".join(found["instances"])))
    if "board" in found:
        parts.append(instances.load(name).pretty())
    return "\n\n".join(parts)


def _section(name: str, lines: dict[str, str]) -> str:
    width = max(map(len, lines))
    return "\n".join([name, *(f"  {own:{width}}  {line}" for own, line in lines.items())])


def _parameters(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "no parameters"
    table = [
        (own["name"], f"{own['type']} {own['range']}".strip(), str(own["default"]), own["meaning"])
        for own in rows
    ]
    table.insert(0, ("parameter", "type and range", "default", "meaning"))
    widths = [max(len(line[column]) for line in table) for column in range(3)]
    return "\n".join(
        "  ".join(
            [*(f"{cell:{width}}" for cell, width in zip(line[:3], widths, strict=True)), line[3]]
        )
        for line in table
    )


def _preset(name: str, changes: dict[str, Any]) -> str:
    changed = ", ".join(f"{own}={value!r}" for own, value in changes.items())
    return f"preset {name}: {changed or 'the same as the defaults'}"


def _indented(long: str) -> str:
    return textwrap.fill(
        long, 96, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
