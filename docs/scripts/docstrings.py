"""An extension of griffe: examples in docstrings are shown as code, named tuples with fields."""

import inspect
import re
from typing import Any

import griffe


class Docstrings(griffe.Extension):
    """Puts fences around the examples of every docstring, and fields into those of named tuples."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change an object that was read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(separated(inspect.cleandoc(obj.docstring.value)))

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Change a class that was read: the fields of a named tuple are not shown as parameters."""
        if cls.docstring is not None and "NamedTuple" in map(str, cls.bases):
            fields = [
                f"`{attribute.name}: {attribute.annotation}`"
                for attribute in cls.attributes.values()
                if attribute.annotation is not None
            ]
            cls.docstring.value += f"\n\nFields: {', '.join(fields)}."


def separated(text: str) -> str:
    """Return the text with one entry per parameter: griffe gives all of a group one type.

    >>> separated("Parameters\\n----------\\na, b\\n    Sizes.").splitlines()[2:]
    ['a', '    Sizes.', 'b', '    Sizes.']
    """
    head, mark, rest = text.partition("Parameters\n----------\n")
    section, end, tail = re.split(r"(\n\n|\Z)", rest, maxsplit=1)
    group = re.compile(r"^((?:\*{0,2}\w+, )+\*{0,2}\w+)\n((?: .*(?:\n|\Z))+)", re.MULTILINE)
    section = group.sub(
        lambda found: (
            "\n".join(f"{name}\n{found[2].rstrip()}" for name in found[1].split(", ")) + "\n"
        ),
        section,
    )
    return head + mark + section.rstrip("\n") + end + tail


def fenced(text: str) -> str:
    """Return the text with a fence around each run of lines from `>>>` to the next empty one.

    >>> fenced("As here:\\n\\n>>> 1 + 1\\n2\\n\\nThat was it.").splitlines()[2:6]
    ['```pycon', '>>> 1 + 1', '2', '```']
    """
    lines: list[str] = []
    inside = False
    for line in [*text.splitlines(), ""]:
        if not inside and line.startswith(">>> "):
            lines.append("```pycon")
            inside = True
        elif inside and not line:
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join(lines[:-1])
