"""Running chosen tests, and no others, in the copied tree."""

import os
import resource
import sys
from pathlib import Path
from typing import Any

import pytest

# A test may take so many times its own seconds, and these; interpreted loops that end at all do.
TIMES, SPARE = 10, 3

# A library that pytest would like to rewrite is imported already.
OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:xdist"]
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]


def in_tree(tree: Path) -> None:
    """Let this process and those it starts import catcube from the tree."""
    assert "catcube" not in sys.modules, "the sources without the fault are imported already"
    os.chdir(tree)
    os.environ["PYTHONPATH"] = str(tree / "src")
    sys.path.insert(0, str(tree / "src"))


class Selection:
    """Keeps the chosen tests, in their order; notes the one that fails."""

    def __init__(self, wanted: dict[str, float], note: Path) -> None:
        self.wanted = wanted
        self.note = note

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep the chosen ones."""
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in self.wanted if name in by_name]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Give the test its time; a signal ends the process when it has used that up."""
        self.note.write_text(item.nodeid)
        used = resource.getrusage(resource.RUSAGE_SELF)
        allowed = used.ru_utime + used.ru_stime + SPARE + TIMES * self.wanted[item.nodeid]
        resource.setrlimit(resource.RLIMIT_CPU, (int(allowed), resource.RLIM_INFINITY))


def run_selected(tree: Path, wanted: dict[str, float], note: Path) -> Any:
    """Run the tests until one fails; pytest's exit code."""
    in_tree(tree)
    files = dict.fromkeys(name.partition("::")[0] for name in wanted)
    return pytest.main([*OPTIONS, "-x", "--tb=line", *files], plugins=[Selection(wanted, note)])
