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
from catcube.base.provenance import PACKAGE
from catcube.base.registry import Registry
from catcube.base.text import count, escape, expect_known, format_columns, usage
from catcube.cli.input import find_named_instance
from catcube.cli.output import bold, terminal_width
from catcube.experiments.plan import build_problem
from catcube.problems import is_problem, kinds, suites
from catcube.problems.instances import list_instances
from catcube.representations.registry import NATIVE, NATIVE_DESCRIPTION, families, representation
from catcube.search.auto import AUTO

# Numbers of categories for which `catcube list linear` shows the number of bits.
SIZES = (2, 3, 4, 9, 16, 20, 26)

_NATIVE_ABOUT = (
    "A move gives one variable another category, a mutation changes distinct variables, crossover "
    "and models work on whole variables. Plug-in algorithms say whether they support this."
)

AUTO_DESCRIPTION = "selects one by budget and space (the default); the result says which and why"

# Labels of parts of a description; others are labelled as in JSON.
_LABELS = {
    "native": "on categories, without bits (representation native)",
    "bits": "bits by number of categories",
    "python": "in Python",
    "usage": "as an instance",
    "plugin": "plug-in",
}


_LONG = ("about", "parameters", "presets", "instances", "families", "content")


def command(arguments: Namespace) -> int:
    """Print one line per name, or the description of one name."""
    found = _suite(arguments.name) if arguments.suite else describe(arguments.name)
    print(json.dumps(found, indent=2) if arguments.format == "json" else text(found))
    return 0


def describe(name: str | None) -> dict[str, Any]:
    """Return all sections, a section, or the description of a name, as plain data."""
    if name is None:
        return {section: one_lines() for section, (one_lines, _) in SECTIONS.items()}
    if name in SECTIONS:
        return {name: SECTIONS[name][0]()}
    known = list(SECTIONS)
    base = name.partition(":")[0]  # of a representation with parameters, such as "covering:2"
    for one_lines, one in SECTIONS.values():
        members = one_lines()
        if name in members or (one is _representation and base in members):
            return one(name)
        known += members
    if not is_problem(name):  # with arguments that are not listed
        expect_known("name", name, known)
    return _instance(name)


def _algorithm(name: str) -> dict[str, Any]:
    if name == AUTO:
        return {"algorithm": name, "title": AUTO_DESCRIPTION}
    method = algorithms.algorithm(name)
    return {
        "algorithm": name,
        "title": method.title,
        "reference": method.reference,
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type.__name__,
                "range": parameter.info.range,
                "default": parameter.default,
                "meaning": parameter.info.text,
            }
            for parameter in method.describe()
        ],
        "presets": {preset: dict(changes) for preset, changes in method.presets.items()},
        "native": method.native,
        **_plugin(algorithms.registered, name),
    }


def _representation(name: str) -> dict[str, Any]:
    if name == NATIVE:
        return {"representation": name, "title": NATIVE_DESCRIPTION, "about": _NATIVE_ABOUT}
    family = families[name.partition(":")[0]]
    bits = {}
    for size in SIZES:
        try:
            bits[size] = representation(name, size).bits
        except ValueError:  # the parameters do not fit this number of categories
            continue
    if not bits:
        representation(name, SIZES[-1])  # raises the error
    return {
        "representation": name,
        "title": family.description,
        "about": _about(family.build),
        "bits": bits,
        **_plugin(families, family.name),
    }


def _problem(name: str) -> dict[str, Any]:
    kind = kinds[name]
    home = "catcube.problems" if kinds.owner(name).package == PACKAGE else kind.build.__module__
    return {
        "problem": name,
        "title": kind.title,
        "about": _about(kind.build),
        "python": f"{home}.{kind.build.__name__}({usage(kind.build)})",
        "usage": kind.usages,
        "instances": [text for text, of in list_instances().items() if of == name],
        **_plugin(kinds, name),
    }


def _instance(name: str) -> dict[str, Any]:
    _, content = find_named_instance(name)
    problem, _ = build_problem(str(content or ""), name)
    kind = kinds[list_instances().get(name) or name.partition(":")[0]]
    pretty = getattr(content, "pretty", None)  # of a board
    return {
        "instance": name,
        "problem": kind.name,
        "title": kind.title,
        "variables": len(problem.space),
        "categories": sorted(set(problem.space.cardinalities.tolist())),
        "optimum": problem.optimum,
        **({"content": pretty()} if pretty else {}),
        **_plugin(kinds, kind.name),
    }


def _suite(name: str | None) -> dict[str, Any]:
    chosen = suites.suite(name or suites.names()[0])
    title = count(len(chosen.instances), "instance")
    members = {family: list(members) for family, members in chosen.families.items()}
    return {"suite": chosen.name, "title": title, "families": members}


def _plugin(registry: Registry[Any], name: str) -> dict[str, str]:
    """Return the plug-in that registered a name, if any, as a part of a description."""
    owner = registry.owner(name)
    return {} if owner.package == PACKAGE else {"plugin": str(owner)}


def _about(documented: object) -> str:
    """Return the docstring as running text, up to its first section or example."""
    text, *_ = re.split(r"\n\n(?=>>>|\w+\n---)", inspect.getdoc(documented) or "")
    return text


def _algorithms() -> dict[str, str]:
    found = {name: algorithms.algorithm(name).title for name in algorithms.registered}
    return found | {AUTO: AUTO_DESCRIPTION}


def _representations() -> dict[str, str]:
    found = {name: family.description for name, family in families.items()}
    return found | {NATIVE: NATIVE_DESCRIPTION}


# By section: functions that return one line per member, and the description of a member.
Section = tuple[Callable[[], dict[str, str]], Callable[[str], dict[str, Any]]]
SECTIONS: dict[str, Section] = {
    "algorithms": (_algorithms, _algorithm),
    "representations": (_representations, _representation),
    "problems": (lambda: {name: kind.title for name, kind in kinds.items()}, _problem),
    "instances": (list_instances, _instance),
}


def text(found: dict[str, Any]) -> str:
    """Format a description as text, without control characters."""
    if all(name in SECTIONS for name in found):
        parts = [f"{name}\n{_section(name, lines)}" for name, lines in found.items()]
        parts.append("catcube list NAME describes a name, catcube list SECTION lists a section.")
    else:
        (kind, name), *rest = found.items()
        parts = [_wrap(f"{name} ({kind}): {found['title']}")]
        shown = [(key, value) for key, value in rest if key != "title" and value not in ([], {})]
        for short, group in groupby(shown, lambda part: part[0] not in _LONG):
            parts.append(("\n" if short else "\n\n").join(_part(*part) for part in group))
    lines = "\n\n".join(parts).split("\n")
    return "\n".join(bold(line) if line in SECTIONS else escape(line) for line in lines)


def _section(name: str, lines: dict[str, str]) -> str:
    if name != "instances":
        return format_columns(list(lines.items()), terminal_width(), indent="  ")
    problems: dict[str, list[str]] = {}
    for instance, problem in lines.items():
        problems.setdefault(problem, []).append(instance)
    return _names(problems)


def _part(key: str, value: Any) -> str:
    """Format a part of a description."""
    if key == "content":
        return str(value)
    if key == "about":
        return "\n\n".join(map(_wrap, value.split("\n\n")))
    if key == "parameters":
        shown = [tuple(map(str, parameter.values())) for parameter in value]
        return format_columns([tuple(value[0]), *shown], terminal_width())
    if key in ("instances", "families"):
        return _names(value if key == "families" else {key: value})
    if key == "presets":
        return "\n".join(_wrap(f"preset {name}: {_pairs(value[name])}") for name in value)
    return _wrap(f"{_LABELS.get(key, key)}: {_SHORT.get(key, str)(value)}")


def _pairs(values: dict[Any, Any]) -> str:
    return (
        ", ".join(f"{key}={value!r}" for key, value in values.items()) or "the same as the defaults"
    )


_SHORT: dict[str, Callable[[Any], str]] = {  # formatters of short parts
    "usage": " or ".join,
    "categories": lambda sizes: ", ".join(map(str, sizes)),
    "bits": _pairs,
    "native": lambda can: "yes" if can else "no",
    "optimum": lambda value: "unknown" if value is None else f"{value:g}",
}


def _names(groups: dict[str, list[str]]) -> str:
    lines = [(name, ", ".join(ranges(members))) for name, members in groups.items()]
    return format_columns(lines, terminal_width(), indent="  ")


def ranges(names: Sequence[str]) -> list[str]:
    """Return names; abbreviate more than six consecutive ones with the same prefix.

    >>> ranges([f"board-{number}" for number in range(40)] + ["nk:20,2,3"])
    ['board-0 … board-39 (40)', 'nk:20,2,3']
    """
    found: list[str] = []
    for _, group in groupby(names, lambda name: re.split(r"\d", name, maxsplit=1)[0]):
        alike = list(group)
        found += [f"{alike[0]} … {alike[-1]} ({len(alike)})"] if len(alike) > 6 else alike
    return found


def _wrap(long: str) -> str:
    return textwrap.fill(long, terminal_width(), break_on_hyphens=False)
