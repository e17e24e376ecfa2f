"""A hook of mkdocs: drawings stand inside the page, so that they take its colours."""

import re
from pathlib import Path
from typing import Any

_IMAGE = re.compile(
    r'<img alt="(?P<alt>[^"]*)" src="(?:\.\./)*(?P<path>(?:[\w-]+/)*figures/[\w-]+\.svg)"[^>]*>'
)
# Of drawings that were made for white paper: ink and paper.
_INK = re.compile(r"(fill|stroke): ?#(?:000000|222222)")
_PAPER = re.compile(r"fill: ?#ffffff")


def on_page_content(html: str, config: dict[str, Any], **_: Any) -> str:
    """Put the text of a drawing in the place of a reference to it."""
    folder = Path(config["docs_dir"])

    def drawing(image: re.Match[str]) -> str:
        text = (folder / image["path"]).read_text(encoding="utf-8")
        text = text[text.index("<svg ") :]
        if len(text) > 400_000:  # a page of such would be slow
            return image[0]
        if "currentColor" not in text:
            text = _PAPER.sub("fill: none", text)
            text = _INK.sub(r"\1: currentColor", text)
        text = re.sub(
            r'^<svg( color="[^"]*")?', f'<svg role="img" aria-label="{image["alt"]}"', text
        )
        text = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.DOTALL)
        return f'<span class="drawing">{text}</span>'

    return _IMAGE.sub(drawing, html)
