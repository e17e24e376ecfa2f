"""Other costs: a flip, a whole point, the exact solver, a user's Python function."""

from benchmarks import flips, full, functions, solver
from benchmarks.effort import Effort

PARTS = (flips, full, solver, functions)


def section(effort: Effort) -> str:
    """All of them."""
    return "\n\n".join(part.subsection(effort) for part in PARTS)
