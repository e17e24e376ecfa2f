"""An extension of griffe: examples in docstrings are shown as code, wherever they stand."""

import inspect
from typing import Any

import griffe


class FenceExamples(griffe.Extension):
    """Puts fences around the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """An object was read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(inspect.cleandoc(obj.docstring.value))


def fenced(text: str) -> str:
    """The text with a fence around each run of lines from `>>>` to the next empty one.

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
