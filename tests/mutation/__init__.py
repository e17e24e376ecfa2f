"""Do the tests notice? Small faults put into the sources, one at a time, each run by the tests.

The faults (mutants) are those of cosmic-ray: another operator, a number off by one, a condition
negated, a loop that does nothing. All runs interpreted, in a copy of the tree: `copied.py`. Which
test reaches which line is measured first (`reach.py`), so that a mutant meets only tests that can
notice it, in a process of its own (`trial.py`). Those that no test noticed and none can are kept
with their reasons in `survivors.toml`.
"""
