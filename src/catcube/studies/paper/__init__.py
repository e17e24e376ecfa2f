"""The 2021 paper: its published tables, its statements and their verdicts, its scales."""
