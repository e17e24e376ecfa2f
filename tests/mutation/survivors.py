"""The survivors that are known, each with its reason."""

import tomllib
from pathlib import Path

FILE = Path(__file__).parent / "survivors.toml"


def known_survivors() -> dict[tuple[str, str, str, str], str]:
    """The reason for each change of a line: (file, function, line before, line after)."""
    listed = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        (f"src/catcube/{path}", entry["function"], entry["before"], after): entry["reason"]
        for path, entries in listed.items()
        for entry in entries
        for after in entry["after"]
    }
