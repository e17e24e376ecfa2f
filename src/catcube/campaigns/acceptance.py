"""Whether a report can be true: a worker may be broken, and its runs end up in papers.

What is looked at is all that can be known without making the runs again: which were asked for,
their seeds, and that numbers and improvements fit together.
"""

import math
import zlib
from collections.abc import Sequence

import numpy as np

from catcube.campaigns.configuration import Configuration
from catcube.campaigns.origin import Origin
from catcube.campaigns.store.schema import ENDINGS
from catcube.campaigns.store.trace import unpacked_traces
from catcube.campaigns.store.writer import Finding
from catcube.campaigns.task import Report, Task


def fault_of(report: object, task: Task) -> str | None:
    """What is wrong with the report of a task in a few words; None if it can be true.

    >>> from catcube.campaigns.plan_file import shipped_plan
    >>> from catcube.campaigns.task import perform
    >>> task = Task(0, shipped_plan("fixed-target").configurations()[0], (1, 2))
    >>> report = perform(task)
    >>> fault_of(report, task)
    >>> fault_of(report._replace(findings=report.findings[:1] * 2), task)
    'it tells of the runs 1, 1 where 1, 2 were to be made'
    """
    if not isinstance(report, Report) or not _is_formed(report):
        return f"it is no report ({type(report).__name__})"
    told = [finding.number for finding in report.findings] + [
        number for number, _ in report.failures
    ]
    if len(set(told)) < len(told) or not set(told) <= set(task.numbers):
        return f"it tells of the runs {_listed(told)} where {_listed(task.numbers)} were to be made"
    for finding in report.findings:
        fault = _fault_of_finding(finding, task.configuration)
        if fault is not None:
            return f"run {finding.number}: {fault}"
    return _fault_of_traces(report.findings)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "–"


def _is_formed(report: Report) -> bool:
    """Whether all parts are of the right kind; True is no integer here, and 1 no float."""
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
        return f"its seed is {finding.seed}, not {configuration.run_seed(finding.number)}"
    if math.isnan(finding.value):
        return "its value is no number"
    first = 0 if finding.value == math.inf else 1  # infinity is no improvement
    if (
        not first <= finding.evaluations_to_best <= finding.evaluations <= budget
        or not finding.evaluations
    ):
        return (
            f"its best value after {finding.evaluations_to_best} of {finding.evaluations} "
            f"evaluations, of which {budget} are allowed"
        )
    reached = target is not None and finding.value <= target
    expected = "target" if reached else "budget" if finding.evaluations == budget else "converged"
    if finding.ending != expected or finding.ending not in ENDINGS:
        return f"it ended by {finding.ending!r} where {expected!r} would be right"
    if not 0 <= finding.iterations < 2**63:
        return f"it has {finding.iterations} iterations"
    if not _is_time(finding.seconds):
        return f"it took {finding.seconds} s"
    return None


def _fault_of_traces(findings: Sequence[Finding]) -> str | None:
    """The improvements must get better and better, and end with the best value."""
    if not findings:
        return None
    try:
        evaluations, values, begins = unpacked_traces([finding.trace for finding in findings])
    except (zlib.error, ValueError, IndexError):
        return "improvements that cannot be read"
    # Each run after a point that is worse than any, which is all there is if nothing was found.
    evaluations = np.insert(evaluations, begins, 0)
    values = np.insert(values, begins, np.inf)
    begins += np.arange(begins.size)
    ends = np.append(begins[1:], values.size) - 1
    later, lower = evaluations[1:] > evaluations[:-1], values[1:] < values[:-1]
    better = np.append(later & lower, True)
    better[ends] = True  # what follows is another run
    right = np.logical_and.reduceat(better, begins)
    right &= evaluations[ends] == [finding.evaluations_to_best for finding in findings]
    right &= values[ends] == [finding.value for finding in findings]
    if not right.all():
        return f"run {findings[int(np.argmin(right))].number}: its improvements do not fit"
    return None
