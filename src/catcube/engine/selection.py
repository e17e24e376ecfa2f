"""Choosing the best of a population."""

from typing import Any

from catcube.engine.compiled.jit import part


def selection_fits(parameters: Any) -> str | None:
    """Describe sizes of population and selection that do not fit; None if they do."""
    if parameters.selection > parameters.population:
        return (
            f"selection={parameters.selection} of population={parameters.population} samples "
            "cannot be chosen"
        )
    return None


@part
def select_best(values, count, chosen):
    """Write the indices of the `chosen.size` lowest of the first `count` values, best first.

    Among equal values the earlier one is better.
    """
    kept = 0
    for k in range(count):
        if kept == chosen.size and values[k] >= values[chosen[kept - 1]]:
            continue
        rank = kept if kept < chosen.size else kept - 1
        while rank > 0 and values[chosen[rank - 1]] > values[k]:
            chosen[rank] = chosen[rank - 1]
            rank -= 1
        chosen[rank] = k
        if kept < chosen.size:
            kept += 1
