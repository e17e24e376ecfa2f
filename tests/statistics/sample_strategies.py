"""Strategies for samples, shared by tests of statistics."""

import math

from hypothesis import strategies as st

INF = math.inf
CHANCE = 1e-6  # of each test of a distribution to fail although it is right
few = st.integers(0, 4)
with_failures = st.lists(few | st.just(INF), min_size=1, max_size=9)
reals = st.floats(-1e300, 1e300, allow_nan=False)
