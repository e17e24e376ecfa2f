"""docs/design.md states the order of the rooms that the contract of import-linter enforces."""

import re
import tomllib

from tests import ROOT


def contract():
    """The rooms, the first to be imported first; those of one floor together."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    floors = [layer.replace("catcube.", "").split(" | ") for layer in layers]
    return [sorted(floor) for floor in reversed(floors)]


def stated():
    """The same, as the line of arrows in the page says it."""
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    base → .*(?:\n     .*)*", page, re.MULTILINE)
    return [sorted(floor.split(" | ")) for floor in re.split(r"\s*→\s*", line.strip())]


def test_the_page_and_the_contract_agree():
    assert stated() == contract()


def test_every_room_has_a_floor():
    package = ROOT / "src" / "catcube"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")}
    rooms |= {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    assert {room for floor in contract() for room in floor} == rooms


def test_the_hall_is_small():
    assert len(list((ROOT / "src" / "catcube").glob("*.*"))) <= 6
