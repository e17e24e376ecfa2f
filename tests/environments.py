"""Virtual environments for the suite beside .venv, kept in build/environments until stale."""

import subprocess

from tests import ROOT

FOLDER = ROOT / "build" / "environments"
GIVEN = [ROOT / "pyproject.toml", ROOT / "constraints.txt"]


class NoEnvironmentError(Exception):
    """An environment could not be made."""


def environment(name, interpreter, needed, free=()):
    """Return the Python of an environment with the needed packages.

    Versions are those of constraints.txt, except for the packages that are `free`.
    """
    folder = FOLDER / name
    python, mark = folder / "bin" / "python", folder / "installed"
    if mark.exists() and all(path.stat().st_mtime <= mark.stat().st_mtime for path in GIVEN):
        return python
    constraints = folder / "constraints.txt"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        subprocess.run([interpreter, "-m", "venv", "--clear", folder], check=True)
        constraints.write_text(without(free, GIVEN[1].read_text()), encoding="utf-8")
        subprocess.run([*pip, "-c", constraints, "-e", *needed], cwd=ROOT, check=True)
    except subprocess.CalledProcessError as error:
        raise NoEnvironmentError("the environment could not be made") from error
    mark.touch()
    return python


def without(packages, constraints):
    """Return the constraints but those of some packages.

    >>> without(["numba"], "numba==0.68.1\\nnumpy==2.4.6\\n")
    'numpy==2.4.6\\n'
    """
    lines = constraints.splitlines(keepends=True)
    return "".join(line for line in lines if line.partition("==")[0] not in packages)


def run_tests(python, arguments):
    """Run pytest in an environment; return whether all tests passed."""
    pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(pytest, cwd=ROOT, check=False).returncode == 0
