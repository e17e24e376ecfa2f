"""Other costs: a flip, a whole point, a linkage tree, the exact solver, a user's function."""

from benchmarks import flips, full, functions, solver, trees
from benchmarks.cost import Effort

PARTS = (flips, full, trees, solver, functions)


def section(effort: Effort) -> str:
    """Return all subsections."""
    return "\n\n".join(part.subsection(effort) for part in PARTS)
