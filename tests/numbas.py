"""Run the golden campaigns with the oldest and the newest numba that pyproject.toml allows.

python -m tests.numbas
"""

import re
import sys
import tomllib

from tests import ROOT
from tests.environments import NoEnvironmentError, environment, run_tests

# llvmlite belongs to a release of numba, and an older numba refuses a newer numpy.
FREE = ["numba", "llvmlite", "numpy"]
TESTS = [
    "tests/algorithms/test_golden.py",
    "tests/experiments/test_determinism.py",
    "-k",
    "what_it_was",
]


def bounds():
    """Return the requirements of the oldest and of the newest allowed release."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (numba,) = (
        requirement for requirement in project["dependencies"] if re.match(r"numba\b", requirement)
    )
    oldest, newest = re.fullmatch(r"numba>=([\d.]+),(<[\d.]+)", numba).groups()
    return {"oldest": f"numba=={oldest}.*", "newest": f"numba{newest}"}


def main():
    failed = []
    for name, requirement in bounds().items():
        print(f"== {requirement}", flush=True)
        try:
            python = environment(
                f"numba-{name}",
                sys.executable,
                [".", requirement, "pytest", "hypothesis", "pytest-xdist"],
                FREE,
            )
        except NoEnvironmentError as error:
            print(f"{requirement}: {error}")
            failed.append(name)
            continue
        if not run_tests(python, TESTS):
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "the oldest and the newest: passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
