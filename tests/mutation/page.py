"""Bring the list of survivors in docs/mutants.md up to date: python -m tests.mutation.page."""

import re
import tomllib

from tests import ROOT
from tests.mutation.survivors import FILE

PAGE = ROOT / "docs" / "mutants.md"


def survivors_table() -> str:
    """One table per module: the function, the line, what it may become, and why nobody notices."""
    parts = []
    for path, entries in tomllib.loads(FILE.read_text(encoding="utf-8")).items():
        parts += [
            f"### {path}",
            "",
            "| function | line | with the fault | why |",
            "|---|---|---|---|",
        ]
        for row in entries:
            after = "<br>".join(_code(line) for line in row["after"])
            parts.append(
                f"| {_code(row['function'])} | {_code(row['before'])} | {after} | {row['reason']} |"
            )
        parts.append("")
    return "\n".join(parts)


def _code(text: str) -> str:
    if not text:
        return "–"
    return f"`{text}`".replace("|", "\\|")


def main() -> None:
    """Write the page."""
    page = PAGE.read_text(encoding="utf-8")
    marked = re.compile(r"(<!-- survivors -->\n).*(<!-- end -->)", re.DOTALL)
    PAGE.write_text(
        marked.sub(lambda found: f"{found[1]}\n{survivors_table()}\n{found[2]}", page),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
