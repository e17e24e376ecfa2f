"""Do the tests notice? cosmic-ray puts small faults into the sources, one at a time.

What it does is configured in `engine.toml`, `algorithms.toml` and `statistics.toml`; `__main__.py`
runs it on a sample, interpreted, in a copy of the tree. Faults that no test can notice, or need
not, are in `survivors.toml` with their reasons.
"""
