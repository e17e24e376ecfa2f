"""Coverage-guided fuzzing of everything that reads what strangers have made.

    python -m fuzz [--target NAME] [--seconds N] [--seed S]

A target is a function of bytes that raises an exception if something is wrong. Inputs that once
found a fault are kept in `fuzz/kept` and checked by the usual tests, which do not need atheris.
"""
