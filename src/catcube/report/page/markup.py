"""Text as HTML. Names come from files of anybody, so whatever is shown passes through `text`."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

MANY = 24  # parts of which one is shown: more are not in the page until they are chosen


def text(content: object) -> str:
    """Anything as text of an element or value of an attribute.

    >>> text('<script>"&"')
    '&lt;script&gt;&quot;&amp;&quot;'
    """
    return escape(str(content), quote=True)


def json_text(data: Any) -> str:
    """Compact JSON that can stand in a script element: nothing in it can end that element.

    >>> json_text({"name": "</script>&ü"})
    '{"name":"\\\\u003c/script\\\\u003e\\\\u0026\\\\u00fc"}'
    """
    plain = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        plain = plain.replace(character, f"\\u{ord(character):04x}")
    return plain


def paragraph(sentence: str) -> str:
    """A paragraph of text."""
    return f"<p>{text(sentence)}</p>"


def notice(sentences: str) -> str:
    """What a reader must not overlook."""
    return f'<div class="notice">{paragraph(sentences)}</div>'


def joined(parts: Iterable[str]) -> str:
    """The parts that are not empty, each on its line."""
    return "\n".join(part for part in parts if part)


def folded(name: str, parts: Sequence[str]) -> str:
    """Parts, as HTML, that a click on the name shows."""
    if not parts:
        return ""
    return f'<details class="further"><summary>{text(name)}</summary>{joined(parts)}</details>'


def chooser(identity: str, label: str, options: Sequence[tuple[str, str]]) -> str:
    """A select, as (value, shown name); what has `data-follows` of its identity follows it."""
    shown = "".join(
        f'<option value="{text(value)}">{text(name or "(no name)")}</option>'
        for value, name in options
    )
    return (
        f'<div class="choose"><label for="{text(identity)}">{text(label)}</label>'
        f'<select id="{text(identity)}" data-choice>{shown}</select></div>'
    )


def following(identity: str, parts: Sequence[tuple[str, str]]) -> str:
    """Parts, as (value, HTML), of which the one that was chosen is shown.

    Many of them are templates, which take no time and room until they are chosen; without scripts
    only few are there.
    """
    tag = "div" if len(parts) <= MANY else "template"
    return joined(
        f'<{tag} data-follows="{text(identity)}" data-value="{text(value)}">{part}</{tag}>'
        for value, part in parts
    )
