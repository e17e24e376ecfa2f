"""Many runs, many instances: what must not grow with them. `python -m benchmarks.load` measures."""

import gc
import json
import subprocess
import sys
import weakref

import numpy as np
import pytest

from catcube.algorithms import algorithm
from catcube.experiments.store import Store
from catcube.experiments.trace import pack_trace, unpack_traces
from catcube.problems import Match
from catcube.representations.layout import bit_layout, resolve_representations
from catcube.search.run import Execution, Run
from catcube.search.watch import Watch
from catcube.statistics import Pair, instance_curves
from catcube.studies import analyse
from catcube.studies.analysis import read as experiment_runs
from catcube.studies.report.page import render_page
from catcube.studies.report.tables import report_tables
from tests import ROOT
from tests.browser import opened
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


def test_a_report_reads_each_run_once(monkeypatch, store):
    read = []
    usual = Store.run_arrays

    def parts(self):
        for number, rows, packed in usual(self):
            read.append(number)
            yield number, rows, packed

    monkeypatch.setattr(experiment_runs.Store, "run_arrays", parts)
    analyse([store])
    assert read == list(range(40 * 4))


def test_a_template_is_shown_when_it_is_chosen(browser, study, tmp_path):
    (tmp_path / "many.html").write_text(render_page(study, report_tables(study)), "utf-8")
    with opened(browser, tmp_path / "many.html") as view:
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
    layout = bit_layout(resolve_representations(problem.space, "linear"))
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
