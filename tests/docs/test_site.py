"""The site: it builds without a warning, needs no network, can be read on a phone and searched."""

import os
import re
import subprocess
import sys

import pytest

from tests import ROOT
from tests.browser import opened

# What visitors search for, and the page that should be among the first results.
SEARCHED = {
    "bayesian optimization": "surrogate.html",
    "expensive": "surrogate.html",
    "hyperparameter": "surrogate.html",
    "constraint": "guides/constraints.html",
    "ordinal": "guides/conditions.html",
    "resume": "guides/study.html",
    "parallel": "guides/parallel.html",
    "noise": "guides/failures.html",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built such that a broken link is an error."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONWARNINGS": "default"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    return folder


def test_every_page_is_built_and_loads_nothing_from_the_network(site):
    sources = [path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "tables"]
    for path in sources:
        page = site / path.relative_to(ROOT / "docs").with_suffix(".html")
        assert re.findall(r'(?:src|<link[^>]* href)="?(https?:[^" >]+)', page.read_text()) == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.search(r"url\([\"']?https?:|@import", styles)


def test_pages_fit_on_a_phone(browser, site):
    for page in ("index", "pictures", "theory", "algorithms/sa", "coming-from/deap"):
        with opened(browser, site / f"{page}.html", width=390, dark=True) as view:
            assert view.page.evaluate("document.documentElement.scrollWidth") <= 390, page
            assert [one for one in view.troubles if "file://" not in one] == []


def test_what_visitors_search_for_is_found_from_a_disk(browser, site):
    with opened(browser, site / "algorithms" / "sa.html") as view:
        view.page.click(".md-search__input")
        for words, page in SEARCHED.items():
            view.page.fill(".md-search__input", "")
            view.page.type(".md-search__input", words)
            first_results = f".md-search-result__item:nth-child(-n + 5) a[href*='{page}']"
            assert view.page.wait_for_selector(first_results) is not None, words
