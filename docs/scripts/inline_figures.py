"""A hook of mkdocs: drawings stand inside the page, so that they take its colours."""

import re
from pathlib import Path
from typing import Any

_IMAGE = re.compile(
    r'<img alt="(?P<alt>[^"]*)" src="(?:\.\./)*figures/(?P<name>[\w-]+)\.svg"[^>]*>'
)


def on_page_content(html: str, config: dict[str, Any], **_: Any) -> str:
    """Put the text of a drawing in the place of a reference to it."""
    folder = Path(config["docs_dir"]) / "figures"

    def drawing(image: re.Match[str]) -> str:
        text = (folder / f"{image['name']}.svg").read_text(encoding="utf-8")
        text = text[text.index("<svg ") :]
        if "currentColor" not in text:  # not drawn for this
            return image[0]
        text = re.sub(r'^<svg color="[^"]*"', f'<svg role="img" aria-label="{image["alt"]}"', text)
        text = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.DOTALL)
        return f'<span class="drawing">{text}</span>'

    return _IMAGE.sub(drawing, html)
