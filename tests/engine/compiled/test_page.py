"""The page about compiled code names all private parts of numba that are used, no other."""

import ast
import re

from tests import ROOT

FOLDER = ROOT / "src" / "catcube" / "engine" / "compiled"
PAGE = (ROOT / "docs" / "compiled-code.md").read_text(encoding="utf-8")


def used():
    """The dotted names of what the folder takes from numba and llvmlite."""
    found = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {f"{node.module}.{name.name}" for name in node.names}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found.add(f"{node.value.id}.{node.attr}")
    return {name for name in found if name.split(".")[0] in ("numba", "llvmlite")}


def test_every_part_is_on_the_page():
    assert {name for name in used() if f"`{name}`" not in PAGE} == set()


def test_every_private_attribute_of_numba_is_on_the_page():
    """What begins with an underscore and is not ours: the libraries are all about these."""
    tree = ast.parse((FOLDER / "pipeline.py").read_text(encoding="utf-8"))
    private = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and node.attr[1] != "_"
    }
    assert len(private) >= 8
    assert {name for name in private if f"`{name}`" not in PAGE} == set()


def test_every_part_on_the_page_is_used():
    named = set(re.findall(r"`((?:numba|llvmlite)\.[\w.]+)`", PAGE)) - {"numba.config.CACHE_DIR"}
    assert named - used() == set()
    assert "numba.config.CACHE_DIR = " in (FOLDER / "jit.py").read_text(encoding="utf-8")


def test_every_file_on_the_page_is_there():
    for name in re.findall(r"`(\w+\.py)`", PAGE):
        assert (FOLDER / name).exists(), name
    for path in re.findall(r"`((?:src|tests)/[\w/]+(?:\.py)?)`", PAGE):
        assert (ROOT / path).exists(), path
