"""How much to measure."""

from typing import NamedTuple


class Effort(NamedTuple):
    """What the command line asks for; `quick` shows that all works, its figures mean little."""

    seed: int = 1
    quick: bool = False
    long: bool = False

    @property
    def repeats(self) -> int:
        return 2 if self.quick else 5

    @property
    def seconds(self) -> float:
        """The CPU time one repeat takes at least."""
        return 0.001 if self.quick else 0.3

    def evaluations(self, full: int) -> int:
        """So many evaluations, or few."""
        return min(full, 2000) if self.quick else full
