"""Reports of workers: what is accepted, and what is refused and tried again."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from catcube.experiments.acceptance import fault_of
from catcube.experiments.execute import run_campaign
from catcube.experiments.origin import Origin
from catcube.experiments.store.store import Store
from catcube.experiments.store.trace import packed_trace
from catcube.experiments.task import perform
from catcube.experiments.workers import CampaignError
from tests.experiments.worker_examples import SPOILT, is_spoilt
from tests.experiments.worker_plans import PLAN, TASK, failures, table


@pytest.fixture(scope="module")
def report():
    return perform(TASK)


# Reports


def changed(report, **changes):
    """With another second run."""
    findings = list(report.findings)
    findings[1] = findings[1]._replace(**changes)
    return report._replace(findings=findings)


def trace_of(evaluations, values):
    return packed_trace(np.array(evaluations), np.array(values, np.float64))


NONSENSE = {
    "nothing": (lambda report: None, "expected a report, got NoneType"),
    "a tuple": (lambda report: tuple(report), "expected a report, got tuple"),
    "findings of another kind": (lambda report: report._replace(findings=[1]), "expected a report"),
    "findings that are none": (lambda report: report._replace(findings=None), "expected a report"),
    "an integer for a value": (lambda report: changed(report, value=3), "expected a report"),
    "numbers of numpy": (
        lambda report: changed(report, evaluations=np.int64(200)),
        "expected a report",
    ),
    "True for a number": (lambda report: changed(report, number=True), "expected a report"),
    "failures of another kind": (
        lambda report: report._replace(failures=[("x", 1)]),
        "expected a report",
    ),
    "seconds that are none": (
        lambda report: report._replace(seconds=math.nan),
        "expected a report",
    ),
    "no origin": (lambda report: report._replace(origin=None), "expected a report"),
    "a foreign number": (lambda report: changed(report, number=7), "runs 1, 2, 3, got 1, 7, 3"),
    "a number twice": (lambda report: changed(report, number=1), "runs 1, 2, 3, got 1, 1, 3"),
    "found and failed": (lambda report: report._replace(failures=[(3, "no")]), "got 1, 2, 3, 3"),
    "another seed": (lambda report: changed(report, seed=1), "run 2: expected the seed"),
    "no number": (
        lambda report: changed(report, value=math.nan),
        "run 2: expected a number as value, got NaN",
    ),
    "too many evaluations": (
        lambda report: changed(report, evaluations=201),
        "expected at most 200 evaluations",
    ),
    "no evaluation": (lambda report: changed(report, evaluations=0), "of 0"),
    "the best one later": (
        lambda report: changed(report, evaluations_to_best=201),
        "after 201 of 200",
    ),
    "the best one never": (lambda report: changed(report, evaluations_to_best=0), "after 0 of 200"),
    "another ending": (
        lambda report: changed(report, ending="target"),
        "expected the ending 'budget'",
    ),
    "an unknown ending": (lambda report: changed(report, ending="x"), "got 'x'"),
    "an early end": (
        lambda report: changed(report, evaluations=199),
        "expected the ending 'converged'",
    ),
    "negative iterations": (lambda report: changed(report, iterations=-1), "got -1"),
    "many iterations": (lambda report: changed(report, iterations=2**63), "iterations"),
    "negative seconds": (lambda report: changed(report, seconds=-1.0), "got -1.0 s"),
    "another value": (
        lambda report: changed(report, value=report.findings[1].value + 1),
        "are inconsistent",
    ),
    "infinity": (lambda report: changed(report, value=math.inf), "are inconsistent"),
    "no improvement": (lambda report: changed(report, trace=trace_of([], [])), "are inconsistent"),
    "a trace of noise": (lambda report: changed(report, trace=b"noise"), "cannot be read"),
    "a trace cut off": (
        lambda report: changed(report, trace=report.findings[1].trace[:-3]),
        "cannot",
    ),
    "the trace of another": (
        lambda report: changed(report, trace=report.findings[0].trace),
        "run 2: its improvements are inconsistent",
    ),
    "a trace that gets worse": (
        lambda report: changed(
            report,
            value=2.0,
            evaluations_to_best=9,
            trace=trace_of([1, 5, 9], [3.0, 4.0, 2.0]),
        ),
        "run 2: its improvements are inconsistent",
    ),
    "a trace that goes back": (
        lambda report: changed(
            report,
            value=2.0,
            evaluations_to_best=9,
            trace=trace_of([5, 1, 9], [4.0, 3.0, 2.0]),
        ),
        "run 2: its improvements are inconsistent",
    ),
}


def test_a_true_report_is_accepted(report):
    assert fault_of(report, TASK) is None
    assert fault_of(report._replace(findings=[], failures=[(2, "no")]), TASK) is None


def test_a_run_that_found_nothing_but_infinity_is_accepted(report):
    nothing = changed(report, value=math.inf, evaluations_to_best=0, trace=trace_of([], []))
    assert fault_of(nothing, TASK) is None
    late = changed(report, value=7.0, evaluations_to_best=9, trace=trace_of([9], [7.0]))
    assert fault_of(late, TASK) is None


@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_is_seen(report, kind):
    spoil, sentence = NONSENSE[kind]
    assert sentence in fault_of(spoil(report), TASK)


class Lying(ThreadPoolExecutor):
    """Spoils the reports of a task with run 2 of SA with direct, some times."""

    def __init__(self, spoil, times):
        super().__init__(2)
        self.spoil, self.times = spoil, times

    def submit(self, function, task, *more):
        def lie():
            report = function(task, *more)
            if not is_spoilt(task) or self.times == 0:
                return report
            self.times -= 1
            return self.spoil(report)

        return super().submit(lie)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda report: "what?",
        lambda report: report._replace(
            findings=[one._replace(value=-1.0) for one in report.findings]
        ),
        lambda report: report._replace(findings=[]),
    ],
)
def test_nonsense_is_tried_again_and_then_recorded(tmp_path, undisturbed, spoil):
    path = tmp_path / "a.sqlite"
    assert run_campaign(PLAN, path, Lying(spoil, times=1), jobs=2).failed == 0
    assert table(path) == undisturbed
    path = tmp_path / "b.sqlite"
    progress = run_campaign(PLAN, path, Lying(spoil, times=100), jobs=2)
    assert (progress.done, progress.failed) == (19, 1)
    [(*pair, number, message)] = failures(path)
    assert (*pair, number) == (*SPOILT, 2)
    assert message.startswith(
        ("its worker returned an invalid report: ", "its worker did not report it")
    )
    assert message.endswith(", twice")
    assert run_campaign(PLAN, path)[:3] == (20, 20, 0)
    assert (table(path), failures(path)) == (undisturbed, [])


def test_a_worker_with_other_code_ends_the_campaign(tmp_path, undisturbed):
    path = tmp_path / "a.sqlite"
    other = Origin("0.0.9", "fedc", "{}")
    with pytest.raises(CampaignError, match=r"got one with 0\.0\.9, sources fedc"):
        run_campaign(
            PLAN, path, Lying(lambda report: report._replace(origin=other), times=100), jobs=2
        )
    with Store(path) as store:
        assert all(session[3] != "fedc" for session in store.sessions())
    assert set(table(path)) <= set(undisturbed)
    run_campaign(PLAN, path)
    assert table(path) == undisturbed
