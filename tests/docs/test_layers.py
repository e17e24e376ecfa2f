"""docs/design.md states the order of the layers that the contract of import-linter enforces."""

import re
import tomllib

from tests import ROOT


def contract():
    """The layers, the first to be imported first; those of one layer together."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (each["layers"] for each in contracts if each["name"] == "data flow one way")
    levels = [layer.replace("catcube.", "").split(" | ") for layer in layers]
    return [sorted(level) for level in reversed(levels)]


def stated():
    """The same, as the line of arrows in the page says it."""
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    errors → .*(?:\n     .*)*", page, re.MULTILINE)
    return [sorted(level.split(" | ")) for level in re.split(r"\s*→\s*", line.strip())]


def test_the_page_and_the_contract_agree():
    assert stated() == contract()


def test_every_package_has_a_layer():
    package = ROOT / "src" / "catcube"
    packages = {path.parent.name for path in package.glob("*/__init__.py")}
    packages |= {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    assert {name for layer in contract() for name in layer} == packages
