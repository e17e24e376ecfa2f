"""Plausibility of reports: a worker may be broken, and its runs end up in papers.

The checks are those that do not need the runs again: the requested numbers, their seeds, and the
consistency of values and improvements.
"""

import math
import zlib
from collections.abc import Sequence

import numpy as np

from catcube.experiments.configuration import Configuration
from catcube.experiments.origin import Origin
from catcube.experiments.store.schema import ENDINGS
from catcube.experiments.store.trace import unpacked_traces
from catcube.experiments.store.writer import Finding
from catcube.experiments.task import Report, Task


def fault_of(report: object, task: Task) -> str | None:
    """Describe the fault of the report of a task; None if it is plausible.

    >>> from catcube.experiments.plan_file import shipped_plan
    >>> from catcube.experiments.task import perform
    >>> task = Task(0, shipped_plan("fixed-target").configurations()[0], (1, 2))
    >>> report = perform(task)
    >>> fault_of(report, task)
    >>> fault_of(report._replace(findings=report.findings[:1] * 2), task)
    'expected the runs 1, 2, got 1, 1'
    """
    if not isinstance(report, Report) or not _is_formed(report):
        return f"expected a report, got {type(report).__name__}"
    reported = [finding.number for finding in report.findings] + [
        number for number, _ in report.failures
    ]
    if len(set(reported)) < len(reported) or not set(reported) <= set(task.numbers):
        return f"expected the runs {_listed(task.numbers)}, got {_listed(reported)}"
    for finding in report.findings:
        fault = _fault_of_finding(finding, task.configuration)
        if fault is not None:
            return f"run {finding.number}: {fault}"
    return _fault_of_traces(report.findings)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "–"


def _is_formed(report: Report) -> bool:
    """Return whether all parts have exactly the right type (True is not an integer here)."""
    findings, failures, seconds, origin = report
    kinds = tuple(Finding.__annotations__.values())
    return (
        type(findings) is list
        and all(
            type(finding) is Finding and tuple(map(type, finding)) == kinds for finding in findings
        )
        and type(failures) is list
        and all(tuple(map(type, failure)) == (int, str) for failure in failures)
        and _is_time(seconds)
        and type(origin) is Origin
        and all(type(field) is str for field in origin)
    )


def _is_time(seconds: object) -> bool:
    return type(seconds) is float and 0 <= seconds < math.inf


def _fault_of_finding(finding: Finding, configuration: Configuration) -> str | None:
    budget, target = configuration.budget, configuration.target
    if finding.seed != configuration.run_seed(finding.number):
        return f"expected the seed {configuration.run_seed(finding.number)}, got {finding.seed}"
    if math.isnan(finding.value):
        return "expected a number as value, got NaN"
    first = 0 if finding.value == math.inf else 1  # infinity is not an improvement
    if (
        not first <= finding.evaluations_to_best <= finding.evaluations <= budget
        or not finding.evaluations
    ):
        return (
            f"expected at most {budget} evaluations, got the best value after "
            f"{finding.evaluations_to_best} of {finding.evaluations}"
        )
    reached = target is not None and finding.value <= target
    expected = "target" if reached else "budget" if finding.evaluations == budget else "converged"
    if finding.ending != expected or finding.ending not in ENDINGS:
        return f"expected the ending {expected!r}, got {finding.ending!r}"
    if not 0 <= finding.iterations < 2**63:
        return f"expected iterations >= 0, got {finding.iterations}"
    if not _is_time(finding.seconds):
        return f"expected a time >= 0, got {finding.seconds} s"
    return None


def _fault_of_traces(findings: Sequence[Finding]) -> str | None:
    """Check that improvements decrease strictly and end with the best value."""
    if not findings:
        return None
    try:
        evaluations, values, begins = unpacked_traces([finding.trace for finding in findings])
    except (zlib.error, ValueError, IndexError):
        return "its improvements cannot be read"
    # Each run begins with a point that is worse than any.
    evaluations = np.insert(evaluations, begins, 0)
    values = np.insert(values, begins, np.inf)
    begins += np.arange(begins.size)
    ends = np.append(begins[1:], values.size) - 1
    later, lower = evaluations[1:] > evaluations[:-1], values[1:] < values[:-1]
    better = np.append(later & lower, True)
    better[ends] = True  # the next entry belongs to another run
    right = np.logical_and.reduceat(better, begins)
    right &= evaluations[ends] == [finding.evaluations_to_best for finding in findings]
    right &= values[ends] == [finding.value for finding in findings]
    if not right.all():
        return f"run {findings[int(np.argmin(right))].number}: its improvements are inconsistent"
    return None
