"""`catcube list`: list the algorithms, representations, problems and instances."""

import inspect
import json
import textwrap
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from catcube import algorithms
from catcube.base.arguments import usage
from catcube.base.provenance import OURS
from catcube.base.registry import Registry
from catcube.base.text import unknown_name_message, visible
from catcube.cli.input import checking, noted_problem
from catcube.errors import BadValue
from catcube.problems import Sudoku, is_problem, kinds
from catcube.problems.instances import listed, matching_problems
from catcube.problems.sudoku import instances
from catcube.representations.registry import NATIVE, NATIVE_DESCRIPTION, families, representation

# Numbers of categories for which `catcube list linear` gives the number of bits.
SIZES = (2, 3, 4, 9, 16, 20, 26)

_NATIVE_ABOUT = (
    "A gene is a variable with a choice. A move gives one variable another category; a mutation "
    "changes distinct variables; crossover and models work on whole variables. Plug-in algorithms "
    "say whether they can."
)

COLLECTIONS = {
    "high": "a puzzle with a unique solution",
    "small": "a complete board with some cells erased",
    "sizes": "a puzzle of another size with a unique solution",
}


def command(arguments: Namespace) -> int:
    """Print one line per name, or a description of one name."""
    with checking():
        found = described(arguments.name)
    print(json.dumps(found, indent=2) if arguments.json else text(found))
    return 0


def described(name: str | None) -> dict[str, Any]:
    """Return all sections, one of them, or one thing, as plain data."""
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
    if is_problem(name):  # with arguments that are not listed
        return _instance(name)
    raise BadValue(unknown_name_message("name", name, known))


def _algorithms() -> dict[str, str]:
    return {name: algorithms.algorithm(name).title for name in algorithms.registered}


def _algorithm(name: str) -> dict[str, Any]:
    method = algorithms.algorithm(name)
    return {
        "algorithm": name,
        "title": method.title,
        "reference": method.reference,
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type.__name__,
                "default": parameter.default,
                "range": parameter.info.range,
                "meaning": parameter.info.text,
            }
            for parameter in method.described()
        ],
        "native": method.native is not None,
        "presets": {preset: dict(changes) for preset, changes in method.presets.items()},
        **_plugin(algorithms.registered, name),
    }


def _representations() -> dict[str, str]:
    shown = {name: family.description for name, family in families.items()}
    return {**shown, NATIVE: NATIVE_DESCRIPTION}


def _representation(name: str) -> dict[str, Any]:
    if name == NATIVE:
        return {"representation": name, "description": NATIVE_DESCRIPTION, "about": _NATIVE_ABOUT}
    family = families[name.partition(":")[0]]
    bits = {}
    for size in SIZES:
        try:
            bits[size] = representation(name, size).bits
        except ValueError:  # parameters that fit other numbers of categories
            continue
    if not bits:
        representation(name, SIZES[-1])  # raises the error
    return {
        "representation": name,
        "description": family.description,
        "about": _about(family.build),
        "bits": bits,
        **_plugin(families, family.name),
    }


def _problems() -> dict[str, str]:
    return {name: kind.title for name, kind in kinds.items()}


def _problem(name: str) -> dict[str, Any]:
    kind = kinds[name]
    owner = kinds.owner(name)
    home = "catcube.problems" if owner.package == OURS else kind.build.__module__
    return {
        "problem": name,
        "title": kind.title,
        "about": _about(kind.build),
        "python": f"{home}.{kind.build.__name__}({usage(kind.build)})",
        "usage": kind.usages,
        "instances": [instance for instance, kind_name in listed().items() if kind_name == name],
        **_plugin(kinds, name),
    }


def _instances() -> dict[str, str]:
    lines = {}
    for collection in instances.COLLECTIONS:
        for name in instances.names(collection):
            unknowns = len(instances.load(name).unknowns)
            cells = "1 unknown cell" if unknowns == 1 else f"{unknowns} unknown cells"
            lines[name] = f"{COLLECTIONS[collection]}, {cells}"
    others = {name: kind for name, kind in listed().items() if kind != Sudoku.name}
    return lines | {name: kinds[kind].title for name, kind in others.items()}


def _instance(name: str) -> dict[str, Any]:
    if name not in instances.names():
        return _described_instance(name)
    board = instances.load(name)
    return {
        "instance": name,
        "problem": "sudoku",
        "title": _instances()[name],
        "unknowns": len(board.unknowns),
        "board": str(board),
    }


def _described_instance(name: str) -> dict[str, Any]:
    kind = kinds[name.partition(":")[0]]
    problem, _ = noted_problem(name, matching_problems(name)[name])
    sizes = problem.space.cardinalities
    return {
        "instance": name,
        "problem": kind.name,
        "title": kind.title,
        "variables": len(problem.space),
        "categories": sorted(set(sizes.tolist())),
        "optimum": problem.optimum,
        **_plugin(kinds, kind.name),
    }


def _plugin(registry: Registry[Any], name: str) -> dict[str, str]:
    """Return the plug-in that registered a name, if one did."""
    owner = registry.owner(name)
    return {} if owner.package == OURS else {"plugin": str(owner)}


def _about(documented: object) -> str:
    """Return the docstring as running text, without its examples."""
    paragraphs = (inspect.getdoc(documented) or "").split("\n\n")
    return "\n\n".join(paragraph for paragraph in paragraphs if not paragraph.startswith(">>>"))


# Section -> (name and one line of all its members, one member by name).
Section = tuple[Callable[[], dict[str, str]], Callable[[str], dict[str, Any]]]
SECTIONS: dict[str, Section] = {
    "algorithms": (_algorithms, _algorithm),
    "representations": (_representations, _representation),
    "problems": (_problems, _problem),
    "instances": (_instances, _instance),
}


def text(found: dict[str, Any]) -> str:
    """Format a description; texts of plug-ins cannot control a terminal."""
    return "\n".join(map(visible, _text(found).split("\n")))


def _text(found: dict[str, Any]) -> str:
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
    if "native" in found:
        parts.append(f"representation native, without bits: {'yes' if found['native'] else 'no'}")
    if "bits" in found:
        counts = ", ".join(f"{count} for {size}" for size, count in found["bits"].items())
        parts.append(f"bits by number of categories: {counts}")
    if "python" in found:
        parts.append(f"in Python: {found['python']}\nas an instance: {found['usage'][0]}")
        parts[-1] += "".join(f"\n             or {form}" for form in found["usage"][1:])
    if kind == "problem" and found["instances"]:
        parts.append("instances:\n" + _indented(", ".join(found["instances"])))
    if "variables" in found:
        sizes = ", ".join(map(str, found["categories"]))
        known = "unknown" if found["optimum"] is None else f"{found['optimum']:g}"
        parts.append(f"variables: {found['variables']}, categories: {sizes}, optimum: {known}")
    if "plugin" in found:
        parts.append(f"plug-in: {found['plugin']}")
    if "board" in found:
        parts.append(instances.load(name).pretty())
    return "\n\n".join(parts)


def _section(name: str, lines: dict[str, str]) -> str:
    width = max(map(len, lines))
    return "\n".join([name, *(f"  {member:{width}}  {line}" for member, line in lines.items())])


def _parameters(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "no parameters"
    table = [
        (row["name"], f"{row['type']} {row['range']}".strip(), str(row["default"]), row["meaning"])
        for row in rows
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
    changed = ", ".join(f"{change}={value!r}" for change, value in changes.items())
    return f"preset {name}: {changed or 'the same as the defaults'}"


def _indented(long: str) -> str:
    return textwrap.fill(
        long, 96, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
