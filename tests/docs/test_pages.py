"""The pages: what they show runs, and what they name is there.

Examples in Python (`pycon`) are run by pytest itself, as doctests of every page. What the other
blocks are, and what is checked of them here:

- `console`: lines that begin with `$` are commands. `catcube` is called, in one folder for a page
  and in order; it must succeed, and print what is shown (`...` stands for anything; where nothing
  is shown, anything may be printed). Where the block comes after `<!-- not run: reason -->`, only
  the arguments are read. `make` must have that target, `pip install` that extra, `python` that
  file.
- with `title="name"`: the content of a file, which later commands on the page find in their folder.
- `python`: comes after `<!-- not run: reason -->`; it must be valid Python.
- `text`: pseudo-code or output, not code; `bibtex`: a reference; `toml`: must be read as such.
"""

import doctest
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import facts
import figures
import parameters
import pytest

from catcube import algorithms
from catcube.cli import main as cli
from catcube.cli.parser import parse
from catcube.problems import kinds
from tests import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if path.parent.name != "tables")
KINDS = {"pycon", "console", "text", "toml", "bibtex", "python"}
SHOWN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def by_path(path: Path) -> str:
    return str(path.relative_to(DOCS))


class Block(NamedTuple):
    """A fenced block, and the comment before it."""

    kind: str
    title: str | None
    text: str
    not_run: bool


FENCE = re.compile(
    r"(?P<note><!-- not run: [^\n]* -->\n\n?)?"
    r'^(?P<indent> *)```(?P<kind>\w*)(?: title="(?P<title>[^"]+)")?\n'
    r"(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


def blocks(path: Path) -> Iterator[Block]:
    text = path.read_text(encoding="utf-8")
    found = list(FENCE.finditer(text))
    assert text.count("```") == 2 * len(found), "a fence that is not understood"
    for block in found:
        unindented = re.sub(f"^{block['indent']}", "", block["text"], flags=re.MULTILINE)
        yield Block(block["kind"], block["title"], unindented, block["note"] is not None)


@pytest.mark.parametrize("path", PAGES, ids=by_path)
def test_every_block_is_of_a_kind_that_is_checked(path):
    for block in blocks(path):
        assert block.kind in KINDS, block
        if block.kind == "pycon":
            assert ">>> " in block.text
            assert block.text.endswith("\n\n"), "an empty line must end the last output"
        elif block.kind == "toml":
            assert tomllib.loads(block.text)
        elif block.kind == "python":
            assert block.not_run
            compile(block.text, str(path), "exec")


WITH_COMMANDS = [path for path in PAGES if any(block.kind == "console" for block in blocks(path))]


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=by_path)
def test_commands_do_what_is_shown(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for block in blocks(path):
        if block.title is not None:
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif block.kind == "console":
            for command, output in commands(block.text):
                check_command(command, output, block.not_run, capsys)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Every command of a block and what is shown of its output."""
    joined = text.replace("\\\n", " ")
    assert joined.startswith("$ ")
    for part in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def check_command(command: str, output: str, not_run: bool, capsys) -> None:
    program, *arguments = shlex.split(command, comments=True)
    if program == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert all(f"\n{target}:" in makefile for target in arguments if "=" not in target)
    elif program == "pip":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        extras = {
            name for extras in re.findall(r"\[(.+?)\]", command) for name in extras.split(",")
        }
        assert extras <= set(project["optional-dependencies"])
    elif program == "python":
        module = arguments[0] == "-m"
        name = arguments[1].replace(".", "/") if module else arguments[0]
        assert (ROOT / (f"{name}.py" if module else name)).is_file() or (ROOT / name).is_dir()
    else:
        assert program == "catcube", command
        check_catcube(arguments, output, not_run, capsys)


def check_catcube(arguments: list[str], output: str, not_run: bool, capsys) -> None:
    target = None
    if ">" in arguments:
        *arguments, _, target = arguments
    if not_run:
        assert parse(arguments)
        return
    code = cli.main(arguments)
    printed = capsys.readouterr()
    assert code == 0, printed.err
    if target is not None:
        Path(target).write_text(printed.out, encoding="utf-8")
    elif output.strip():
        checker = doctest.OutputChecker()
        example = doctest.Example(source="", want=output)
        same = checker.check_output(output, printed.out, SHOWN)
        assert same, checker.output_difference(example, printed.out, SHOWN)


def test_the_pages_of_the_algorithms_say_what_the_code_says():
    pages = parameters.brought_up_to_date()
    assert len(pages) == len(algorithms.names()) + 1
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, "run python docs/scripts/parameters.py"


@pytest.mark.parametrize("name", algorithms.names())
def test_the_pseudo_code_of_an_algorithm_or_its_notes_name_all_parameters(name):
    text = (DOCS / "algorithms" / f"{name}.md").read_text(encoding="utf-8")
    explained = re.sub("<!-- generated.*<!-- end[^>]*>", "", text, flags=re.DOTALL)
    for parameter in algorithms.algorithm(name).describe():
        assert re.search(rf"\b{parameter.name}\b", explained), parameter.name


def test_the_drawings_show_what_is_computed_now():
    """The same words and numbers in the same order; lines may move with the drawing library."""
    for name, draw in figures.FIGURES.items():
        kept = (DOCS / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert words(kept) == words(figures.written(draw)), "run python docs/scripts/figures.py"
        assert kept.count("<path") > 5
        assert not re.search('<text style="(?![^"]*fill:)', kept), "letters without a colour"


def words(svg: str) -> list[str | None]:
    return [
        element.text
        for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


FILE = re.compile(r"`((?:src|tests|docs|benchmarks|examples)/[\w/.-]+)`")


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES], ids=str)
def test_files_that_a_page_names_exist(page):
    text = page.read_text(encoding="utf-8")
    named = {ROOT / path for path in FILE.findall(text)}
    if page.parent == ROOT:  # mkdocs checks the links of the others
        named |= {ROOT / link for link in re.findall(r"\]\(([\w/.-]+)[)#]", text)}
        assert named
    assert [path for path in named if not path.exists()] == []


def test_every_problem_has_a_page():
    index = (DOCS / "problems" / "index.md").read_text(encoding="utf-8")
    for name in kinds.builtin():
        assert f"`{name}`" in index
        if name != "match":
            page = (DOCS / "problems" / f"{name}.md").read_text(encoding="utf-8")
            assert f"({name})" in page.splitlines()[0]
            assert "## Source" in page


def test_the_pages_state_the_facts():
    """Numbers that several pages name come from docs/facts.json, and that from code and data."""
    known = facts.facts()
    assert facts.FILE.read_text("utf-8") == facts.as_text(known), "run docs/scripts/facts.py"
    texts = {path: path.read_text(encoding="utf-8") for path in facts.pages()}
    assert sum(len(facts.MARK.findall(text)) for text in texts.values()) >= 10
    for path, text in texts.items():
        assert not re.search("^<!--fact", text, re.MULTILINE), "a comment would begin a paragraph"
        assert facts.updated(text, known) == text, f"{path}: run python docs/scripts/facts.py"
