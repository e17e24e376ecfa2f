"""Run tests in other environments beside .venv, kept in build/environments until stale.

    python -m tests.environments numbas               the oldest and the newest numba allowed
    python -m tests.environments pythons              python3.11 to python3.14, if installed
    python -m tests.environments pythons ~/my/python3.14 ...    these
    python -m tests.environments pythons python3.13 -- tests    in this one, the whole suite

By default those tests are run that notice when a result depends on the version.
"""

import re
import shutil
import subprocess
import sys
import tomllib

from tests import ROOT

FOLDER = ROOT / "build" / "environments"
GIVEN = [ROOT / "pyproject.toml", ROOT / "constraints.txt"]
INTERPRETERS = [f"python3.{minor}" for minor in range(11, 15)]
GOLDEN = ["tests/algorithms/test_golden.py", "tests/experiments/test_determinism.py"]
TESTS = [
    *GOLDEN,
    "tests/algorithms/test_twins.py",
    "tests/search/test_minimize.py",
    "tests/search/test_arguments.py",
    "tests/experiments/test_campaign.py",
    "tests/experiments/test_plan.py",
    "tests/experiments/test_store.py",
    "tests/test_space.py",
]


def run_in(name, interpreter, needed, tests, free=()):
    """Run tests in an environment with the needed packages; say in a word how that ended.

    Versions are those of constraints.txt, except for the packages that are `free`.
    """
    print(f"== {name} ({interpreter})", flush=True)
    folder = FOLDER / name
    python, mark = folder / "bin" / "python", folder / "installed"
    if not mark.exists() or any(path.stat().st_mtime > mark.stat().st_mtime for path in GIVEN):
        lines = GIVEN[1].read_text(encoding="utf-8").splitlines()
        fixed = [line for line in lines if line.partition("==")[0] not in free]
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        constraints = folder / "constraints.txt"
        try:
            subprocess.run([interpreter, "-m", "venv", "--clear", folder], check=True)
            constraints.write_text("\n".join(fixed), encoding="utf-8")
            subprocess.run([*pip, "-c", constraints, "-e", *needed], cwd=ROOT, check=True)
        except subprocess.CalledProcessError:
            return "failed: the environment could not be made"
        mark.touch()
    pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    return "failed" if subprocess.run(pytest, cwd=ROOT).returncode else "passed"


def numbas():
    """Run the golden campaigns with the oldest and the newest numba that pyproject.toml allows."""
    project = tomllib.loads(GIVEN[0].read_text(encoding="utf-8"))["project"]
    bounds = (re.fullmatch(r"numba>=([\d.]+),(<[\d.]+)", one) for one in project["dependencies"])
    oldest, newest = next(filter(None, bounds)).groups()
    # llvmlite belongs to a release of numba, and an older numba refuses a newer numpy.
    free = ["numba", "llvmlite", "numpy"]
    needed = [".", "pytest", "hypothesis", "pytest-xdist"]
    tests = [*GOLDEN, "-k", "what_it_was"]
    return {
        numba: run_in(f"numba-{name}", sys.executable, [*needed, numba], tests, free)
        for name, numba in {"oldest": f"numba=={oldest}.*", "newest": f"numba{newest}"}.items()
    }


def pythons(named, tests):
    """Run tests in every Python that is installed, or in those that are named."""
    outcomes = {}
    for name in named or INTERPRETERS:
        interpreter = shutil.which(name)
        asked = [interpreter, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        found = interpreter and subprocess.run(asked, capture_output=True, text=True)
        if found and found.returncode == 0:
            needed = [".[report,cluster,formats,test]"]
            version = f"python-{found.stdout.strip()}"
            outcomes[name] = run_in(version, interpreter, needed, ["-n", "auto", *tests])
        elif named:  # whoever names interpreters wants them all; else those that are installed
            outcomes[name] = "absent"
    return outcomes


def main(what, *arguments):
    end = arguments.index("--") if "--" in arguments else len(arguments)
    tests = arguments[end + 1 :] or TESTS
    outcomes = numbas() if what == "numbas" else pythons(arguments[:end], tests)
    for name, ending in outcomes.items():
        print(f"{name}: {ending}")
    return 0 if outcomes and set(outcomes.values()) == {"passed"} else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
