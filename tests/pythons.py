"""Run tests in every Python that is installed, each in a separate environment.

    python -m tests.pythons                        python3.11 to python3.14, if installed
    python -m tests.pythons ~/my/python3.14 ...    these
    python -m tests.pythons python3.13 -- tests    in this one, the whole suite

By default those tests are run that notice when a result depends on the version of Python.
"""

import shutil
import subprocess
import sys

from tests.environments import NoEnvironmentError, environment, run_tests

INTERPRETERS = [f"python3.{minor}" for minor in range(11, 15)]
NEEDED = [".[report,cluster,formats,test]"]
TESTS = [
    "tests/experiments/test_determinism.py",
    "tests/algorithms/test_golden.py",
    "tests/algorithms/test_twins.py",
    "tests/search/test_minimize.py",
    "tests/search/test_arguments.py",
    "tests/search/test_callbacks.py",
    "tests/experiments/test_campaign.py",
    "tests/experiments/test_plan.py",
    "tests/experiments/store/test_store.py",
    "tests/test_space.py",
]


def version_of(interpreter):
    """Return the version of an interpreter, or None if it does not start."""
    asked = [interpreter, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def outcome(interpreter, tests):
    """Run the tests in this interpreter; say in a word how that ended."""
    version = version_of(interpreter)
    if version is None:
        return "absent"
    print(f"== {interpreter} (Python {version})", flush=True)
    try:
        python = environment(f"python-{version}", interpreter, NEEDED)
    except NoEnvironmentError as error:
        return f"failed: {error}"
    return "passed" if run_tests(python, ["-n", "auto", *tests]) else "failed"


def main(argv):
    end = argv.index("--") if "--" in argv else len(argv)
    named, tests = argv[:end], argv[end + 1 :] or TESTS
    outcomes = {name: outcome(shutil.which(name) or name, tests) for name in named or INTERPRETERS}
    for interpreter, ending in outcomes.items():
        print(f"{interpreter}: {ending}")
    failed = any(ending.startswith("failed") for ending in outcomes.values())
    # Whoever names interpreters wants them all; else those that are installed.
    missing = bool(named) and "absent" in outcomes.values()
    return 1 if failed or missing or "passed" not in outcomes.values() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
