"""A session of cosmic-ray: which faults are tried, and what became of them."""

import random
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult


class Change(NamedTuple):
    """A fault, by what it changes."""

    path: str
    function: str
    before: str
    after: str


def keep_sample(session: Path, count: int, seed: int) -> int:
    """Skip all faults but one at each of `count` locations; return how many there are in all."""
    with use_db(session, WorkDB.Mode.open) as database:
        jobs_at: dict[tuple[str, tuple[int, int]], list[tuple[str, int, str]]] = {}
        for item in database.pending_work_items:
            (fault,) = item.mutations
            location = fault.module_path.as_posix(), fault.start_pos
            job = fault.operator_name, fault.occurrence, item.job_id
            jobs_at.setdefault(location, []).append(job)
        total = sum(map(len, jobs_at.values()))
        draw = random.Random(seed)
        candidates = {draw.choice(sorted(jobs_at[location]))[2] for location in sorted(jobs_at)}
        kept = set(draw.sample(sorted(candidates), min(count, len(candidates))))
        others = [name for jobs in jobs_at.values() for *_, name in jobs if name not in kept]
        skipped = WorkResult(worker_outcome=WorkerOutcome.SKIPPED, output="not in the sample")
        database.set_multiple_results(others, skipped)
    return total


def outcomes(session: Path) -> tuple[Counter[str], list[Change]]:
    """Return how many faults ended how, and those that survived."""
    counts: Counter[str] = Counter()
    survived = []
    with use_db(session, WorkDB.Mode.open) as database:
        for item, result in database.completed_work_items:
            if result.worker_outcome == WorkerOutcome.SKIPPED:
                continue
            counts[str(result.test_outcome.value if result.test_outcome else "no result")] += 1
            if result.test_outcome == TestOutcome.SURVIVED:
                (fault,) = item.mutations
                before, after = changed_lines(result.diff or "")
                function = fault.definition_name or ""
                survived.append(Change(fault.module_path.as_posix(), function, before, after))
    return counts, sorted(survived)


def changed_lines(diff: str) -> tuple[str, str]:
    """Return the first line that a diff takes away, and the first that it adds.

    >>> changed_lines("--- a\\n+++ b\\n@@ -1 +1 @@\\n-  n = 3\\n+  n = 4\\n")
    ('n = 3', 'n = 4')
    """
    before, after = (
        re.search(rf"^{sign}(?!{sign}{sign})(.*)$", diff, re.MULTILINE) for sign in ("-", r"\+")
    )
    return (before[1].strip() if before else "", " ".join(after[1].split()) if after else "")
