"""The hooks of mkdocs: what pages show beyond their text.

Drawings stand inside the page, so that they take its colours; `<!-- notebook: NAME -->` is replaced
by a notebook of examples/, and `<!-- the help of every command -->` by what `--help` prints.
"""

import argparse
import json
import os
import re
from pathlib import Path
from typing import Any

from catcube.cli import parser as cli

EXAMPLES = Path(__file__).parents[2] / "examples"
HELP = "<!-- the help of every command -->"
NOTEBOOK = re.compile(r"<!-- notebook: (\w+) -->")
_IMAGE = re.compile(
    r'<img alt="(?P<alt>[^"]*)" src="(?:\.\./)*(?P<path>(?:[\w-]+/)*figures/[\w-]+\.svg)"[^>]*>'
)
# Colours of drawings that were made for white paper: ink, grid lines and paper.
_INK = re.compile(r"(fill|stroke): ?#(?:000000|222222|757575|777777)")
_GRID = re.compile(r"stroke: ?#(?:dddddd|b0b0b0)")
_PAPER = re.compile(r"fill: ?#ffffff")


def on_page_markdown(text: str, **_: Any) -> str:
    """Put notebooks and the help of all commands in their places."""
    if HELP in text:
        text = text.replace(HELP, command_help())
    return NOTEBOOK.sub(lambda place: notebook(EXAMPLES / f"{place[1]}.ipynb"), text)


def command_help() -> str:
    """Return a section for every command."""
    os.environ["COLUMNS"] = "80"  # of the terminal for which argparse breaks lines
    (commands,) = (
        action
        for action in cli.build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return "\n\n".join(
        f"## catcube {name}\n\n```text\n{parser.format_help().rstrip()}\n```"
        for name, parser in commands.choices.items()
    )


def notebook(path: Path) -> str:
    """Return a notebook as a page."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/svg+xml" in data:
                drawn = inline("".join(data["image/svg+xml"]), "what the cell draws")
                parts.append(drawn.replace("\n", " "))  # an empty line would end the HTML
            else:
                text = "".join(output.get("text") or data["text/plain"]).rstrip()
                parts.append(f"```text\n{text}\n```")
    return "\n\n".join(parts)


def on_page_content(html: str, config: dict[str, Any], **_: Any) -> str:
    """Replace references to drawings by the drawings."""
    folder = Path(config["docs_dir"])

    def drawing(image: re.Match[str]) -> str:
        text = (folder / image["path"]).read_text(encoding="utf-8")
        if len(text) > 400_000:  # it would make the page slow
            return image[0]
        return inline(text, image["alt"])

    return _IMAGE.sub(drawing, html)


def inline(text: str, alt: str) -> str:
    """Return a drawing as a part of a page; it may shrink until its letters have 10 pixels."""
    text = text[text.index("<svg ") :]
    if "currentColor" not in text:
        text = _PAPER.sub("fill: none", text)
        text = _GRID.sub("stroke: currentColor; stroke-opacity: 0.2", text)
        text = _INK.sub(r"\1: currentColor", text)
    text = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.DOTALL)
    width = float(re.findall(r'viewBox="0 0 ([\d.]+)', text)[0])
    size = f"min-width: {0.62 * width:.0f}pt; max-width: {width:.0f}pt"
    head = f'<svg role="img" aria-label="{alt}" style="{size}"'
    text = re.sub(r'^<svg( color="[^"]*")?', head, text)
    return f'<span class="drawing">{text}</span>'
