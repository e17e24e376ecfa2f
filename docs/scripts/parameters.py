"""Write what the code knows about the algorithms into their pages.

`python docs/scripts/parameters.py` brings the parts between `<!-- generated: ... -->` and
`<!-- end: ... -->` up to date; the tests say when that is needed.
"""

import re
from pathlib import Path

from catcube.algorithms import algorithm, names
from catcube.algorithms.algorithm import Algorithm

FOLDER = Path(__file__).parents[1] / "algorithms"


def overview() -> str:
    """Return the table of all algorithms."""
    lines = ["| name | algorithm | reference |", "|---|---|---|"]
    for name in names():
        method = algorithm(name)
        lines.append(f"| [`{name}`]({name}.md) | {method.title} | {method.reference} |")
    return "\n".join(lines)


def parameters(algorithm: Algorithm) -> str:
    """Return the parameters of an algorithm, and what the presets change."""
    lines = ["| name | type | default | meaning |", "|---|---|---|---|"]
    for parameter in algorithm.describe():
        kind = f"{parameter.type.__name__} {parameter.info.range}".strip()
        lines.append(
            f"| `{parameter.name}` | {kind} | `{parameter.default}` | {parameter.info.text} |"
        )
    if not algorithm.describe():
        lines = ["None."]
    changes = ", ".join(f"`{name}={value}`" for name, value in algorithm.presets["paper"].items())
    lines += ["", f"Preset `paper`: {changes or 'the same as the defaults'}."]
    return "\n".join(lines)


def replaced(page: str, name: str, text: str) -> str:
    """Return the page with this text in its generated part of this name."""
    part = re.compile(f"(<!-- generated: {name} -->\n).*?(<!-- end: {name} -->)", re.DOTALL)
    page, found = part.subn(lambda marks: f"{marks[1]}\n{text}\n\n{marks[2]}", page)
    if found != 1:
        raise ValueError(f"there must be one generated part {name!r}, and there are {found}")
    return page


def brought_up_to_date() -> dict[Path, str]:
    """Return every page with what the code says now."""
    index = FOLDER / "index.md"
    pages = {index: replaced(index.read_text(encoding="utf-8"), "algorithms", overview())}
    for name in names():
        path = FOLDER / f"{name}.md"
        text = path.read_text(encoding="utf-8")
        pages[path] = replaced(text, "parameters", parameters(algorithm(name)))
    return pages


if __name__ == "__main__":
    for path, text in brought_up_to_date().items():
        path.write_text(text, encoding="utf-8")
