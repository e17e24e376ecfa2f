"""The program that needs atheris is no module of tests."""

collect_ignore = ["one.py"]
