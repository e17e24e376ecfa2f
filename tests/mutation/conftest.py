"""The program needs cosmic-ray: its modules are no modules of tests."""

from pathlib import Path

_FILES = [path.name for path in Path(__file__).parent.glob("*.py")]
collect_ignore = [name for name in _FILES if not name.startswith("test_")]
