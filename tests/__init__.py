"""The tests: a folder for each room of the package, and what they share beside them."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
