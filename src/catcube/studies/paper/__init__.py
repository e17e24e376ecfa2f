"""The 2021 paper: its published tables, and its statements with verdicts."""
