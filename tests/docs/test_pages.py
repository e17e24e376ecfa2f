"""The documentation: it builds without a warning, its links lead somewhere, its code runs.

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
import os
import re
import shlex
import subprocess
import sys
import tomllib
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from catcube import algorithms
from catcube.cli import main as cli
from catcube.cli.parser import parse
from tests import ROOT
from tests.browser import launched, opened

DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if path.parent.name != "tables")
SCRIPTS = str(DOCS / "scripts")
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


def test_the_pages_of_the_algorithms_say_what_the_code_says(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    import parameters

    pages = parameters.brought_up_to_date()
    assert len(pages) == len(algorithms.names()) + 1
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, "run python docs/scripts/parameters.py"


@pytest.mark.parametrize("name", algorithms.names())
def test_the_pseudo_code_of_an_algorithm_or_its_notes_name_all_parameters(name):
    text = (DOCS / "algorithms" / f"{name}.md").read_text(encoding="utf-8")
    explained = re.sub("<!-- generated.*<!-- end[^>]*>", "", text, flags=re.DOTALL)
    for parameter in algorithms.algorithm(name).described():
        assert re.search(rf"\b{parameter.name}\b", explained), parameter.name


def test_the_drawings_show_what_is_computed_now(monkeypatch):
    """The same words and numbers in the same order; lines may move with the drawing library."""
    monkeypatch.syspath_prepend(SCRIPTS)
    import figures

    for name, draw in figures.FIGURES.items():
        kept = (DOCS / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert words(kept) == words(figures.written(draw)), "run python docs/scripts/figures.py"
        assert kept.count("<path") > 5


def words(svg: str) -> list[str | None]:
    return [
        element.text
        for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


class Links(HTMLParser):
    """The anchors of a page, what it refers to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors, self.links, self.loaded = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values.get("id"), values.get("name") if tag == "a" else None}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload"):
            self.loaded.append(values["href"])
        if values.get("src"):
            self.loaded.append(values["src"])


def slug(heading: str) -> str:
    """The anchor that the site gives a heading."""
    text = re.sub(r"\]\([^)]*\)", "]", heading)  # a link is its words
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


@pytest.mark.parametrize("path", PAGES, ids=by_path)
def test_links_lead_to_files_and_headings(path):
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", path.read_text(encoding="utf-8"))):
        link = urlsplit(target)
        if link.scheme:
            continue
        aim = (path.parent / unquote(link.path)).resolve() if link.path else path
        assert aim.exists(), target
        if link.fragment and aim.suffix == ".md":
            text = aim.read_text(encoding="utf-8")
            anchors = {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
            anchors |= set(re.findall(r'(?:id|name)="([^"]+)"', text))
            assert unquote(link.fragment) in anchors, target


# What visitors search for -> the page that should tell.
SEARCHED = {
    "bayesian optimization": "surrogate.md",
    "expensive": "surrogate.md",
    "hyperparameter": "surrogate.md",
    "constraint": "guides/constraints.md",
    "ordinal": "guides/conditions.md",
    "resume": "guides/study.md",
    "parallel": "guides/parallel.md",
    "noise": "guides/failures.md",
}


@pytest.mark.parametrize(("word", "page"), SEARCHED.items())
def test_what_visitors_search_for_is_on_its_page(word, page):
    text = (DOCS / page).read_text(encoding="utf-8").lower()
    assert word in text
    assert page in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def build(site: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONWARNINGS": "default"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr


@pytest.mark.long  # usual runs see that the links of the sources lead somewhere, above
def test_the_site_is_built_without_a_warning_and_needs_no_network(tmp_path):
    site = tmp_path / "site"
    build(site)
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    written = {site / path.relative_to(DOCS).with_suffix(".html") for path in PAGES}
    assert written <= set(pages)

    broken = []
    for path, page in pages.items():
        if path.name == "404.html":  # its links are meant for a server
            continue
        assert page.loaded or path.name == "report.html"  # which is one file
        for target in page.loaded:
            if not target.startswith("data:"):
                assert not urlsplit(target).netloc, f"{path.name} loads {target}"
                assert (path.parent / urlsplit(target).path).is_file(), target
        for target in page.links:
            link = urlsplit(target)
            if link.scheme or link.netloc:
                continue
            aim = (path.parent / unquote(link.path)).resolve() if link.path else path
            if aim not in pages or unquote(link.fragment) not in pages[aim].anchors:
                broken.append((path.name, target))
    assert broken == []

    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.search(r"url\([\"']?https?:|@import", styles)
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert all(f"algorithms/{name}.html" in index for name in algorithms.names())


@pytest.mark.long
def test_the_site_can_be_read_on_a_phone_and_searched_from_a_disk(tmp_path):
    with launched() as browser:
        build(tmp_path)
        for page in ("index", "pictures", "theory", "algorithms/sa", "coming-from/deap"):
            with opened(browser, tmp_path / f"{page}.html", width=390, dark=True) as view:
                wide = view.page.evaluate("document.documentElement.scrollWidth")
                assert wide <= 390, page
                assert [one for one in view.troubles if "file://" not in one] == []
        with opened(browser, tmp_path / "algorithms/sa.html") as view:
            view.page.click(".md-search__input")
            view.page.keyboard.type("pyramid")
            view.page.wait_for_selector(".md-search-result__link")
            found = view.page.inner_text(".md-search-result__list")
            assert "Parameter-less population pyramid" in found
