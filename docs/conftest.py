"""The examples of the pages: some need other packages, and what they register is forgotten."""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from catcube.base import registry

NEEDED = {
    "coming-from/deap.md": "deap",
    "coming-from/optuna.md": "optuna",
    "coming-from/pymoo.md": "pymoo",
    "guides/iohprofiler.md": "ioh",
    "surrogate.md": "sklearn",
}

sys.path.append(str(Path(__file__).parents[1] / "examples"))  # where pages import from

collect_ignore = [page for page, package in NEEDED.items() if find_spec(package) is None]


@pytest.fixture(autouse=True)
def _registered_by_a_page() -> Iterator[None]:
    """Take back what a page has registered: other tests look at all that is registered."""
    yield
    typed = [own for own in registry._added if own[0]._modules[own[1]] == "__main__"]
    for things, name in typed:
        things.remove(name)
