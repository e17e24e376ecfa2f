"""Which test reaches which line of the sources, and how long it takes."""

import hashlib
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

from tests.mutation.fork import forked
from tests.mutation.selection import OPTIONS, in_tree


@dataclass
class Reach:
    """The lines of each file that each test reaches, and the seconds of each test."""

    tests: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, measured: dict[str, Any]) -> None:
        """Add what was measured of one file of tests."""
        self.seconds.update(measured["seconds"])
        for test, files in measured["lines"].items():
            for path, lines in files.items():
                for line in lines:
                    self.tests.setdefault(path, {}).setdefault(line, set()).add(test)

    def tests_for(
        self, path: str, lines: tuple[int, ...] | None, seconds: float
    ) -> dict[str, float]:
        """Tests that reach one of the lines, with their seconds, up to so many seconds in all.

        None stands for all lines of the file. First comes the quickest case of every test
        function, then a second one of each, and so on, in an order by chance: the next quickest
        would be much like the first.
        """
        own = self.tests.get(path, {})
        found = set().union(*(own.get(line, set()) for line in (own if lines is None else lines)))
        functions: dict[str, list[str]] = {}
        for test in sorted(found, key=lambda test: (self.seconds[test], test)):
            functions.setdefault(test.partition("[")[0], []).append(test)
        turns: dict[str, int] = {}
        for first, *others in functions.values():
            turns[first] = 0
            turns |= {test: turn for turn, test in enumerate(sorted(others, key=_by_chance), 1)}
        chosen: dict[str, float] = {}
        for test in sorted(turns, key=lambda test: (turns[test], self.seconds[test], test)):
            if chosen and sum(chosen.values()) + self.seconds[test] > seconds:
                continue
            chosen[test] = self.seconds[test]
        return chosen


def _by_chance(test: str) -> bytes:
    """What sorts tests in an order that has nothing to do with their names, always the same."""
    return hashlib.sha256(test.encode()).digest()


def measured(tree: Path, files: list[str], kept: Path) -> Reach:
    """Run each file of tests once, traced, or read what was kept for the same sources and tests."""
    kept.mkdir(parents=True, exist_ok=True)
    shared = [
        *sorted((tree / "src").rglob("*.py")),
        *sorted(path for path in (tree / "tests").rglob("*.py") if "test_" not in path.name),
    ]
    reached = Reach()
    for file in files:
        digest = hashlib.sha256()
        for path in [*shared, tree / file]:
            digest.update(path.relative_to(tree).as_posix().encode())
            digest.update(path.read_bytes())
        target = kept / f"{file.replace('/', '.')}.json"
        known = json.loads(target.read_text()) if target.exists() else {}
        if known.get("sources") != digest.hexdigest():
            print(f"which lines {file} reaches …")
            log = tree / "log"
            if forked(_trace, tree, file, target, digest.hexdigest(), limit=3600, log=log) != 0:
                raise SystemExit(f"mutation: {file} cannot be traced: {log.read_text()[-2000:]}")
            known = json.loads(target.read_text())
            if known["failed"]:
                print(f"left out, since they fail without any fault: {', '.join(known['failed'])}")
        reached.add(known)
    return reached


class _Tracer:
    """Tells coverage which test runs, and notes its seconds of computing."""

    def __init__(self, own: coverage.Coverage) -> None:
        self.coverage = own
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.skipped: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """All lines from here on are reached by this test."""
        self.coverage.switch_context(item.nodeid)
        began = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - began
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One that fails without any fault, or is skipped, cannot notice one."""
        if report.failed:
            self.failed.add(report.nodeid)
        elif report.skipped:
            self.skipped.add(report.nodeid)


def _trace(tree: Path, file: str, target: Path, sources: str) -> None:
    in_tree(tree)
    own = coverage.Coverage(data_file=None, config_file=False, source=[str(tree / "src")])
    own.start()
    tracer = _Tracer(own)
    pytest.main([*OPTIONS, file], plugins=[tracer])
    own.stop()
    data = own.get_data()
    useful = tracer.seconds.keys() - tracer.failed - tracer.skipped
    lines: dict[str, dict[str, list[int]]] = {}
    for path in data.measured_files():
        name = Path(path).relative_to(tree).as_posix()
        for line, contexts in data.contexts_by_lineno(path).items():
            for test in useful.intersection(contexts):
                lines.setdefault(test, {}).setdefault(name, []).append(line)
    failed = sorted(tracer.failed)
    known = {"sources": sources, "seconds": tracer.seconds, "failed": failed, "lines": lines}
    target.write_text(json.dumps(known))
