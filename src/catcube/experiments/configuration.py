"""Everything that a run depends on except its number; with it, a run has a key and a seed."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Self

from catcube.base.seeds import derived_seed
from catcube.base.text import quoted
from catcube.errors import BadValue


@dataclass(frozen=True)
class Configuration:
    """Runs of one algorithm with one representation on one instance, fully resolved.

    It is plain data for other processes, machines and stores. The board is empty if the name of
    the instance has all arguments, as `match:20,9`, and holds the files of an instance that was
    read from files, as `colouring:queen8_8.col,9`. With `shuffled` the categories of each variable
    are permuted before bits represent them.

    >>> configuration = Configuration("mine", "tiny", "12..34122143432.", "rls", "linear",
    ...                     parameters=(("patience", 50),), budget=100, target=0.0,
    ...                     restart=None, seed=1, runs=3)
    >>> configuration.key(2)
    ('mine', 'tiny', 'rls', 'linear', 2, 'a67efe8bb46b2423')
    >>> Configuration.from_json(configuration.to_json()) == configuration
    True
    """

    experiment: str
    instance: str
    board: str
    algorithm: str
    representation: str
    parameters: tuple[tuple[str, Any], ...]
    budget: int
    target: float | None
    restart: int | None
    seed: int
    runs: int
    shuffled: bool = False

    @property
    def digest(self) -> str:
        """A hash of all that determines the outcome of a run; the number of runs does not."""
        relevant = self._fields()
        del relevant["experiment"], relevant["runs"]
        return sha256(_json(relevant).encode()).hexdigest()[:16]

    @property
    def pair(self) -> tuple[str, str]:
        """Algorithm and representation."""
        return self.algorithm, self.representation

    def key(self, number: int) -> tuple[str, str, str, str, int, str]:
        """Return the permanent key of a run."""
        return (
            self.experiment,
            self.instance,
            self.algorithm,
            self.representation,
            number,
            self.digest,
        )

    def run_seed(self, number: int) -> int:
        """Derive the seed of a run, as `catcube run` and `catcube.experiments.batch.plan` do."""
        return derived_seed(self.seed, self.instance, self.algorithm, self.representation, number)

    @property
    def shuffling_seed(self) -> int | None:
        """Return the seed of the permutations of categories, one for all pairs on an instance."""
        return derived_seed(self.seed, self.instance, "categories") if self.shuffled else None

    def to_json(self) -> str:
        """Return JSON text with names in a fixed order."""
        return _json(self._fields() | {"parameters": dict(self.parameters)})

    def _fields(self) -> dict[str, Any]:
        """Return all fields; `shuffled` only if true, so that other runs keep their keys."""
        fields = asdict(self)
        if not self.shuffled:
            del fields["shuffled"]
        return fields

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse the output of `to_json`; raise a ValueError for anything else."""
        try:
            fields = json.loads(text)
            configuration = cls(**fields | {"parameters": tuple(fields["parameters"].items())})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise BadValue(f"not a configuration ({type(error).__name__})") from error
        for name, (kinds, least) in _KINDS.items():
            value = getattr(configuration, name)
            if type(value) not in kinds or (type(value) is int and value < least):
                raise BadValue(f"not a configuration ({name} is {quoted(value)})")
        return configuration


def difference_of(stored: Sequence[Configuration], planned: Sequence[Configuration]) -> str | None:
    """Describe the first difference of two plans; None if they are equal."""
    for there, here in zip(stored, planned, strict=False):
        for name in vars(there):
            old, new = getattr(there, name), getattr(here, name)
            if old != new:
                shown = "other content" if name == "board" else f"{old!r} stored, {new!r} planned"
                return f"experiment {there.experiment!r}, {name}: {shown}"
    if len(stored) != len(planned):
        return f"{len(stored)} configurations stored, {len(planned)} planned"
    return None


# The types of the fields in JSON, and the lowest value of an integer.
_KINDS: dict[str, tuple[tuple[type, ...], float]] = {
    **dict.fromkeys(
        ("experiment", "instance", "board", "algorithm", "representation"), ((str,), 0)
    ),
    **dict.fromkeys(("budget", "runs"), ((int,), 1)),
    "seed": ((int,), 0),
    "target": ((int, float, type(None)), -math.inf),
    "restart": ((int, type(None)), 1),
    "shuffled": ((bool,), 0),
}


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
