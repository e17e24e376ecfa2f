"""The page of a study, as text and in a browser."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

from catcube.statistics import log_grid
from catcube.studies.analysis.model import VERDICTS
from catcube.studies.analysis.sections import Study
from catcube.studies.report.charts import ecdf_curves, success
from catcube.studies.report.page import render_page
from catcube.studies.report.tables import report_tables
from tests.studies.report.study_examples import (
    NASTY_EXPERIMENT,
    NASTY_INSTANCES,
    example_study,
    unfinished_study,
)

VOID = {"meta", "link"}


@pytest.fixture(scope="module")
def whole():
    return render_page(example_study(), report_tables(example_study()))


class Outline(HTMLParser):
    """Elements that are open, all headings, identities and what refers to them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.levels, self.identities, self.labels = [], [], [], []
        self.tags, self.attributes = set(), set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        values = dict(attributes)
        self.attributes |= values.keys()
        if "id" in values:
            self.identities.append(values["id"])
        if tag == "label" and "for" in values:
            self.labels.append(values["for"])
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def charts_of(text):
    return json.loads(re.search(r'id="charts">(.*?)</script>', text)[1])["charts"]


def test_elements_are_closed_and_identities_differ(whole):
    outline = Outline(whole)
    assert outline.open == []
    assert len(set(outline.identities)) == len(outline.identities)
    assert set(outline.labels) <= set(outline.identities)
    assert outline.levels[0] == 1
    assert outline.levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(outline.levels))


def test_only_the_script_and_style_of_the_page_are_allowed(whole):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', whole)[1]
    assert policy.startswith("default-src &#39;none&#39;;")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        [content] = re.findall(f"<{tag}>(.*?)</{tag}>", whole, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"sha256-{digest}" in policy
    outline = Outline(whole)
    assert not {
        attribute
        for attribute in outline.attributes
        if attribute.startswith("on") or attribute == "style"
    }
    assert not outline.tags & {"b", "iframe", "img", "object"}
    assert re.findall(r'(?:src|href)="(?!#|data:,)', whole) == []


def test_names_from_files_stay_text(whole):
    assert NASTY_INSTANCES[0] not in whole
    assert NASTY_EXPERIMENT not in whole
    names = {name for chart in charts_of(whole) for name in chart.get("names", {}).values()}
    assert set(NASTY_INSTANCES) <= names


def test_a_name_that_is_no_text_is_written(tmp_path):
    section = example_study().sections[1]
    odd = replace(section, conditions=replace(section.conditions, experiment="odd\udcff"))
    page = render_page(Study((odd,)), {})
    (tmp_path / "odd.html").write_bytes(page.encode("utf-8", "backslashreplace"))
    written = (tmp_path / "odd.html").read_text(encoding="utf-8")
    assert "<title>Results: odd\\udcff</title>" in written
    assert "Course of the search (ECDF): odd\\udcff" in written


def test_every_table_is_on_the_page_once(whole):
    shown = re.findall(r'data-table="([^"]*)"', whole)
    elsewhere = ("statements", "statement-parts")  # shown statement by statement
    wanted = [
        table.name
        for table in report_tables(example_study()).values()
        if table.name not in elsewhere
    ]
    assert sorted(set(wanted) & set(shown)) == sorted(wanted)
    assert len(shown) == len(set(shown))


def test_curves_are_thinned_but_exact_where_they_are_given(whole):
    [section] = [section for section in example_study().sections if hasattr(section, "curves")]
    chart = json.loads(json.dumps(ecdf_curves(section, "choice", [*section.by_instance])))
    assert chart["packed"] == next(one for one in charts_of(whole) if "packed" in one)["packed"]
    grid = np.cumsum(chart["grid"])
    assert grid.tolist() == log_grid(section.conditions.budget).tolist()
    for pair, curve in zip(section.conditions.pairs, chart["packed"]["all"], strict=True):
        levels = np.cumsum(curve["steps"]) / curve["total"]
        assert np.allclose(levels, section.curves[pair].at(grid), atol=1e-12)


def test_success_is_by_pair_and_instance():
    section = example_study().sections[2]
    chart = success(section)
    assert chart["instances"] == list(section.samples)
    known = {line.pair: line.success_percent for line in section.tables["small-dimension-6-b"]}
    assert [row[-1] for row in chart["percents"]] == [known[pair] for pair in chart["pairs"]]


def test_an_empty_study_has_a_page():
    outline = Outline(render_page(Study(()), {}))
    assert outline.open == []
    assert "summary" in outline.identities


def test_parts_are_counted_by_verdict(whole):
    found = [
        part.verdict
        for statement in example_study().reference.statements
        for part in statement.parts
    ]
    for verdict in VERDICTS[:-1]:  # what is not measured is not counted
        style = verdict.replace(" ", "-")
        [count] = re.findall(rf'<li class="{style}"><strong>(\d+)</strong>', whole)
        assert int(count) == found.count(verdict) > 0


def test_a_statement_opens_to_its_parts_figures_and_test(whole):
    [item] = re.findall(r'<li id="B3">.*?</li>', whole, re.DOTALL)
    assert "Linear &amp; direct differ." in item
    assert "The paper’s table disagrees." in item
    assert "Tested by Wilcoxon." in item
    parts = example_study().reference.statements[2].parts
    assert item.count("<tr") == len(parts) + 1
    assert item.count('<tr class="marked">') == sum(p.verdict == "contradicted" for p in parts)
    assert "A margin is one target of fifty." in whole


def test_published_differences_are_marked_and_explained(whole):
    [table] = re.findall(r'data-table="fixed-budget-published-ranks".*?</figure>', whole, re.DOTALL)
    rows = example_study().reference.tables["fixed-budget"][0].rows
    differ = sum(bool(row.different) for row in rows)
    assert table.count('<tr class="marked">') == differ > 0
    assert f"fixed-budget-ranks ({differ} of {len(rows)} differ)" in whole
    assert "How the tables were compared." in whole
    assert "Something is systematic in fixed-budget-ranks." in whole


def test_what_the_reference_says_of_the_scale_is_shown(whole):
    assert "Something to be noticed." in whole
    assert "The paper: 10 instances." in whole
    assert "The experiments &lt;repeated&gt;" in whole


def test_what_is_missing_is_said():
    text = render_page(unfinished_study(), report_tables(unfinished_study()))
    missing = sum(
        missing.runs
        for section in unfinished_study().sections
        for missing in section.conditions.missing
    )
    assert f"Not complete: {missing:,} runs of fixed-budget, ecdf, fixed-target are missing" in text
    assert "Nothing to show yet: curves need a pair with all its runs done." in text
    assert "2 failed" in text
    assert charts_of(text)[0]["values"]["1"][-1] is None
