"""The page of a study in a browser, and the command that shows a study."""

import csv
import io
import json
import math
import random
from contextlib import closing

import pytest

from catcube import Space, Study
from catcube.cli import REFUSED, UNSOLVED
from catcube.cli.main import main
from catcube.search.session import Session
from tests.browser import opened

NASTY = "</script><img src=x onerror=alert(1)>"
SPACE = Space(
    {
        "model": ["svm", "knn", "forest", NASTY],
        "C": [0.01, 0.1, 1.0, 10.0, 100.0],
        "k": range(1, 16),
        NASTY: [True, False],
    }
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "tuning.sqlite"
    draw = random.Random(1)
    settings = {"algorithm": "surrogate", "seed": 1, "budget": 60}
    with closing(Session(Study(path, SPACE), settings)) as session:
        for k in range(60):
            x = [draw.randrange(count) for count in SPACE.cardinalities.tolist()]
            if session.begin(x) is not None:
                continue
            if k % 13 == 5:
                session.end(x, "failed", message=f"ValueError: {NASTY}", seconds=0.1)
            else:
                value = math.inf if k == 7 else abs(x[1] - 2) + x[0] + draw.random()
                session.end(x, "value", value, seconds=0.25)
    return path


@pytest.fixture(scope="module")
def page(path):
    return Study(path).to_html(path.with_suffix(".html"))


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_the_page_in_a_browser(browser, path, page, width, dark):
    study = Study(path)
    with opened(browser, page, width=width, dark=dark) as shown:
        window = shown.page
        assert window.locator(".stage svg").count() == 3
        finite = [row for row in study.rows if math.isfinite(row.value)]
        assert window.locator("#course circle.dot").count() == len(finite)
        assert window.locator("#course path.cross").count() == len(study) - len(finite)
        assert window.locator("#parallel path.way").count() == len(finite)
        assert window.locator("#importance rect.bar").count() == len(SPACE)
        wide = window.evaluate("document.documentElement.scrollWidth")
        assert wide <= width  # wide parts scroll by themselves

        window.get_by_role("button", name="value").click()
        first = window.locator("#points tbody tr").first
        assert first.locator("td").first.inner_text() == str(study.best.id)
        window.get_by_role("button", name="value").click()
        assert "Infinity" in window.locator("#points tbody tr").first.inner_text()

        window.locator("#parallel text.label", has_text="knn").click()
        chosen = [row for row in finite if row.x["model"] == "knn"]
        assert window.locator("#parallel path.way").count() == len(chosen)
        assert f"of {len(study)} points" in window.locator("#count").inner_text()
        window.locator("#parallel text.label", has_text="knn").click()
        assert window.locator("#parallel path.way").count() == len(finite)

        window.locator("#more").click()
        assert window.locator("#points tbody tr").count() == len(study)
        window.locator("#course circle.dot").first.hover()
        assert window.locator("#tip").is_visible()
        assert shown.troubles == []


def test_a_page_without_values(browser, tmp_path):
    study = Study(tmp_path / "empty.sqlite", SPACE)
    study.add([SPACE.decode([0, 0, 0, 0])], [math.nan])
    page = study.to_html(tmp_path / "page.html")
    with opened(browser, page) as shown:
        assert shown.page.locator("#points tbody tr").count() == 1
        assert shown.troubles == []


def test_the_command(path, capsys, tmp_path):
    study = Study(path)
    assert main(["study", str(path)]) == 0
    text = capsys.readouterr().out
    assert repr(study.best.value) in text
    assert all(name in text for name in SPACE)
    assert "surrogate" in text
    assert main(["study", str(path), "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(study)
    assert float(rows[study.best.id - 1]["value"]) == study.best.value
    page = tmp_path / "page.html"
    assert main(["study", str(path), "--html", str(page)]) == 0
    text = page.read_text().partition('id="data">')[2].partition("</script>")[0]
    assert len(json.loads(text)["rows"]) == len(study)


def test_the_command_refuses(tmp_path, capsys):
    (tmp_path / "text").write_text("not a study")
    for name in ("text", "missing"):
        assert main(["study", str(tmp_path / name)]) == REFUSED
        assert name in capsys.readouterr().err
    failed = Study(tmp_path / "failed.sqlite", SPACE)
    failed.add([SPACE.decode([0, 0, 0, 0])], [math.nan])
    assert main(["study", str(failed.path)]) == UNSOLVED
