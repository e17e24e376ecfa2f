"""Run the notebooks of examples/ and keep their outputs.

`python docs/scripts/notebooks.py` runs every notebook, or those that are named, and stores what the
cells print, return and draw.
"""

import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(path: Path) -> dict[str, Any]:
    """Return a notebook with the outputs of all its cells."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell["execution_count"] = number
            cell["outputs"] = outputs("".join(cell["source"]), names, number)
    return notebook


def outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell and return what it prints, its last value and its figures."""
    tree = ast.parse(source)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        value = None if last is None else eval(compile(last, f"cell {number}", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    if value is not None:
        found.append(
            {
                "output_type": "execute_result",
                "execution_count": number,
                "data": {"text/plain": lines(repr(value))},
                "metadata": {},
            }
        )
    return found + figures()


def figures() -> list[dict[str, Any]]:
    """Return and close the open figures of pyplot."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    import matplotlib.pyplot as plt

    found = []
    for number in plt.get_fignums():
        file = io.StringIO()
        with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "catcube"}):
            plt.figure(number).savefig(file, format="svg", metadata={"Date": None})
        image = {"image/svg+xml": lines(file.getvalue())}
        found.append({"output_type": "display_data", "data": image, "metadata": {}})
    plt.close("all")
    return found


def lines(text: str) -> list[str]:
    """Return a text as notebooks keep it."""
    return text.splitlines(keepends=True)


def main(names: list[str]) -> None:
    """Run notebooks and store their outputs."""
    import matplotlib

    matplotlib.use("agg")
    for path in sorted(EXAMPLES.glob("*.ipynb")):
        if not names or path.stem in names:
            text = json.dumps(run(path), indent=1, ensure_ascii=False)
            path.write_text(f"{text}\n", encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
