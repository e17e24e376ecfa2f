"""What files of networks hold: tables over variables with labels."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue

MOST_VARIABLES = 100_000
MOST_LABELS = 65_536
MOST_IN_SCOPE = 30


@dataclass(frozen=True)
class Network:
    """Tables with their variables by name, and the labels of all variables."""

    scopes: Sequence[tuple[str, ...]]
    tables: Sequence[NDArray[np.float64]]
    labels: Mapping[str, Sequence[Hashable]]
    is_uai: bool = False

    def with_costs(self) -> "Network":
        """Return the same network with -log of all entries.

        An entry of 0 costs more than all others together can differ: 1 more than the sum of the
        differences between the greatest and the least finite cost of each table.
        """
        logs = []
        for names, table in zip(self.scopes, self.tables, strict=True):
            if not np.isfinite(table).all() or (table < 0).any():
                raise BadValue(f"expected entries >= 0 in the table of {names}, got others")
            if not (table > 0).any():
                raise BadValue(f"expected an entry > 0 in the table of {names}, got none")
            positive = np.where(table > 0, table, 1.0)
            logs.append(np.where(table > 0, -np.log(positive), np.nan))
        penalty = 1.0 + sum(float(np.nanmax(log) - np.nanmin(log)) for log in logs)
        costs = [np.where(np.isnan(log), np.nanmax(log) + penalty, log) for log in logs]
        return replace(self, tables=costs)
