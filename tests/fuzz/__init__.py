"""Coverage-guided fuzzing of everything that reads what strangers have made.

    python -m tests.fuzz [TARGET ...] [-max_total_time=SECONDS] [-seed=S]

A target is a function of bytes that raises an exception if something is wrong. Inputs that once
found a fault are kept in `tests/fuzz/kept` and checked by the usual tests, without atheris.
"""
