"""Do the tests notice? cosmic-ray puts small faults into the sources, one at a time.

What it does is configured in one file per package; `__main__.py` runs it on a sample, interpreted,
in a copy of the tree.
"""
