"""One setting for the whole suite: reproducible examples, and a smaller suite when interpreted."""

import os
import signal

import pytest
from hypothesis import settings

from tests.browser import launched

# A suite started in the background ignores Ctrl-C, and so would the processes that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

# The same examples on every machine and every day; HYPOTHESIS_PROFILE=explore looks further.
settings.register_profile(
    "reproducible", derandomize=True, deadline=None, database=None, max_examples=40
)
settings.register_profile("interpreted", settings.get_profile("reproducible"), max_examples=12)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "interpreted" if INTERPRETED else "reproducible")
)


@pytest.fixture(scope="module")
def browser():
    """Not for a whole session: while it runs, nothing else may use asyncio."""
    with launched() as started:
        yield started


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers():
    """One process more than cores: tests wait for other processes, browsers and clocks."""
    return (yield) + (not INTERPRETED)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if INTERPRETED:
        skip = pytest.mark.skip(reason="needs compiled code")
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(skip)
