"""`catcube list`: list the algorithms, representations, problems and instances."""

import inspect
import json
import re
import textwrap
from argparse import Namespace
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from catcube import algorithms
from catcube.base.provenance import OURS
from catcube.base.registry import Registry
from catcube.base.text import columns, count, unknown_name_message, usage, visible
from catcube.cli.input import checking, named_instance
from catcube.cli.output import bold, terminal_width
from catcube.errors import BadValue
from catcube.experiments.plan import build_problem
from catcube.problems import is_problem, kinds, suites
from catcube.problems.instances import listed
from catcube.problems.sudoku import Board
from catcube.representations.registry import NATIVE, NATIVE_DESCRIPTION, families, representation

MORE = "\n\ncatcube list NAME describes one of them; catcube list SECTION lists one section."

# Numbers of categories for which `catcube list linear` gives the number of bits.
SIZES = (2, 3, 4, 9, 16, 20, 26)

_NATIVE_ABOUT = (
    "A gene is a variable with a choice. A move gives one variable another category; a mutation "
    "changes distinct variables; crossover and models work on whole variables. Plug-in algorithms "
    "say whether they can."
)


def command(arguments: Namespace) -> int:
    """Print one line per name, or a description of one name."""
    with checking():
        found = _suite(arguments.name) if arguments.suite else describe(arguments.name)
    print(json.dumps(found, indent=2) if arguments.format == "json" else text(found))
    return 0


def describe(name: str | None) -> dict[str, Any]:
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


def _instance(name: str) -> dict[str, Any]:
    _, content = named_instance(name)
    problem, _ = build_problem(str(content or ""), name)
    kind = kinds[listed().get(name) or name.partition(":")[0]]
    board = {"board": str(content)} if isinstance(content, Board) else {}
    return {
        "instance": name,
        "problem": kind.name,
        "title": kind.title,
        "variables": len(problem.space),
        "categories": sorted(set(problem.space.cardinalities.tolist())),
        "optimum": problem.optimum,
        **board,
        **_plugin(kinds, kind.name),
    }


def _suite(name: str | None) -> dict[str, Any]:
    chosen = suites.suite(name or suites.names()[0])
    return {
        "suite": chosen.name,
        "title": count(len(chosen.instances), "instance"),
        "families": {family: list(members) for family, members in chosen.families.items()},
    }


def _plugin(registry: Registry[Any], name: str) -> dict[str, str]:
    """Return the plug-in that registered a name, if one did."""
    owner = registry.owner(name)
    return {} if owner.package == OURS else {"plugin": str(owner)}


def _about(documented: object) -> str:
    """Return the docstring as running text, up to its first section or example."""
    text, *_ = re.split(r"\n\n(?=>>>|\w+\n---)", inspect.getdoc(documented) or "")
    return text


# Section -> (name and one line of all its members, one member by name).
Section = tuple[Callable[[], dict[str, str]], Callable[[str], dict[str, Any]]]
SECTIONS: dict[str, Section] = {
    "algorithms": (_algorithms, _algorithm),
    "representations": (_representations, _representation),
    "problems": (_problems, _problem),
    "instances": (listed, _instance),
}


def text(found: dict[str, Any]) -> str:
    """Format a description; texts of plug-ins cannot control a terminal."""
    lines = _text(found).split("\n")
    return "\n".join(bold(line) if line in SECTIONS else visible(line) for line in lines)


def _text(found: dict[str, Any]) -> str:
    if all(section in SECTIONS for section in found):
        return "\n\n".join(_section(name, lines) for name, lines in found.items()) + MORE
    kind, name = next(iter(found.items()))
    parts = [_wrap(f"{name} ({kind}): {found.get('title') or found['description']}")]
    if found.get("about"):
        parts += [_wrap(paragraph) for paragraph in found["about"].split("\n\n")]
    if "reference" in found:
        parts.append(f"reference: {found['reference']}")
    if "parameters" in found:
        parts.append(_parameters(found["parameters"]))
        for preset, changes in found["presets"].items():
            changed = ", ".join(f"{change}={value!r}" for change, value in changes.items())
            parts.append(f"preset {preset}: {changed or 'the same as the defaults'}")
    if "native" in found:
        parts.append(f"representation native, without bits: {'yes' if found['native'] else 'no'}")
    if "bits" in found:
        sizes = ", ".join(f"{bits} for {size}" for size, bits in found["bits"].items())
        parts.append(f"bits by number of categories: {sizes}")
    if "python" in found:
        forms = "\n             or ".join(found["usage"])
        parts.append(f"in Python: {found['python']}\nas an instance: {forms}")
    if kind == "problem" and found["instances"]:
        parts.append(_names({"instances": found["instances"]}))
    if "families" in found:
        parts.append(_names(found["families"]))
    if "variables" in found:
        sizes = ", ".join(map(str, found["categories"]))
        known = "unknown" if found["optimum"] is None else f"{found['optimum']:g}"
        parts.append(f"variables: {found['variables']}, categories: {sizes}, optimum: {known}")
    if "plugin" in found:
        parts.append(f"plug-in: {found['plugin']}")
    if "board" in found:
        parts.append(Board.parse(found["board"]).pretty())
    return "\n\n".join(parts)


def _section(name: str, lines: dict[str, str]) -> str:
    if name == "instances":
        names: dict[str, list[str]] = {}
        for instance, problem in lines.items():
            names.setdefault(problem, []).append(instance)
        return f"{name}\n{_names(names)}"
    return f"{name}\n" + columns(list(lines.items()), terminal_width(), indent="  ")


def _names(groups: dict[str, list[str]]) -> str:
    lines = [(name, ", ".join(ranges(members))) for name, members in groups.items()]
    return columns(lines, terminal_width(), indent="  ")


def ranges(names: Sequence[str]) -> list[str]:
    """Return names, with runs of more than six that begin alike as their first and last.

    >>> ranges([f"board-{number}" for number in range(40)] + ["nk:20,2,3"])
    ['board-0 … board-39 (40)', 'nk:20,2,3']
    """
    found: list[str] = []
    for _, group in groupby(names, lambda name: re.split(r"\d", name, maxsplit=1)[0]):
        alike = list(group)
        found += [f"{alike[0]} … {alike[-1]} ({len(alike)})"] if len(alike) > 6 else alike
    return found


def _parameters(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "no parameters"
    table = [
        (row["name"], f"{row['type']} {row['range']}".strip(), str(row["default"]), row["meaning"])
        for row in rows
    ]
    table.insert(0, ("parameter", "type and range", "default", "meaning"))
    return columns(table, terminal_width())


def _wrap(long: str) -> str:
    return textwrap.fill(long, terminal_width(), break_on_hyphens=False)
