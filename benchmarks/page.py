"""Generated sections of a page, between markers; the text around them is written by hand."""

import re


def begin(name: str) -> str:
    """Return the line before a generated section."""
    return f"<!-- generated: {name} -->"


def end(name: str) -> str:
    """Return the line after a generated section."""
    return f"<!-- end: {name} -->"


def marked(name: str, text: str) -> str:
    """Return a section between its markers."""
    return f"{begin(name)}\n\n{text.strip()}\n\n{end(name)}"


def replaced(page: str, name: str, text: str) -> str:
    """Return the page with new text for one of its sections.

    >>> page = "Speed\\n" + marked("cost", "old") + "\\nThe end"
    >>> replaced(page, "cost", "new") == page.replace("old", "new")
    True
    """
    pattern = re.compile(f"{re.escape(begin(name))}.*?{re.escape(end(name))}", re.DOTALL)
    changed, count = pattern.subn(lambda match: marked(name, text), page)
    if count != 1:
        raise ValueError(f"the page has {count} sections {begin(name)} … {end(name)}, not one")
    return changed
