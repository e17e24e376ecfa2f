"""Many runs, many instances: what must not grow with them. `python -m benchmarks.load` measures."""

import gc
import json
import re
import subprocess
import sys
import weakref

import numpy as np
import pytest

from catcube.algorithms import algorithm
from catcube.cli.report import make_report
from catcube.experiments.store import Store
from catcube.experiments.trace import pack_trace, unpack_traces
from catcube.problems import Match
from catcube.representations.layout import layout_of, representations_of
from catcube.search.run import Execution, Run
from catcube.search.watch import Watch
from catcube.statistics import (
    Pair,
    bootstrap,
    confidence_interval,
    confidence_intervals,
    instance_curves,
    medians,
    results,
    summaries,
    summary,
)
from catcube.studies.analysis import analyse
from catcube.studies.analysis import read as experiment_runs
from catcube.studies.report.figures import INSTANCES, report_figures
from catcube.studies.report.page import encoded, page
from catcube.studies.report.tables import report_tables
from tests import ROOT
from tests import browser as browser_tests
from tests.studies.analysis.analysis_stores import experiment, finding, write

LINEAR, DIRECT = Pair("rls", "linear"), Pair("rls", "direct")


def made(configuration, number):
    seed = configuration.run_seed(number)
    return finding(number, float(seed % 7), 2 + seed % 97)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Forty instances: more than have a figure each."""
    names = [f"board {number}" for number in range(40)]
    planned = experiment(instances=names, algorithms=("rls", "sa"), runs=5)
    return write(tmp_path_factory.mktemp("many") / "a.sqlite", [planned], made)


@pytest.fixture(scope="module")
def study(store):
    return analyse([store])


def various():
    """Of equal and different sizes; integers, fractions, ties, one value alone."""
    random = np.random.default_rng(3)
    kinds = (
        lambda size: 2.0 * random.integers(0, 60, size),
        lambda size: random.normal(size=size),
        lambda size: np.full(size, 3.0),
        lambda size: 1.0 * random.integers(0, 3, size),
        lambda size: 1e9 * random.exponential(size=size),
    )
    sizes = [1, 2, 40, 40, 60]
    return {
        (index, number): kind(size)
        for index, size in enumerate(sizes)
        for number, kind in enumerate(kinds)
    }


def test_many_samples_together_are_summarised_as_one_by_one():
    samples = various()
    assert summaries(samples) == {name: summary(sample) for name, sample in samples.items()}
    assert medians(samples) == {name: np.median(sample) for name, sample in samples.items()}


@pytest.mark.parametrize("statistic", ["mean", "median"])
@pytest.mark.parametrize("cells", [results.CELLS, 500])
def test_many_intervals_together_are_those_one_by_one(monkeypatch, statistic, cells):
    monkeypatch.setattr(results, "CELLS", cells)
    monkeypatch.setattr(bootstrap, "CELLS", cells)
    cases = various()
    assert confidence_intervals(cases, statistic, resamples=199) == {
        name: confidence_interval(sample, statistic, resamples=199)
        for name, sample in cases.items()
    }


def test_an_interval_of_infinite_values_is_refused():
    with pytest.raises(ValueError, match="finite"):
        confidence_intervals({"a": np.array([1.0, np.inf])}, "median")


def packed(*steps):
    evaluations, values = zip(*steps, strict=True)
    return pack_trace(np.array(evaluations), np.array(values, np.float64))


def test_infinite_values_reach_no_target():
    runs = [packed((1, np.inf), (5, 8), (9, 0)), packed((1, np.inf))]
    linear, direct = instance_curves(*unpack_traces(runs), [1, 1])
    assert linear.at([1, 5, 9]).tolist() == [0.0, 0.02, 1.0]
    assert direct.final == 0.0
    [none] = instance_curves(*unpack_traces(runs[1:]), [1])
    assert none.final == 0.0


@pytest.mark.parametrize("steps", [((1, 8), (1, 7)), ((1, 8), (2, 8)), ((1, np.nan), (2, 8))])
def test_what_is_no_trace_is_refused(steps):
    with pytest.raises(ValueError, match="decrease"):
        instance_curves(*unpack_traces([packed(*steps)]), [1])


def test_a_report_reads_each_run_once(monkeypatch, store):
    read = []
    usual = Store.parts

    def parts(self):
        for number, rows, packed in usual(self):
            read.append(number)
            yield number, rows, packed

    monkeypatch.setattr(experiment_runs.Store, "parts", parts)
    analyse([store])
    assert read == list(range(40 * 4))


def test_figures_of_single_instances_are_those_of_the_first(study):
    names = [figure.name for figure in report_figures(study) if "-means-" in figure.name]
    assert names == [f"mine-means-board-{number}" for number in range(INSTANCES)]
    assert sum("-means-" in figure.name for figure in report_figures(study, None)) == 40


def test_the_command_names_the_figures_that_are_not_drawn(monkeypatch, capsys, tmp_path, store):
    monkeypatch.setattr("catcube.studies.report.figures.image", lambda figure, ending: b"<svg/>")
    make_report([store], tmp_path / "few", formats=["svg"])
    assert "16 figures of single instances are on the page alone" in capsys.readouterr().out
    make_report([store], tmp_path / "all", all_figures=True, formats=["svg"])
    assert "on the page alone" not in capsys.readouterr().out
    few, every = (
        len(list((tmp_path / folder).rglob("*-means-*.svg"))) for folder in ("few", "all")
    )
    assert (few, every) == (INSTANCES, 40)


def test_tables_of_many_instances_are_templates(study):
    text = page(study, report_tables(study))
    assert len(re.findall("<template data-follows", text)) == 40
    outside = re.sub("<template.*?</template>", "", text, flags=re.DOTALL)
    assert "mine-values-board" in text
    assert "mine-values-board" not in outside


def test_a_template_is_shown_when_it_is_chosen(study, tmp_path):
    (tmp_path / "many.html").write_bytes(encoded(page(study, report_tables(study))))
    with (
        browser_tests.launched() as browser,
        browser_tests.opened(browser, tmp_path / "many.html") as view,
    ):
        shown = view.page.locator("[data-table^=mine-values]")
        assert shown.count() == 1
        assert shown.get_attribute("data-table") == "mine-values-board-0"
        view.page.select_option("select[data-choice] >> nth=0", "37")
        assert shown.count() == 1
        assert shown.get_attribute("data-table") == "mine-values-board-37"
        shown.locator("th button").first.click()
        assert shown.locator("th").first.get_attribute("aria-sort") == "ascending"
        assert view.troubles == []


def test_a_run_leaves_its_arrays_to_nobody():
    problem = Match(4, 3)
    layout = layout_of(representations_of(problem.space, "linear"))
    method = algorithm("rls")
    run = Run(problem, layout, method, method.resolve(None, {}), 20, None, seed=1)
    gc.collect()
    gc.disable()
    try:
        execution = Execution(run, Watch(threaded=False))
        array = weakref.ref(execution.recorder.trace_values)
        outcome = execution.result()
        del execution
        assert array() is None
    finally:
        gc.enable()
    assert outcome.evaluations == 20


@pytest.mark.compiled
@pytest.mark.long
def test_the_benchmark_measures_every_shape(tmp_path):
    command = [sys.executable, "-m", "benchmarks.load", "--runs", "400", "--out", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    rows = [line.split(" | ") for line in run.stdout.splitlines() if line.startswith("| ")]
    for shape in ("boards", "pairs", "target", "runs"):
        assert sum(cells[0] == f"| {shape}" for cells in rows) == 2
        kept = json.loads((tmp_path / shape / "campaign.json").read_text())
        assert kept["most"] >= kept["end"] > 0
        with Store(tmp_path / shape / "load.sqlite") as store:
            assert sum(configuration.runs for configuration in store.configurations()) == sum(
                store.counts().values()
            )
