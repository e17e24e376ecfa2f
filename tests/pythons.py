"""Run tests in every Python that is here, each with an environment of its own.

    python -m tests.pythons                        python3.11 to python3.14, as far as they are here
    python -m tests.pythons ~/my/python3.14 ...    these
    python -m tests.pythons python3.13 -- tests    in this one, the whole suite

Environments are kept in build/pythons. By default those tests are run that notice when a result
depends on the version of Python.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENVIRONMENTS = ROOT / "build" / "pythons"
INTERPRETERS = [f"python3.{minor}" for minor in range(11, 15)]
NEEDED = ".[study,cluster,formats,test]"
TESTS = [
    f"tests/{name}.py"
    for name in (
        "campaigns/test_determinism",
        "algorithms/test_golden",
        "algorithms/test_twins",
        "search/test_minimize",
        "campaigns/test_campaign",
        "campaigns/test_plan",
        "campaigns/store/test_store",
        "test_space",
    )
]


def version_of(interpreter):
    """The version of an interpreter, None if there is none that starts."""
    asked = [interpreter, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def environment(interpreter, version):
    """The Python of an environment with the package and what its tests need."""
    folder = ENVIRONMENTS / version
    python, mark = folder / "bin" / "python", folder / "installed"
    given = [ROOT / "pyproject.toml", ROOT / "constraints.txt"]
    if mark.exists() and all(own.stat().st_mtime <= mark.stat().st_mtime for own in given):
        return python
    subprocess.run([interpreter, "-m", "venv", "--clear", folder], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-c", "constraints.txt", "-e", NEEDED], cwd=ROOT, check=True)
    mark.touch()
    return python


def run(interpreter, tests):
    """What came of the tests in this interpreter, in a word."""
    version = version_of(interpreter)
    if version is None:
        return "absent"
    print(f"== {interpreter} (Python {version})", flush=True)
    try:
        python = environment(interpreter, version)
    except subprocess.CalledProcessError:
        return "failed: the environment could not be made"
    pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "auto", *tests]
    done = subprocess.run(pytest, cwd=ROOT, check=False)
    return "passed" if done.returncode == 0 else "failed"


def main(argv):
    end = argv.index("--") if "--" in argv else len(argv)
    named, tests = argv[:end], argv[end + 1 :] or TESTS
    outcomes = {own: run(shutil.which(own) or own, tests) for own in named or INTERPRETERS}
    for interpreter, outcome in outcomes.items():
        print(f"{interpreter}: {outcome}")
    failed = any(outcome.startswith("failed") for outcome in outcomes.values())
    # Whoever names interpreters wants them all; else those that are here.
    missing = bool(named) and "absent" in outcomes.values()
    return 1 if failed or missing or "passed" not in outcomes.values() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
