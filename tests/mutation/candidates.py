"""Which sources get faults, and which tests are asked to notice them."""

from pathlib import Path

# Files of tests (patterns) for each package; the doctests of its own modules come with them.
TESTS = {
    "engine": [
        "engine/test_*.py",
        "algorithms/test_golden.py",
        "algorithms/test_twins.py",
        "algorithms/test_algorithms.py",
        "problems/python/test_parallel.py",
    ],
    "algorithms": [
        "algorithms/test_*.py",
        "engine/test_linkage.py",
        "problems/python/test_parallel.py",
    ],
    "statistics": ["statistics/test_*.py", "analysis/test_*.py"],
    "analysis": ["analysis/test_*.py", "report/test_tables.py"],
    "paper": [
        "paper/test_comparison.py",
        "paper/test_published.py",
        "paper/test_significance.py",
        "paper/test_statements*.py",
    ],
}
SOURCES = Path("src/catcube")


def sources(root: Path, names: list[str]) -> list[str]:
    """The files that the names stand for, relative to the root, without any __init__.py."""
    found = []
    for name in names:
        path = root / SOURCES / name
        if path.parts[len(root.parts) + len(SOURCES.parts)] not in TESTS or not path.exists():
            raise SystemExit(
                f"mutation: there is no {name!r} to put faults into; "
                f"packages: {', '.join(TESTS)}, or files of them, as in engine/rng.py"
            )
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [str(path.relative_to(root)) for path in found if path.name != "__init__.py"]


def tests(root: Path, files: list[str]) -> list[str]:
    """The files of tests for these sources, relative to the root, each once."""
    found: dict[str, None] = {}
    for file in files:
        for pattern in TESTS[Path(file).relative_to(SOURCES).parts[0]]:
            for path in sorted((root / "tests").glob(pattern)):
                found[str(path.relative_to(root))] = None
        if ">>> " in (root / file).read_text(encoding="utf-8"):
            found[file] = None
    return list(found)
