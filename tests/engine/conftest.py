import numpy as np
import pytest


@pytest.fixture
def wrapping():
    """Interpreted, words wrap around as they should, and numpy would warn of it."""
    with np.errstate(over="ignore"):
        yield
